//! A failure as an assistant needs it: what is wrong, and what to do with the tools at hand. It decides nothing. Read [`Refusal`] first.

use std::fmt;

use crate::engine::{Code, Fault};

/// Why a tool gives no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub message: String,
    pub hint: Option<String>,
}

pub(super) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(super) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Some(hint.into()) }
    }

    /// Nothing is indexed, and `indexing` says whether that is being changed.
    pub(super) fn no_index(indexing: bool) -> Self {
        if indexing {
            Self::new("the project is being indexed for the first time", "try again in a moment")
        } else {
            Self::new(
                "nothing of this project is indexed yet",
                "call index_codebase (a few seconds for most projects), then ask again",
            )
        }
    }

    pub(super) fn is_no_index(error: &anyhow::Error) -> bool {
        Fault::of(error).code == Code::NoIndex
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        let fault = Fault::of(&error);
        if fault.code == Code::NoIndex {
            return Self::no_index(false);
        }
        Self { message: fault.message, hint: fault.hint.map(|hint| in_tools(&hint)) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// The hints of the command line name commands; an assistant has tools for some of them.
fn in_tools(hint: &str) -> String {
    hint.replace("run `reporecall doctor --fix` or `reporecall index --full`", "call index_codebase with full: true")
        .replace("run `reporecall index`", "call index_codebase")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_tools_where_there_is_one() {
        assert_eq!(in_tools("run `reporecall index` to go on"), "call index_codebase to go on");
        assert_eq!(in_tools("free some disk space"), "free some disk space");
    }

    #[test]
    fn a_refusal_is_its_message_and_a_hint() {
        assert_eq!(Refusal::new("no", "do").to_string(), "no\nhint: do");
        assert_eq!(Refusal { message: "no".to_owned(), hint: None }.to_string(), "no");
    }
}
