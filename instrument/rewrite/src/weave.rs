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

use crate::frames::Types;
use crate::plan::{Plan, Probe};
use crate::sites::{self, Act, Deed, WaitForm};
use crate::{Reason, Site, SiteId, SiteKind};
use locklens_classfile::append::Append;
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::{ClassFile, Code, Handler, Member};
use locklens_classfile::edit::{
    BlockId, Catch, Class, CodeEdit, Cover, Edited, Place, Refusal, Target,
};
use locklens_classfile::flow;
use locklens_classfile::types::{State, Type};
use std::collections::HashMap;

const DUP: u8 = 0x59;
const LCONST_0: u8 = 0x09;
const ATHROW: u8 = 0xbf;
const MONITOREXIT: u8 = 0xc3;
const INVOKESTATIC: u8 = 0xb8;

/// Stack slots that the longest insertion needs beyond what its instruction has there already: an
/// object, a long and a site.
const MORE_STACK: u16 = 4;

/// A rewritten method.
pub(crate) struct Woven {
    pub(crate) edited: Edited,
    pub(crate) sites: Vec<Site>,
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
    if !body && !sites::may_have_acts(code.bytes) {
        return Ok(None);
    }
    let edit = CodeEdit::new(&code)?;
    let acts = sites::acts(class, edit.insns(), plan, parts, body);
    if !body && acts.is_empty() {
        return Ok(None);
    }
    let around = around(class, method);
    let weaver = Weaver {
        types: Types::of(&around, &code, &acts),
        class,
        around,
        method,
        at,
        plan,
        code: &code,
        edit,
        pool,
        sites: Vec::new(),
        first,
        object: None,
        numbers: None,
        handlers: HashMap::new(),
    };
    weaver.weave(&acts, body).map(Some)
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
    first: SiteId,
    /// New local variable for the object of the site at hand.
    object: Option<u16>,
    /// New local variables for the arguments of a `wait`: a long, then an int.
    numbers: Option<u16>,
    /// Handlers of ours that do the same are one.
    handlers: HashMap<HandlerKey, BlockId>,
}

/// What tells handlers of ours apart: code, types, and the old handlers around them.
type HandlerKey = (Fragment, Option<State>, Vec<(u16, u16)>);

impl Weaver<'_, '_> {
    fn weave(mut self, acts: &[Act], body: bool) -> Result<Woven, Reason> {
        self.edit.need_stack(MORE_STACK);
        let monitor = match body {
            true => Some(self.enter_method()?),
            false => None,
        };
        for act in acts {
            self.act(*act, monitor.as_ref())?;
        }
        if let Some(monitor) = &monitor {
            self.leave_method_by_exception(monitor, acts)?;
        }
        let edited = self.edit.finish(&self.around, self.pool)?;
        self.check_size(edited.code_len)?;
        Ok(Woven {
            edited,
            sites: self.sites,
        })
    }

    fn check_size(&self, new: usize) -> Result<(), Reason> {
        let old = self.code.bytes.len();
        match self.plan.compiled_up_to {
            Some(limit) if old <= limit && new > limit => Err(Reason::NeverCompiled(new)),
            _ => Ok(()),
        }
    }

    fn act(&mut self, act: Act, monitor: Option<&Monitor>) -> Result<(), Reason> {
        match (act.deed, monitor) {
            (Deed::Enter, _) => self.enter(act.bci),
            (Deed::Exit, _) => self.exit(act.bci),
            (Deed::Wait(form), _) => self.wait(act.bci, form),
            (Deed::Notify, _) => self.notify(act.bci, SiteKind::Notify),
            (Deed::NotifyAll, _) => self.notify(act.bci, SiteKind::NotifyAll),
            (Deed::Return, Some(monitor)) => self.leave_method(act.bci, monitor),
            (Deed::Return, None) => Ok(()),
        }
    }

    fn enter(&mut self, bci: u16) -> Result<(), Reason> {
        let object = self.object()?;
        self.edit
            .insert_before(bci, &Fragment::new().op(DUP).astore(object));
        let site = self.site(SiteKind::Enter, bci.into());
        let call = self.call(
            Fragment::new().aload(object),
            &self.plan.probes.entered,
            WITH_OBJECT,
            site,
        )?;
        let next = self.next(bci)?;
        self.edit.insert_after(next, &call, Cover::AsNext, bci);
        let range = (Place::After(next, 0), Place::After(next, call.len() as u16));
        self.release_if_thrown(range, bci, bci)
    }

    fn exit(&mut self, bci: u16) -> Result<(), Reason> {
        let object = self.object()?;
        self.edit
            .insert_before(bci, &Fragment::new().op(DUP).astore(object));
        let site = self.site(SiteKind::Exit, bci.into());
        let call = self.call(
            Fragment::new().op(DUP),
            &self.plan.probes.exit,
            WITH_OBJECT,
            site,
        )?;
        let start = self.edit.len_before(bci);
        self.edit.insert_before(bci, &call);
        let range = (
            Place::Before(bci, start),
            Place::Before(bci, start + call.len() as u16),
        );
        let next = self.next(bci)?;
        self.release_if_thrown(range, bci, next)
    }

    /// Has an error in a range release the monitor in our variable and go on to where an exception
    /// at the bci `outside` goes. Local variables are as they are at `bci`.
    fn release_if_thrown(
        &mut self,
        range: (Place, Place),
        bci: u16,
        outside: u16,
    ) -> Result<(), Reason> {
        let object = self.object()?;
        let code = Fragment::new().aload(object).op(MONITOREXIT).op(ATHROW);
        let block = self.handler(code, bci, outside)?;
        self.edit.catch_first(catch_all(range, block));
        Ok(())
    }

    /// A handler of ours that rethrows to where an exception at the bci `outside` goes.
    fn handler(&mut self, code: Fragment, bci: u16, outside: u16) -> Result<BlockId, Reason> {
        let object = self.object()?;
        let state = self.types.in_handler(bci, object)?;
        let covers = |h: &&Handler| h.start <= outside && outside < h.end;
        let around = self.code.handlers.iter().filter(covers);
        let around: Vec<(u16, u16)> = around.map(|h| (h.target, h.catches)).collect();
        let key = (code, state, around);
        if let Some(block) = self.handlers.get(&key) {
            return Ok(*block);
        }
        let block = self.edit.append(key.0.clone(), key.1.clone(), bci);
        for (target, catches) in &key.2 {
            self.edit.catch_last(Catch {
                start: Place::Block(block),
                end: Place::BlockEnd(block),
                target: Target::Old(*target),
                catches: *catches,
            });
        }
        self.handlers.insert(key, block);
        Ok(block)
    }

    fn wait(&mut self, bci: u16, form: WaitForm) -> Result<(), Reason> {
        let object = self.object()?;
        let (put_away, millis, take_back) = self.arguments(form)?;
        let site = self.site(SiteKind::Wait, bci.into());
        let mut before = put_away.op(DUP).astore(object).aload(object);
        before.extend(&millis);
        let probes = &self.plan.probes;
        let mut before = self.call(before, &probes.waiting, "(Ljava/lang/Object;JI)V", site)?;
        before.extend(&take_back);
        self.edit.insert_before(bci, &before);
        let receiver = Fragment::new().aload(object);
        let waited = self.call(receiver.clone(), &probes.waited, WITH_OBJECT, site)?;
        let next = self.next(bci)?;
        self.edit
            .insert_after(next, &waited, Cover::AsPrevious, bci);
        let threw = self.call(receiver, &probes.wait_threw, WITH_OBJECT, site)?;
        let block = self.handler(threw.op(ATHROW), bci, bci)?;
        let range = (
            Place::Before(bci, self.edit.len_before(bci)),
            Place::Behind(bci),
        );
        self.edit.catch_first(catch_all(range, block));
        Ok(())
    }

    /// How the arguments of a `wait` are put away, what the probe is told of them, and how they are
    /// taken back.
    fn arguments(&mut self, form: WaitForm) -> Result<(Fragment, Fragment, Fragment), Reason> {
        let none = Fragment::new();
        if form == WaitForm::Unlimited {
            return Ok((none.clone(), none.clone().op(LCONST_0), none));
        }
        let millis = match self.numbers {
            Some(slot) => slot,
            None => *self.numbers.insert(self.edit.new_local(3)?),
        };
        let (store, load) = (none.clone().lstore(millis), none.clone().lload(millis));
        if form == WaitForm::Millis {
            return Ok((store, load.clone(), load));
        }
        let nanos = millis + 2;
        let store = none.istore(nanos).lstore(millis);
        Ok((store, load.clone(), load.iload(nanos)))
    }

    fn notify(&mut self, bci: u16, kind: SiteKind) -> Result<(), Reason> {
        let site = self.site(kind, bci.into());
        let probe = match kind {
            SiteKind::Notify => &self.plan.probes.notified,
            _ => &self.plan.probes.notified_all,
        };
        let call = self.call(Fragment::new().op(DUP), probe, WITH_OBJECT, site)?;
        self.edit.insert_before(bci, &call);
        Ok(())
    }

    fn enter_method(&mut self) -> Result<Monitor, Reason> {
        let mut start = Fragment::new();
        let monitor = self.monitor(&mut start)?;
        let site = self.site(SiteKind::MethodEnter, 0);
        let probe = &self.plan.probes.entered;
        let call = self.call(monitor.push.clone(), probe, monitor.descriptor, site)?;
        start.extend(&call);
        self.edit.insert_after(0, &start, Cover::AsPrevious, 0);
        Ok(monitor)
    }

    /// How a synchronized method names its monitor. What must be done for that once is added to
    /// `start`.
    fn monitor(&mut self, start: &mut Fragment) -> Result<Monitor, Reason> {
        if sites::is_static(self.method) {
            return Ok(self.class_monitor());
        }
        let this = Type::object(self.around.method.class);
        let mut slot = 0;
        let mut locals = vec![this.clone()];
        if self.overwrites_this() {
            slot = self.edit.new_local(1)?;
            start.extend(&Fragment::new().aload(0).astore(slot));
            self.edit.keep_local(slot, this);
            locals.clear();
        }
        Ok(Monitor {
            push: Fragment::new().aload(slot),
            descriptor: WITH_OBJECT,
            locals,
        })
    }

    fn class_monitor(&self) -> Monitor {
        let can_load_class = self.class.major >= 49;
        let (push, descriptor) = match can_load_class {
            true => (Fragment::new().constant(self.class.this_class), WITH_OBJECT),
            false => (Fragment::new(), SITE_ONLY),
        };
        Monitor {
            push,
            descriptor,
            locals: Vec::new(),
        }
    }

    fn overwrites_this(&self) -> bool {
        self.edit.insns().iter().any(stores_to_0)
    }

    fn leave_method(&mut self, bci: u16, monitor: &Monitor) -> Result<(), Reason> {
        let site = self.site(SiteKind::MethodReturn, bci.into());
        let call = self.leave(monitor, site)?;
        self.edit.insert_before(bci, &call);
        Ok(())
    }

    fn leave(&mut self, monitor: &Monitor, site: SiteId) -> Result<Fragment, Reason> {
        let probe = &self.plan.probes.exit;
        self.call(monitor.push.clone(), probe, monitor.descriptor, site)
    }

    /// A handler around the whole body, save for the exits that have their own probe.
    fn leave_method_by_exception(&mut self, monitor: &Monitor, acts: &[Act]) -> Result<(), Reason> {
        let end = self.code.bytes.len() as u32;
        let site = self.site(SiteKind::MethodThrow, end);
        let code = self.leave(monitor, site)?.op(ATHROW);
        let state = self.types.around_method(monitor.locals.clone());
        let last = self.edit.insns().last().map_or(0, |insn| insn.bci);
        let block = self.edit.append(code, state, last);
        let mut start = Place::Before(0, 0);
        for act in acts.iter().filter(|act| act.deed == Deed::Return) {
            let own = self.edit.len_before(act.bci);
            self.cover((start, Place::Before(act.bci, 0)), block);
            debug_assert_ne!(own, 0, "a return without a probe");
            start = Place::Behind(act.bci);
        }
        self.cover((start, Place::Block(block)), block);
        Ok(())
    }

    fn cover(&mut self, range: (Place, Place), block: BlockId) {
        self.edit.catch_last(catch_all(range, block));
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
const SITE_ONLY: &str = "(I)V";

/// How a synchronized method names its own monitor.
struct Monitor {
    push: Fragment,
    descriptor: &'static str,
    /// Local variables that hold throughout and that `push` relies on.
    locals: Vec<Type>,
}

fn catch_all((start, end): (Place, Place), block: BlockId) -> Catch {
    Catch {
        start,
        end,
        target: Target::Block(block),
        catches: 0,
    }
}

fn stores_to_0(insn: &locklens_classfile::code::Insn) -> bool {
    use locklens_classfile::code::Operand;
    match insn.opcode {
        0x36..=0x3a => insn.operand == Operand::Local(0),
        0x3b | 0x3f | 0x43 | 0x47 | 0x4b => true,
        _ => false,
    }
}
