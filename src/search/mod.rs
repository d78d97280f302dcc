//! A question in words or names -> ranked chunks. It reads the index and nothing else: no file of the project, no clock, nothing of who
//! asks. Read [`Searcher::find`] first: it is the whole way, one call a step.
//!
//! - `query`: text -> terms, names, phrases (`stopwords`); `terms`: which of them to ask for, with longer forms of the vocabulary.
//! - `view`: the index in dense arrays, one commit; `retrieve`: BM25F over chunks and file cards, candidates; `filter`.
//! - `definitions`, `phrases`, `filename`, `factors` (of `paths`): what else speaks for or against a candidate.
//! - `rank`: the one table that weighs it all; `hits`: candidates -> answers.

mod bundles;
pub mod calls;
mod definitions;
mod factors;
mod filename;
mod filter;
#[cfg(test)]
mod fixture;
mod flow;
mod hits;
pub mod intent;
mod joins;
mod lane;
mod marks;
mod paths;
mod phrases;
pub mod prompt;
mod query;
mod rank;
mod retrieve;
mod seed;
mod shorten;
mod stopwords;
mod terms;
mod told;
mod view;

use std::cell::RefCell;

pub use bundles::NamedBundle;
pub use hits::{Hit, Signal, joined};
pub use lane::{Answer, FoundSeed, Question, Trace};
pub use seed::SeedReason;

use self::bundles::Bundles;
use self::calls::{Cache, Graph};
use self::filter::Filter;
use self::hits::Contents;
use self::query::Query;
use self::rank::{Candidate, Ranking};
use self::retrieve::Evidence;
use self::view::{Home, View};
use crate::model::SymbolKind;
use crate::store::code::CodeReader;
use crate::store::text::TextReader;
use crate::store::tokens::Stemmer;
use crate::store::{StoreError, StorePaths};

/// What to find.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// Anything: a question, a name, an issue's text. Double quotes ask for the very words.
    pub text: String,
    /// Hits at most.
    pub limit: usize,
    /// Definitions of this kind only.
    pub kind: Option<SymbolKind>,
    /// Files of this language only.
    pub lang: Option<String>,
    /// Files whose path matches this glob, or lies in this folder, only.
    pub path: Option<String>,
    /// Functions are wanted by what they do: callables only, of any kind, and nothing counts but themselves.
    pub functions: bool,
    /// Files the user has open, by path: what is asked for is likely there.
    pub active_files: Vec<String>,
}

/// Hits, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    pub hits: Vec<Hit>,
    /// Chunks that would have come before the last hit, of files that have changed and are about to be indexed again.
    pub stale: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error("the path pattern is not valid: {0}")]
    PathPattern(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An open index with what it takes to answer many questions.
#[derive(Debug)]
pub struct Searcher {
    text: TextReader,
    code: CodeReader,
    home: Home,
    view: RefCell<View>,
    scratch: RefCell<Scratch>,
}

/// Memory that is used again from query to query.
#[derive(Debug, Default)]
struct Scratch {
    evidence: Evidence,
    contents: Contents,
    stemmer: Stemmer,
    /// Commits of the words and of the calls, and what was read of them.
    commits: (i64, i64),
    calls: Cache,
    bundles: Bundles,
}

impl Searcher {
    /// Opens the index for reading. `project` is the name of the project's folder, `host` a system as `std::env::consts::OS` calls
    /// it: files for other systems come later.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Damaged`], [`StoreError::Version`].
    pub fn open(paths: &StorePaths, project: &str, host: &str) -> Result<Self, StoreError> {
        let text = TextReader::open(&paths.fts())?;
        let code = CodeReader::open(&paths.metadata())?;
        let home = Home { project: project.into(), host: host.into() };
        let view = View::load(&text, text.commit()?, &home)?;
        Ok(Self { text, code, home, view: RefCell::new(view), scratch: RefCell::default() })
    }

    /// Loads the index again where it has changed; says whether it has. [`Searcher::find`] does so by itself.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn refresh(&self) -> Result<bool, StoreError> {
        let commit = self.text.commit()?;
        if commit == self.view.borrow().commit {
            return Ok(false);
        }
        let view = View::load(&self.text, commit, &self.home)?;
        self.view.replace(view);
        Ok(true)
    }

    /// What the index says of files, from the connection that is open anyway.
    #[must_use]
    pub const fn code(&self) -> &CodeReader {
        &self.code
    }

    /// The chunks that answer `query`, best first.
    ///
    /// # Errors
    /// [`SearchError::PathPattern`], or what the store says. No text of a query is an error.
    pub fn find(&self, query: &SearchQuery) -> Result<SearchResults, SearchError> {
        let (_text, _code) = (self.text.snapshot()?, self.code.snapshot()?);
        self.refresh()?;
        let view = &*self.view.borrow();
        let scratch = &mut *self.scratch.borrow_mut();
        let filter = Filter::new(query, view, &self.code)?;
        let asked = Query::parse(&query.text, &mut scratch.stemmer);
        let (mut candidates, mut ranking) = self.ranked(&asked, view, (&filter, query.functions), scratch)?;
        if !query.active_files.is_empty() {
            let active = lane::active_files(view, &query.active_files);
            for found in &mut candidates {
                found.situation = lane::active(found, &active);
            }
            ranking.order(&mut candidates, &mut scratch.stemmer);
        }
        scratch.renew_calls(view, self.code.commit()?);
        let Scratch { contents, stemmer, calls, .. } = scratch;
        let (best, graph) = ((candidates.as_slice(), &ranking), Graph::new(&self.code, calls));
        let found = hits::collect(best, (query.limit, query.limit), &filter, (view, graph), (contents, stemmer))?;
        Ok(SearchResults { hits: found.hits, stale: found.stale })
    }

    /// Everything that may be an answer, in order.
    fn ranked<'a>(
        &self,
        asked: &'a Query,
        view: &'a View,
        (filter, functions): (&Filter, bool),
        scratch: &mut Scratch,
    ) -> Result<(Vec<Candidate>, Ranking<'a>), StoreError> {
        let Scratch { evidence, stemmer, .. } = scratch;
        let terms = terms::choose(asked, &self.text, view.chunks())?;
        evidence.gather(&terms, view, &self.text, filter)?;
        let mut candidates = self.candidates(asked, view, evidence, filter)?;
        let mut ranking = Ranking::new(asked, view, functions);
        ranking.order(&mut candidates, stemmer);
        Ok((candidates, ranking))
    }

    /// Everything that may be an answer, with all that speaks for it.
    fn candidates(
        &self,
        query: &Query,
        view: &View,
        evidence: &mut Evidence,
        filter: &Filter,
    ) -> Result<Vec<Candidate>, StoreError> {
        let defined = definitions::definitions(query, view, &self.code, &self.text)?;
        let quoted = phrases::holding(query, view, &self.code, &self.text)?;
        let mut chunks = definitions::candidates(&defined, view, &evidence.chunks);
        chunks.extend(quoted.iter().map(|(chunk, _)| *chunk));
        chunks.retain(|chunk| filter.takes(view, *chunk));
        chunks.extend(evidence.candidates(view, filter));
        chunks.sort_unstable();
        chunks.dedup();
        let definition =
            |chunk| defined.binary_search_by_key(&chunk, |found| found.chunk).ok().and_then(|at| defined.get(at));
        let phrase =
            |chunk| quoted.binary_search_by_key(&chunk, |(chunk, _)| *chunk).ok().and_then(|at| quoted.get(at));
        let made = chunks.into_iter().map(|chunk| Candidate {
            definition: definition(chunk).map_or(0.0, |found| found.value),
            phrase: phrase(chunk).map_or(0.0, |(_, share)| *share),
            ..evidence.candidate(view, chunk)
        });
        Ok(made.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::Fixture;
    use super::*;
    use proptest::prelude::*;

    fn query(text: &str) -> SearchQuery {
        SearchQuery { text: text.into(), limit: 10, ..SearchQuery::default() }
    }

    const APP: &str = "\
//- src/router.rs
# Sends a request to the handler of its route.
fn dispatch(request) { route lookup }

fn compile_pattern(text) { regex of a route pattern }

//- src/session.rs
class Session

# Keeps the cookie of a session alive.
method Session.refresh(cookie) { expire later }

//- src/server.rs
fn serve() { dispatch(request); refresh }

fn shutdown() { close sockets }

//- tests/router_test.rs
# Dispatches a request to the handler of its route.
test fn dispatch_route_request() { dispatch request handler route }
";

    #[test]
    fn a_question_finds_the_file_that_answers_it() {
        let index = Fixture::new(APP);
        assert_eq!(
            index.names("how are requests dispatched to route handlers").first().unwrap(),
            "src/router.rs dispatch"
        );
        assert_eq!(index.names("keep session cookies alive").first().unwrap(), "src/session.rs refresh");
    }

    #[test]
    fn a_symbol_comes_before_its_uses() {
        let index = Fixture::new(APP);
        for text in ["dispatch", "`dispatch()`", "_dispatch"] {
            assert_eq!(index.names(text).first().unwrap(), "src/router.rs dispatch", "{text}");
        }
        assert_eq!(index.names("Session").first().unwrap(), "src/session.rs Session");
    }

    #[test]
    fn capitals_of_a_symbol_count() {
        let index = Fixture::new("//- a.rs\nfn router() { router router }\n\n//- b.rs\nclass Router\n");
        assert_eq!(index.paths("Router").first().unwrap(), "b.rs");
        assert_eq!(index.paths("router").first().unwrap(), "a.rs");
    }

    #[test]
    fn a_qualified_name_prefers_its_owner() {
        let index = Fixture::new(
            "//- src/a.rs\nmethod Cache.flush()\n\n//- src/b.rs\nmethod Socket.flush()\n\n//- src/c.rs\nmethod Log.flush()\n",
        );
        assert_eq!(index.names("Socket::flush").first().unwrap(), "src/b.rs flush");
        assert_eq!(index.names("Log.flush").first().unwrap(), "src/c.rs flush");
    }

    #[test]
    fn a_name_that_is_only_exported_leads_to_the_export() {
        let index =
            Fixture::new("//- src/api.rs\nreexport Engine\n\n//- src/use.rs\nfn start() { Engine Engine Engine }\n");
        assert_eq!(index.paths("Engine").first().unwrap(), "src/api.rs");
    }

    #[test]
    fn of_many_exports_those_of_the_first_paths_are_looked_at() {
        let late = (0..40).map(|n| format!("//- src/z{n}.rs\nreexport Engine\n\n")).collect::<Vec<_>>().concat();
        let index = Fixture::new(&late);
        index.write("//- src/api.rs\nreexport Engine\n");
        assert_eq!(index.paths("Engine").first().unwrap(), "src/api.rs");
    }

    #[test]
    fn tests_come_first_only_when_they_are_asked_for() {
        let index = Fixture::new(APP);
        let last = |text: &str| index.paths(text).iter().position(|path| path == "tests/router_test.rs");
        assert!(last("dispatch route request handler") > Some(0));
        assert_eq!(last("test of dispatch route request handler"), Some(0));
    }

    #[test]
    fn a_quoted_text_comes_before_its_words() {
        let index = Fixture::new(
            "//- a.rs\nfn one() { reset the connection; connection reset reset connection }\n\n//- b.rs\nfn two() { warn: Connection\n  reset by the peer }\n",
        );
        assert_eq!(index.paths("\"connection reset by\"").first().unwrap(), "b.rs");
        let best = &index.find("\"connection reset by\"")[0];
        assert!(best.because.iter().any(|signal| signal.name == "phrase"), "{:?}", best.because);
    }

    #[test]
    fn a_file_of_the_asked_name_comes_first() {
        let index = Fixture::new(
            "//- src/other.rs\nfn a() { path rewrite }\n\n//- src/path_rewrite.rs\nfn b() { path rewrite }\n",
        );
        assert_eq!(index.paths("path rewrite").first().unwrap(), "src/path_rewrite.rs");
    }

    #[test]
    fn a_second_chunk_of_a_file_stands_on_its_own_words() {
        let index = Fixture::new(
            "//- src/parser.rs\nfn parse() { parser parser token }\n\nfn unrelated() { token }\n\n//- src/lexer.rs\nfn lex() { parser token }\n",
        );
        assert_eq!(index.names("parser token"), ["src/parser.rs parse", "src/lexer.rs lex", "src/parser.rs unrelated"]);
    }

    #[test]
    fn an_open_file_comes_before_an_equal_one() {
        let index = Fixture::new("//- src/a.rs\nfn flush() { page }\n\n//- src/b.rs\nfn flush() { page }\n");
        let first = |open: &str| {
            index.ask(&SearchQuery { active_files: vec![open.into()], ..query("page flush") })[0].path.to_string()
        };
        assert_eq!((first("src/b.rs"), first("./src/a.rs")), ("src/b.rs".to_owned(), "src/a.rs".to_owned()));
    }

    #[test]
    fn filters_take_away_everything_else() {
        let index = Fixture::new(APP);
        let names = |query: SearchQuery| index.ask(&query).iter().map(|hit| hit.name.to_string()).collect::<Vec<_>>();
        assert_eq!(names(SearchQuery { kind: Some(SymbolKind::Class), ..query("session") }), ["Session"]);
        assert_eq!(
            names(SearchQuery { path: Some("src/server.rs".into()), ..query("dispatch") }),
            ["serve", "shutdown"]
        );
        assert_eq!(names(SearchQuery { lang: Some("python".into()), ..query("dispatch") }), [""; 0]);
        assert!(!names(SearchQuery { lang: Some("Rust".into()), ..query("dispatch") }).is_empty());
        assert_eq!(names(SearchQuery { limit: 1, ..query("dispatch") }), ["dispatch"]);
        let functions = names(SearchQuery { functions: true, ..query("session") });
        assert_eq!(functions, ["refresh"]);
        let wrong = index.searcher.find(&SearchQuery { path: Some("[".into()), ..query("session") });
        assert!(matches!(wrong, Err(SearchError::PathPattern(_))));
    }

    #[test]
    fn the_reasons_add_up_to_the_score() {
        let index = Fixture::new(APP);
        for hit in index.find("how does dispatch find the route of a request") {
            let is_factor = |signal: &&Signal| rank::SIGNALS.iter().all(|row| row.name != signal.name);
            let factor: f32 = hit.because.iter().filter(is_factor).map(|signal| signal.value).product();
            let added: f32 = hit.because.iter().filter(|signal| !is_factor(signal)).map(|signal| signal.value).sum();
            assert!((factor * added - hit.score).abs() < 1e-4, "{hit:?}");
        }
    }

    #[test]
    fn an_open_searcher_sees_what_is_written_later() {
        let index = Fixture::new(APP);
        assert!(index.names("evaporate").is_empty());
        index.write("//- src/steam.rs\nfn evaporate() {}\n");
        assert_eq!(index.names("evaporate"), ["src/steam.rs evaporate"]);
        assert!(!index.searcher.refresh().unwrap());
    }

    #[test]
    fn the_order_does_not_depend_on_the_order_of_indexing() {
        let same = |path: &str| format!("//- {path}\nfn same() {{ one two }}\n");
        let paths = ["src/c.rs", "src/a.rs", "src/b.rs"];
        let index = Fixture::new(&paths.map(same).concat());
        for path in paths {
            index.write(&same(path));
        }
        assert_eq!(index.paths("one two"), ["src/a.rs", "src/b.rs", "src/c.rs"]);
    }

    #[test]
    fn a_hit_carries_its_definition() {
        let index = Fixture::new(APP);
        let hit = &index.find("Session.refresh")[0];
        assert_eq!((hit.kind, hit.qualified().as_str()), (Some(SymbolKind::Method), "Session.refresh"));
        assert_eq!((hit.lines.start, hit.chunk_id.as_str()), (3, "src/session.rs#1"));
        assert!(hit.text.starts_with("# Keeps the cookie") && hit.text.contains("expire later"));
        assert_eq!(&*hit.signature, "method Session.refresh(cookie) { expire later }");
    }

    #[test]
    fn any_text_is_a_query() {
        let index = Fixture::new(APP);
        let long = "route \"session NEAR( ".repeat(6_000);
        for text in [
            "",
            " ",
            "\"",
            "\"\"",
            "*",
            "-",
            ":",
            "a:b*",
            "NOT",
            "\0route\0",
            "\"a\0b\"",
            "маршрут",
            "路由 处理",
            "^route",
            &long,
        ] {
            index.find(text);
        }
        assert!(!index.find("\0route\0").is_empty());
        assert!(!index.find("NOT route* -session: \"").is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn no_query_fails(text in proptest::collection::vec("\\PC{0,30}|[\"*:^()+-]{0,6}|route|\"session cookie\"", 0..6)) {
            thread_local!(static INDEX: Fixture = Fixture::new(APP));
            INDEX.with(|index| index.find(&text.join(" ")));
        }
    }
}
