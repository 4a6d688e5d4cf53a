//! Call sites of `invokedynamic`: what the bootstrap method that was recorded makes of them.
//!
//! Known are those of the Java library that compilers use: functions, texts put together, and
//! switches on types.

use super::link::{CallLink, call};
use crate::statics::descriptor::Signature;
use crate::statics::program::{Method, MethodIx, Program, Target};
use locklens_trace::ClassId;
use locklens_trace::code::{Bootstrap, Constant, HandleKind, InvokeKind, MemberRef, Text};
use std::rc::Rc;

/// What an `invokedynamic` leads to.
#[derive(Clone, Debug)]
pub(super) enum Site {
    /// It makes a function.
    Function(Option<Body>, Signature),
    /// It puts a text together.
    Text(Vec<Piece>),
    /// It finds the first of these that an object is.
    Switch(Vec<Label>),
    /// Nothing that is known here.
    Other,
}

/// The code of a function.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// This method.
    Code(MethodIx),
    /// What this call leads to.
    Call(Rc<CallLink>),
    /// A new object, constructed by this call.
    New(Rc<CallLink>),
}

/// A piece of a text that is put together.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// These letters.
    Letters(String),
    /// The next operand.
    Operand,
}

/// What a case of a switch stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Label {
    /// Objects of this class.
    Class(String),
    /// This text, or the enum constant of this name.
    Text(Text),
    /// This number.
    Number(i64),
}

const PRIVATE: u32 = 0x0002;
const SYNTHETIC: u32 = 0x1000;

impl Site {
    /// What a bootstrap method makes of a call site in a class.
    pub(super) fn new(program: &Program, from: ClassId, bootstrap: &Bootstrap) -> Self {
        let arguments = bootstrap.arguments.as_slice();
        let method = (bootstrap.class.as_str(), bootstrap.name.as_str());
        let found = match method {
            ("java.lang.invoke.LambdaMetafactory", "metafactory" | "altMetafactory") => {
                function(program, from, arguments)
            }
            ("java.lang.invoke.StringConcatFactory", "makeConcatWithConstants") => {
                recipe(arguments).map(Self::Text)
            }
            ("java.lang.runtime.SwitchBootstraps", "typeSwitch" | "enumSwitch") => {
                let labels = arguments.iter().map(label);
                labels.collect::<Option<_>>().map(Self::Switch)
            }
            _ => None,
        };
        found.unwrap_or(Self::Other)
    }
}

/// The function that the library makes of what its interface's method takes and gives, and of a
/// method handle.
fn function(program: &Program, from: ClassId, arguments: &[Constant]) -> Option<Site> {
    let [
        Constant::Type(erased),
        Constant::Handle { kind, member },
        ..,
    ] = arguments
    else {
        return None;
    };
    let body = body(program, from, *kind, member);
    Some(Site::Function(body, Signature::parse(erased)))
}

fn body(program: &Program, from: ClassId, kind: HandleKind, member: &MemberRef) -> Option<Body> {
    let kind = match kind {
        HandleKind::InvokeStatic => InvokeKind::Static,
        HandleKind::InvokeVirtual => InvokeKind::Virtual,
        HandleKind::InvokeInterface => InvokeKind::Interface,
        HandleKind::InvokeSpecial => InvokeKind::Special,
        HandleKind::NewInvokeSpecial => {
            let call = call(program, from, InvokeKind::Special, member);
            return Some(Body::New(Rc::new(call)));
        }
        _ => return None,
    };
    let call = call(program, from, kind, member);
    let declared = match (call.class, call.selector) {
        (Some(class), Some(selector)) if class == from => program.method_of(class, selector),
        _ => Target::Opaque,
    };
    Some(match declared {
        // The body of a lambda, or a method that nothing can override.
        Target::Code(ix) if is_fixed(&program.methods[ix], from) => Body::Code(ix),
        _ => Body::Call(Rc::new(call)),
    })
}

fn is_fixed(method: &Method, from: ClassId) -> bool {
    method.def.class == from && method.def.flags & (PRIVATE | SYNTHETIC) != 0
}

/// The pieces of a text; none if its recipe was recorded only in part.
fn recipe(arguments: &[Constant]) -> Option<Vec<Piece>> {
    const OPERAND: char = '\u{1}';
    const CONSTANT: char = '\u{2}';
    let (Constant::Text(recipe), constants) = arguments.split_first()? else {
        return None;
    };
    if !recipe.is_whole() {
        return None;
    }
    let mut constants = constants.iter();
    let (mut pieces, mut letters) = (Vec::new(), String::new());
    for letter in recipe.start.chars() {
        match letter {
            OPERAND => {
                pieces.push(Piece::Letters(std::mem::take(&mut letters)));
                pieces.push(Piece::Operand);
            }
            CONSTANT => match constants.next()? {
                Constant::Text(text) if text.is_whole() => letters.push_str(&text.start),
                _ => return None,
            },
            other => letters.push(other),
        }
    }
    pieces.push(Piece::Letters(letters));
    pieces.retain(|piece| *piece != Piece::Letters(String::new()));
    Some(pieces)
}

fn label(constant: &Constant) -> Option<Label> {
    Some(match constant {
        Constant::Class(name) => Label::Class(name.clone()),
        Constant::Text(text) => Label::Text(text.clone()),
        Constant::Number { value, .. } => Label::Number(*value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Constant {
        Constant::Text(Text::of(text))
    }

    #[test]
    fn a_recipe_is_taken_apart() {
        let letters = |text: &str| Piece::Letters(text.to_owned());
        let pieces = recipe(&[text("a\u{1}\u{1}b\u{2}c"), text("\u{1}")]);
        let expected = [
            letters("a"),
            Piece::Operand,
            Piece::Operand,
            letters("b\u{1}c"),
        ];
        assert_eq!(pieces.as_deref(), Some(&expected[..]));
        assert_eq!(recipe(&[text("\u{2}")]), None);
        assert_eq!(recipe(&[text(&"long".repeat(40))]), None);
        assert_eq!(recipe(&[]), None);
    }

    #[test]
    fn a_bootstrap_method_that_is_not_known_makes_nothing() {
        let bootstrap = Bootstrap {
            class: "p.C".to_owned(),
            name: "metafactory".to_owned(),
            arguments: Vec::new(),
        };
        let site = Site::new(&Program::default(), ClassId(1), &bootstrap);
        assert!(matches!(site, Site::Other));
    }
}
