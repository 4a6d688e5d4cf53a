//! What number fields of a lock object hold when it is first seen: one look, which tells the
//! parameters of a lock (permits, capacity, parties) where its code alone does not.
//!
//! Nothing is locked for it and nothing is written; a value that changes at that moment is read
//! old or new. Only a few objects of each class are looked at, and no class of the JDK.

use crate::definition::Definition;
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{FieldKind, Object, ReadableField, Ref, Vm};
use locklens_trace::record::{FieldValue, FieldsDef};
use locklens_trace::{ClassId, LockId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Objects looked at of each class.
const OBJECTS: u32 = 32;
/// Fields looked at of each object.
const FIELDS: usize = 24;
/// Classes of which fields are known at the most.
const CLASSES: usize = 4096;

/// The fields to read of one class, with how many of its objects have been looked at.
struct Plan {
    fields: Arc<[Readable]>,
    looks: u32,
}

struct Readable {
    class: String,
    name: String,
    field: ReadableField,
}

/// The plans made so far. No call of the JVM is made under the mutex.
#[derive(Default)]
pub(crate) struct FieldPlans(Mutex<HashMap<ClassId, Plan>>);

/// What is known of a class.
enum Known {
    No,
    Enough,
    Read(Arc<[Readable]>),
}

impl FieldPlans {
    fn next(&self, class: ClassId) -> Known {
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let full = plans.len() >= CLASSES;
        match plans.get_mut(&class) {
            None if full => Known::Enough,
            None => Known::No,
            Some(plan) if plan.looks >= OBJECTS || plan.fields.is_empty() => Known::Enough,
            Some(plan) => {
                plan.looks += 1;
                Known::Read(plan.fields.clone())
            }
        }
    }

    fn learn(&self, class: ClassId, fields: Arc<[Readable]>) {
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        plans.entry(class).or_insert(Plan { fields, looks: 1 });
    }
}

impl Recording {
    /// Looks at the fields of a lock object of that class.
    pub(crate) fn describe_fields(
        &self,
        vm: Vm<'_>,
        object: &impl Object,
        class: &Ref<'_>,
        (lock, class_id): (LockId, ClassId),
    ) {
        if !self.ceiling.has_room_for_names() {
            return;
        }
        let fields = match self.fields.next(class_id) {
            Known::Enough => return,
            Known::Read(fields) => fields,
            Known::No => {
                let fields: Arc<[Readable]> = readable(vm, class).into();
                self.fields.learn(class_id, fields.clone());
                fields
            }
        };
        let values: Vec<_> = fields.iter().filter_map(|f| read(vm, object, f)).collect();
        if !values.is_empty() {
            self.definitions
                .push(Definition::Fields(FieldsDef { lock, values }));
        }
    }
}

fn read(vm: Vm<'_>, object: &impl Object, readable: &Readable) -> Option<FieldValue> {
    // SAFETY: the field was found in a class of this object's, which is alive as the object is;
    // the same class id stands for the same class.
    let reading = unsafe { vm.read_field(object, readable.field) }?;
    Some(FieldValue {
        class: readable.class.clone(),
        name: readable.name.clone(),
        reading,
    })
}

/// The number and array fields of a class and its superclasses outside the JDK.
fn readable(vm: Vm<'_>, class: &Ref<'_>) -> Vec<Readable> {
    let mut found = Vec::new();
    let mut above = add_fields(vm, class, &mut found);
    while let Some(class) = above.take().filter(|_| found.len() < FIELDS) {
        above = add_fields(vm, &class, &mut found);
    }
    found.truncate(FIELDS);
    found
}

/// Adds the fields one class declares; its superclass, unless this is the JDK's.
fn add_fields<'vm>(vm: Vm<'vm>, class: &Ref<'_>, found: &mut Vec<Readable>) -> Option<Ref<'vm>> {
    let signature = vm.class_signature(class).ok()?;
    let jdk = ["[", "Ljava/", "Ljavax/", "Lsun/", "Ljdk/"];
    if jdk.iter().any(|prefix| signature.starts_with(prefix)) {
        return None;
    }
    let name = binary_name(&signature);
    for declared in vm.instance_fields(class).unwrap_or_default() {
        if let Some(kind) = FieldKind::of(&declared.descriptor) {
            found.push(Readable {
                class: name.clone(),
                name: declared.name,
                field: declared.field.reading(kind),
            });
        }
    }
    vm.superclass(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_objects_of_each_class_are_looked_at() {
        let plans = FieldPlans::default();
        let class = ClassId(1);
        assert!(matches!(plans.next(class), Known::No));
        plans.learn(class, Arc::new([]));
        assert!(matches!(plans.next(class), Known::Enough));
    }

    #[test]
    fn only_numbers_and_arrays_are_read() {
        for readable in ["Z", "B", "C", "S", "I", "J", "[I", "[Ljava/lang/Object;"] {
            assert!(FieldKind::of(readable).is_some(), "{readable}");
        }
        for other in ["F", "D", "Ljava/lang/String;", ""] {
            assert!(FieldKind::of(other).is_none(), "{other}");
        }
    }
}
