//! The grammar of the command line: one variant a command, help texts included. Nothing is read here but arguments.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::model::SymbolKind;

/// The memory that an AI coding assistant has of a codebase.
#[derive(Debug, Parser)]
#[command(name = "reporecall", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub(super) project: ProjectArg,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Args)]
pub(super) struct ProjectArg {
    /// Project folder [default: nearest folder upwards with .memory, .git, Cargo.toml, package.json, pyproject.toml or go.mod]
    #[arg(long = "project", global = true, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Prepare a project: .memory/, an entry that keeps it out of git, .memoryignore
    Init(InitArgs),
    /// Build or update the index
    Index(IndexArgs),
    /// Search the index: words, a sentence, a symbol name or a "quoted phrase"
    Search(SearchArgs),
    /// Show what is indexed, how fresh it is and what was left out
    Stats(JsonArgs),
    /// Check the project and its index; exit code 1 on any fault
    Doctor(DoctorArgs),
    /// Measure search quality and speed
    Benchmark(BenchmarkArgs),
    /// Print a shell completion script
    Completions {
        /// Shell to write it for
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

impl Command {
    /// Errors are printed as JSON.
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Init(args) => args.json,
            Self::Index(args) => args.json,
            Self::Search(args) => args.json,
            Self::Stats(args) => args.json,
            Self::Doctor(args) => args.json,
            Self::Benchmark(args) => args.json,
            Self::Completions { .. } | Self::Man => false,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Show what would be written and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Forget what is indexed and do every file again
    #[arg(long)]
    pub(super) full: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Print errors only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// What to look for
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    pub(super) query: Vec<String>,
    /// Most results
    #[arg(long, short = 'n', default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(super) limit: u16,
    /// Only definitions of this kind; `function` ranks for functions: names and bodies count, files do not
    #[arg(long, value_name = "KIND", value_parser = kinds(), hide_possible_values = true)]
    pub(super) kind: Option<SymbolKind>,
    /// Only this language, as `stats` names it
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) lang: Option<String>,
    /// Only paths that match, such as 'src/**/*.rs'
    #[arg(long, value_name = "GLOB")]
    pub(super) path: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Mend what can be mended: a damaged or stale index is built again
    #[arg(long)]
    pub(super) fix: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct BenchmarkArgs {
    /// Queries with judged answers, JSON Lines
    #[arg(long, value_name = "FILE", required = true)]
    pub(super) queries: Option<PathBuf>,
    /// Folder with one folder per corpus
    #[arg(long, value_name = "DIR", required = true)]
    pub(super) corpora: Option<PathBuf>,
    /// Write the results of every query here, JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    /// Fail when NDCG@10 is below this
    #[arg(long, value_name = "NDCG")]
    pub(super) threshold: Option<f64>,
    /// Leave comments and docstrings out of the index
    #[arg(long)]
    pub(super) strip_docs: bool,
    /// Restrict and rank as `search --kind` does
    #[arg(long, value_name = "KIND", value_parser = kinds(), hide_possible_values = true)]
    pub(super) kind: Option<SymbolKind>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) part: Option<BenchmarkPart>,
}

#[derive(Debug, Subcommand)]
pub(super) enum BenchmarkPart {
    /// Parse every source file and nothing else; prints the seconds that indexing is compared with
    Parse,
    /// Ask queries made from the index in one process; prints p50 and p95 in milliseconds
    Latency {
        /// Number of queries
        #[arg(long, default_value_t = 200)]
        count: usize,
    },
}

fn kinds() -> impl TypedValueParser<Value = SymbolKind> {
    let names = PossibleValuesParser::new(SymbolKind::ALL.iter().map(|kind| kind.as_str()));
    names.try_map(|name| SymbolKind::parse(&name).ok_or("not a kind of definition"))
}
