//! What the code says of memory, whatever was recorded of it: where threads read nothing on their way that is set later.
//!
//! It raises no tier. Code that is not recorded may set what is read, and what came before a thread began may have waited for something.

use super::asked::Asked;
use super::between::{Named, named, read, read_before};
use super::jvm::Jvm;
use super::ran::Ran;
use super::unseen::is_program;
use crate::catalog::Catalog;
use locklens_trace::StackId;
use locklens_trace::record::Frame;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// Pairs of places that are looked at.
const PAIRS: usize = 512;

/// None where something is read between two places; and with which methods threads begin that read nothing on their way to the first
/// one either, if that is known.
type Answer = Option<Option<Vec<String>>>;

/// The program's code, as far as it is recorded.
#[derive(Debug)]
pub(super) struct Unread<'c> {
    catalog: &'c Catalog,
    classes: BTreeSet<String>,
    named: Named<'c>,
    /// What was recorded says nothing here, since it may be missing: all may have run.
    ran: Ran<'c>,
    known: RefCell<HashMap<[StackId; 2], Answer>>,
}

impl<'c> Unread<'c> {
    pub(super) fn of(catalog: &'c Catalog) -> Self {
        let methods = catalog.code.keys();
        let methods = methods.filter_map(|method| catalog.methods.get(method));
        let classes = methods.map(|method| catalog.class_name(method.class));
        Self {
            catalog,
            classes: classes.filter(|class| is_program(class)).collect(),
            named: named(catalog),
            ran: Ran::of(catalog, &BTreeSet::new(), std::iter::empty()),
            known: RefCell::default(),
        }
    }

    fn between(&self, asked: &Asked<'_>, [from, to]: [&Frame; 2]) -> Answer {
        let classes: BTreeSet<&str> = self.classes.iter().map(String::as_str).collect();
        let code = (self.catalog, &self.ran, &self.named);
        if read(code, &classes, asked, [from, to]).is_some() {
            return None;
        }
        let begin = read_before(code, &classes, asked, from).ok();
        let name = |method| {
            let def = self.catalog.methods.get(&method)?;
            Some(format!(
                "{}.{}",
                self.catalog.class_name(def.class),
                def.name
            ))
        };
        Some(begin.map(|all| all.into_iter().filter_map(name).collect()))
    }
}

impl Jvm<'_> {
    /// See [`Answer`].
    pub(super) fn read_by_code(&self, two: [StackId; 2]) -> Answer {
        let unread = self
            .unread
            .get_or_init(|| Unread::of(&self.collected.catalog));
        let mut known = unread.known.borrow_mut();
        if let Some(answer) = known.get(&two) {
            return answer.clone();
        }
        if known.len() >= PAIRS {
            return None;
        }
        let [from, to] = two.map(|stack| self.caller(stack));
        let places = from.zip(to);
        let answer = places.and_then(|(from, to)| unread.between(self.asked(), [from, to]));
        known.insert(two, answer.clone());
        answer
    }
}
