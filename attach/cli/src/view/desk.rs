//! What a page may have the command do, and how it stands with that.
//!
//! A page can have chosen locks recorded exactly, and go back to watching. It says which by a [`Wish`]; who makes the pages knows
//! what is meant and answers; who records takes the next [`Task`] from here.

use crate::trace::harm::Harm;
use crate::trace::{Facts, remarks, rewritten};
use locklens_viz::many;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that a wish may have: a thousand locks with long names.
pub(crate) const LONGEST: u64 = 1 << 20;

/// Answers that are remembered: of several pages in several windows.
const ANSWERS: usize = 64;

/// What a page asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The page: numbers of locks are those of this one.
    pub(crate) of: u64,
    #[serde(rename = "do")]
    pub(crate) deed: Deed,
    /// Names of locks, or numbers, as in a file for `trace --select`.
    #[serde(default)]
    pub(crate) locks: Vec<String>,
    /// A page that goes before it is answered has the next one ask again, by the same number.
    #[serde(default)]
    pub(crate) id: Option<u32>,
}

/// See [`Wish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deed {
    /// Every event of these locks, if that is cheap; else the price is told.
    Visualize,
    /// The same at the price that was told.
    Rewrite,
    /// No class is rewritten any more.
    Watch,
}

/// A wish on its way to who makes the pages.
pub(super) struct Order {
    pub(super) wish: Wish,
    pub(super) reply: Sender<Reply>,
}

/// What comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It is done now.
    Begun,
    /// Nothing is done before somebody agrees to this.
    Price(String),
    /// It is not done, for this reason.
    Refused(String),
}

impl Reply {
    /// For the page.
    pub(crate) fn json(&self) -> Vec<u8> {
        let told = match self {
            Self::Begun => json!({"begun": true}),
            Self::Price(price) => json!({"price": price}),
            Self::Refused(why) => json!({"refused": why}),
        };
        told.to_string().into_bytes()
    }
}

/// What is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// What the JVM tells by itself.
    Watch,
    /// Every event of chosen locks.
    Exact {
        /// The agent's lines.
        lines: String,
        /// How many locks were chosen.
        locks: usize,
    },
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Watching,
    /// The recording ends, for another one.
    Ending,
    /// Classes are being rewritten.
    Rewriting,
    Exact,
    Over,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Watching => "watching",
            Self::Ending => "ending",
            Self::Rewriting => "rewriting",
            Self::Exact => "exact",
            Self::Over => "over",
        }
    }
}

struct Standing {
    stage: Stage,
    harm: Harm,
    /// What is to be known of it, a line each.
    said: Vec<String>,
    /// What went wrong last.
    error: Option<String>,
    next: Option<Task>,
    /// How many facts of the recording were looked at.
    seen: usize,
    /// What the last wishes were answered, by their numbers.
    answered: VecDeque<(u32, Reply)>,
}

/// See the module.
pub(crate) struct Desk {
    /// Why nothing may be rewritten, if so.
    barred: Option<String>,
    orders: Sender<Order>,
    standing: Mutex<Standing>,
}

impl Desk {
    /// One where nothing was asked for yet. Orders go to `orders`.
    pub(super) fn new(barred: Option<String>, harm: Harm, orders: Sender<Order>) -> Self {
        let standing = Standing {
            stage: Stage::Watching,
            harm,
            said: Vec::new(),
            error: None,
            next: None,
            seen: 0,
            answered: VecDeque::new(),
        };
        Self {
            barred,
            orders,
            standing: Mutex::new(standing),
        }
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it stands, for the page.
    pub(crate) fn told(&self) -> Value {
        let standing = self.standing();
        json!({
            "stage": standing.stage.name(),
            "said": standing.said,
            "error": standing.error,
            "barred": self.barred,
        })
    }

    /// What comes of a wish; none if nobody is there any more to say so.
    pub(crate) fn ask(&self, wish: Wish) -> Option<Reply> {
        let (reply, told) = channel();
        self.orders.send(Order { wish, reply }).ok()?;
        told.recv().ok()
    }

    /// Answers a wish; one that was answered before is answered the same, and nothing is done again. `find` gives the agent's lines
    /// for locks, and may say why not.
    pub(super) fn answer(
        &self,
        wish: &Wish,
        find: impl FnOnce() -> Result<String, String>,
    ) -> Reply {
        let before = wish.id.and_then(|id| self.standing().answer_to(id));
        before.unwrap_or_else(|| {
            let reply = self.decide(wish, find);
            if let Some(id) = wish.id {
                self.standing().remember(id, reply.clone());
            }
            reply
        })
    }

    fn decide(&self, wish: &Wish, find: impl FnOnce() -> Result<String, String>) -> Reply {
        let task = match self.task(wish, find) {
            Ok(task) => task,
            Err(why) => return Reply::Refused(why),
        };
        let mut standing = self.standing();
        if let Err(why) = standing.takes(&task) {
            return Reply::Refused(why.to_owned());
        }
        let is_cheap = task == Task::Watch || matches!(standing.harm, Harm::Cheap(_));
        if !is_cheap && wish.deed != Deed::Rewrite {
            return Reply::Price(standing.harm.price());
        }
        standing.stage = Stage::Ending;
        standing.error = None;
        standing.next = Some(task);
        Reply::Begun
    }

    fn task(
        &self,
        wish: &Wish,
        find: impl FnOnce() -> Result<String, String>,
    ) -> Result<Task, String> {
        match (wish.deed, &self.barred) {
            (Deed::Watch, _) => Ok(Task::Watch),
            (_, Some(why)) => Err(why.clone()),
            (_, None) if wish.locks.is_empty() => Err("no lock is ticked".to_owned()),
            (_, None) => Ok(Task::Exact {
                lines: find()?,
                locks: wish.locks.len(),
            }),
        }
    }

    /// The recording under way is to end for another one.
    pub(super) fn is_wanted(&self) -> bool {
        self.standing().next.is_some()
    }

    /// Takes what is to be recorded next.
    pub(super) fn next(&self) -> Option<Task> {
        self.standing().next.take()
    }

    /// What rewriting costs by now.
    pub(super) fn harm(&self) -> Harm {
        self.standing().harm.clone()
    }

    /// A recording begins.
    pub(super) fn begins(&self, task: &Task) {
        let mut standing = self.standing();
        standing.seen = 0;
        (standing.stage, standing.said) = match task {
            Task::Watch => (Stage::Watching, Vec::new()),
            Task::Exact { locks, .. } => {
                let begun = format!(
                    "the classes of {} are rewritten",
                    many(*locks as u64, "lock")
                );
                (Stage::Rewriting, vec![begun, standing.harm.price()])
            }
        };
    }

    /// What the agent has told of an exact recording so far.
    pub(super) fn sees(&self, facts: &Facts) {
        let mut standing = self.standing();
        if facts.len() == standing.seen || !is_rewritten(facts) {
            return;
        }
        standing.seen = facts.len();
        standing.harm = Harm::again();
        if matches!(standing.stage, Stage::Rewriting | Stage::Exact) {
            standing.stage = Stage::Exact;
            standing.said = vec![rewritten(facts)];
            standing.said.extend(remarks(facts));
        }
    }

    /// What was asked for could not be done.
    pub(super) fn failed(&self, why: &str) {
        self.standing().error = Some(why.to_owned());
    }

    /// Nothing is recorded any more.
    pub(super) fn ends(&self) {
        let mut standing = self.standing();
        standing.stage = Stage::Over;
        standing.next = None;
    }
}

impl Standing {
    fn answer_to(&self, id: u32) -> Option<Reply> {
        let mut all = self.answered.iter();
        all.find(|(known, _)| *known == id)
            .map(|(_, reply)| reply.clone())
    }

    fn remember(&mut self, id: u32, reply: Reply) {
        if self.answered.len() >= ANSWERS {
            self.answered.pop_front();
        }
        self.answered.push_back((id, reply));
    }

    /// Whether it is the moment for a task.
    fn takes(&self, task: &Task) -> Result<(), &'static str> {
        match (self.stage, task) {
            (Stage::Over, _) => Err("the recording is over"),
            (Stage::Ending | Stage::Rewriting, _) => {
                Err("another recording is about to begin: wait until it has")
            }
            (Stage::Watching, Task::Watch) => Err("it only watches"),
            (Stage::Watching | Stage::Exact, _) => Ok(()),
        }
    }
}

/// The agent has told that it was done, and when.
fn is_rewritten(facts: &Facts) -> bool {
    facts.contains_key(locklens_trace::record::target_key::EXACT_SINCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::record::target_key as key;

    fn flush() -> Harm {
        Harm::Flush("no agent was there".to_owned())
    }

    fn wish(deed: Deed, locks: &[&str]) -> Wish {
        let locks = locks.iter().map(|&lock| lock.to_owned()).collect();
        Wish {
            of: 1,
            deed,
            locks,
            id: None,
        }
    }

    fn desk(barred: Option<&str>, harm: Harm) -> Desk {
        Desk::new(barred.map(str::to_owned), harm, channel().0)
    }

    fn found() -> Result<String, String> {
        Ok("class a.B\n".to_owned())
    }

    const EXACT: fn() -> Task = || Task::Exact {
        lines: "class a.B\n".to_owned(),
        locks: 1,
    };

    #[test]
    fn a_wish_is_what_the_page_writes_and_nothing_else() {
        let read = |text: &str| serde_json::from_str::<Wish>(text).ok();
        let text = r#"{"of": 1, "do": "visualize", "locks": ["a.B"]}"#;
        assert_eq!(read(text), Some(wish(Deed::Visualize, &["a.B"])));
        assert_eq!(
            read(r#"{"of": 1, "do": "watch"}"#),
            Some(wish(Deed::Watch, &[]))
        );
        for text in [
            "",
            "[]",
            r#"{"of": 1, "do": "detach"}"#,
            r#"{"of": -1, "do": "watch"}"#,
            r#"{"of": 1, "do": "watch", "more": 1}"#,
            r#"{"of": 1, "do": "rewrite", "locks": [1]}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn where_it_is_dear_the_first_word_tells_the_price_and_the_second_begins() {
        let desk = desk(None, flush());
        let asked = desk.answer(&wish(Deed::Visualize, &["a.B"]), found);
        assert_eq!(asked, Reply::Price(flush().price()));
        assert!(!desk.is_wanted() && desk.told()["stage"] == "watching");
        let agreed = desk.answer(&wish(Deed::Rewrite, &["a.B"]), found);
        assert_eq!(agreed, Reply::Begun);
        assert!(desk.is_wanted());
        // One at a time.
        let again = desk.answer(&wish(Deed::Rewrite, &["a.B"]), found);
        assert!(matches!(again, Reply::Refused(_)), "{again:?}");
        assert_eq!(desk.next(), Some(EXACT()));
        assert_eq!(desk.next(), None);
    }

    #[test]
    fn where_it_is_cheap_or_was_dear_once_it_begins_at_once() {
        let desk = desk(None, flush());
        assert_eq!(
            desk.answer(&wish(Deed::Rewrite, &["a.B"]), found),
            Reply::Begun
        );
        desk.begins(&desk.next().unwrap());
        assert_eq!(desk.told()["stage"], "rewriting");
        let mut facts = Facts::from([(key::EXACT_CLASSES.to_owned(), "2".to_owned())]);
        desk.sees(&facts);
        assert_eq!(desk.told()["stage"], "rewriting");
        facts.insert(key::EXACT_SINCE.to_owned(), "7".to_owned());
        facts.insert(
            key::EXACT_REFUSED.to_owned(),
            "a.C: it is hidden".to_owned(),
        );
        desk.sees(&facts);
        let told = desk.told();
        assert_eq!(told["stage"], "exact");
        assert!(
            told["said"][0].as_str().unwrap().contains("2 classes"),
            "{told}"
        );
        assert!(told["said"][1].as_str().unwrap().contains("a.C"), "{told}");
        assert_eq!(
            desk.answer(&wish(Deed::Visualize, &["a.B"]), found),
            Reply::Begun
        );
    }

    #[test]
    fn what_is_asked_for_twice_by_one_number_is_done_once() {
        let by = |deed, id| Wish {
            id: Some(id),
            ..wish(deed, &["a.B"])
        };
        let desk = desk(None, flush());
        let price = Reply::Price(flush().price());
        for _ in 0..2 {
            assert_eq!(desk.answer(&by(Deed::Visualize, 7), found), price);
        }
        assert_eq!(desk.answer(&by(Deed::Rewrite, 8), found), Reply::Begun);
        assert_eq!(desk.next(), Some(EXACT()));
        desk.begins(&EXACT());
        desk.sees(&Facts::from([(
            key::EXACT_SINCE.to_owned(),
            "7".to_owned(),
        )]));
        assert_eq!(desk.told()["stage"], "exact");
        assert_eq!(desk.answer(&by(Deed::Rewrite, 8), found), Reply::Begun);
        assert!(!desk.is_wanted(), "it is under way");
        // The others are forgotten in turn.
        for id in 100..100 + ANSWERS as u32 {
            desk.answer(&by(Deed::Visualize, id), || Err("no".to_owned()));
        }
        assert_eq!(desk.answer(&by(Deed::Rewrite, 8), found), Reply::Begun);
        assert!(desk.is_wanted());
    }

    #[test]
    fn what_is_forbidden_or_found_nowhere_or_too_late_is_refused_in_words() {
        let refused = |desk: &Desk, wish, found| match desk.answer(&wish, found) {
            Reply::Refused(why) => why,
            reply => panic!("{reply:?}"),
        };
        let cheap = || Harm::Cheap("it knows".to_owned());
        let barred = desk(Some("--no-rewrite forbids it"), cheap());
        let why = refused(&barred, wish(Deed::Rewrite, &["a.B"]), found as fn() -> _);
        assert!(why.contains("--no-rewrite"));
        assert_eq!(barred.told()["barred"], "--no-rewrite forbids it");
        let desk = desk(None, cheap());
        assert!(refused(&desk, wish(Deed::Visualize, &[]), found).contains("ticked"));
        let nowhere = || Err("no lock is called so".to_owned());
        let why = refused(&desk, wish(Deed::Visualize, &["a.B"]), nowhere);
        assert_eq!(why, "no lock is called so");
        assert!(refused(&desk, wish(Deed::Watch, &[]), found).contains("only watches"));
        desk.ends();
        assert!(refused(&desk, wish(Deed::Visualize, &["a.B"]), found).contains("over"));
        assert!(!desk.is_wanted());
    }
}
