//! The mutants, in the format of `cargo mutants --list --json`.

use std::ops::Range;

use serde::Deserialize;

/// One change of the code.
#[derive(Debug, Deserialize)]
pub(crate) struct Mutant {
    /// The number that switches the mutant on.
    pub(crate) number: u32,
    /// The path of its file, relative to the root of the tree.
    pub(crate) file: String,
    pub(crate) genre: Genre,
    /// The code that replaces the original.
    pub(crate) replacement: String,
    pub(crate) span: Span,
}

/// The kind of a mutant.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub(crate) enum Genre {
    /// A function body is replaced by a value.
    FnValue,
    /// A binary operator is replaced by another one.
    BinaryOperator,
    /// A unary operator is removed.
    UnaryOperator,
    /// An arm of a match is removed.
    MatchArm,
    /// The guard of an arm is replaced by `true` or `false`.
    MatchArmGuard,
    /// A field of a struct expression is removed, so that its value comes from the base.
    StructField,
}

/// The range of the replaced code.
#[derive(Debug, Deserialize)]
pub(crate) struct Span {
    start: Position,
    end: Position,
}

/// A position in a file. Lines and columns count from 1; columns are characters.
#[derive(Debug, Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

impl Span {
    /// Returns the range in bytes of the text, or `None` if the text has no such position.
    pub(crate) fn bytes(&self, text: &str) -> Option<Range<usize>> {
        Some(self.start.byte(text)?..self.end.byte(text)?)
    }
}

impl Position {
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
