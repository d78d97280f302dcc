//! `reporecall doctor`.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::DoctorArgs;
use super::output::{json, out, plain};
use super::progress::watched;
use crate::engine::{Engine, Finding, Level};

#[derive(Serialize)]
struct DoctorJson<'a> {
    ok: bool,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    level: &'static str,
    check: &'static str,
    message: &'a str,
    hint: Option<&'a str>,
}

pub(super) fn run(engine: &Engine, args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let findings = if args.fix { watched(args.json, |watch| engine.doctor(Some(watch)))? } else { engine.doctor(None) };
    let sound = findings.iter().all(|finding| finding.level < Level::Fault);
    if args.json {
        let rows = findings.iter().map(finding_json).collect();
        json(&DoctorJson { ok: sound, findings: rows })?;
    } else {
        print(&findings)?;
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn finding_json(finding: &Finding) -> FindingJson<'_> {
    FindingJson {
        level: finding.level.as_str(),
        check: finding.check,
        message: &finding.message,
        hint: finding.hint.as_deref(),
    }
}

fn print(findings: &[Finding]) -> anyhow::Result<()> {
    let mut out = out();
    for finding in findings {
        writeln!(out, "{:7} {:8} {}", finding.level.as_str(), finding.check, plain(&finding.message))?;
        if let Some(hint) = &finding.hint {
            writeln!(out, "                 hint: {}", plain(hint))?;
        }
    }
    Ok(())
}
