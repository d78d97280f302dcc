//! The grammar of the command line: one variant a command, help texts included. Nothing is read here but arguments.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::engine::{Client, EmbeddingProvider};
use crate::eval::{Mode, Surface};
use crate::mcp::Toolset;
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
    /// Prepare a project and connect an assistant to it
    Init(InitArgs),
    /// Take back what `init` added; what is indexed or remembered stays
    Uninstall(UninstallArgs),
    /// Build or update the index
    Index(IndexArgs),
    /// Search the index: words, a sentence, a symbol name or a "quoted phrase"
    Search(SearchArgs),
    /// Show how a prompt would be answered: its route, what it is about, what was found and why, what was left out
    Explain(ExplainArgs),
    /// Show who calls a definition and what it calls; what nothing calls; what a file imports
    Graph(GraphArgs),
    /// Show how code is written here: names, tests, errors, documentation, what is called most
    Conventions(ConventionsArgs),
    /// Bring the index up to date, as a whole or for some files and folders
    Refresh(RefreshArgs),
    /// Run the daemon: keeps the index fresh and answers hooks on 127.0.0.1
    Serve(ServeArgs),
    /// Answer an assistant's hook: reads the event on standard input; never fails
    Hook(HookArgs),
    /// Show what is indexed, how fresh it is and what was left out
    Stats(JsonArgs),
    /// Check the project and its index; exit code 1 on any fault
    Doctor(DoctorArgs),
    /// Serve the tools of an assistant over MCP on standard input and output
    Mcp(McpArgs),
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
            Self::Uninstall(args) => args.json,
            Self::Index(args) => args.json,
            Self::Search(args) => args.json,
            Self::Explain(args) => args.json,
            Self::Graph(args) => args.json || args.format == Some(GraphFormat::Json),
            Self::Conventions(args) => args.json,
            Self::Stats(args) => args.json,
            Self::Doctor(args) => args.json,
            Self::Benchmark(args) => args.json,
            Self::Refresh(args) => args.json,
            Self::Completions { .. } | Self::Man | Self::Mcp(_) | Self::Serve(_) | Self::Hook(_) => false,
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
    /// Assistants to connect: claude, cursor, vscode, codex, windsurf, gemini, opencode; `none` for none
    #[arg(long = "client", value_name = "NAMES", value_delimiter = ',', default_value = "claude", value_parser = clients(), hide_possible_values = true)]
    pub(super) clients: Vec<Option<Client>>,
    /// What turns text into vectors; this version has keyword, which needs none
    #[arg(long, value_name = "NAME", value_parser = providers())]
    pub(super) embedding_provider: Option<EmbeddingProvider>,
    /// Port of the daemon, kept in .memory/config.json
    #[arg(long, value_parser = clap::value_parser!(u16).range(1024..))]
    pub(super) port: Option<u16>,
    /// Add a section about the index to CLAUDE.md
    #[arg(long)]
    pub(super) claude_md: bool,
    /// Show what would be written and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct UninstallArgs {
    /// Assistants to disconnect [default: all, and the project's own files]
    #[arg(long = "client", value_name = "NAMES", value_delimiter = ',', value_parser = clients(), hide_possible_values = true)]
    pub(super) clients: Vec<Option<Client>>,
    /// Show what would be changed and write nothing
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
pub(super) struct RefreshArgs {
    /// Files and folders that changed [default: all that changed]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct ServeArgs {
    /// Port on 127.0.0.1; the next free one is taken when it is in use [default: 37222]
    #[arg(long)]
    pub(super) port: Option<u16>,
    /// Speak MCP on standard input and output as well
    #[arg(long, conflicts_with_all = ["detach", "stop"])]
    pub(super) mcp: bool,
    /// Most pieces of code in an answer
    #[arg(long, value_name = "N")]
    pub(super) max_chunks: Option<u32>,
    /// Write prompts to the log, and reasons into answers
    #[arg(long)]
    pub(super) debug: bool,
    /// Stay in the foreground [default]
    #[arg(long, conflicts_with_all = ["detach", "stop"])]
    pub(super) foreground: bool,
    /// Go on in the background
    #[arg(long, conflicts_with = "stop")]
    pub(super) detach: bool,
    /// End the daemon of this project
    #[arg(long)]
    pub(super) stop: bool,
    /// Seconds without a question after which it ends
    #[arg(long, hide = true, value_name = "SECONDS")]
    pub(super) idle_exit: Option<u64>,
}

#[derive(Debug, Args)]
pub(super) struct HookArgs {
    /// What has happened: session-start, prompt, stop and others
    pub(super) event: String,
    /// Whose hook it is
    #[arg(long, value_enum, default_value_t = HookClient::Claude)]
    pub(super) client: HookClient,
}

/// An assistant with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum HookClient {
    Claude,
    Codex,
    Gemini,
    Cursor,
}

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// What to look for
    #[arg(required_unless_present = "budget", num_args = 1.., value_name = "QUERY")]
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
    /// Print the context an assistant would get instead, within so many tokens; without a number as many as suit the project
    #[arg(long, value_name = "TOKENS", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["limit", "kind", "lang", "path"])]
    pub(super) budget: Option<String>,
    /// Most blocks of code in the context
    #[arg(long, value_name = "COUNT", requires = "budget", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_chunks: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A prompt as a user would write it
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    pub(super) query: Vec<String>,
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
pub(super) struct ConventionsArgs {
    /// Print a short form in Markdown, to be put before an assistant
    #[arg(long, conflicts_with = "json")]
    pub(super) brief: bool,
    /// Count anew instead of taking the last answer about the same index
    #[arg(long)]
    pub(super) refresh: bool,
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
pub(super) struct McpArgs {
    /// Which tools to offer: code, memory, gaps [default: all]
    #[arg(long, value_name = "SETS", value_delimiter = ',', value_parser = toolsets(), hide_possible_values = true)]
    pub(super) toolsets: Vec<Toolset>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct BenchmarkArgs {
    /// Queries with judged answers, JSON Lines
    #[arg(long, value_name = "FILE", required_unless_present_any = ["suite", "graph", "graph_micro"])]
    pub(super) queries: Option<PathBuf>,
    /// A set of the project's own: benchmark/queries/NAME.jsonl, or `registry` for all of them
    #[arg(long, value_name = "NAME", conflicts_with = "queries")]
    pub(super) suite: Option<String>,
    /// Folder with one folder per corpus [default for a suite: where `scripts/benchmark fetch` puts them]
    #[arg(long, value_name = "DIR", required_unless_present_any = ["suite", "graph_micro"])]
    pub(super) corpora: Option<PathBuf>,
    /// What to measure: the list of `search`, or the context that a hook would put before the assistant
    #[arg(long, value_name = "SURFACE", default_value = "search", value_parser = surfaces())]
    pub(super) surface: Surface,
    /// What to search with: `auto` is the best there is
    #[arg(long, value_name = "MODE", default_value = "auto", value_parser = modes())]
    pub(super) mode: Mode,
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
    /// Write a table of the queries here, without times: for comparing two versions line by line
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Fail when NDCG@10 is below this: `ndcg10`, where a relevant result counts 1 whatever its grade
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
const SEARCH_ONLY: [&str; 9] =
    ["queries", "suite", "surface", "mode", "results", "csv", "threshold", "strip_docs", "kind"];

/// A share as percent.
fn percent(text: &str) -> Result<u8, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok((share * 100.0).round() as u8) } else { Err("not from 0 to 1".to_owned()) }
}

fn kinds() -> impl TypedValueParser<Value = SymbolKind> {
    let names = PossibleValuesParser::new(SymbolKind::ALL.iter().map(|kind| kind.as_str()));
    names.try_map(|name| SymbolKind::parse(&name).ok_or("not a kind of definition"))
}

fn surfaces() -> impl TypedValueParser<Value = Surface> {
    PossibleValuesParser::new(Surface::ALL.map(Surface::as_str))
        .try_map(|name| Surface::ALL.into_iter().find(|surface| surface.as_str() == name).ok_or("not a surface"))
}

/// Modes of models are named too, so that who asks for one is told what there is.
fn modes() -> impl TypedValueParser<Value = Mode> {
    clap::builder::NonEmptyStringValueParser::new().try_map(|name| {
        Mode::ALL
            .into_iter()
            .find(|mode| mode.as_str() == name)
            .ok_or("this version has no vectors; there are `auto` and `keyword`")
    })
}

fn toolsets() -> impl TypedValueParser<Value = Toolset> {
    let names = PossibleValuesParser::new(Toolset::ALL.map(Toolset::as_str));
    names.try_map(|name| Toolset::ALL.into_iter().find(|set| set.as_str() == name).ok_or("not a set of tools"))
}

/// `none` is no client.
fn clients() -> impl TypedValueParser<Value = Option<Client>> {
    let names = PossibleValuesParser::new(Client::ALL.map(Client::as_str).into_iter().chain(["none"]));
    names.map(|name| Client::ALL.into_iter().find(|client| client.as_str() == name))
}

fn providers() -> impl TypedValueParser<Value = EmbeddingProvider> {
    let names = PossibleValuesParser::new(EmbeddingProvider::ALL.map(EmbeddingProvider::as_str));
    names.try_map(|name| {
        EmbeddingProvider::ALL.into_iter().find(|provider| provider.as_str() == name).ok_or("not a provider")
    })
}
