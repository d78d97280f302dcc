//! The tools: names, descriptions, hints, schemas, and which question each one asks. One row a tool; nothing is answered here.
//! Read [`Tool`] first.

use std::any::Any;
use std::sync::Arc;

use rmcp::model::{self, JsonObject, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use rmcp::schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::desk::Shelf;
use super::refusal::{Answer, Refusal};
use super::{Toolset, code, flow, graph, input, output};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Tool {
    SearchCode,
    SearchContext,
    FindCallers,
    FindCallees,
    BuildStackTree,
    ExplainFlow,
    ResolveSeed,
    GetSymbol,
    GetImports,
    GetStats,
    IndexCodebase,
    RefreshContext,
    ClearIndex,
}

/// What a client is told of a tool beside its schemas.
struct Card {
    name: &'static str,
    title: &'static str,
    effect: Effect,
}

/// What a tool does to the index; none touches the project's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    Updates,
    Destroys,
}

impl Tool {
    /// In the order in which they are listed.
    pub(super) const ALL: [Self; 13] = [
        Self::SearchCode,
        Self::SearchContext,
        Self::FindCallers,
        Self::FindCallees,
        Self::BuildStackTree,
        Self::ExplainFlow,
        Self::ResolveSeed,
        Self::GetSymbol,
        Self::GetImports,
        Self::GetStats,
        Self::IndexCodebase,
        Self::RefreshContext,
        Self::ClearIndex,
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.card().name == name)
    }

    #[expect(clippy::unused_self, reason = "tools of other sets come")]
    pub(super) const fn toolset(self) -> Toolset {
        Toolset::Code
    }

    /// What a client is told of it.
    pub(super) fn listed(self) -> model::Tool {
        let card = self.card();
        let reads = card.effect == Effect::Reads;
        let annotations = ToolAnnotations::with_title(card.title)
            .read_only(reads)
            .destructive(card.effect == Effect::Destroys)
            .idempotent(true)
            .open_world(false);
        let (takes, gives) = self.schemas();
        model::Tool::new(card.name, self.description(), takes)
            .with_title(card.title)
            .with_annotations(annotations)
            .with_raw_output_schema(gives)
    }

    /// Answers a question about the index as it is.
    pub(super) fn answer(self, shelf: &mut Shelf, arguments: JsonObject) -> Answer<Value> {
        match self {
            Self::SearchCode => code::search(shelf, self.read(arguments)?),
            Self::SearchContext => code::context(shelf, self.read(arguments)?),
            Self::FindCallers => graph::callers(shelf, &self.read(arguments)?),
            Self::FindCallees => graph::callees(shelf, &self.read(arguments)?),
            Self::BuildStackTree => graph::stack_tree(shelf, &self.read(arguments)?),
            Self::ExplainFlow => flow::explain(shelf, self.read(arguments)?),
            Self::ResolveSeed => flow::seeds(shelf, &self.read(arguments)?),
            Self::GetSymbol => graph::symbol(shelf, self.read(arguments)?),
            Self::GetImports => graph::imports(shelf, &self.read(arguments)?),
            Self::GetStats => self.read(arguments).and_then(|input::GetStats {}| code::statistics(shelf)),
            Self::IndexCodebase | Self::RefreshContext | Self::ClearIndex => {
                Err(Refusal::new("this changes the index", "it is answered elsewhere"))
            }
        }
    }

    /// Its arguments, or what is wrong with them.
    pub(super) fn read<T: DeserializeOwned>(self, arguments: JsonObject) -> Answer<T> {
        serde_json::from_value(Value::Object(arguments)).map_err(|error| {
            let message = format!("the arguments of {} are not right: {error}", self.card().name);
            Refusal::new(message, format!("it takes {}", self.takes()))
        })
    }

    /// Names of its arguments, those it needs first.
    fn takes(self) -> String {
        let (schema, _) = self.schemas();
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let all = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let others: Vec<&str> = all.map(|(name, _)| name.as_str()).filter(|name| !required.contains(name)).collect();
        match (required.as_slice(), others.as_slice()) {
            ([], []) => "no arguments".to_owned(),
            ([], others) => format!("optionally {}", others.join(", ")),
            (required, []) => required.join(", "),
            (required, others) => format!("{}, and optionally {}", required.join(", "), others.join(", ")),
        }
    }

    fn schemas(self) -> (Arc<JsonObject>, Arc<JsonObject>) {
        match self {
            Self::SearchCode => pair::<input::SearchCode, output::Found>(),
            Self::SearchContext => pair::<input::SearchContext, output::Assembled>(),
            Self::FindCallers => pair::<input::FindCalls, output::Calls<output::IncomingCall>>(),
            Self::FindCallees => pair::<input::FindCalls, output::Calls<output::OutgoingCall>>(),
            Self::BuildStackTree => pair::<input::StackTree, output::StackTree>(),
            Self::ExplainFlow => pair::<input::ExplainFlow, output::FlowExplained>(),
            Self::ResolveSeed => pair::<input::ResolveSeed, output::Seeds>(),
            Self::GetSymbol => pair::<input::GetSymbol, output::Symbols>(),
            Self::GetImports => pair::<input::GetImports, output::FileImports>(),
            Self::GetStats => pair::<input::GetStats, output::Statistics>(),
            Self::IndexCodebase => pair::<input::IndexCodebase, output::IndexRun>(),
            Self::RefreshContext => pair::<input::RefreshContext, output::IndexRun>(),
            Self::ClearIndex => pair::<input::ClearIndex, output::Cleared>(),
        }
    }

    const fn card(self) -> Card {
        let (name, title, effect) = match self {
            Self::SearchCode => ("search_code", "Search code", Effect::Reads),
            Self::SearchContext => ("search_context", "Context for a task", Effect::Reads),
            Self::FindCallers => ("find_callers", "Find callers", Effect::Reads),
            Self::FindCallees => ("find_callees", "Find callees", Effect::Reads),
            Self::BuildStackTree => ("build_stack_tree", "Call tree", Effect::Reads),
            Self::ExplainFlow => ("explain_flow", "Explain a flow", Effect::Reads),
            Self::ResolveSeed => ("resolve_seed", "Find what a query is about", Effect::Reads),
            Self::GetSymbol => ("get_symbol", "Get a definition", Effect::Reads),
            Self::GetImports => ("get_imports", "FileImports of a file", Effect::Reads),
            Self::GetStats => ("get_stats", "State of the index", Effect::Reads),
            Self::IndexCodebase => ("index_codebase", "Index the project", Effect::Updates),
            Self::RefreshContext => ("refresh_context", "Refresh after edits", Effect::Updates),
            Self::ClearIndex => ("clear_index", "Clear the index", Effect::Destroys),
        };
        Card { name, title, effect }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::SearchCode => {
                "Ranked pieces of this project's code for a question in words, a name or an error message, with \
                 file and lines. Use it before grep when you do not know the exact name or where something is \
                 done."
            }
            Self::SearchContext => {
                "The code that a task or question is about, put together within a token budget, as Markdown. Use \
                 it once at the start of a task; use search_code to look for single things."
            }
            Self::FindCallers => {
                "Every call of a function or method, resolved by scope, imports and types rather than by \
                 spelling. Use it before you change a signature or remove something."
            }
            Self::FindCallees => {
                "What a function or method calls, with the definitions it leads to. minConfidence 0 shows \
                 unknown and outside callees, too."
            }
            Self::BuildStackTree => "Callers of callers and callees of callees of a definition, as trees.",
            Self::ExplainFlow => {
                "How something comes about, from a question or a name: the definition it is about, the calls \
                 that lead to it and that it makes, and their code as Markdown."
            }
            Self::ResolveSeed => "The definitions that a question or a name may mean, the surest first.",
            Self::GetSymbol => {
                "All definitions of a name, with their code and lines; or the chunk that a chunkId names."
            }
            Self::GetImports => {
                "What a file imports, with the files that the imports lead to, and which files import it."
            }
            Self::GetStats => {
                "How much is indexed, what was left out and why, and whether the index agrees with the files."
            }
            Self::IndexCodebase => {
                "Builds the index or brings it up to date; only what changed is done again. Use it when an \
                 answer says that nothing is indexed or that it is stale."
            }
            Self::RefreshContext => "Brings the index up to date after edits, as index_codebase does.",
            Self::ClearIndex => {
                "Empties the code index of this project. It can be built again at any time; memory is not \
                 touched."
            }
        }
    }
}

fn pair<I: JsonSchema + Any, O: JsonSchema + Any>() -> (Arc<JsonObject>, Arc<JsonObject>) {
    let takes = SchemaSettings::draft2020_12().for_deserialize();
    let gives = SchemaSettings::draft2020_12().for_serialize();
    (schema::<I>(takes), schema::<O>(gives))
}

/// Without names of our types and sizes of our numbers, which say nothing to a client.
fn schema<T: JsonSchema>(mut settings: SchemaSettings) -> Arc<JsonObject> {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    strip(&mut value);
    if let Value::Object(object) = &mut value {
        object.remove("description");
    }
    match value {
        Value::Object(object) => Arc::new(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Arc::default(),
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if object.contains_key("type") {
                object.remove("title");
                object.remove("format");
            }
            object.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
