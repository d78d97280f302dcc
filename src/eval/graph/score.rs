//! Edges against edges that a compiler resolved, site by site. A site is the caller's file, the line and the called name; a class and
//! its constructor are one callee, and so are the overloads of a name in a file. Read [`Truth::judge`] first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::rows::{EdgeRow, EndRow, Scope};

/// What a benchmark of a call graph prints. Shares are in 0..=1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Callees that the graph names, per site once.
    pub edges: usize,
    /// Right ones of all: at a site that the truth leaves out every callee is wrong.
    pub p_all: f64,
    /// Right ones of those at sites with truth.
    pub p_gold: f64,
    /// Sites with truth that have a right callee.
    pub r: f64,
    /// Of `p_all` and `r`.
    pub f1: f64,
}

/// The share of right callees in a band of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Band {
    pub low: f64,
    pub high: f64,
    pub edges: usize,
    /// Mean confidence.
    pub mean: f64,
    pub right_all: f64,
    pub right_gold: f64,
}

/// The scores of one set of edges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetScores {
    pub gold_sites: usize,
    #[serde(flatten)]
    pub all: Figures,
    /// By lowest confidence, in percent.
    pub floors: Vec<(u8, Figures)>,
    pub bands: Vec<Band>,
    pub by_resolution: BTreeMap<String, Figures>,
}

/// Percent; the last band includes its end.
const BANDS: [u8; 6] = [0, 25, 45, 70, 90, 101];
/// Lines that a declaration may be away from where the truth has it.
const TOLERANCE: u32 = 2;
const CONSTRUCTORS: [&str; 3] = ["constructor", "__init__", "<init>"];

type Site = (String, u32, String);
type Groups<'a> = BTreeMap<(String, String), Vec<&'a EdgeRow>>;
type Sites<'a> = BTreeMap<Site, Groups<'a>>;

/// Resolved edges, by site.
pub(super) struct Truth<'a> {
    scope: &'a Scope,
    gold: Sites<'a>,
    /// Sites whose called name is not on their line.
    ignored: BTreeSet<Site>,
}

/// A callee that the graph names at a site.
struct Judged<'a> {
    known: bool,
    right: bool,
    best: &'a EdgeRow,
    site: Site,
}

impl<'a> Truth<'a> {
    pub(super) fn new(rows: &'a [EdgeRow], scope: &'a Scope) -> Self {
        let gold = sites(rows.iter().filter(|row| !row.unnamed_site), scope);
        let unnamed = sites(rows.iter().filter(|row| row.unnamed_site), scope);
        let ignored = unnamed.into_keys().filter(|site| !gold.contains_key(site)).collect();
        Self { scope, gold, ignored }
    }

    /// Scores of a graph's edges.
    pub(super) fn score(&self, edges: &[EdgeRow]) -> SetScores {
        let judged = self.judge(edges, 0);
        let floors = BANDS.iter().skip(1).filter(|floor| **floor <= 100);
        let by_resolution: BTreeSet<&str> = judged.iter().map(|judged| resolution(judged)).collect();
        let of = |name: &str| self.figures(judged.iter().filter(|judged| resolution(judged) == name));
        SetScores {
            gold_sites: self.gold.len(),
            all: self.figures(judged.iter()),
            floors: floors.map(|floor| (*floor, self.figures(self.judge(edges, *floor).iter()))).collect(),
            bands: BANDS.windows(2).filter_map(|pair| band(&judged, *pair.first()?, *pair.last()?)).collect(),
            by_resolution: by_resolution.into_iter().map(|name| (name.to_owned(), of(name))).collect(),
        }
    }

    /// One row per site and callee of the edges that are sure enough.
    fn judge<'e>(&self, edges: &'e [EdgeRow], floor: u8) -> Vec<Judged<'e>> {
        let sure = |edge: &&EdgeRow| edge.confidence() >= f64::from(floor) / 100.0;
        let mut judged = Vec::new();
        for (site, groups) in sites(edges.iter().filter(sure), self.scope) {
            if self.ignored.contains(&site) {
                continue;
            }
            let gold = self.gold.get(&site);
            for group in groups.into_values() {
                let right = gold.is_some_and(|gold| is_right(&group, gold));
                // Of equals the first.
                let best = group.iter().rev().max_by(|a, b| a.confidence().total_cmp(&b.confidence()));
                let Some(best) = best else { continue };
                judged.push(Judged { known: gold.is_some(), right, best, site: site.clone() });
            }
        }
        judged
    }

    fn figures<'j>(&self, judged: impl Iterator<Item = &'j Judged<'j>>) -> Figures {
        let (mut edges, mut known, mut right) = (0, 0, 0);
        let mut found = BTreeSet::new();
        for judged in judged {
            edges += 1;
            known += usize::from(judged.known);
            right += usize::from(judged.right);
            if judged.right {
                found.insert(&judged.site);
            }
        }
        let (p_all, p_gold, r) = (share(right, edges), share(right, known), share(found.len(), self.gold.len()));
        let f1 = if p_all + r > 0.0 { 2.0 * p_all * r / (p_all + r) } else { 0.0 };
        Figures { edges, p_all, p_gold, r, f1 }
    }
}

/// Parts of a qualified name.
fn parts(name: &str) -> Vec<&str> {
    name.split(['.', '#']).flat_map(|part| part.split("::")).filter(|part| !part.is_empty()).collect()
}

/// The name as a call writes it: a constructor is called by the name of its class.
fn called(name: &str) -> String {
    let name = match parts(name).as_slice() {
        [.., class, last] if CONSTRUCTORS.contains(last) => *class,
        [.., last] => *last,
        [] => "",
    };
    name.to_owned()
}

fn is_constructor(name: &str) -> bool {
    matches!(parts(name).as_slice(), [.., class, last] if CONSTRUCTORS.contains(last) || class == last)
}

fn sites<'a>(edges: impl Iterator<Item = &'a EdgeRow>, scope: &Scope) -> Sites<'a> {
    let mut sites = Sites::new();
    for edge in edges {
        let Some(callee) = edge.callee.as_ref().filter(|callee| !callee.path.is_empty()) else { continue };
        if scope.has(&edge.caller.path) && scope.has(&callee.path) {
            let site = (edge.caller.path.clone(), edge.site_line, called(&callee.name));
            let name = parts(&callee.name).join(".");
            sites.entry(site).or_default().entry((callee.path.clone(), name)).or_default().push(edge);
        }
    }
    sites
}

fn is_right(group: &[&EdgeRow], gold: &Groups<'_>) -> bool {
    let near = |a: &EndRow, b: &EndRow| a.line.abs_diff(b.line) <= TOLERANCE;
    let same =
        |a: &EndRow, b: &EndRow| a.path == b.path && (near(a, b) || is_constructor(&a.name) || is_constructor(&b.name));
    let gold: Vec<&EndRow> = gold.values().flatten().filter_map(|row| row.callee.as_ref()).collect();
    group.iter().filter_map(|edge| edge.callee.as_ref()).any(|callee| gold.iter().any(|gold| same(callee, gold)))
}

fn resolution<'a>(judged: &'a Judged<'_>) -> &'a str {
    judged.best.resolution.as_deref().unwrap_or("-")
}

fn band(judged: &[Judged<'_>], low: u8, high: u8) -> Option<Band> {
    let (low, high) = (f64::from(low) / 100.0, f64::from(high) / 100.0);
    let inside = |judged: &&Judged<'_>| judged.best.confidence.is_some_and(|value| low <= value && value < high);
    let part: Vec<&Judged<'_>> = judged.iter().filter(inside).collect();
    let known = part.iter().filter(|judged| judged.known).count();
    let right = part.iter().filter(|judged| judged.right).count();
    let sum: f64 = part.iter().filter_map(|judged| judged.best.confidence).sum();
    (!part.is_empty()).then(|| Band {
        low,
        high: high.min(1.0),
        edges: part.len(),
        mean: sum / part.len() as f64,
        right_all: share(right, part.len()),
        right_gold: share(right, known),
    })
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(caller: &str, site_line: u32, callee: &str, line: u32, confidence: f64) -> EdgeRow {
        let (path, name) = callee.split_once(':').unwrap();
        EdgeRow {
            caller: EndRow { path: caller.to_owned(), name: "f".to_owned(), line: 1 },
            callee: Some(EndRow { path: path.to_owned(), name: name.to_owned(), line }),
            site_line,
            confidence: Some(confidence),
            resolution: Some("import".to_owned()),
            unnamed_site: false,
        }
    }

    fn all(truth: &[EdgeRow], edges: &[EdgeRow]) -> (usize, f64, f64, f64) {
        let scope = Scope::default();
        let figures = Truth::new(truth, &scope).score(edges).all;
        (figures.edges, figures.p_all, figures.p_gold, figures.r)
    }

    #[test]
    fn a_callee_is_right_within_two_lines_in_the_same_file() {
        let truth = [row("a.py", 5, "b.py:run", 10, 1.0)];
        assert_eq!(all(&truth, &[row("a.py", 5, "b.py:run", 12, 0.9)]), (1, 1.0, 1.0, 1.0));
        assert_eq!(all(&truth, &[row("a.py", 5, "b.py:run", 13, 0.9)]), (1, 0.0, 0.0, 0.0));
        assert_eq!(all(&truth, &[row("a.py", 5, "c.py:run", 10, 0.9)]), (1, 0.0, 0.0, 0.0));
    }

    #[test]
    fn a_class_and_its_constructor_are_one_callee() {
        let truth = [row("a.py", 5, "b.py:Cart.__init__", 10, 1.0), row("a.java", 6, "b.java:Cart", 4, 1.0)];
        let edges = [row("a.py", 5, "b.py:Cart", 2, 0.9), row("a.java", 6, "b.java:Cart.Cart", 90, 0.9)];
        assert_eq!(all(&truth, &edges), (2, 1.0, 1.0, 1.0));
    }

    #[test]
    fn a_site_without_truth_counts_against_all_but_not_against_gold() {
        let truth = [row("a.py", 5, "b.py:run", 10, 1.0)];
        let edges = [row("a.py", 5, "b.py:run", 10, 0.9), row("a.py", 7, "b.py:run", 10, 0.9)];
        assert_eq!(all(&truth, &edges), (2, 0.5, 1.0, 1.0));
    }

    #[test]
    fn sites_without_the_name_on_their_line_are_left_out() {
        let unnamed = EdgeRow { unnamed_site: true, ..row("a.py", 5, "b.py:run", 10, 1.0) };
        assert_eq!(all(&[unnamed], &[row("a.py", 5, "b.py:run", 99, 0.9)]), (0, 0.0, 0.0, 0.0));
    }

    #[test]
    fn overloads_count_once_and_are_right_when_one_of_them_is() {
        let truth = [row("a.ts", 5, "b.ts:run", 10, 1.0)];
        let edges = [row("a.ts", 5, "b.ts:run", 20, 0.9), row("a.ts", 5, "b.ts:run", 10, 0.5)];
        let scope = Scope::default();
        let scores = Truth::new(&truth, &scope).score(&edges);
        assert_eq!((scores.all.edges, scores.all.p_all), (1, 1.0));
        let floor = |percent| scores.floors.iter().find(|(floor, _)| *floor == percent).unwrap().1.p_all;
        assert_eq!((floor(45), floor(70)), (1.0, 0.0), "the right overload is the unsure one");
        let band = scores.bands.first().unwrap();
        assert_eq!((scores.bands.len(), band.low, band.high, band.mean), (1, 0.9, 1.0, 0.9));
    }
}
