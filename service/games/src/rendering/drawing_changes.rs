//! Drawings as **changes** of the one that a watch sent before. A drawing has each part that can change alone on a line
//! of its own, so what an action leaves as it was are long runs of lines.

use std::collections::HashMap;
use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use sha2::{Digest, Sha256};

/// The SHA-256 of a drawing.
pub(crate) type DrawingHash = [u8; 32];

/// A drawing that a watch has sent, shared by all its watchers.
#[derive(Clone, Debug)]
pub(crate) struct SentDrawing {
    text: Arc<str>,
    hash: DrawingHash,
}

impl SentDrawing {
    pub(crate) fn new(drawing: &str) -> Self {
        Self {
            text: Arc::from(drawing),
            hash: Sha256::digest(drawing).into(),
        }
    }

    /// Returns the SHA-256 of the drawing.
    pub(crate) const fn hash(&self) -> DrawingHash {
        self.hash
    }

    /// Returns the size of the drawing, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// Returns the changes that make another drawing of this one. Returns `None` if they are not smaller than the other
    /// drawing.
    pub(crate) fn changes_to(&self, drawing: &str) -> Option<pb::DrawingChanges> {
        let base: Vec<&str> = self.text.split('\n').collect();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, line) in base.iter().enumerate().rev() {
            places.insert(line, place);
        }
        let mut runs: Vec<Run<'_>> = Vec::new();
        for line in drawing.split('\n') {
            match runs.last_mut() {
                Some(Run::Kept { first, count }) if base.get(*first + *count) == Some(&line) => {
                    *count += 1;
                }
                last => match (places.get(line), last) {
                    (Some(&first), _) => runs.push(Run::Kept { first, count: 1 }),
                    (None, Some(Run::New(lines))) => lines.push(line),
                    (None, _) => runs.push(Run::New(vec![line])),
                },
            }
        }
        let changes = pb::DrawingChanges {
            base_sha256: self.hash.to_vec(),
            parts: runs.into_iter().map(Run::message).collect(),
        };
        (prost::Message::encoded_len(&changes) < drawing.len()).then_some(changes)
    }
}

/// Lines of a drawing.
enum Run<'a> {
    /// Lines of the base.
    Kept {
        first: usize,
        count: usize,
    },
    New(Vec<&'a str>),
}

impl Run<'_> {
    fn message(self) -> pb::DrawingPart {
        // A drawing has far fewer lines than the maximum.
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        match self {
            Self::Kept { first, count } => pb::DrawingPart {
                first: number(first),
                count: number(count),
                lines: String::new(),
            },
            Self::New(lines) => pb::DrawingPart {
                lines: lines.join("\n"),
                ..pb::DrawingPart::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies changes as a client does.
    fn applied(base: &str, changes: &pb::DrawingChanges) -> String {
        let base: Vec<&str> = base.split('\n').collect();
        let parts = changes.parts.iter().map(|part| {
            let [first, count] =
                [part.first, part.count].map(|number| usize::try_from(number).unwrap());
            if count > 0 {
                base[first..first + count].join("\n")
            } else {
                part.lines.clone()
            }
        });
        parts.collect::<Vec<_>>().join("\n")
    }

    /// Returns all drawings of one to three lines, some of them empty.
    fn drawings() -> Vec<String> {
        let lines = ["", "a", "b", "c"].map(|letter| letter.repeat(120));
        let longer = |shorter: &Vec<String>| -> Vec<String> {
            let ways = shorter
                .iter()
                .flat_map(|drawing| lines.iter().map(move |line| format!("{drawing}\n{line}")));
            ways.collect()
        };
        let one = lines.to_vec();
        let two = longer(&one);
        let three = longer(&two);
        [one, two, three].concat()
    }

    #[test]
    fn changes_make_the_drawing_of_its_base() {
        let mut smaller = 0;
        for base in drawings() {
            let sent = SentDrawing::new(&base);
            for drawing in drawings() {
                if let Some(changes) = sent.changes_to(&drawing) {
                    smaller += 1;
                    assert_eq!(applied(&base, &changes), drawing);
                    assert_eq!(changes.base_sha256, sent.hash());
                }
            }
        }
        assert!(smaller > 4_000, "{smaller}");
    }

    #[test]
    fn a_line_that_changes_is_the_only_one_that_is_sent() {
        let line = |text: &str| format!("<g>{}</g>\n", text.repeat(40));
        let base = ["a", "b", "c"].map(line).concat();
        let drawing = ["a", "x", "c"].map(line).concat();
        let changes = SentDrawing::new(&base).changes_to(&drawing).unwrap();
        let parts: Vec<_> = changes
            .parts
            .iter()
            .map(|part| (part.first, part.count))
            .collect();
        assert_eq!(parts, [(0, 1), (0, 0), (2, 2)]);
        assert_eq!(changes.parts[1].lines, line("x").trim_end());
        assert_eq!(applied(&base, &changes), drawing);
        assert!(SentDrawing::new("a\nb").changes_to("c\nd").is_none());
    }
}
