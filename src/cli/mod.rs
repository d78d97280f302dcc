//! The command line: parses the question, calls one engine method, prints the answer. No logic of its own. Read [`Cli`] first.

mod args;
mod benchmark;
mod context;
mod conventions;
mod doctor;
mod explain;
mod graph;
mod graph_text;
mod hook;
mod index;
mod init;
mod log;
mod mcp;
mod output;
mod progress;
mod refresh;
mod search;
mod serve;
mod stats;
mod uninstall;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

pub use args::Cli;
use args::Command;
use output::Failure;

use crate::config::Severity;
use crate::engine::Engine;
use crate::project::Project;

/// Runs the command line of this process; the exit code is 0 ok, 1 work failed or a fault was found, 2 wrong usage, 3 no index.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return hook::or_usage(&error),
    };
    let json = cli.command.json();
    if !matches!(cli.command, Command::Serve(_)) {
        log::to_stderr();
    }
    match run(cli) {
        Ok(code) => code,
        Err(error) => output::fail(&Failure::of(&error), json),
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "reporecall", &mut output::out());
            Ok(ExitCode::SUCCESS)
        }
        Command::Man => {
            let mut command = Cli::command();
            command.build();
            manual(&command)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Init(args) => init::run(&engine(&cli.project)?, &args),
        Command::Uninstall(args) => uninstall::run(&engine(&cli.project)?, &args),
        Command::Index(args) => index::run(&engine(&cli.project)?, &args),
        Command::Search(args) => search::run(&engine(&cli.project)?, &args),
        Command::Explain(args) => explain::run(&engine(&cli.project)?, &args),
        Command::Graph(args) => graph::run(&engine(&cli.project)?, &args),
        Command::Conventions(args) => conventions::run(&engine(&cli.project)?, &args),
        Command::Refresh(args) => refresh::run(&engine(&cli.project)?, &args),
        Command::Serve(args) => serve::run(opened(&cli.project)?, &args),
        Command::Hook(args) => Ok(hook::run(args, cli.project.root)),
        Command::Stats(args) => stats::run(&engine(&cli.project)?, &args),
        Command::Doctor(args) => doctor::run(&opened(&cli.project)?, &args),
        Command::Mcp(args) => mcp::run(engine(&cli.project)?, &args),
        Command::Benchmark(args) => benchmark::run(&cli.project, &args),
    }
}

/// The page of a command, then those of its subcommands.
fn manual(command: &clap::Command) -> std::io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(&mut output::out())?;
    command.get_subcommands().filter(|part| part.get_name() != "help").try_for_each(manual)
}

/// The engine, with what is wrong with the settings said on standard error.
fn engine(project: &args::ProjectArg) -> anyhow::Result<Engine> {
    let engine = opened(project)?;
    for warning in engine.config_warnings().iter().filter(|warning| warning.severity == Severity::Warning) {
        output::warn(&warning.to_string());
    }
    Ok(engine)
}

/// The engine of the project asked for, or of the one the current folder lies in.
fn opened(project: &args::ProjectArg) -> anyhow::Result<Engine> {
    Ok(Engine::open(self::project(project)?))
}

fn project(project: &args::ProjectArg) -> anyhow::Result<Project> {
    match &project.root {
        Some(path) => Ok(Project::at(path)?),
        None => Ok(Project::discover(&crate::project::current_dir()?)?),
    }
}
