//! How a context is written: a title a lane, facts, one fenced block of code under each heading with file and lines, pointers last.
//! Read [`write`] first.

use super::Assembly;
use super::pack::PackedLane;
use crate::model::{Block, Fact, Packed, Part, Route};

pub(super) const FENCE_TOKENS: u32 = 8;

/// Before the pointers.
pub(super) const FURTHER: &str = "Also there, not shown:\n";

pub(super) fn write(assembly: &Assembly<'_>, lanes: &[PackedLane]) -> String {
    let mut out = String::new();
    for lane in lanes.iter().filter(|lane| !lane.blocks.is_empty() || !lane.facts.is_empty()) {
        out.push_str(&title(&lane.title));
        lane.facts.iter().for_each(|fact| out.push_str(fact));
        if !lane.facts.is_empty() {
            out.push('\n');
        }
        write_blocks(lane, assembly.route, &mut out);
        write_pointers(lane, &mut out);
    }
    if out.is_empty() {
        return out;
    }
    out.insert_str(0, &assembly.notice);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// What stands around a block's code.
pub(super) fn fence_chars(block: &Block) -> usize {
    const LINE_ENDS: usize = 6;
    2 * (longest_fence(&block.text).max(2) + 1) + block.lang.chars().count() + LINE_ENDS
}

pub(super) fn title(title: &str) -> String {
    format!("## {title}\n\n")
}

pub(super) fn fact(fact: &Fact) -> String {
    format!("- {}\n", one_line(&format!("{} ({}:{})", fact.text, fact.path, fact.line)))
}

/// File, lines, what it is, why it is there.
pub(super) fn heading(block: &Block) -> String {
    format!("### {}\n", described(block))
}

/// The head of the type that a method stands in.
pub(super) fn frame(block: &Block) -> String {
    if block.frame.is_empty() { String::new() } else { format!("{}\n…\n", block.frame) }
}

pub(super) fn pointer(block: &Block) -> String {
    format!("- {}\n", described(block))
}

fn write_blocks(lane: &PackedLane, route: Route, out: &mut String) {
    let all = lane.blocks.iter().zip(&lane.bodies);
    let mut shown: Vec<(&Block, Packed, &str)> = all
        .filter(|(packed, _)| packed.packed != Packed::Pointer)
        .map(|(packed, body)| (&packed.block, packed.packed, body.as_str()))
        .collect();
    if route == Route::Flow {
        shown.sort_by_key(|(block, ..)| along(block.part));
    }
    // Neighbours in a file that come one after the other are read as one.
    let one = |left: &(&Block, Packed, &str), right: &(&Block, Packed, &str)| {
        let whole = left.1 == Packed::Whole && right.1 == Packed::Whole;
        let adjacent = left.0.lines.end < right.0.lines.start && right.0.lines.start - left.0.lines.end <= NEAR_LINES;
        whole && adjacent && left.0.path == right.0.path && left.0.frame == right.0.frame
    };
    for run in shown.chunk_by(one) {
        for (block, ..) in run {
            out.push_str(&heading(block));
        }
        write_code(run, out);
    }
}

fn write_code(run: &[(&Block, Packed, &str)], out: &mut String) {
    let Some((first, ..)) = run.first() else { return };
    let longest = run.iter().map(|(_, _, body)| longest_fence(body)).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    out.push_str(&fence);
    out.push_str(&first.lang);
    out.push('\n');
    out.push_str(&frame(first));
    for (at, (_, _, body)) in run.iter().enumerate() {
        out.push_str(if at > 0 { "\n" } else { "" });
        out.push_str(body.trim_end());
        out.push('\n');
    }
    out.push_str(&fence);
    out.push_str("\n\n");
}

fn write_pointers(lane: &PackedLane, out: &mut String) {
    let mut pointers = lane.blocks.iter().filter(|packed| packed.packed == Packed::Pointer).peekable();
    if pointers.peek().is_some() {
        out.push_str(FURTHER);
        pointers.for_each(|packed| out.push_str(&pointer(&packed.block)));
    }
}

/// Lines between two blocks that are still neighbours.
const NEAR_LINES: u32 = 2;

/// Those who lead to the seed, the farthest first; the seed; what it leads to, the nearest first; what was found beside them.
const fn along(part: Part) -> (u8, u8) {
    match part {
        Part::Caller(steps) => (0, u8::MAX - steps),
        Part::Seed => (1, 0),
        Part::Callee(steps) => (2, steps),
        Part::Match => (3, 0),
        Part::Related => (4, 0),
    }
}

fn described(block: &Block) -> String {
    let place = format!("{}:{}-{}", block.path, block.lines.start, block.lines.end);
    let what = block.kind.map(|kind| format!(" · {} `{}`", kind.as_str(), block.name)).unwrap_or_default();
    let because = if block.because.is_empty() { String::new() } else { format!(" · {}", block.because) };
    one_line(&format!("{place}{what}{because}"))
}

/// Names come from the project: none may begin a line of its own or turn the direction of writing.
fn one_line(text: &str) -> String {
    let turns =
        |char: char| matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
    text.chars().map(|char| if char.is_control() || turns(char) { '\u{fffd}' } else { char }).collect()
}

/// Length of the longest run of backticks that begins a line.
fn longest_fence(text: &str) -> usize {
    let run = |line: &str| line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
    text.lines().map(run).max().unwrap_or_default()
}
