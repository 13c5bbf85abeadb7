//! The **font metrics** of Helvetica and the fonts made after it (Arial, Liberation Sans), so that text fits its place
//! without access to a font.

use unicode_width::UnicodeWidthChar;

/// Widths of the characters from the space to the tilde, in thousandths of the size.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// The widths of letters outside the table: of Latin scripts, and wide ones.
const OTHER: i32 = 667;
const WIDE: i32 = 1000;

/// The width of bold text in relation to regular text, in hundredths.
const BOLD: i32 = 108;

/// The size, weight and width of the letters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The size of the letters.
    pub size: i32,
    /// Whether the letters are bold.
    pub bold: bool,
    /// The width in relation to Helvetica's, in percent.
    pub stretch: i32,
}

impl Measure {
    fn of_letter(letter: char) -> i32 {
        let index = u32::from(letter).checked_sub(32);
        let tabled = index.and_then(|index| WIDTHS.get(usize::try_from(index).ok()?));
        match (tabled, letter.width()) {
            (Some(&width), _) => width.into(),
            (None, None | Some(0)) => 0,
            (None, Some(1)) => OTHER,
            (None, Some(_)) => WIDE,
        }
    }

    /// Returns the width of a text.
    pub fn width(self, text: &str) -> i32 {
        let thousandths: i32 = text.chars().map(Self::of_letter).sum();
        let weight = if self.bold { BOLD } else { 100 };
        let factor = i64::from(weight) * i64::from(self.stretch);
        let width = i64::from(thousandths) * i64::from(self.size) * factor;
        i32::try_from((width + 9_999_999) / 10_000_000).unwrap_or(i32::MAX)
    }

    /// Returns the measure of letters as wide as Helvetica's.
    pub const fn unstretched(self) -> Self {
        Self {
            stretch: 100,
            ..self
        }
    }

    /// Returns the text, cut with an ellipsis if it is too wide.
    pub fn cut(self, text: &str, width: i32) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut cut = text.trim_end().to_owned();
        while cut.pop().is_some() {
            let dotted = format!("{}…", cut.trim_end());
            if self.width(&dotted) <= width {
                return dotted;
            }
        }
        String::new()
    }

    /// Breaks the text into at most this many lines; the last one is cut.
    pub fn lines(self, text: &str, width: i32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let longer = lines.last().map(|line| format!("{line} {word}"));
            match (longer, lines.last_mut()) {
                (Some(longer), Some(line)) if self.width(&longer) <= width => *line = longer,
                _ => lines.push(word.to_owned()),
            }
        }
        if lines.len() > most.max(1) {
            let rest = lines.split_off(most.max(1) - 1);
            lines.push(rest.join(" "));
        }
        lines.iter().map(|line| self.cut(line, width)).collect()
    }
}

/// A text that fits its width.
pub struct Fitted {
    /// The text, cut if it was too wide.
    pub text: String,
    /// The length to which its letters are set narrower. Is `None` if they are not.
    pub length: Option<i32>,
}

impl Measure {
    /// Fits a text with values into a width. Where letters wider than Helvetica's have no room, they are set narrower: no
    /// value is cut that Helvetica would not cut.
    pub fn fitted(self, text: &str, width: i32) -> Fitted {
        let text = self.unstretched().cut(text, width);
        let length = (self.width(&text) > width).then_some(width);
        Fitted { text, length }
    }

    /// Breaks a text with values into at most this many lines, whose letters are set narrower where they have no room.
    pub fn fitted_lines(self, text: &str, width: i32, most: usize) -> Vec<Fitted> {
        let lines = self.lines(text, width, most);
        let lines = if lines.iter().any(|line| line.ends_with('…')) {
            self.unstretched().lines(text, width, most)
        } else {
            lines
        };
        lines.iter().map(|line| self.fitted(line, width)).collect()
    }
}
