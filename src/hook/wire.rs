//! The daemon's HTTP as far as a hook needs it: one request over loopback, no pooling, no TLS, no redirect, every wait bounded.
//! Read [`ask`] first.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::project::DaemonRecord;

/// Why the daemon gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    #[error("the daemon cannot be reached: {0}")]
    Io(#[from] io::Error),
    #[error("the daemon answered with status {0}")]
    Status(u16),
    #[error("what answers on the daemon's port is no daemon")]
    Foreign,
}

/// A loopback connection is made at once or not at all.
const LONGEST_CONNECT: Duration = Duration::from_millis(250);

/// Bytes.
const LARGEST_ANSWER: usize = 1 << 20;

/// Sends `body` to `path` and gives the JSON object that answers it, until `deadline`.
///
/// # Errors
/// [`WireError`].
pub fn ask(daemon: &DaemonRecord, path: &str, body: &[u8], deadline: Instant) -> Result<Value, WireError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, daemon.port));
    let mut stream = TcpStream::connect_timeout(&address, left(deadline)?.min(LONGEST_CONNECT))?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(left(deadline)?))?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        daemon.port,
        daemon.token,
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat())?;
    let answer = read(&mut stream, deadline)?;
    parse(&answer)
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

fn read(stream: &mut TcpStream, deadline: Instant) -> Result<Vec<u8>, WireError> {
    let mut answer = Vec::new();
    let mut piece = [0; 16 << 10];
    loop {
        stream.set_read_timeout(Some(left(deadline)?))?;
        match stream.read(&mut piece)? {
            0 => return Ok(answer),
            count => answer.extend_from_slice(piece.get(..count).unwrap_or_default()),
        }
        if is_whole(&answer) {
            return Ok(answer);
        }
        if answer.len() > LARGEST_ANSWER {
            return Err(WireError::Foreign);
        }
    }
}

/// As many bytes of body as the head says have come.
fn is_whole(answer: &[u8]) -> bool {
    let Some((head, body)) = split(answer) else { return false };
    let length = |line: &str| -> Option<usize> {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    };
    head.lines().find_map(length).is_some_and(|length| body.len() >= length)
}

fn parse(answer: &[u8]) -> Result<Value, WireError> {
    let (head, body) = split(answer).ok_or(WireError::Foreign)?;
    let mut words = head.split(' ');
    let http = words.next().is_some_and(|word| word.starts_with("HTTP/1."));
    let status: u16 = words.next().and_then(|word| word.parse().ok()).filter(|_| http).ok_or(WireError::Foreign)?;
    if status != 200 {
        return Err(WireError::Status(status));
    }
    let value: Value = serde_json::from_slice(body).map_err(|_| WireError::Foreign)?;
    if value.is_object() { Ok(value) } else { Err(WireError::Foreign) }
}

/// Head and body.
fn split(answer: &[u8]) -> Option<(&str, &[u8])> {
    let at = answer.windows(4).position(|end| end == b"\r\n\r\n")?;
    Some((std::str::from_utf8(answer.get(..at)?).ok()?, answer.get(at + 4..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{WireError, is_whole, parse};

    #[test]
    fn answers_are_taken_only_from_a_daemon() {
        assert_eq!(parse(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n{\"a\":1}").unwrap()["a"], 1);
        assert!(matches!(parse(b"HTTP/1.1 401 Unauthorized\r\n\r\n{}"), Err(WireError::Status(401))));
        for foreign in
            ["SSH-2.0-x\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n<html>", "HTTP/1.1 200 OK\r\n\r\n[1]", "", "HTTP/1.1"]
        {
            assert!(matches!(parse(foreign.as_bytes()), Err(WireError::Foreign)), "{foreign}");
        }
    }

    #[test]
    fn an_answer_is_whole_when_its_length_has_come() {
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\n\r\n{}"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _answer = parse(&bytes);
        }
    }
}
