//! The page of a JVM that is being recorded: made anew as the trace grows, the more rarely the longer that takes.
//!
//! [`series`](super::series) records, one trace after the other if the page asks for that; the page is that of the newest.

use super::answer::{Live, Shown, Site};
use super::desk::{Desk, Order, Reply};
use super::page::{self, Found, Made, Wanted};
use super::series::{Came, Series};
use super::source::Ask;
use super::{announce, server, unserved};
use crate::args::View as Args;
use crate::exit::{Exit, Failure};
use crate::private::PrivateDir;
use crate::record::output::{Grown, check};
use crate::record::signals::Signals;
use crate::study::options;
use crate::target::resolve;
use crate::terminal::{self, note};
use crate::trace::harm;
use crate::trace::wishes::Choice;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// A page is shown so long at least, and so many times as long as it took to make it: a long recording takes a long time.
const SHORTEST: Duration = Duration::from_secs(3);
const REST: u32 = 10;
/// How often it is looked for something new, or Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// Records a JVM, and serves what there is.
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    check(args.destination.pattern(), args.destination.replace())?;
    let (jvm, signals) = (resolve(&args.target)?, Signals::quitting()?);
    let (listener, port) = server::listen(args.port)?;
    let folder = match args.destination.pattern() {
        Some(_) => None,
        None => Some(PrivateDir::create().map_err(|error| {
            Failure::usage(format_args!("can't make a temporary directory: {error}"))
                .hint("-o FILE writes the trace elsewhere")
        })?),
    };
    let ((tell, news), (asker, asks), (orderer, orders)) = (channel(), channel(), channel());
    let desk = Arc::new(Desk::new(barred(args), harm::of(&jvm), orderer));
    let maker = Maker {
        args,
        site: Site::new(port, asker, Some(Arc::clone(&desk)))?,
        signals: &signals,
        failed: AtomicBool::new(false),
        over: OnceLock::new(),
        unwanted: signals.flag(),
    };
    let (recorded, served) = thread::scope(|scope| {
        let maker = &maker;
        let serving = scope.spawn(move || maker.attend(&listener, &news, (asks, orders)));
        let series = Series {
            args,
            jvm: &jvm,
            signals: &signals,
            desk: &desk,
            failed: &maker.failed,
            folder: folder.as_ref(),
            tell,
        };
        let recorded = series.run();
        match &recorded {
            Ok(came) => maker.ends(came, folder.is_some()),
            Err(_) => maker.failed.store(true, Ordering::Relaxed),
        }
        // There will be no more news.
        drop(series);
        let served = serving.join();
        let served = served.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (recorded, served)
    });
    let Came { exit, summaries } = recorded?;
    match folder {
        None => {
            let text = summaries.join("\n");
            terminal::print(|out| writeln!(out, "{text}"))?;
        }
        Some(_) => note("the trace was not kept: -o FILE keeps it"),
    }
    served.map(|()| exit)
}

/// Why a page may not have classes rewritten, if so.
fn barred(args: &Args) -> Option<String> {
    let why = if args.no_rewrite {
        "--no-rewrite forbids it"
    } else if args.destination.redact {
        "classes are chosen by their names, which --redact makes unreadable"
    } else if args.recording.max_overhead.is_some() {
        "--max-overhead holds for recordings that watch: an exact one has every event"
    } else {
        return None;
    };
    Some(format!("no class is rewritten: {why}"))
}

/// Who makes the pages.
struct Maker<'a> {
    args: &'a Args,
    site: Site,
    signals: &'a Signals,
    /// Here or there: nothing makes sense any more.
    failed: AtomicBool,
    /// The recording is: why.
    over: OnceLock<&'static str>,
    /// Set when the command ends.
    unwanted: Arc<AtomicBool>,
}

impl Maker<'_> {
    /// The recording is over.
    fn ends(&self, came: &Came, unkept: bool) {
        let why = match came.exit {
            Exit::CutShort => "The recording ended early: what there is of it is shown.",
            _ => "The recording is over: all of it is shown.",
        };
        // Said once: there is one recording.
        let _ = self.over.set(why);
        if !self.signals.arrived() && !self.failed.load(Ordering::Relaxed) {
            let until = if unkept { ", and then removed" } else { "" };
            note(format_args!(
                "the recording is over; it is served until Ctrl-C{until}"
            ));
        }
    }

    /// Answers who asks for another recording than that of this page.
    fn take(&self, order: &Order, generation: u64, found: &Found<'_>) {
        let Order { wish, reply } = order;
        let is_number = |name: &String| {
            let digits = name.strip_prefix('#').unwrap_or(name);
            digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let find = || match wish.of == generation || !wish.locks.iter().any(is_number) {
            true => {
                let choice = Choice::of(found.collected, found.analysis, &wish.locks);
                choice.map_or_else(
                    |failure| Err(failure.to_string()),
                    |choice| Ok(choice.lines()),
                )
            }
            false => {
                Err("there is a newer page, where locks have other numbers: show that".to_owned())
            }
        };
        let answer = match &self.site.desk {
            Some(desk) => desk.answer(wish, find),
            None => Reply::Refused("nothing is recorded".to_owned()),
        };
        // Whoever asked may have gone away.
        let _ = reply.send(answer);
    }

    fn is_over(&self) -> bool {
        self.signals.arrived() || self.failed.load(Ordering::Relaxed)
    }

    /// Makes pages, and has them served, until the command ends.
    fn attend(
        &self,
        listener: &TcpListener,
        news: &Receiver<Grown>,
        asked: Asked,
    ) -> Result<(), Failure> {
        // Without a word nothing was recorded, and somebody else says why.
        let Ok(grown) = news.recv() else {
            return Ok(());
        };
        let made = thread::scope(|scope| {
            let server = OnceLock::new();
            let begin = || {
                let serve = || {
                    let served = server::serve(listener, &self.site, &|| self.is_over());
                    // Nothing to record for, if nobody can see it.
                    self.failed.fetch_or(served.is_err(), Ordering::Relaxed);
                    served
                };
                server.get_or_init(|| scope.spawn(serve));
            };
            let made = self.pages(grown, news, asked, begin);
            if made.is_err() {
                self.failed.store(true, Ordering::Relaxed);
            }
            let served = server
                .into_inner()
                .map_or(Ok(Ok(())), |server| server.join());
            made.and(unserved(
                served.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            ))
        });
        if made.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        made
    }

    /// What is asked for afterwards has no answer, so that nobody waits for one.
    fn pages(
        &self,
        mut grown: Grown,
        news: &Receiver<Grown>,
        (asks, orders): Asked,
        begin: impl Fn(),
    ) -> Result<(), Failure> {
        let mut desktop = None;
        for generation in 1.. {
            let is_last = newest(news, &mut grown);
            let read = Instant::now();
            let wanted = Wanted {
                trace: &grown.path,
                length: grown.length,
                options: options(&self.args.analysis),
                unwanted: &self.unwanted,
                live: Some((generation, !is_last)),
            };
            let next = page::with(
                &wanted,
                |_, _| {},
                |made| {
                    let Made {
                        page,
                        mut source,
                        found,
                        ..
                    } = made;
                    *self.site.shown() = Shown {
                        page: Arc::new(page),
                        live: Some(Live {
                            generation,
                            read,
                            over: self.over.get().copied().filter(|_| is_last),
                        }),
                    };
                    begin();
                    if desktop.is_none() {
                        desktop = Some(announce(&self.site, self.args)?);
                    }
                    let due = Instant::now() + SHORTEST.max(read.elapsed() * REST);
                    let mut next = None;
                    while !self.is_over() {
                        if !is_last && is_due(news, &mut next, due, &grown.path) {
                            break;
                        }
                        orders
                            .try_iter()
                            .for_each(|order| self.take(&order, generation, &found));
                        match asks.recv_timeout(LOOK) {
                            Ok(ask) => source.tell(&ask),
                            Err(RecvTimeoutError::Timeout) => {}
                            Err(RecvTimeoutError::Disconnected) => break,
                        }
                    }
                    Ok(next)
                },
            )?;
            if self.is_over() {
                break;
            }
            if let Some(Some(next)) = next {
                grown = next;
            }
        }
        Ok(())
    }
}

/// Who asks for a part of the recording, and who for another one.
type Asked = (Receiver<Ask>, Receiver<Order>);

/// Takes the last news; whether there will not be any more.
fn newest(news: &Receiver<Grown>, grown: &mut Grown) -> bool {
    loop {
        match news.try_recv() {
            Ok(newer) => *grown = newer,
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => return true,
        }
    }
}

/// Whether there is something for another page: news when one is due, another trace and the end at once.
fn is_due(news: &Receiver<Grown>, next: &mut Option<Grown>, due: Instant, shown: &Path) -> bool {
    loop {
        match news.try_recv() {
            Ok(newer) => *next = Some(newer),
            Err(TryRecvError::Empty) => {
                let is_other = |next: &Grown| next.path != shown || Instant::now() >= due;
                return next.as_ref().is_some_and(is_other);
            }
            Err(TryRecvError::Disconnected) => return true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn another_page_is_made_when_it_is_due_and_there_is_news_and_at_the_end_at_once() {
        let (tell, news) = channel();
        let grown = |length| Grown {
            path: PathBuf::from("a"),
            length,
        };
        let is_due = |news: &_, next: &mut _, due| is_due(news, next, due, Path::new("a"));
        let (past, future) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
        let mut next = None;
        assert!(!is_due(&news, &mut next, past));
        tell.send(grown(1)).unwrap();
        tell.send(grown(2)).unwrap();
        assert!(!is_due(&news, &mut next, future));
        assert!(is_due(&news, &mut next, past));
        assert_eq!(next, Some(grown(2)));
        tell.send(grown(3)).unwrap();
        assert!(!is_due(&news, &mut next, future));
        assert!(super::is_due(&news, &mut next, future, Path::new("b")));
        drop(tell);
        assert!(is_due(&news, &mut next, future));
        assert_eq!(next, Some(grown(3)));
        assert!(newest(&news, &mut grown(3)));
    }
}
