//! What kind of question a prompt is: nothing of the project, a lookup, a flow, a broad matter. Rules are the table [`RULES`], read from
//! top to bottom; the first that fits decides, and what fits none is looked up. It knows no index. Read [`RULES`] first.

use std::sync::LazyLock;

use regex::{Regex, RegexSet, RegexSetBuilder};

use super::prompt::Sanitized;
use crate::model::Route;

/// What a prompt wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intent {
    /// As wished: a flow without anything to follow is answered as a broad matter.
    pub route: Route,
    /// The rule that decided.
    pub reason: &'static str,
    /// How the project or a part of it is built up.
    pub structure: bool,
    pub relation: Option<Relation>,
}

/// One step along the call graph from a named definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Callers,
    Callees,
}

/// A rule: why, what it decides, and a pattern of the prompt in lower case, without the signs at its ends.
type Rule = (&'static str, Route, &'static str);

/// A question for a thing as such, which names the part of the project that it stands for.
pub(super) const HOW_IT_WORKS: &str = "how it works";

/// A wrong skip is worse than a needless search: rules that skip fit the whole prompt.
pub static RULES: &[Rule] = &[
    (
        "greeting",
        Route::Skip,
        r"^(hi|hello|hey|hiya|yo|hallo|hola|bonjour|salut|ciao|moin|servus|ol[aá]|привет|你好|こんにちは|안녕하세요|good (morning|evening|afternoon|day))([ ,]+(there|again|all|everyone|team|claude|friend))*$",
    ),
    (
        "thanks",
        Route::Skip,
        r"^((ok|okay|great|perfect|cool|nice|awesome|good|wow|many)[ ,.!]+)*(thanks|thank you|thank u|thx|ty|cheers|danke|merci|gracias|grazie|obrigad[oa]|спасибо|谢谢|ありがとう)([ ,.!]+(a lot|so much|very much|again|for that|for your help|that works|that worked|all good|great|perfect))*$",
    ),
    (
        "acknowledgement",
        Route::Skip,
        r"^((yes|yep|yeah|no|nope|ok|okay|sure|great|perfect|nice|cool|good|done|right|correct|exactly|awesome|got it|sounds good|looks good|lgtm|go ahead|do it|do that|continue|proceed|go on|keep going|carry on|try again|again|next|stop|wait|never ?mind|undo( that| it)?|please|ja|nein|oui|non|s[ií]|да|нет|好|はい)[ ,.!]*)+$",
    ),
    (
        "version control",
        Route::Skip,
        r"^((please|now|ok|okay|and|then|can you|could you|just)[ ,]+)*(commit|push|amend|stage|stash|squash)( (this|that|it|them|everything|all|these|those|my|the))?( (changes?|work|files?|commits?|branch))?([ ,]+(and|then|and then) (push|commit)( (it|them|that|everything))?)?( now)?( please)?$",
    ),
    (
        "the assistant",
        Route::Skip,
        r"^(what|which) (ai |language |llm )?(model|llm|ai|version of (claude|gpt|gemini)) (are you|is this|do you use|am i (using|talking to)).*$",
    ),
    (
        "the assistant",
        Route::Skip,
        r"^(who|what) (are|made|built|trained) you$|^what can you do( for me)?$|^are you (there|ok|okay|real|human|a bot|an ai)$|^how are you( today| doing)?$",
    ),
    (
        "the assistant",
        Route::Skip,
        r"^how (many|much) (tokens?|context)\b.*\b(inject|injected|used|use|left|remain|remaining|cost|window)\b.*$|^(did|does|has|is) reporecall (run|running|work|working|inject|injected|help|fire|fired|on|active)( .*)?$",
    ),
    (
        "the conversation",
        Route::Skip,
        r"^(please )?(summari[sz]e|recap|compact|clear|forget) (our|this|the) (conversation|chat|session|discussion|context)( so far)?$|^what (did|have) (we|you|i) (just )?(do|done|say|said|talk|talked|discuss|discussed)( about)?( so far| today)?$",
    ),
    (
        "small talk",
        Route::Skip,
        r"^tell me (a|another) (joke|story|fun fact)$|^(good ?bye|bye|see you|good night)( .{0,12})?$",
    ),
    ("client command", Route::Skip, r"^/[a-z][a-z0-9:_-]*$"),
    // Wide questions: no single definition leads through them.
    (
        "end to end",
        Route::Broad,
        r"\bend[- ]to[- ]end\b|\bfrom start to (finish|end)\b|\bfrom (top to bottom|beginning to end)\b",
    ),
    (
        "the whole",
        Route::Broad,
        r"\b(complete|entire|whole|full|overall) (work ?flow|flow|pipeline|life ?cycle|system|process|picture|code ?base)\b|\b(big picture|bird'?s[- ]eye)\b",
    ),
    ("across all", Route::Broad, r"\bacross (all|every|the (whole|entire))\b|\beverywhere\b"),
    // What leads somewhere, though it begins like a lookup.
    ("show how", Route::Flow, r"^((please|can you|could you) )*(show|tell)( me)? (how|why)\b"),
    ("what happens", Route::Flow, r"\bwhat (happens|happened|is happening|goes on|causes|caused|triggers|leads to)\b"),
    (
        "design",
        Route::Flow,
        r"^what('s| is| are) .*\b(architecture|design|strategy|flow|life ?cycle|reason|cause|wrong|relationship|difference)\b",
    ),
    // One thing is asked for.
    (HOW_IT_WORKS, Route::Lookup, r"^((so|and|ok|please),? )*how (does|do) .{1,80} works?$"),
    (
        "how it is made",
        Route::Lookup,
        r"^((so|and|ok|please),? )*how (is|are) .{1,80} (built|defined|declared|implemented|used|made|written)\b",
    ),
    (
        "callers",
        Route::Lookup,
        r"\b(who|what|which \w+) (calls?|uses?|invokes?|imports?|references?)\b|\b(callers?|usages?|users?) of\b|\bwhere (is|are) .* (called|used|invoked|imported|referenced)\b",
    ),
    ("callees", Route::Lookup, r"\bwhat (does|do) .* (call|invoke|use|import)$|\b(called|invoked) by\b|\bcallees of\b"),
    (
        "hierarchy",
        Route::Lookup,
        r"\b(who|what|which \w+) (implements?|extends?|overrides?|inherits?)\b|\b(implementations?|subclasses|implementors|overrides) of\b",
    ),
    (
        "find",
        Route::Lookup,
        r"^((please|can you|could you|hey|ok|so|and|now),? )*(find|locate|show|list|open|print|give|grep|search|look up|look for|get me|go to|jump to|point me to)\b",
    ),
    (
        "where",
        Route::Lookup,
        r"^((please|can you tell me|tell me|so|and|ok),? )*where\b|\bin (which|what) (file|module|class|package|folder|directory)\b|^(which|what) (file|files|function|class|method|module|package|type|struct|trait|interface)\b",
    ),
    (
        "what is",
        Route::Lookup,
        r"^((so|and|ok|please),? )*(what('s| is| are| was)|whats|what (does|do) .* (do|return|take|mean|contain|hold|look like)|define|definition of)\b",
    ),
    // Something is followed.
    ("how", Route::Flow, r"\bhow\b|^(wie|comment|c[oó]mo|come|как)\b|如何|怎么|怎麼|怎样|どう|어떻게"),
    (
        "why",
        Route::Flow,
        r"\bwhy\b|\b(warum|wieso|weshalb|pourquoi|perch[eé]|почему|зачем)\b|por qu[eé]|为什么|為什麼|なぜ|왜",
    ),
    (
        "trace",
        Route::Flow,
        r"\b(trace|debug|diagnose|investigate|follow|walk (me )?through|step through|flow|call (chain|path|stack|tree)|explain|describe|understand|root cause|life ?cycle)\b",
    ),
    (
        "failure",
        Route::Flow,
        r"\b(fail|fails|failed|failing|failure|broken|breaks|crash|crashes|crashed|crashing|exception|panics?|hangs?|deadlocks?|leaks?|leaking|regression|stack ?trace|traceback|times? out|timeout error|not working|doesn'?t work|does not work|wrong result)\b",
    ),
    (
        "structure",
        Route::Flow,
        r"\b(architecture|structured|organi[sz]ed|layered|interact|interacts|depends? on|impact of|affected by)\b",
    ),
];

/// How it is built up.
const STRUCTURE: &str = r"\b(architecture|structured?|layout|overview|big picture|organi[sz](ed|ation)|main (types|classes|components|modules|parts|pieces)|entry points?)\b|\b(overall|general|high[- ]level) design\b|\bdesign of\b|^what (is|are) (the|in the) .*\b(layers?|modules?|components?|subsystems?|packages?)$";

const RELATIONS: [(Relation, &str); 2] = [
    (
        Relation::Callees,
        r"\bwhat (does|do) .* (call|invoke|use)\b|\bwhat('s| is) (called|invoked|used) by\b|\bcallees of\b",
    ),
    (
        Relation::Callers,
        r"\b(who|what|which \w+) (calls?|uses?|invokes?|references?)\b|\b(callers?|usages?|users?) of\b|\bwhere (is|are) .* (called|used|invoked|referenced)\b|\bcalled from\b|\bused by\b",
    ),
];

static PATTERNS: LazyLock<RegexSet> = LazyLock::new(|| {
    let relations = RELATIONS.iter().map(|(_, pattern)| *pattern);
    compiled(RULES.iter().map(|(_, _, pattern)| *pattern).chain([STRUCTURE]).chain(relations))
});

/// Classifies a prompt.
#[must_use]
pub fn classify(prompt: &Sanitized) -> Intent {
    let words = normal(&prompt.words);
    let shown = !prompt.shown.trim().is_empty() || !prompt.mentions.is_empty() || !prompt.frames.is_empty();
    if words.chars().count() < 3 && !shown && words.is_ascii() {
        return Intent { route: Route::Skip, reason: "nothing is said", structure: false, relation: None };
    }
    let found = PATTERNS.matches(&words);
    let fits = |(at, rule): &(usize, &Rule)| found.matched(*at) && !(shown && rule.1 == Route::Skip);
    let rule = RULES.iter().enumerate().find(fits).map(|(_, rule)| *rule);
    let structure = found.matched(RULES.len());
    let relation =
        RELATIONS.iter().enumerate().find(|(at, _)| found.matched(RULES.len() + 1 + at)).map(|(_, row)| row.0);
    let (reason, route, _) = rule.unwrap_or(if prompt.frames.is_empty() {
        ("nothing else fits", Route::Lookup, "")
    } else {
        ("a trace", Route::Flow, "")
    });
    Intent { route, reason, structure, relation }
}

/// What a prompt is about: without the words that ask for it, and without the kind of what is named (`the Router class`).
#[must_use]
pub fn subject(words: &str) -> String {
    let asked = ASKING.find(words).map_or(0, |asking| asking.end());
    let rest = words.get(asked..).unwrap_or_default();
    let rest = rest.get(..ENDING.find(rest).map_or(rest.len(), |ending| ending.start())).unwrap_or_default();
    let rest = KIND_AFTER.replace_all(rest, "$name");
    let rest = KIND_BEFORE.replace_all(&rest, "$name");
    if rest.chars().any(char::is_alphanumeric) { rest.into_owned() } else { words.to_owned() }
}

/// What a question of structure is about, apart from structure: the name of a part, or nothing when it is the whole project.
#[must_use]
pub fn part_asked(words: &str) -> String {
    let subject = subject(words);
    let kept = subject.split(|char: char| !char.is_alphanumeric() && char != '_').filter(|word| {
        let word = word.to_lowercase();
        !word.is_empty() && !STRUCTURE_WORDS.contains(&word.as_str())
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// Words of a question of structure that name no part of it.
const STRUCTURE_WORDS: &[&str] = &[
    "architecture",
    "structure",
    "structured",
    "design",
    "designed",
    "layer",
    "layers",
    "layered",
    "layout",
    "organised",
    "organized",
    "organisation",
    "organization",
    "component",
    "components",
    "module",
    "modules",
    "subsystem",
    "subsystems",
    "overview",
    "main",
    "overall",
    "general",
    "high",
    "level",
    "picture",
    "big",
    "project",
    "codebase",
    "code",
    "base",
    "repo",
    "repository",
    "application",
    "app",
    "system",
    "software",
    "package",
    "library",
    "program",
    "this",
    "that",
    "it",
    "its",
    "the",
    "a",
    "an",
    "of",
    "is",
    "are",
    "in",
    "and",
    "does",
    "do",
    "look",
    "like",
    "what",
    "how",
    "me",
    "us",
    "about",
    "types",
    "classes",
    "parts",
    "pieces",
    "part",
    "piece",
    "entry",
    "point",
    "points",
    "here",
    "for",
    "whole",
    "entire",
    "give",
    "strategy",
];

/// A request, at the beginning of a prompt.
static ASKING: LazyLock<Regex> = LazyLock::new(|| {
    let asking = r"(?i)^\W*((hey|hi|ok|okay|so|and|now|please|can you|could you|would you|tell me|i want to know|i need to know)\b,? *)*(find|locate|show( me)?|list|print|give me|search( for)?|look (up|for)|get me|go to|jump to|point me to|where('s| is| are| do| does)?|what('s| is| are| was| does| do)?|which|who|how (does|do|is|are|can|should|did)|how|why (does|do|is|are|did)|why|explain( to me)?( how| why| what)?|describe( how)?|trace|debug|walk me through)\b( (the|a|an|all))?\b *";
    Regex::new(asking).expect("a pattern of this file compiles")
});

/// The verb of a question that asks for the thing as such, at its end.
static ENDING: LazyLock<Regex> = LazyLock::new(|| {
    let made = "works?|built|used|defined|declared|implemented|made|written|done|live|located|stored|found";
    Regex::new(&format!(r"(?i) ((is|are|and|or|get|gets) )*({made})(( and| or|,) ({made}))*\W*$"))
        .expect("a pattern of this file compiles")
});

const KINDS: &str = "class|function|method|interface|struct|enum|trait|type|module|constructor|constant|variable|definition|implementation|macro|file";
/// Words nobody would write but as a name.
const NAME: &str = r"(?<name>`[^`]+`|[A-Za-z_]*[a-z0-9][A-Z_]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|[\w.]+(?:::|\.|#)\w+)";
static KIND_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"{NAME} (?:(?:{KINDS})s?\b ?)+(?:definition\b)?")).expect("a pattern of this file compiles")
});
static KIND_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b(?i:{KINDS})s? (?:of )?{NAME}")).expect("a pattern of this file compiles")
});

/// In lower case, without what stands around it, white space as one blank.
fn normal(words: &str) -> String {
    let lower = words.to_lowercase().replace('\u{2019}', "'");
    let bare = lower.trim_matches(|char: char| char.is_whitespace() || "?!.,;:…。！？ ".contains(char));
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn compiled<'a>(patterns: impl Iterator<Item = &'a str>) -> RegexSet {
    RegexSetBuilder::new(patterns).size_limit(64 << 20).build().expect("the patterns of this file compile")
}

#[cfg(test)]
mod tests {
    use super::super::prompt::sanitize;
    use super::*;

    fn route(text: &str) -> &'static str {
        classify(&sanitize(text)).route.as_str()
    }

    #[test]
    fn phrases_lead_to_their_routes() {
        for (text, expected) in [
            ("", "skip"),
            ("ok", "skip"),
            ("Hello!", "skip"),
            ("thanks a lot", "skip"),
            ("Great, thank you!", "skip"),
            ("yes, go ahead please", "skip"),
            ("commit this and push", "skip"),
            ("what model are you?", "skip"),
            ("how many tokens did you inject?", "skip"),
            ("summarize our conversation", "skip"),
            ("/compact", "skip"),
            ("commit parser", "R0"),
            ("fix it in `main`", "R0"),
            ("find the session store", "R0"),
            ("where is the config loaded?", "R0"),
            ("What is a lease?", "R0"),
            ("who calls flush_all?", "R0"),
            ("which functions use the cache", "R0"),
            ("how does the cache work?", "R0"),
            ("how is the index built and used?", "R0"),
            ("add a retry to the uploader", "R0"),
            ("merge sort", "R0"),
            ("how does the router pick a handler?", "R1"),
            ("Why is the queue stuck?", "R1"),
            ("what happens when a lease expires", "R1"),
            ("debug the rate limiter, it blocks all requests", "R1"),
            ("trace the login", "R1"),
            ("login fails with a timeout", "R1"),
            ("what is the architecture of the storage layer?", "R1"),
            ("show me how a page is rendered", "R1"),
            ("explain the handshake end-to-end", "R2"),
            ("describe the complete workflow of a build", "R2"),
            ("how are errors reported across all layers?", "R2"),
            ("Wie wird der Index geschrieben?", "R1"),
            ("\u{bf}Por qu\u{e9} falla la conexi\u{f3}n?", "R1"),
            ("\u{5982}\u{4f55}\u{89e3}\u{6790}\u{914d}\u{7f6e}\u{6587}\u{4ef6}", "R1"),
            (
                "\u{433}\u{434}\u{435} \u{437}\u{430}\u{433}\u{440}\u{443}\u{436}\u{430}\u{435}\u{442}\u{441}\u{44f} \u{43a}\u{43e}\u{43d}\u{444}\u{438}\u{433}",
                "R0",
            ),
            ("\u{8bbe}\u{7f6e}", "R0"),
        ] {
            assert_eq!(route(text), expected, "{text:?}");
        }
    }

    #[test]
    fn code_or_a_trace_is_never_skipped() {
        assert_eq!(route("thanks `parse_line`"), "R0");
        assert_eq!(route("ok\n```\nlet x = parse(y);\n```"), "R0");
        assert_eq!(route("  File \"a/b.py\", line 3, in load"), "R1");
    }

    #[test]
    fn the_subject_is_what_is_asked_about() {
        for (text, expected) in [
            ("find the HttpServer class", "HttpServer"),
            ("what is the StoredChunk type definition?", "StoredChunk?"),
            ("how does the search pipeline work?", "search pipeline"),
            ("where is parse_line defined?", "parse_line"),
            ("please show me struct Foo_bar", "Foo_bar"),
            ("keep session cookies alive", "keep session cookies alive"),
            ("how?", "how?"),
        ] {
            assert_eq!(subject(text).trim(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_question_of_structure_names_a_part_or_the_whole() {
        assert_eq!(part_asked("how is this project structured?"), "");
        assert_eq!(part_asked("what is the overall design of the storage layer?"), "storage");
        assert!(classify(&sanitize("what are the main modules?")).structure);
        assert!(!classify(&sanitize("how does the module loader work?")).structure);
    }

    #[test]
    fn one_step_along_calls_is_told_from_a_flow() {
        let relation = |text: &str| classify(&sanitize(text)).relation;
        assert_eq!(relation("who calls flush?"), Some(Relation::Callers));
        assert_eq!(relation("what does flush call?"), Some(Relation::Callees));
        assert_eq!(relation("how does flush decide?"), None);
    }
}
