//! What the tools take. Every struct is the schema that clients see and the form that arguments are read into: bounds are in both.
//! Numbers are taken as assistants write them, also as text. Read [`SearchCode`] first.

use std::ops::RangeInclusive;

use rmcp::schemars;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::refusal::{Answer, Refusal};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "snake_case")]
pub(super) enum SearchAction {
    Search,
    ReadChunk,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SearchCode {
    /// A question in words, a name (`Owner.name`), or an error message; "double quotes" ask for the very words.
    #[schemars(length(min = 1))]
    pub query: String,
    /// Most results [20].
    #[schemars(with = "u32", range(min = 1, max = 500))]
    #[serde(deserialize_with = "whole")]
    pub limit: Option<u64>,
    /// Results to leave out from the start: `nextOffset` of the page before.
    #[schemars(with = "u32", range(max = 5000))]
    #[serde(deserialize_with = "whole")]
    pub offset: Option<u64>,
    /// Only definitions of this kind: function, method, class, interface, struct, enum, trait, type, constant, variable, macro, module, section.
    #[schemars(with = "String")]
    pub kind: Option<String>,
    /// Only this language, such as `python`.
    #[schemars(with = "String")]
    pub language: Option<String>,
    /// Only paths that match this glob or lie in this folder, such as `src/**/*.rs`.
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// Files that are open in the editor.
    #[schemars(with = "Vec<String>", length(max = 100))]
    pub active_files: Option<Vec<String>>,
    /// `read_chunk` gives the one chunk that `chunkId` names.
    #[schemars(with = "SearchAction")]
    pub action: Option<SearchAction>,
    #[schemars(with = "String")]
    pub chunk_id: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase", default)]
pub(super) struct IndexCodebase {
    /// Files that changed. The whole project is brought up to date in any case; what did not change costs nothing.
    #[schemars(with = "Vec<String>", length(max = 1000))]
    pub paths: Option<Vec<String>>,
    /// Forget what is indexed and do every file again [false].
    #[schemars(with = "bool")]
    pub full: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshContext {
    /// Files that changed; without them, whatever did.
    #[schemars(with = "Vec<String>", length(max = 1000))]
    #[serde(default)]
    pub paths: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct GetStats {}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ClearIndex {
    /// Must be true.
    pub confirm: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct FindCalls {
    /// `name`, `Owner.name`, or `path:name` where several have the name.
    #[schemars(length(min = 1))]
    pub function_name: String,
    /// Most calls [20].
    #[schemars(with = "u32", range(min = 1, max = 500))]
    #[serde(default, deserialize_with = "whole")]
    pub limit: Option<u64>,
    /// Calls to leave out from the start: `nextOffset` of the page before.
    #[schemars(with = "u32", range(max = 100_000))]
    #[serde(default, deserialize_with = "whole")]
    pub offset: Option<u64>,
    /// Least confidence of a call, 0 to 1 [0.7].
    #[schemars(with = "f64", range(min = 0, max = 1))]
    #[serde(default, deserialize_with = "number")]
    pub min_confidence: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "lowercase")]
pub(super) enum Direction {
    Up,
    Down,
    Both,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTree {
    /// `name`, `Owner.name`, `path:name`, or words that a definition is looked for with.
    #[schemars(length(min = 1))]
    pub seed: String,
    /// Levels of callers of callers and callees of callees [2].
    #[schemars(with = "u32", range(min = 1, max = 10))]
    #[serde(default, deserialize_with = "whole")]
    pub depth: Option<u64>,
    /// `up` for callers, `down` for callees [both].
    #[schemars(with = "Direction")]
    #[serde(default)]
    pub direction: Option<Direction>,
    /// Least confidence of a call, 0 to 1 [0.7].
    #[schemars(with = "f64", range(min = 0, max = 1))]
    #[serde(default, deserialize_with = "number")]
    pub min_confidence: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ResolveSeed {
    /// A question or a name.
    #[schemars(length(min = 1))]
    pub query: String,
}

/// Other tools under one name, as older versions had them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "snake_case")]
pub(super) enum FlowAction {
    #[serde(alias = "explain_flow")]
    Explain,
    #[serde(alias = "callers")]
    FindCallers,
    #[serde(alias = "callees")]
    FindCallees,
    #[serde(alias = "stack_tree", alias = "tree")]
    BuildStackTree,
    #[serde(alias = "seed")]
    ResolveSeed,
    #[serde(alias = "symbol")]
    GetSymbol,
    #[serde(alias = "imports")]
    GetImports,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct ExplainFlow {
    /// A question, or the name of a definition.
    #[schemars(length(min = 1))]
    pub query: String,
    /// `up` for callers, `down` for callees [both].
    #[schemars(with = "Direction")]
    #[serde(default)]
    pub direction: Option<Direction>,
    /// Levels of the tree [2].
    #[schemars(with = "u32", range(min = 1, max = 10))]
    #[serde(default, deserialize_with = "whole", alias = "depth")]
    pub max_depth: Option<u64>,
    /// Most tokens of the context [by the size of the project].
    #[schemars(with = "u32", range(min = 100, max = 100_000))]
    #[serde(default, deserialize_with = "whole")]
    pub token_budget: Option<u64>,
    /// Another tool to answer `query` with, under its own name [explain].
    #[schemars(with = "FlowAction")]
    #[serde(default)]
    pub action: Option<FlowAction>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct GetImports {
    /// From the project's root; the end of a path will do.
    #[schemars(length(min = 1))]
    pub file_path: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct GetSymbol {
    /// `name`, `Owner.name` or `path:name`.
    #[schemars(with = "String")]
    #[serde(default)]
    pub name: Option<String>,
    /// Instead of a name.
    #[schemars(with = "String")]
    #[serde(default)]
    pub chunk_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchContext {
    /// The task or question, as the user put it.
    #[schemars(length(min = 1))]
    pub query: String,
    /// Most tokens of the context [by the size of the project].
    #[schemars(with = "u32", range(min = 100, max = 100_000))]
    #[serde(default, deserialize_with = "whole")]
    pub token_budget: Option<u64>,
    /// Files that are open in the editor.
    #[schemars(with = "Vec<String>", length(max = 100))]
    #[serde(default)]
    pub active_files: Option<Vec<String>>,
}

/// `value`, or `otherwise` where none is given.
pub(super) fn bounded(name: &str, value: Option<u64>, range: RangeInclusive<u64>, otherwise: u64) -> Answer<usize> {
    let value = value.unwrap_or(otherwise);
    if range.contains(&value) {
        return Ok(value as usize);
    }
    let hint = format!("give a number from {} to {}", range.start(), range.end());
    Err(Refusal::new(format!("{name} is {value}"), hint))
}

/// A share as percent.
pub(super) fn percent(share: Option<f64>, otherwise: u8) -> Answer<u8> {
    match share {
        None => Ok(otherwise),
        Some(share) if (0.0..=1.0).contains(&share) => Ok((share * 100.0).round() as u8),
        Some(share) => Err(Refusal::new(format!("minConfidence is {share}"), "give a number from 0 to 1")),
    }
}

fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = number(deserializer)? else { return Ok(None) };
    let is_whole = number.fract() == 0.0 && (0.0..=9e15).contains(&number);
    if is_whole {
        Ok(Some(number as u64))
    } else {
        Err(D::Error::custom(format!("{number} is no whole number from 0")))
    }
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let number = match &value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    match number.filter(|number| number.is_finite()) {
        Some(number) => Ok(Some(number)),
        None => Err(D::Error::custom(format!("{value} is no number"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_taken_as_assistants_write_them() {
        let limit = |value: Value| {
            serde_json::from_value::<SearchCode>(json!({ "query": "q", "limit": value })).ok().map(|input| input.limit)
        };
        assert_eq!(limit(json!(5)), Some(Some(5)));
        assert_eq!(limit(json!(5.0)), Some(Some(5)));
        assert_eq!(limit(json!("5")), Some(Some(5)));
        assert_eq!(limit(Value::Null), Some(None));
        assert_eq!([limit(json!(5.5)), limit(json!(-1)), limit(json!("five")), limit(json!([5]))], [None; 4]);
    }

    #[test]
    fn bounds_are_kept() {
        assert_eq!(bounded("limit", None, 1..=500, 20), Ok(20));
        assert!(bounded("limit", Some(0), 1..=500, 20).is_err());
        assert!(bounded("limit", Some(501), 1..=500, 20).is_err());
        assert_eq!((percent(None, 70), percent(Some(0.5), 70)), (Ok(70), Ok(50)));
        assert!(percent(Some(1.1), 70).is_err());
    }
}
