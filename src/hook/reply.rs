//! The JSON that an assistant reads. Read [`reply`] first.

use serde_json::{Value, json};

use super::event::Event;

/// Whose hook it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Client {
    #[default]
    Claude,
    Codex,
    Gemini,
    Cursor,
}

/// UTF-16 units: over 10,000, clients show the head of a text only.
const LONGEST_TEXT: usize = 9_500;

/// What is printed for `event`: `text` where the client takes one, and nothing but what it knows.
#[must_use]
pub fn reply(client: Client, event: Event, text: &str) -> Value {
    let text = cut(text);
    if text.is_empty() || !event.is_question() {
        return nothing(client, Some(event));
    }
    let claude = |name: &str| json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}});
    match (client, event) {
        (Client::Cursor, Event::SessionStart) => json!({"additional_context": text}),
        // It takes no context with a prompt.
        (Client::Cursor, _) => nothing(client, Some(event)),
        (Client::Claude | Client::Codex | Client::Gemini, Event::SessionStart) => claude("SessionStart"),
        (Client::Gemini, _) => claude("BeforeAgent"),
        (Client::Claude | Client::Codex, _) => claude("UserPromptSubmit"),
    }
}

/// What is printed when there is nothing to say, or something failed.
#[must_use]
pub fn nothing(client: Client, event: Option<Event>) -> Value {
    match (client, event) {
        (Client::Cursor, Some(Event::Prompt)) => json!({"continue": true}),
        (Client::Claude | Client::Codex | Client::Gemini | Client::Cursor, _) => json!({}),
    }
}

fn cut(text: &str) -> &str {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > LONGEST_TEXT {
            return text.get(..at).unwrap_or(text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Client, LONGEST_TEXT, reply};
    use crate::hook::Event;

    fn shown(client: Client, event: Event, text: &str) -> String {
        reply(client, event, text).to_string()
    }

    #[test]
    fn each_client_gets_its_own_shape() {
        let prompt = |client| shown(client, Event::Prompt, "T");
        let claude = r#"{"hookSpecificOutput":{"additionalContext":"T","hookEventName":"UserPromptSubmit"}}"#;
        assert_eq!((prompt(Client::Claude).as_str(), prompt(Client::Codex).as_str()), (claude, claude));
        assert!(prompt(Client::Gemini).contains("BeforeAgent"));
        assert_eq!(prompt(Client::Cursor), r#"{"continue":true}"#);
        assert_eq!(shown(Client::Cursor, Event::SessionStart, "T"), r#"{"additional_context":"T"}"#);
        assert!(shown(Client::Gemini, Event::SessionStart, "T").contains("SessionStart"));
    }

    #[test]
    fn a_stop_is_never_answered_with_context() {
        for event in [Event::Stop, Event::SubagentStop, Event::SessionEnd, Event::PreToolUse, Event::PreCompact] {
            assert_eq!(shown(Client::Claude, event, "T"), "{}");
        }
        assert_eq!(shown(Client::Claude, Event::Prompt, ""), "{}");
    }

    #[test]
    fn long_texts_stay_below_what_clients_cut() {
        let reply = reply(Client::Claude, Event::Prompt, &"\u{1f600}".repeat(LONGEST_TEXT));
        let text = reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert_eq!(text.encode_utf16().count(), LONGEST_TEXT);
    }
}
