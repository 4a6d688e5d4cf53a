//! The page of a JVM that is being recorded: made anew as the trace grows, the more rarely the longer that takes.

use super::answer::{Live, Shown, Site};
use super::page::{self, Made, Wanted};
use super::source::Ask;
use super::{announce, server, unserved};
use crate::args::{Recording, View as Args};
use crate::exit::{Exit, Failure};
use crate::private::PrivateDir;
use crate::record::live::{Request, record_as};
use crate::record::outcome::Recorded;
use crate::record::output::{Grown, check};
use crate::record::signals::Signals;
use crate::study::options;
use crate::target::resolve;
use crate::terminal::{self, note};
use std::io::Write;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// A page is shown so long at least, and so many times as long as it took to make it: a long recording takes a long time.
const SHORTEST: Duration = Duration::from_secs(3);
const REST: u32 = 10;
/// How often it is looked for something new, or Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);
/// The trace, if nobody wants to keep it.
const UNKEPT: &str = "view.llt";

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
    let unkept = folder.as_ref().map(|folder| folder.path().join(UNKEPT));
    let recording = Recording {
        duration: args.recording.duration.or(Some(Duration::ZERO)),
        ..args.recording.clone()
    };
    let ((tell, news), (asker, asks)) = (channel(), channel());
    let maker = Maker {
        args,
        site: Site::new(port, asker)?,
        signals: &signals,
        failed: AtomicBool::new(false),
        over: OnceLock::new(),
        unwanted: signals.flag(),
    };
    let failed = |_: &_| maker.failed.load(Ordering::Relaxed);
    let record = |tell: &Sender<Grown>| {
        record_as(&Request {
            pattern: unkept.as_deref().or(args.destination.pattern()),
            replace: args.destination.replace(),
            redact: args.destination.redact,
            news: Some(tell),
            signs_of_life: true,
            enough: Some(&failed),
            ..Request::watching(&jvm, &recording, &signals)
        })
    };
    let (recorded, served) = thread::scope(|scope| {
        let maker = &maker;
        let serving = scope.spawn(move || maker.attend(&listener, &news, &asks));
        let recorded = record(&tell).map(|recorded| maker.ends(recorded, folder.is_some()));
        if recorded.is_err() {
            maker.failed.store(true, Ordering::Relaxed);
        }
        drop(tell);
        let served = serving.join();
        let served = served.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (recorded, served)
    });
    let (exit, summary) = recorded?;
    match folder {
        None => {
            terminal::print(|out| writeln!(out, "{summary}"))?;
        }
        Some(_) => note("the trace was not kept: -o FILE keeps it"),
    }
    served.map(|()| exit)
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
    /// The recording is over: how the command should end, and what the trace holds.
    fn ends(&self, mut recorded: Recorded, unkept: bool) -> (Exit, String) {
        recorded.file.close_to_reader();
        let why = match recorded.exit {
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
        (recorded.exit, recorded.summary)
    }

    fn is_over(&self) -> bool {
        self.signals.arrived() || self.failed.load(Ordering::Relaxed)
    }

    /// Makes pages, and has them served, until the command ends.
    fn attend(
        &self,
        listener: &TcpListener,
        news: &Receiver<Grown>,
        asks: &Receiver<Ask>,
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
            let made = self.pages(grown, news, asks, begin);
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

    fn pages(
        &self,
        mut grown: Grown,
        news: &Receiver<Grown>,
        asks: &Receiver<Ask>,
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
                        page, mut source, ..
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
                        if !is_last && is_due(news, &mut next, due) {
                            break;
                        }
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

/// Whether there is something for another page: news when one is due, the end at once.
fn is_due(news: &Receiver<Grown>, next: &mut Option<Grown>, due: Instant) -> bool {
    loop {
        match news.try_recv() {
            Ok(newer) => *next = Some(newer),
            Err(TryRecvError::Empty) => return next.is_some() && Instant::now() >= due,
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
            path: PathBuf::new(),
            length,
        };
        let (past, future) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
        let mut next = None;
        assert!(!is_due(&news, &mut next, past));
        tell.send(grown(1)).unwrap();
        tell.send(grown(2)).unwrap();
        assert!(!is_due(&news, &mut next, future));
        assert!(is_due(&news, &mut next, past));
        assert_eq!(next, Some(grown(2)));
        tell.send(grown(3)).unwrap();
        drop(tell);
        assert!(is_due(&news, &mut next, future));
        assert_eq!(next, Some(grown(3)));
        assert!(newest(&news, &mut grown(3)));
    }
}
