//! The grammar of the command line: one variant a command, help texts included. Nothing is read here but arguments.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
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
    /// Show who calls a definition and what it calls; what nothing calls; what a file imports
    Graph(GraphArgs),
    /// Show what is indexed, how fresh it is and what was left out
    Stats(JsonArgs),
    /// Check the project and its index; exit code 1 on any fault
    Doctor(DoctorArgs),
    /// Measure search, its speed, and the call graph
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
            Self::Graph(args) => args.json || args.format == Some(GraphFormat::Json),
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
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(group = clap::ArgGroup::new("question").required(true))]
pub(super) struct GraphArgs {
    /// Definition: `name`, `Owner.name`, `module.name` or `path:name`
    #[arg(group = "question", value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Only who calls it
    #[arg(long, conflicts_with_all = ["callees", "both", "unused", "entry_points", "imports"])]
    pub(super) callers: bool,
    /// Only what it calls
    #[arg(long, conflicts_with_all = ["both", "unused", "entry_points", "imports"])]
    pub(super) callees: bool,
    /// Both [default]
    #[arg(long, conflicts_with_all = ["unused", "entry_points", "imports"])]
    pub(super) both: bool,
    /// Levels of callers of callers and callees of callees
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(super) depth: u8,
    /// Least confidence of what is shown, 0 to 1 [default: 0.7]
    #[arg(long, value_name = "SHARE", value_parser = percent)]
    pub(super) min_confidence: Option<u8>,
    /// Calls of a method of a base or an interface as calls of the methods that override it, too
    #[arg(long)]
    pub(super) dispatch: bool,
    /// Everything: unsure edges, overriding methods, callees that are unknown or outside the project; of lists, unsure rows and tests
    #[arg(long)]
    pub(super) all: bool,
    /// Most lines per direction or list
    #[arg(long, short = 'n', default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) limit: u16,
    /// How to print it; `dot` is for Graphviz
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) format: Option<GraphFormat>,
    /// List definitions that nothing in the project leads to
    #[arg(long, group = "question")]
    pub(super) unused: bool,
    /// List where execution enters: main functions, handlers, what is exported and not called inside
    #[arg(long, group = "question")]
    pub(super) entry_points: bool,
    /// List what a file imports and who imports it
    #[arg(long, group = "question", value_name = "PATH")]
    pub(super) imports: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,
}

/// How a graph is printed; all but trees know text and JSON only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    Text,
    Json,
    Dot,
    Mermaid,
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
    #[arg(long, value_name = "FILE", required_unless_present_any = ["graph", "graph_micro"])]
    pub(super) queries: Option<PathBuf>,
    /// Folder with one folder per corpus
    #[arg(long, value_name = "DIR", required_unless_present = "graph_micro")]
    pub(super) corpora: Option<PathBuf>,
    /// Compare the call graph with a list of resolved call edges, JSON Lines, or with all lists in a folder; repeatable
    #[arg(long, value_name = "PATH", conflicts_with_all = SEARCH_ONLY)]
    pub(super) graph: Vec<PathBuf>,
    /// Write the edges of the graph here: a file for one list, a folder for several
    #[arg(long, value_name = "PATH", requires = "graph")]
    pub(super) edges: Option<PathBuf>,
    /// Compare the call graphs of small cases: folders below this one with sources and a callgraph.json
    #[arg(long, value_name = "DIR", conflicts_with_all = SEARCH_ONLY)]
    pub(super) graph_micro: Option<PathBuf>,
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

/// Options that say nothing about a graph.
const SEARCH_ONLY: [&str; 5] = ["queries", "results", "threshold", "strip_docs", "kind"];

/// A share as percent.
fn percent(text: &str) -> Result<u8, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok((share * 100.0).round() as u8) } else { Err("not from 0 to 1".to_owned()) }
}

fn kinds() -> impl TypedValueParser<Value = SymbolKind> {
    let names = PossibleValuesParser::new(SymbolKind::ALL.iter().map(|kind| kind.as_str()));
    names.try_map(|name| SymbolKind::parse(&name).ok_or("not a kind of definition"))
}
