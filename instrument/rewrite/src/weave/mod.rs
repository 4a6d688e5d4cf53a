//! Puts the probes into one method.
//!
//! Around a `monitorenter`:
//!
//! ```text
//!     dup; astore T                    T: a new local variable
//!     monitorenter
//!     aload T; site; entered           ─┐ covered by a handler of ours, before all others
//! p:  …                                 │
//!     dup; astore T                     │ a monitorexit
//!     dup; site; exit                  ─┤
//!     monitorexit                       │
//!     …                                 │
//! H:  aload T; monitorexit; athrow     ◄┘ covered as the code outside the region is
//! ```
//!
//! Branches to `p` skip the probe. The handler H is there for errors that come out of the probe's
//! call. Without it such an error would reach the region's own handler, which calls `exit`, whose
//! call fails for the same reason, and so on for ever: that handler covers itself. It also keeps
//! monitors structured whatever the compiler that made the class has covered, without which the JIT
//! would give the method up ("COMPILE SKIPPED").

mod access;
mod body;
mod kin;
mod operation;
mod park;
mod region;
mod room;
mod wait;

use crate::frames::Types;
use crate::held::Held;
use crate::plan::{MAX_INLINE_SIZE, Operation, Plan, Probe, Subject};
use crate::sites::{self, Act, Deed};
use crate::{Reason, Site, SiteId, SiteKind};
use body::Monitor;
use locklens_classfile::append::Append;
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::{ClassFile, Code, Handler, Member};
use locklens_classfile::edit::{
    ANNOTATIONS, BlockId, Catch, Class, CodeEdit, Edited, Mark, Place, Refusal, Target,
};
use locklens_classfile::flow;
use park::Form;
use region::Hashes;

const DUP: u8 = 0x59;
const ATHROW: u8 = 0xbf;
const MONITOREXIT: u8 = 0xc3;
const INVOKESTATIC: u8 = 0xb8;

/// Stack slots that the longest insertion needs beyond what its instruction has there already: a
/// result of two slots, an object, a number and a count.
const MORE_STACK: u16 = 6;
/// The same where nothing is on the stack, or all of it is put away: an exception, a number, another one and a count.
const LEAST_STACK: u16 = 4;

/// A rewritten method.
pub(crate) struct Woven {
    pub(crate) edited: Edited,
    pub(crate) sites: Vec<Site>,
    pub(crate) heirs: Vec<(SiteId, String)>,
    /// What tells the JVM to inline it all the same.
    pub(crate) mark: Option<Mark>,
}

/// Rewrites a method; none if there is nothing to report in it.
pub(crate) fn method(
    class: &ClassFile<'_>,
    at: usize,
    plan: &Plan,
    first: SiteId,
    pool: &mut Append<'_>,
) -> Result<Option<Woven>, Reason> {
    let method = &class.methods[at];
    let name = class.pool.utf8(method.name).unwrap_or_default();
    let descriptor = class.pool.utf8(method.descriptor).unwrap_or_default();
    let Some(parts) = plan.targets.of(name, descriptor) else {
        return Ok(None);
    };
    let body = sites::reports_body(method, name, plan, parts);
    if body && sites::is_native(method) {
        return Err(Reason::Native);
    }
    let Some(code) = class.code_attribute(method) else {
        return Ok(None);
    };
    let code = Code::parse(code.bytes).map_err(|_| Refusal::Code)?;
    let park = park::form(class, method, plan);
    let operation = operation::operation(class, method, plan);
    let kin = kin::form(class, method, plan);
    let whole = park.is_some() || operation.is_some() || kin.is_some();
    if !whole && !body && !sites::may_have_acts(code.bytes, plan) {
        return Ok(None);
    }
    let edit = CodeEdit::new(&code)?;
    let acts = sites::acts(class, edit.insns(), plan, parts, body);
    if !whole && !body && acts.is_empty() {
        return Ok(None);
    }
    let around = around(class, method);
    let silenced =
        operation.map(|operation| operation::silenced(class, edit.insns(), plan, operation));
    let silenced = silenced.unwrap_or_default();
    let calls: Vec<u16> = silenced.iter().map(|(bci, _)| *bci).collect();
    let weaver = Weaver {
        types: Types::of(&around, &code, &acts, &calls),
        class,
        around,
        method,
        at,
        plan,
        code: &code,
        edit,
        pool,
        sites: Vec::new(),
        heirs: Vec::new(),
        first,
        object: None,
        numbers: None,
        put_away: None,
        hashes: Hashes::default(),
        waits: acts.iter().any(|act| matches!(act.deed, Deed::Wait(_))),
    };
    let what = What {
        body,
        park,
        operation,
        silenced,
        kin,
    };
    weaver.weave(&acts, &what).map(Some)
}

/// Takes a method apart and puts it together again.
pub(crate) fn untouched(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
    pool: &mut Append<'_>,
) -> Option<Vec<u8>> {
    let edited = CodeEdit::new(code)
        .ok()?
        .finish(&around(class, method), pool);
    Some(edited.ok()?.bytes)
}

fn around<'c>(class: &'c ClassFile<'_>, method: &Member<'_>) -> Class<'c> {
    Class {
        major: class.major,
        method: flow::Method {
            pool: &class.pool,
            class: class.pool.class(class.this_class).unwrap_or_default(),
            name: class.pool.utf8(method.name).unwrap_or_default(),
            descriptor: class.pool.utf8(method.descriptor).unwrap_or_default(),
            is_static: sites::is_static(method),
        },
    }
}

/// What a method as a whole is to tell.
struct What<'w> {
    /// Its own monitor.
    body: bool,
    /// Its park or unpark.
    park: Option<Form>,
    /// What it has to do with the life of a thread.
    kin: Option<kin::Form>,
    /// That it is an operation of a lock.
    operation: Option<&'w Operation>,
    /// The calls by which it does its work, and of what: these say nothing.
    silenced: Vec<(u16, u8)>,
}

struct Weaver<'w, 'p> {
    class: &'w ClassFile<'w>,
    around: Class<'w>,
    method: &'w Member<'w>,
    at: usize,
    plan: &'w Plan,
    code: &'w Code<'w>,
    edit: CodeEdit<'w>,
    pool: &'w mut Append<'p>,
    types: Types,
    sites: Vec<Site>,
    /// See [`Rewritten::heirs`](crate::Rewritten::heirs).
    heirs: Vec<(SiteId, String)>,
    first: SiteId,
    /// New local variable for the object of the site at hand.
    object: Option<u16>,
    /// New local variables for the arguments of a `wait`: a long, then an int.
    numbers: Option<u16>,
    /// New local variables for the operand stack in front of a call: the first, and how many.
    put_away: Option<(u16, u16)>,
    hashes: Hashes,
    /// The method waits.
    waits: bool,
}

impl Weaver<'_, '_> {
    fn weave(mut self, acts: &[Act], what: &What<'_>) -> Result<Woven, Reason> {
        self.need_stack(acts, what);
        if let Some(form) = what.park {
            self.park(form)?;
        }
        if let Some(form) = what.kin {
            self.kin(form)?;
        }
        if let Some(operation) = what.operation {
            self.operation(operation)?;
        }
        if self.plan.probes.hash.is_some() {
            let held = Held::of(self.edit.insns(), &self.code.handlers, acts);
            self.keep_hashes(held)?;
        }
        let monitor = match what.body {
            true => Some(self.enter_method()?),
            false => None,
        };
        for (bci, number) in &what.silenced {
            self.silence(*bci, *number)?;
        }
        for act in acts {
            self.act(*act, monitor.as_ref())?;
        }
        if let Some(monitor) = &monitor {
            self.leave_method_by_exception(monitor, acts)?;
        }
        let edited = self.edit.finish(&self.around, self.pool)?;
        self.check_size(edited.code_len)?;
        let is_of_jdk = what.park.is_some() || what.operation.is_some();
        Ok(Woven {
            mark: self.mark(edited.code_len, is_of_jdk)?,
            edited,
            sites: self.sites,
            heirs: self.heirs,
        })
    }

    fn check_size(&self, new: usize) -> Result<(), Reason> {
        let old = self.code.bytes.len();
        match self.plan.compiled_up_to {
            Some(limit) if old <= limit && new > limit => Err(Reason::NeverCompiled(new)),
            _ => Ok(()),
        }
    }

    /// Room on the operand stack, and no more than it takes: a method that gives a lock back needs that much more of the thread's own
    /// stack, and a program that has nearly none left may just have had enough for it.
    fn need_stack(&mut self, acts: &[Act], what: &What<'_>) {
        let is_call = |act: &Act| {
            matches!(
                act.deed,
                Deed::Call(_) | Deed::FaceCall(..) | Deed::HeirCall(_)
            )
        };
        let at_start = |one: &Operation| one.after.is_none() && one.subject != Subject::Born;
        let is_whole = what.body || what.park.is_some() || what.kin.is_some();
        if is_whole || !acts.iter().all(is_call) || !what.operation.is_none_or(at_start) {
            return self.edit.need_stack(MORE_STACK);
        }
        // Of what is taken back the variable lets go.
        let calls = !acts.is_empty() || !what.silenced.is_empty();
        self.edit.need_stack(u16::from(calls));
        self.edit.need_least_stack(LEAST_STACK);
    }

    /// What a method gets that has become too large to be inlined, if it is one of the JDK's.
    fn mark(&mut self, new: usize, is_of_jdk: bool) -> Result<Option<Mark>, Reason> {
        let old = self.code.bytes.len();
        let has_grown = old <= MAX_INLINE_SIZE && new > MAX_INLINE_SIZE;
        let Some(descriptor) = self.plan.inlined_by.filter(|_| is_of_jdk && has_grown) else {
            return Ok(None);
        };
        Ok(Some(Mark {
            kind: self.pool.utf8(descriptor)?,
            attribute: self.pool.utf8(ANNOTATIONS)?,
        }))
    }

    fn act(&mut self, act: Act, monitor: Option<&Monitor>) -> Result<(), Reason> {
        match (act.deed, monitor) {
            (Deed::Enter, _) => self.enter(act.bci),
            (Deed::Exit, _) => self.exit(act.bci),
            (Deed::Wait(form), _) => self.wait(act.bci, form),
            (Deed::Notify, _) => self.notify(act.bci, SiteKind::Notify),
            (Deed::NotifyAll, _) => self.notify(act.bci, SiteKind::NotifyAll),
            (Deed::Call(number), _) => self.called(act.bci, number),
            (Deed::FaceCall(number, face), _) => self.called_by_face(act.bci, number, face),
            (Deed::HeirCall(number), _) => self.called_of_heir(act.bci, number),
            (Deed::Access(access), _) => self.access(act.bci, access),
            (Deed::Return, Some(monitor)) => self.leave_method(act.bci, monitor),
            (Deed::Return, None) => Ok(()),
        }
    }

    /// The call of a probe whose first arguments have been pushed.
    fn call(
        &mut self,
        arguments: Fragment,
        probe: &Probe,
        descriptor: &str,
        site: SiteId,
    ) -> Result<Fragment, Reason> {
        let pushed = arguments.int(site.0 as i32, self.pool)?;
        let method = self.pool.method(&probe.class, &probe.name, descriptor)?;
        Ok(pushed.pooled(INVOKESTATIC, method))
    }

    /// The call that has the call chain taken of an enter: where a method waits, who comes in is likely to get what others wait for.
    fn chained(
        &mut self,
        monitor: &Fragment,
        descriptor: &str,
        site: SiteId,
    ) -> Result<Fragment, Reason> {
        let wanted = self.waits && descriptor != WITH_OBJECT;
        match self.plan.probes.chained.as_ref().filter(|_| wanted) {
            Some(probe) => self.call(monitor.clone(), probe, descriptor, site),
            None => Ok(Fragment::new()),
        }
    }

    /// The call that turns an object into its hash, if there is to be one.
    fn hash_call(&mut self) -> Result<Option<Fragment>, Reason> {
        let Some(Probe { class, name }) = &self.plan.probes.hash else {
            return Ok(None);
        };
        let method = self.pool.method(class, name, "(Ljava/lang/Object;)I")?;
        Ok(Some(Fragment::new().pooled(INVOKESTATIC, method)))
    }

    fn site(&mut self, kind: SiteKind, bci: u32) -> SiteId {
        let id = SiteId(self.first.0 + self.sites.len() as u32);
        self.sites.push(Site {
            id,
            method: self.at,
            bci,
            kind,
        });
        id
    }

    fn object(&mut self) -> Result<u16, Refusal> {
        match self.object {
            Some(slot) => Ok(slot),
            None => Ok(*self.object.insert(self.edit.new_local(1)?)),
        }
    }

    /// Bci of the instruction behind the one at `bci`; a method never ends with one that falls
    /// through.
    fn next(&self, bci: u16) -> Result<u16, Refusal> {
        let insns = self.edit.insns();
        let next = self.edit.position(bci).and_then(|i| insns.get(i + 1));
        next.map(|insn| insn.bci).ok_or(Refusal::Code)
    }
}

const WITH_OBJECT: &str = "(Ljava/lang/Object;I)V";
const HASH_AND_SITE: &str = "(II)V";
const SITE_ONLY: &str = "(I)V";

fn catch_all((start, end): (Place, Place), block: BlockId) -> Catch {
    Catch {
        start,
        end,
        target: Target::Block(block),
        catches: 0,
    }
}
