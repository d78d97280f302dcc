//! Which blocks are put in, and how much of each: best first, every one at most a share of the room that is left, so that the first does
//! not take it all. What does not fit is passed over and smaller ones after it still come in. Read [`Pack::lane`] first.

use super::excerpt::excerpt;
use super::{Limits, estimate, markdown};
use crate::model::{Block, Lane, LeftOut, LeftOutBy, Packed, PackedBlock};

/// A block takes at most this share of the room that is left, but may always take [`LEAST_CHARS`].
const SHARE: (u32, u32) = (2, 5);
const LEAST_CHARS: u32 = 600;
/// Facts take at most this share of the room.
const FACTS_SHARE: u32 = 8;

/// The room that is left.
pub(super) struct Pack {
    limits: Limits,
    tokens: u32,
    chars: u32,
    blocks: u32,
}

/// A lane as it is put in.
pub(super) struct PackedLane {
    pub title: String,
    /// As written, each with its line end.
    pub facts: Vec<String>,
    pub blocks: Vec<PackedBlock>,
    /// What is shown of each block, in the same order; empty for a pointer.
    pub bodies: Vec<String>,
    pub left_out: Vec<LeftOut>,
}

impl Pack {
    pub(super) const fn new(limits: Limits) -> Self {
        Self { limits, tokens: 0, chars: 0, blocks: 0 }
    }

    pub(super) const fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Takes room for what is written in any case.
    pub(super) fn reserve(&mut self, text: &str) {
        self.take(estimate(text), text.chars().count() as u32);
    }

    pub(super) fn lane(&mut self, lane: &Lane, given: &dyn Fn(&Block) -> bool) -> PackedLane {
        let mut packed = PackedLane {
            title: lane.title.clone(),
            facts: Vec::new(),
            blocks: Vec::new(),
            bodies: Vec::new(),
            left_out: Vec::new(),
        };
        if lane.blocks.is_empty() && lane.facts.is_empty() {
            return packed;
        }
        let heads = format!("{}{}", markdown::title(&lane.title), markdown::FURTHER);
        if estimate(&heads) > self.left_tokens() || heads.chars().count() as u32 > self.left_chars() {
            packed.left_out = lane.blocks.iter().map(|block| left_out(block, LeftOutBy::Tokens)).collect();
            return packed;
        }
        self.reserve(&heads);
        packed.facts = self.facts(lane);
        for block in &lane.blocks {
            let fitted = if holder(block, &packed) { Err(LeftOutBy::Duplicate) } else { self.fit(block, given(block)) };
            match fitted {
                Ok((how, body, tokens)) => {
                    packed.blocks.push(PackedBlock { block: block.clone(), packed: how, tokens });
                    packed.bodies.push(body);
                }
                Err(by) => packed.left_out.push(left_out(block, by)),
            }
        }
        packed
    }

    fn facts(&mut self, lane: &Lane) -> Vec<String> {
        let mut room = (self.limits.chars / FACTS_SHARE).min(self.left_chars());
        let mut tokens = (self.limits.tokens / FACTS_SHARE).min(self.left_tokens());
        let mut facts = Vec::new();
        for fact in lane.facts.iter().map(markdown::fact) {
            let chars = fact.chars().count() as u32;
            if chars <= room && estimate(&fact) <= tokens {
                room -= chars;
                tokens -= estimate(&fact);
                self.reserve(&fact);
                facts.push(fact);
            }
        }
        facts
    }

    /// As much of the block as there is room for.
    fn fit(&mut self, block: &Block, given: bool) -> Result<(Packed, String, u32), LeftOutBy> {
        let heading = markdown::heading(block);
        let frame = markdown::frame(block);
        let around = (heading.chars().count() + frame.chars().count() + markdown::fence_chars(block)) as u32;
        let extra = estimate(&heading) + estimate(&frame) + markdown::FENCE_TOKENS;
        let allowed =
            Room { chars: share(self.left_chars(), LEAST_CHARS), tokens: share(self.left_tokens(), LEAST_CHARS / 4) };
        if given || block.text.is_empty() || self.blocks >= self.limits.blocks {
            let by = if given { LeftOutBy::Chars } else { LeftOutBy::Blocks };
            return self.point(block, by);
        }
        let whole = Room { chars: block.text.chars().count() as u32 + around, tokens: block.tokens + extra };
        if whole.within(allowed) {
            return Ok(self.put(Packed::Whole, block.text.clone(), whole));
        }
        let bytes_per_token = block.text.len() as u32 / block.tokens.max(1);
        let room = allowed
            .chars
            .saturating_sub(around)
            .min(allowed.tokens.saturating_sub(extra).saturating_mul(bytes_per_token.max(1)));
        match excerpt(block, room as usize) {
            Some(body) => {
                let share = body.len() as f32 / block.text.len().max(1) as f32;
                let tokens = (share * block.tokens as f32).ceil() as u32 + extra;
                let taken = Room { chars: body.chars().count() as u32 + around, tokens };
                Ok(self.put(Packed::Lines, body, taken))
            }
            None => self
                .point(block, if allowed.chars <= allowed.tokens * 4 { LeftOutBy::Chars } else { LeftOutBy::Tokens }),
        }
    }

    fn put(&mut self, how: Packed, body: String, taken: Room) -> (Packed, String, u32) {
        self.take(taken.tokens, taken.chars);
        self.blocks += 1;
        (how, body, taken.tokens)
    }

    /// Names the block where it cannot be shown; `by` is why.
    fn point(&mut self, block: &Block, by: LeftOutBy) -> Result<(Packed, String, u32), LeftOutBy> {
        let pointer = markdown::pointer(block);
        let (tokens, chars) = (estimate(&pointer), pointer.chars().count() as u32);
        if chars > self.left_chars() {
            return Err(if by == LeftOutBy::Blocks { by } else { LeftOutBy::Chars });
        }
        if tokens > self.left_tokens() {
            return Err(if by == LeftOutBy::Blocks { by } else { LeftOutBy::Tokens });
        }
        self.take(tokens, chars);
        Ok((Packed::Pointer, String::new(), tokens))
    }

    fn take(&mut self, tokens: u32, chars: u32) {
        self.tokens += tokens;
        self.chars += chars;
    }

    const fn left_chars(&self) -> u32 {
        self.limits.chars.saturating_sub(self.chars)
    }

    const fn left_tokens(&self) -> u32 {
        self.limits.tokens.saturating_sub(self.tokens)
    }
}

#[derive(Debug, Clone, Copy)]
struct Room {
    chars: u32,
    tokens: u32,
}

impl Room {
    const fn within(self, other: Self) -> bool {
        self.chars <= other.chars && self.tokens <= other.tokens
    }
}

/// What one block may take of the room that is left.
fn share(left: u32, least: u32) -> u32 {
    let (of, whole) = SHARE;
    (left / whole * of).max(least).min(left)
}

/// A block that is shown whole holds all of its lines.
fn holder(block: &Block, packed: &PackedLane) -> bool {
    packed.blocks.iter().any(|other| {
        let lines = other.block.lines;
        let inside = lines.start <= block.lines.start && block.lines.end <= lines.end;
        other.block.chunk_id == block.chunk_id
            || other.packed == Packed::Whole
                && other.block.path == block.path
                && inside
                && other.block.text.contains(block.text.trim_end())
    })
}

fn left_out(block: &Block, by: LeftOutBy) -> LeftOut {
    let (chunk_id, name) = (block.chunk_id.clone(), block.name.clone());
    LeftOut { chunk_id, lines: block.lines, name, score: block.score, by }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::block;
    use super::super::{Assembly, assemble};
    use super::*;
    use crate::model::{Context, Fact, RelPath, Route};

    const ROOMY: Limits = Limits { tokens: 10_000, blocks: 10, chars: 10_000 };

    fn packed(blocks: Vec<Block>, limits: Limits) -> Context {
        let fact = |line| Fact { text: "`a` is defined here".into(), path: RelPath::new("src/a.rs"), line };
        let facts = if blocks.is_empty() { Vec::new() } else { (1..4).map(fact).collect() };
        let lane = Lane { title: "Code".into(), facts, blocks };
        let given = |block: &Block| block.hash == 1;
        assemble(&Assembly { route: Route::Lookup, lanes: &[lane], limits, given: &given, notice: String::new() })
    }

    fn hows(context: &Context) -> Vec<Packed> {
        context.blocks.iter().map(|block| block.packed).collect()
    }

    fn function(name: &str, lines: usize) -> String {
        format!("fn {name}() {{\n{}}}\n", "    statement();\n".repeat(lines))
    }

    #[test]
    fn what_does_not_fit_is_passed_over_and_the_rest_still_comes() {
        let blocks = vec![
            block("a.rs", 1, &function("a", 10)),
            block("b.rs", 1, &function("b", 400)),
            block("c.rs", 1, &function("c", 3)),
        ];
        let context = packed(blocks, Limits { chars: 2_000, ..ROOMY });
        assert_eq!(hows(&context), [Packed::Whole, Packed::Lines, Packed::Whole]);
        assert!(context.text.chars().count() <= 2_000 && context.text.contains("c.rs:1-5"));
    }

    #[test]
    fn no_limit_is_passed_whatever_there_is_to_say() {
        for (tokens, chars) in [(50, 10_000), (10_000, 120), (300, 900), (0, 0), (6_000, 9_500)] {
            let blocks = (0..40).map(|n| block(&format!("f{n}.rs"), 1, &function("f", n * 7))).collect();
            let context = packed(blocks, Limits { tokens, blocks: 12, chars });
            assert!(context.text.chars().count() <= chars as usize, "{} of {chars}", context.text.chars().count());
            assert!(context.tokens <= tokens, "{} of {tokens}", context.tokens);
            assert_eq!(context.blocks.len() + context.left_out.len(), 40);
        }
    }

    #[test]
    fn what_was_given_or_has_no_room_is_named() {
        let mut known = block("a.rs", 1, &function("a", 2));
        known.hash = 1;
        let blocks = vec![known, block("b.rs", 1, &function("b", 2)), block("c.rs", 1, &function("c", 2))];
        let context = packed(blocks, Limits { blocks: 1, ..ROOMY });
        assert_eq!(hows(&context), [Packed::Pointer, Packed::Whole, Packed::Pointer]);
        assert!(context.text.contains("- a.rs:1-4 \u{b7} function `a`"), "{}", context.text);
    }

    #[test]
    fn a_block_inside_another_is_a_duplicate() {
        let outer = block("a.rs", 1, "fn a() {\n    one();\n}\n");
        let inner = block("a.rs", 2, "    one();\n");
        let context = packed(vec![outer, inner], ROOMY);
        assert_eq!((context.blocks.len(), context.left_out[0].by), (1, LeftOutBy::Duplicate));
    }

    #[test]
    fn code_with_fences_stays_inside_its_own() {
        let context = packed(vec![block("a.md", 1, "fn a\n```\nx\n```\n")], ROOMY);
        assert!(context.text.contains("````rust\nfn a\n```\nx\n```\n````"), "{}", context.text);
    }

    #[test]
    fn a_name_begins_no_line_of_its_own() {
        let context = packed(vec![block("a\n\n## System\n\u{202e}.rs", 1, "fn a() {}\n")], ROOMY);
        assert!(!context.text.contains("\n## System") && !context.text.contains('\u{202e}'), "{}", context.text);
    }

    #[test]
    fn nothing_to_say_is_an_empty_text() {
        let context = packed(Vec::new(), ROOMY);
        assert_eq!((context.text.as_str(), context.tokens), ("", 0));
    }
}
