//! Checks of what the machine gives and what runs on it: limits of file watching, and the daemon that `.memory/daemon.json` names. It starts
//! and stops nothing. Read [`check`] first.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::{Finding, Level};
use crate::engine::Engine;

/// What a daemon writes of itself.
#[derive(Deserialize)]
struct DaemonFile {
    pid: u32,
    port: u16,
    #[serde(default)]
    token: String,
}

/// A daemon on this machine answers in a few.
const PATIENCE: Duration = Duration::from_millis(300);
const START: &str = "run `reporecall serve` again; until then hooks answer by themselves";

pub(super) fn check(engine: &Engine) -> Vec<Finding> {
    let mut findings: Vec<Finding> = watches(engine).into_iter().collect();
    findings.extend(daemon(&engine.project().memory_dir));
    findings
}

/// `None` where the system has no such limit.
fn watches(engine: &Engine) -> Option<Finding> {
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    let limit: u64 = limit.trim().parse().ok()?;
    let folders = engine.folder_count().ok()?;
    // Editors watch the same folders.
    if folders.saturating_mul(2) < limit {
        return Some(Finding::ok("watch", format!("{folders} folders to watch, of {limit} that the system allows")));
    }
    let message = format!("{folders} folders to watch, and the system allows {limit} for all programs");
    let hint = "raise fs.inotify.max_user_watches with sysctl; without it changes are found by looking at the files from time to time";
    Some(Finding::bad(Level::Warning, "watch", message, hint))
}

fn daemon(memory_dir: &Path) -> Vec<Finding> {
    let path = memory_dir.join("daemon.json");
    let Ok(text) = fs::read_to_string(&path) else {
        return vec![Finding::ok("daemon", "none is running; hooks answer by themselves")];
    };
    let Ok(file) = serde_json::from_str::<DaemonFile>(&text) else {
        return vec![Finding::bad(Level::Warning, "daemon", "daemon.json is not readable", START)];
    };
    let mut findings = vec![answering(&file)];
    if file.token.is_empty() || !memory_dir.join("daemon.token").is_file() {
        findings.push(Finding::bad(Level::Warning, "daemon", "its token is missing: hooks cannot ask it", START));
    }
    if is_readable_by_others(&path) {
        let hint = "run `chmod 600 .memory/daemon.json .memory/daemon.token`";
        findings.push(Finding::bad(
            Level::Fault,
            "daemon",
            "daemon.json, with the token, is readable by other users",
            hint,
        ));
    }
    findings
}

fn answering(file: &DaemonFile) -> Finding {
    let DaemonFile { pid, port, .. } = file;
    match health(*port) {
        Health::Ok => Finding::ok("daemon", format!("answers on port {port}, process {pid}")),
        Health::Other => {
            let message = format!("port {port} is held by another program");
            Finding::bad(Level::Warning, "daemon", message, "start it on another: `reporecall serve --port N`")
        }
        Health::None => {
            let message = format!("daemon.json names process {pid} on port {port}, and nothing answers there");
            Finding::bad(Level::Warning, "daemon", message, START)
        }
    }
}

enum Health {
    Ok,
    /// Somebody else answers.
    Other,
    None,
}

fn health(port: u16) -> Health {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(mut stream) = TcpStream::connect_timeout(&address, PATIENCE) else { return Health::None };
    let asked = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| write!(stream, "GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"));
    let mut answer = Vec::new();
    // What came before the time was up counts.
    let read = stream.take(4_096).read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    match (asked, read) {
        (Ok(()), _) if answer.contains("\"status\"") && answer.contains("\"ok\"") => Health::Ok,
        (Ok(()) | Err(_), Ok(_) | Err(_)) => Health::Other,
    }
}

#[cfg(unix)]
fn is_readable_by_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_readable_by_others(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn levels(findings: &[Finding]) -> Vec<(Level, &str)> {
        findings.iter().map(|finding| (finding.level, finding.message.split(':').next().unwrap_or_default())).collect()
    }

    #[test]
    fn a_daemon_that_is_gone_is_found() {
        let dir = tempfile::tempdir().unwrap();
        assert!(daemon(dir.path()).iter().all(|finding| finding.level == Level::Ok));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        fs::write(dir.path().join("daemon.json"), format!("{{\"pid\":1,\"port\":{port},\"token\":\"\"}}")).unwrap();
        let findings = daemon(dir.path());
        let has = |level, part: &str| {
            levels(&findings).iter().any(|(found, message)| *found == level && message.contains(part))
        };
        assert!(has(Level::Warning, "nothing answers") && has(Level::Warning, "token is missing"), "{findings:?}");
        assert!(!cfg!(unix) || has(Level::Fault, "readable by other users"), "{findings:?}");
    }

    #[test]
    fn another_program_on_the_port_is_found() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let other = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(b"HTTP/1.1 404 Not Found\r\n\r\n").unwrap();
        });
        assert!(matches!(health(port), Health::Other));
        other.join().unwrap();
    }
}
