//! What a monitor instruction or a call works on, as far as one method's code shows it.

use locklens_trace::code::MemberRef;

/// The object an instruction locks, waits on, notifies or passes on, in terms of its method.
/// Equal subjects of one method are taken to be the same object (a field that is assigned
/// between two reads of it breaks that, and so it would the program's own locking).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The receiver of the method.
    This,
    /// A parameter, by local slot.
    Param(u16),
    /// A field of an object.
    Field {
        /// Of the method's own receiver; else of some other object.
        of_this: bool,
        /// Which.
        field: MemberRef,
    },
    /// A static field.
    Static(MemberRef),
    /// The mirror of the class of this binary name.
    Class(String),
    /// The value made by the instruction at this bci, of this type if the code says so.
    Made {
        /// bci of the instruction.
        bci: u16,
        /// Binary name.
        type_name: Option<String>,
    },
    /// Nothing is known.
    Unknown,
}

impl Subject {
    /// Binary name of the declared type; none when the code does not say.
    #[must_use]
    pub fn declared_type(&self) -> Option<String> {
        match self {
            Self::Field { field, .. } | Self::Static(field) => type_name(&field.descriptor),
            Self::Made { type_name, .. } => type_name.clone(),
            Self::Class(_) => Some("java.lang.Class".to_owned()),
            Self::This | Self::Param(_) | Self::Unknown => None,
        }
    }

    /// The same object seen from the caller, given what the caller passed (receiver first).
    #[must_use]
    pub fn in_caller(&self, arguments: &Arguments) -> Option<Self> {
        let found = match self {
            Self::This => arguments.receiver()?.clone(),
            Self::Param(slot) => arguments.at_slot(*slot)?.clone(),
            Self::Field {
                of_this: true,
                field,
            } => Self::Field {
                of_this: arguments.receiver() == Some(&Self::This),
                field: field.clone(),
            },
            Self::Static(_) | Self::Class(_) => self.clone(),
            Self::Field { .. } | Self::Made { .. } | Self::Unknown => return None,
        };
        (found != Self::Unknown).then_some(found)
    }

    /// The same object seen from a callee that was given `arguments`; none when the callee has
    /// no direct way to it.
    #[must_use]
    pub fn in_callee(&self, arguments: &Arguments) -> Option<Self> {
        if matches!(self, Self::Static(_) | Self::Class(_)) {
            return Some(self.clone());
        }
        if let Some(slot) = arguments.slot_of(self) {
            return Some(slot);
        }
        match self {
            Self::Field { of_this: true, .. } if arguments.receiver() == Some(&Self::This) => {
                Some(self.clone())
            }
            _ => None,
        }
    }
}

/// What a call passes: receiver first (if it has one), then the arguments, each with the slot
/// it has in the callee.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The first of `values` is the receiver.
    pub has_receiver: bool,
    /// (slot in the callee, value).
    pub values: Vec<(u16, Subject)>,
}

impl Arguments {
    /// The receiver of an instance call.
    #[must_use]
    pub fn receiver(&self) -> Option<&Subject> {
        self.values
            .first()
            .filter(|_| self.has_receiver)
            .map(|(_, s)| s)
    }

    fn at_slot(&self, slot: u16) -> Option<&Subject> {
        self.values
            .iter()
            .find(|&&(s, _)| s == slot)
            .map(|(_, v)| v)
    }

    fn slot_of(&self, subject: &Subject) -> Option<Subject> {
        if *subject == Subject::Unknown {
            return None;
        }
        let &(slot, _) = self.values.iter().find(|(_, v)| v == subject)?;
        Some(match (slot, self.has_receiver) {
            (0, true) => Subject::This,
            _ => Subject::Param(slot),
        })
    }
}

/// Binary name of the reference type a field descriptor means; none for primitives.
#[must_use]
pub fn type_name(descriptor: &str) -> Option<String> {
    match descriptor.as_bytes().first()? {
        b'L' => Some(
            descriptor
                .strip_prefix('L')?
                .strip_suffix(';')?
                .replace('/', "."),
        ),
        b'[' => Some(descriptor.replace('/', ".")),
        _ => None,
    }
}

/// The parameter descriptors and the return descriptor of a method descriptor. A malformed one
/// yields what could be read.
#[must_use]
pub fn split_descriptor(descriptor: &str) -> (Vec<&str>, &str) {
    let (params, result) = descriptor
        .strip_prefix('(')
        .and_then(|d| d.split_once(')'))
        .unwrap_or(("", "V"));
    let mut rest = params;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let arrays = rest.bytes().take_while(|&b| b == b'[').count();
        let length = match rest.as_bytes().get(arrays) {
            Some(b'L') => rest.find(';').map_or(rest.len(), |end| end + 1),
            _ => (arrays + 1).min(rest.len()),
        };
        let Some((one, tail)) = rest.split_at_checked(length) else {
            break;
        };
        found.push(one);
        rest = tail;
    }
    (found, result)
}

/// Stack words a value of this descriptor takes.
#[must_use]
pub fn words(descriptor: &str) -> usize {
    match descriptor {
        "V" => 0,
        "J" | "D" => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_come_apart() {
        let (params, result) = split_descriptor("(I[JLjava/lang/String;[[Lapp/X;D)Z");
        assert_eq!(params, ["I", "[J", "Ljava/lang/String;", "[[Lapp/X;", "D"]);
        assert_eq!(result, "Z");
        assert_eq!(type_name(params[2]).as_deref(), Some("java.lang.String"));
    }

    #[test]
    fn malformed_descriptors_do_not_panic() {
        for bad in ["", "(", "()", "(L", "([", "(Lé)V", "é", "(éI)V", ")("] {
            let _ = split_descriptor(bad);
            let _ = type_name(bad);
        }
    }

    #[test]
    fn a_field_of_this_stays_one_only_through_calls_on_this() {
        let field = MemberRef {
            class: "app.A".into(),
            name: "lock".into(),
            descriptor: "Ljava/lang/Object;".into(),
        };
        let lock = Subject::Field {
            of_this: true,
            field,
        };
        let call = |receiver| Arguments {
            has_receiver: true,
            values: vec![(0, receiver)],
        };
        assert_eq!(lock.in_callee(&call(Subject::This)), Some(lock.clone()));
        assert_eq!(lock.in_callee(&call(Subject::Param(1))), None);
        assert_eq!(lock.in_callee(&call(lock.clone())), Some(Subject::This));
    }
}
