//! Which methods the objects of a class have others for.

use super::StaticModel;
use super::program::{MethodIx, Program, Target};
use crate::region::RegionId;
use locklens_trace::ClassId;
use locklens_trace::code::{InvokeKind, MemberRef, Op};

pub(super) const PRIVATE: u32 = 0x0002;

impl Program {
    /// A class of which this is a method has another one instead: on its objects only its own methods can call this one.
    pub(crate) fn is_overridden(&self, class: ClassId, method: MethodIx) -> bool {
        let def = &self.methods[method].def;
        let inherited = class != def.class && self.classes.chain(class).contains(&def.class);
        if !inherited || def.is_static() || def.flags & PRIVATE != 0 {
            return false;
        }
        let callee = MemberRef {
            class: self.classes.name(class).to_owned(),
            name: def.name.clone(),
            descriptor: def.descriptor.clone(),
        };
        let found = self.resolve(InvokeKind::Virtual, &callee, class, Some(class));
        matches!(found, Target::Code(own) if own != method)
    }

    /// Calls of the method itself, whatever the object has instead of it.
    pub(crate) fn super_calls(&self, method: MethodIx) -> impl Iterator<Item = (MethodIx, usize)> {
        let sites = self.callers(&self.methods[method].def);
        sites.filter(move |&(caller, at)| {
            let op = &self.methods[caller].code[at].op;
            let kind = matches!(op, Op::Invoke { kind, .. } if *kind == InvokeKind::Special);
            caller != method && kind
        })
    }
}

impl StaticModel {
    /// On no object of these classes the region is entered: those that inherit its method have another one instead.
    pub(crate) fn is_never_entered(&self, region: RegionId, classes: &[ClassId]) -> bool {
        let Some(method) = self.regions.get(&region).map(|known| known.method) else {
            return false;
        };
        let program = &self.program;
        let class = program.methods[method].def.class;
        let mut heirs = classes
            .iter()
            .filter(|&&c| program.classes.chain(c).contains(&class))
            .peekable();
        heirs.peek().is_some()
            && heirs.all(|&heir| program.is_overridden(heir, method))
            && program.super_calls(method).next().is_none()
    }
}
