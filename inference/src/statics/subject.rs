//! What a region locks, said so that regions of different methods can be compared.

use super::descriptor::Type;
use super::expr::{Expr, Exprs, Node};
use super::program::{FieldId, MethodIx, Program};
use locklens_trace::ClassId;

/// The object a region locks, as far as its code tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The object the method is called on, an instance of this class or a subclass.
    This(ClassId),
    /// The mirror of the class with this binary name.
    StaticMirror(String),
    /// The content of a field.
    Field {
        /// Binary name of the declaring class.
        owner: String,
        /// Name of the field.
        name: String,
        /// Binary name of its type.
        class: String,
        /// A static field.
        is_static: bool,
    },
    /// A value (parameter, local, result) of this static type.
    Value(String),
    /// Not known.
    Unknown,
}

impl Subject {
    /// Static type of the lock object, where known.
    pub(crate) fn declared_type(&self) -> Option<&str> {
        match self {
            Self::Field { class, .. } | Self::Value(class) => Some(class),
            _ => None,
        }
    }
}

/// The subject of a region of a method that locks `object`.
pub(crate) fn subject(program: &Program, x: &Exprs, ix: MethodIx, object: Expr) -> Subject {
    let def = &program.methods[ix].def;
    match x.node(object) {
        Node::Entry(0) if !def.is_static() => Subject::This(def.class),
        Node::Mirror(class) => Subject::StaticMirror(class.to_string()),
        Node::Field(_, id) => field_subject(program, *id, false),
        Node::Static(id) => field_subject(program, *id, true),
        // One of an array of locks: the stripes of one lock.
        Node::Index(array, _) if is_field(x, *array) => subject(program, x, ix, *array),
        _ => type_of(program, x, ix, object).map_or(Subject::Unknown, Subject::Value),
    }
}

fn is_field(x: &Exprs, e: Expr) -> bool {
    matches!(x.node(e), Node::Field(..) | Node::Static(_))
}

fn field_subject(program: &Program, id: FieldId, is_static: bool) -> Subject {
    let field = program.field(id);
    Subject::Field {
        owner: field.class.clone(),
        name: field.name.clone(),
        class: Type(&field.descriptor).class_name().unwrap_or_default(),
        is_static,
    }
}

/// Binary name of the static type of a value in a method.
pub(crate) fn type_of(program: &Program, x: &Exprs, ix: MethodIx, e: Expr) -> Option<String> {
    let method = &program.methods[ix];
    match x.node(e) {
        Node::Entry(0) if !method.def.is_static() => {
            Some(program.classes.name(method.def.class).to_owned())
        }
        Node::Entry(slot) => parameter_type(program, ix, *slot),
        Node::New(_, class) | Node::Opaque(_, _, Some(class)) => Some(class.to_string()),
        Node::Field(_, id) | Node::Static(id) => Type(&program.field(*id).descriptor).class_name(),
        Node::Saved(inner) => type_of(program, x, ix, *inner),
        Node::Elem(array) | Node::Index(array, _) => {
            let array = type_of(program, x, ix, *array)?;
            Type(array.strip_prefix('[')?).class_name()
        }
        Node::Current => Some("java.lang.Thread".to_owned()),
        _ => None,
    }
}

fn parameter_type(program: &Program, ix: MethodIx, slot: u16) -> Option<String> {
    let method = &program.methods[ix];
    let first = u16::from(!method.def.is_static());
    let mut slots = method.signature.slots(first);
    slots.find(|(at, _)| *at == slot)?.1.class_name()
}
