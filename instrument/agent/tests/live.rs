//! The agent in a live JVM, seen from the command's end of the channel.

mod harness;

use harness::jdk::Jdk;
use harness::{Scratch, Station, Target, compile, record};
use locklens_trace::{EventKind, Record};

#[test]
fn a_live_attach_streams_what_happens() {
    for jdk in Jdk::all() {
        let scratch = Scratch::new();
        compile(&jdk, "Zoo", scratch.path());
        let target = Target::start(&jdk, scratch.path(), "Zoo", &[]);
        let station = Station::new(scratch.path());
        let reply = target.load(&station.options(",depth=16,buffer=8388608,safe=1"));
        let (hello, stream) = station.accept();
        assert_eq!((hello.status, hello.pid), (0, target.pid()), "{reply}");
        let seen = record(stream, |records| {
            let entered =
                |r: &&Record| matches!(r, Record::Event(e) if e.kind == EventKind::Entered);
            records.iter().filter(entered).count() > 50
        });
        for record in &seen.records {
            if std::env::var_os("DUMP").is_some() {
                println!("{record:?}");
            }
        }
    }
}
