//! `reporecall conventions`.

use std::io::Write as _;
use std::process::ExitCode;

use super::args::ConventionsArgs;
use super::output::{counted, dim, json, out, plain, strong};
use crate::engine::{Conventions, Engine};

/// Most characters of the short form.
const BRIEF_CHARS: usize = 3_000;

pub(super) fn run(engine: &Engine, args: &ConventionsArgs) -> anyhow::Result<ExitCode> {
    let conventions = if args.refresh { engine.conventions_anew()? } else { engine.conventions()? };
    if args.json {
        json(&conventions)?;
    } else if args.brief {
        write!(out(), "{}", plain_lines(&conventions.briefing(BRIEF_CHARS)))?;
    } else {
        print(&conventions)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Each line as [`plain`] has it.
fn plain_lines(text: &str) -> String {
    text.lines().map(|line| plain(line) + "\n").collect()
}

fn print(conventions: &Conventions) -> anyhow::Result<()> {
    let mut out = out();
    if conventions.languages.is_empty() {
        writeln!(out, "too little code to tell its conventions")?;
    }
    for (at, language) in conventions.languages.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let size =
            format!("{}, {}", counted(language.files, "source file"), counted(language.definitions, "definition"));
        writeln!(out, "{}  {}", strong(&language.language), dim(&size))?;
        for statement in language.statements() {
            for (at, part) in statement.parts.iter().enumerate() {
                writeln!(out, "  {:<8} {}", if at == 0 { statement.topic } else { "" }, plain(part))?;
            }
        }
    }
    Ok(())
}
