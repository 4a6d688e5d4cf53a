//! Agents made of a thread and a socket, and how their recordings end.

use super::*;
use crate::record::output::TraceFile;
use crate::replace::Replace;
use locklens_trace::Nanos;
use locklens_trace::batch::Batch;
use locklens_trace::chunk::{CHUNK_HEADER_LEN, Encoder, file_header, frame_for_tests};
use locklens_trace::read::{Item, Reader};
use locklens_trace::record::{End, Hidden, Record};
use rustix::process::{Signal, kill_process};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::process::Command;
use std::thread::{self, JoinHandle};

fn chunk(record: &Record) -> Vec<u8> {
    let mut encoder = Encoder::new();
    encoder.push(record);
    encoder.take_chunk()
}

fn hidden(events: u64) -> Vec<u8> {
    chunk(&Record::Hidden(Hidden {
        name: "x".into(),
        events,
    }))
}

fn end(reason: EndReason) -> Vec<u8> {
    chunk(&Record::End(End {
        at: Nanos(9),
        reason,
    }))
}

/// Plays the agent on its own thread.
fn agent(play: impl FnOnce(&mut UnixStream) + Send + 'static) -> (UnixStream, JoinHandle<()>) {
    let (ours, mut theirs) = UnixStream::pair().unwrap();
    (ours, thread::spawn(move || play(&mut theirs)))
}

fn wait_for_stop(stream: &mut UnixStream) {
    let mut order = [0];
    while order != STOP {
        stream.read_exact(&mut order).unwrap();
    }
}

fn file(name: &str) -> (PathBuf, TraceFile) {
    let path = std::env::temp_dir().join(format!(
        "locklens-session-{}-{name}.llt",
        std::process::id()
    ));
    (path.clone(), TraceFile::open(path, Replace::Own).unwrap())
}

fn records(path: &PathBuf) -> usize {
    let reader = Reader::new(File::open(path).unwrap()).unwrap();
    let records = reader
        .filter(|item| matches!(item, Item::Record(_)))
        .count();
    std::fs::remove_file(path).unwrap();
    records
}

#[test]
fn what_the_agent_still_has_after_the_order_to_stop_is_kept() {
    let (socket, agent) = agent(|stream| {
        stream.write_all(&file_header()).unwrap();
        stream.write_all(&hidden(1)).unwrap();
        wait_for_stop(stream);
        stream.write_all(&hidden(2)).unwrap();
        stream.write_all(&end(EndReason::Stopped)).unwrap();
    });
    let (path, mut file) = file("stopped");
    let session = Session::new(socket, &mut file, None);
    let (finish, tally) = session.run(|_| true);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Stopped), "{finish:?}");
    assert_eq!((records(&path), tally.hidden()), (3, 2));
}

#[test]
fn the_length_of_a_recording_ends_it() {
    let (socket, agent) = agent(|stream| {
        stream.write_all(&file_header()).unwrap();
        wait_for_stop(stream);
        stream.write_all(&end(EndReason::Stopped)).unwrap();
    });
    let (path, mut file) = file("length");
    let session = Session::new(socket, &mut file, Some(Duration::from_millis(1)));
    let (finish, _) = session.run(|_| false);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Stopped), "{finish:?}");
    assert_eq!(records(&path), 1);
}

/// Somebody who looks at what would be recorded, until so many records have come.
struct Onlooker(Vec<Record>, usize);

impl Sink for Onlooker {
    fn take(&mut self, batch: &Batch) -> io::Result<()> {
        self.0.extend(batch.to_records());
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.0.len() >= self.1
    }
}

#[test]
fn who_only_looks_sees_every_record_and_may_end_it() {
    let (socket, agent) = agent(|stream| {
        stream.write_all(&file_header()).unwrap();
        stream.write_all(&hidden(1)).unwrap();
        stream.write_all(&hidden(2)).unwrap();
        wait_for_stop(stream);
        stream.write_all(&end(EndReason::Stopped)).unwrap();
    });
    let mut onlooker = Onlooker(Vec::new(), 2);
    let (finish, tally) = Session::new(socket, &mut onlooker, None).run(|_| false);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Stopped), "{finish:?}");
    assert_eq!((onlooker.0.len(), tally.hidden()), (3, 2));
}

#[test]
fn an_orderly_end_and_a_broken_connection_are_told_apart() {
    for (last, name) in [
        (end(EndReason::VmDeath), "ended"),
        (hidden(1)[..9].to_vec(), "broken"),
    ] {
        let (socket, agent) = agent(move |stream| {
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&last).unwrap();
        });
        let (path, mut file) = file(name);
        let (finish, _) = Session::new(socket, &mut file, None).run(|_| false);
        agent.join().unwrap();
        match name {
            "ended" => assert!(matches!(finish, Finish::VmEnded), "{finish:?}"),
            _ => assert!(matches!(finish, Finish::Broken), "{finish:?}"),
        }
        records(&path);
    }
}

#[test]
fn an_agent_that_left_because_we_were_silent_is_not_called_broken() {
    let (socket, agent) = agent(|stream| {
        stream.write_all(&file_header()).unwrap();
        stream.write_all(&end(EndReason::CommandSilent)).unwrap();
    });
    let (path, mut file) = file("silent");
    let (finish, _) = Session::new(socket, &mut file, None).run(|_| false);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Silent(_)), "{finish:?}");
    records(&path);
}

/// As an agent of another version may send.
#[test]
fn what_can_be_read_of_a_chunk_counts() {
    let (socket, agent) = agent(|stream| {
        let mut records = Encoder::new();
        for events in [1, 2] {
            let name = events.to_string();
            records.push(&Record::Hidden(Hidden { name, events }));
        }
        let mut raw = records.take_chunk().split_off(CHUNK_HEADER_LEN);
        raw.push(u8::MAX);
        stream.write_all(&file_header()).unwrap();
        stream.write_all(&frame_for_tests(&raw)).unwrap();
        stream.write_all(&end(EndReason::VmDeath)).unwrap();
    });
    let (path, mut file) = file("readable");
    let (finish, tally) = Session::new(socket, &mut file, None).run(|_| false);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::VmEnded), "{finish:?}");
    assert_eq!((records(&path), tally.hidden()), (3, 3));
}

#[test]
fn nonsense_costs_nothing_of_what_came_before() {
    let (socket, agent) = agent(|stream| {
        stream.write_all(&file_header()).unwrap();
        stream.write_all(&hidden(1)).unwrap();
        stream.write_all(&[0; 64]).unwrap();
        wait_for_stop(stream);
    });
    let (path, mut file) = file("nonsense");
    let (finish, tally) = Session::new(socket, &mut file, None).run(|_| false);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Nonsense(_)), "{finish:?}");
    assert_eq!((records(&path), tally.hidden()), (1, 1));
}

/// So it is where it was stopped itself and went on just then: signs of life of a minute fill the connection.
#[test]
fn an_agent_that_has_much_to_read_is_told_to_stop_all_the_same() {
    let (mut socket, agent) = agent(|stream| {
        thread::sleep(READ * 4);
        wait_for_stop(stream);
        stream.write_all(&file_header()).unwrap();
        stream.write_all(&end(EndReason::Stopped)).unwrap();
    });
    socket.set_nonblocking(true).unwrap();
    while socket.write_all(b"H").is_ok() {}
    socket.set_nonblocking(false).unwrap();
    let (path, mut file) = file("late");
    let (finish, _) = Session::new(socket, &mut file, None).run(|_| true);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Stopped), "{finish:?}");
    assert_eq!(records(&path), 1);
}

#[test]
fn a_target_that_is_stopped_is_given_up_sooner_than_one_that_may_be_starved() {
    let (socket, _agent) = UnixStream::pair().unwrap();
    let (path, mut file) = file("halted");
    let mut session = Session::new(socket, &mut file, None);
    assert_eq!(session.target, Some(Pid(std::process::id())));
    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    session.target = Some(Pid(child.id()));
    assert!(!session.is_given_up(HALTED) && session.is_given_up(DRAIN));
    let send = |signal| kill_process(rustix::process::Pid::from_child(&child), signal);
    send(Signal::STOP).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while halted(Pid(child.id())).is_none() && Instant::now() < deadline {
        thread::yield_now();
    }
    assert!(session.is_given_up(HALTED) && !session.is_given_up(READ));
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_full_disk_ends_the_recording_and_the_agent() {
    let (socket, agent) = agent(|stream| {
        wait_for_stop(stream);
    });
    let mut full = TraceFile::open(PathBuf::from("/dev/full"), Replace::Own).unwrap();
    let (finish, _) = Session::new(socket, &mut full, None).run(|_| false);
    agent.join().unwrap();
    assert!(matches!(finish, Finish::Disk(_)), "{finish:?}");
}
