//! A browser to look at pages with: Chromium without a window, driven by what it calls the DevTools protocol.
//!
//! It speaks on two pipes, file descriptors 3 and 4 of it, in JSON texts that a zero ends. Nothing is waited for by time: a page is
//! asked until it says what is wanted, by [`eventually`].

use crate::rig::{PATIENCE, eventually, scratch};
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// What it may be called.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-pipe",
];

/// The browser of this machine. Without one a test is left out with a word, but never where CI runs: there it fails.
pub(crate) fn browser() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let all = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = { all }.find(|path| path.is_file());
    let must = env::var_os("CI").is_some_and(|value| value == "true");
    assert!(
        found.is_some() || !must,
        "this test needs a browser: apt-get install chromium"
    );
    if found.is_none() {
        eprintln!("left out: there is no Chromium here (Debian: apt install chromium)");
    }
    found
}

/// A page in a browser of its own, which ends when it is dropped.
pub(crate) struct Page {
    child: Child,
    said: ChildStdin,
    heard: Receiver<Value>,
    session: Option<String>,
    calls: u64,
    /// Everything that it told without being asked.
    events: Vec<Value>,
    profile: PathBuf,
}

impl Page {
    /// Opens a file, at the part of it that `hash` names.
    pub(crate) fn open(browser: &Path, file: &Path, hash: &str) -> Self {
        Self::at(browser, &format!("file://{}{hash}", file.display()))
    }

    /// Opens an address.
    pub(crate) fn at(browser: &Path, address: &str) -> Self {
        let profile = scratch("browser");
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 >/dev/null </dev/null", "sh"])
            .arg(browser)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("--window-size=1280,900")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (said, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (tell, heard) = channel();
        thread::spawn(move || {
            let texts = BufReader::new(out).split(0).map_while(Result::ok);
            let mut values = texts.map_while(|text| serde_json::from_slice(&text).ok());
            values.all(|value| tell.send(value).is_ok())
        });
        let mut page = Self {
            child,
            said,
            heard,
            session: None,
            calls: 0,
            events: Vec::new(),
            profile,
        };
        page.go_to(address);
        page
    }

    fn go_to(&mut self, address: &str) {
        let made = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": made["targetId"], "flatten": true});
        let attached = self.call("Target.attachToTarget", target);
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Runtime", "Log", "Network", "Page"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.call("Page.navigate", json!({"url": address}));
        // A question put to a page that is being replaced may never be answered.
        self.hears("Page.loadEventFired");
        eventually("the page is there", || {
            self.text("document.readyState") == "complete"
        });
    }

    /// Waits until it tells this of the page that is open.
    #[track_caller]
    fn hears(&mut self, event: &str) {
        let session = json!(self.session);
        let tells = |heard: &Value| heard["method"] == event && heard["sessionId"] == session;
        while !self.events.iter().any(tells) {
            let heard = self.heard.recv_timeout(PATIENCE);
            let heard = heard.unwrap_or_else(|_| panic!("{event} was not told"));
            self.events.push(heard);
        }
    }

    /// Asks for something, and waits for the answer.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        let mut heard = self.answer(method, parameters);
        assert!(heard["error"].is_null(), "{method}: {heard}");
        heard["result"].take()
    }

    fn answer(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.said.write_all(&bytes).unwrap();
        loop {
            let heard = self.heard.recv_timeout(PATIENCE);
            let heard = heard.unwrap_or_else(|_| panic!("no answer to {method}"));
            if heard["id"] == self.calls {
                return heard;
            }
            self.events.push(heard);
        }
    }

    /// What an expression of its script has for a value.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", asked);
        let failed = &answer["exceptionDetails"];
        assert!(failed.is_null(), "{expression}: {failed}");
        answer["result"]["value"].take()
    }

    /// The same as text.
    #[track_caller]
    pub(crate) fn text(&mut self, expression: &str) -> String {
        self.value(expression)
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until an expression is true, also on a page that changes to another one.
    pub(crate) fn comes_to(&mut self, expression: &str) {
        let asked = json!({"expression": expression, "returnByValue": true});
        eventually(expression, || {
            // While it changes there is nobody to answer.
            let answer = self.answer("Runtime.evaluate", asked.clone());
            answer["result"]["result"]["value"] == true
        });
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn waits_for(&mut self, expression: &str) {
        eventually(expression, || self.value(expression) == true);
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "text": text}),
            );
        }
    }

    /// Moves the mouse somewhere with no button, or with the left one pressed.
    pub(crate) fn move_to(&mut self, (x, y): (f64, f64), pressed: bool) {
        let button = if pressed { "left" } else { "none" };
        self.mouse("mouseMoved", (x, y), button, u32::from(pressed));
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), button: &str, buttons: u32) {
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Presses the left button in one place and releases it in another.
    pub(crate) fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.move_to(from, false);
        self.mouse("mousePressed", from, "left", 1);
        self.move_to(((from.0 + to.0) / 2.0, to.1), true);
        self.move_to(to, true);
        self.mouse("mouseReleased", to, "left", 0);
    }

    /// A place within an element, as shares of its size.
    pub(crate) fn place(&mut self, id: &str, (x, y): (f64, f64)) -> (f64, f64) {
        let corners = format!(
            "(({{left, top, width, height}}) => [left, top, width, height])(document.getElementById('{id}').getBoundingClientRect())"
        );
        let corners = self.value(&corners);
        let number = |at: usize| corners[at].as_f64().unwrap();
        (number(0) + number(2) * x, number(1) + number(3) * y)
    }

    /// Nothing went wrong in it, and it asked for nothing but itself.
    #[track_caller]
    pub(crate) fn was_quiet(&mut self) {
        let addresses = self.asked_without_trouble();
        assert!(
            addresses.len() <= 1 && addresses.iter().all(|address| address.starts_with("file:")),
            "{addresses:?}"
        );
    }

    /// Nothing went wrong in it. What it asked for.
    #[track_caller]
    pub(crate) fn asked_without_trouble(&mut self) -> Vec<String> {
        self.call("Runtime.evaluate", json!({"expression": "0"}));
        let is = |event: &Value, name: &str| event["method"] == name;
        let is_trouble = |event: &&Value| {
            let said = [
                "Runtime.exceptionThrown",
                "Runtime.consoleAPICalled",
                "Page.javascriptDialogOpening",
            ];
            let is_error = event["params"]["entry"]["level"] == "error";
            said.iter().any(|name| is(event, name)) || is(event, "Log.entryAdded") && is_error
        };
        let trouble: Vec<_> = self.events.iter().filter(is_trouble).collect();
        assert!(trouble.is_empty(), "{trouble:#?}");
        let requests = self
            .events
            .iter()
            .filter(|event| is(event, "Network.requestWillBeSent"));
        let address = |event: &Value| {
            let url = event["params"]["request"]["url"].as_str();
            url.unwrap_or_default().to_owned()
        };
        requests.map(address).collect()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}
