//! A mutant as `cargo mutants --list --json` tells of it.

use std::ops::Range;

use serde::Deserialize;

/// One change of the code.
#[derive(Debug, Deserialize)]
pub(crate) struct Mutant {
    /// The number that switches it on.
    pub(crate) number: u32,
    /// Where it stands, from the root of the tree.
    pub(crate) file: String,
    pub(crate) genre: Genre,
    /// What stands in the place of the code.
    pub(crate) replacement: String,
    pub(crate) span: Span,
}

/// What kind of change.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub(crate) enum Genre {
    /// A function that returns this, and does nothing.
    FnValue,
    /// Another operator.
    BinaryOperator,
    /// Without its operator.
    UnaryOperator,
    /// A match without this arm.
    MatchArm,
    /// An arm that is always, or never, taken.
    MatchArmGuard,
    /// A struct expression whose field comes from its base.
    StructField,
}

/// From where to where it replaces code.
#[derive(Debug, Deserialize)]
pub(crate) struct Span {
    start: Place,
    end: Place,
}

/// Lines and columns count from one; columns are letters.
#[derive(Debug, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Span {
    /// The bytes of the text. None: the text has no such place.
    pub(crate) fn bytes(&self, text: &str) -> Option<Range<usize>> {
        Some(self.start.byte(text)?..self.end.byte(text)?)
    }
}

impl Place {
    fn byte(&self, text: &str) -> Option<usize> {
        let line = text
            .split_inclusive('\n')
            .scan(0, |end, line| {
                let begin = *end;
                *end += line.len();
                Some((begin, line))
            })
            .nth(self.line.checked_sub(1)?);
        let (begin, line) = line?;
        let mut within = line
            .char_indices()
            .map(|(byte, _)| byte)
            .chain([line.len()]);
        Some(begin + within.nth(self.column.checked_sub(1)?)?)
    }
}
