//! A daemon of a throw-away project, and plain HTTP to ask it. It is ended with the test, by its own process.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::project::{TestProject, binary};

/// For anything that must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A daemon that listens.
pub(crate) struct Serving {
    child: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
}

/// Status, head and body of an answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Serving {
    pub(crate) fn start(project: &TestProject, args: &[&str]) -> Self {
        let child = spawn(project, args);
        let mut serving = Self { child, port: 0, token: String::new() };
        serving.find(project);
        serving
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Takes port and token from the daemon's record.
    fn find(&mut self, project: &TestProject) {
        let pid = u64::from(self.pid());
        let record = until("the daemon's record", || {
            let record: Value = serde_json::from_slice(&fs::read(project.path(".memory/daemon.json")).ok()?).ok()?;
            (record["pid"] == pid).then_some(record)
        });
        self.port = u16::try_from(record["port"].as_u64().expect("a port")).expect("a port");
        record["token"].as_str().expect("a token").clone_into(&mut self.token);
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send(&format!("GET {path} HTTP/1.1\r\n{}{}\r\n", self.host(), self.bearer()))
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        let head = format!("POST {path} HTTP/1.1\r\n{}{}", self.host(), self.bearer());
        self.send(&format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()))
    }

    pub(crate) fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.token)
    }

    /// Any bytes, and what comes back until the connection ends.
    pub(crate) fn send(&self, request: &str) -> Reply {
        let request = request.replacen("\r\n", "\r\nConnection: close\r\n", 1);
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        // A refusal may come before all is written.
        drop(stream.write_all(request.as_bytes()));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Waits until the index is made and nothing is pending.
    pub(crate) fn settled(&self) {
        until("a fresh index", || {
            let status = self.get("/status").json();
            let quiet = status["indexing"] == false && status["pending"] == false;
            (quiet && status["freshness"] == "fresh").then_some(())
        });
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("an end");
    }

    /// Waits for an end by itself; whether it was a good one.
    pub(crate) fn ended(&mut self) -> bool {
        until("the end of the daemon", || self.child.try_wait().expect("a process")).success()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Ends the daemon that a test started apart from itself, whatever becomes of the test.
pub(crate) struct Ends<'p>(pub(crate) &'p TestProject);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        // One that is only starting has no record yet.
        for _ in 0..200 {
            let claimed =
                fs::File::open(self.0.path(".memory/daemon.lock")).is_ok_and(|lock| lock.try_lock_shared().is_err());
            if !claimed
                || self
                    .0
                    .command(&["serve", "--stop"])
                    .ok()
                    .is_ok_and(|stopped| stopped.stdout.starts_with(b"the daemon"))
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

pub(crate) fn spawn(project: &TestProject, args: &[&str]) -> Child {
    let mut command = Command::new(binary());
    command.arg("--project").arg(project.root()).arg("serve").args(args).env("HOME", project.root());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a process")
}

/// Asks again and again until there is something.
pub(crate) fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(15));
    }
}
