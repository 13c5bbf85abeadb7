//! The screen: text that is shown page by page, and input lines below it.

use gamekeeper_rules::table::text::{self, DIM, styled};

use super::input::Lines;
use super::menu::is_quit;
use crate::failure::Failure;
use crate::output::Output;

/// The outcome of showing a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// The text was shown to its end.
    Whole,
    /// The user wants to go on to the list of actions.
    Skipped,
    /// The user wants to leave.
    Quit,
}

/// The output that a person reads and the input that they type.
pub(super) struct Screen {
    output: Output,
    lines: Lines,
    /// The number of lines that still fit on the page before its first ones scroll away.
    room: usize,
    /// The number of actions to choose from.
    pub(super) actions: usize,
}

impl Screen {
    /// Creates a screen on the standard input and output.
    pub(super) async fn new(output: Output) -> Self {
        Self {
            output,
            lines: Lines::of_stdin().await,
            room: usize::MAX,
            actions: 0,
        }
    }

    /// Returns whether the input comes from a person at a terminal.
    pub(super) fn is_typed(&self) -> bool {
        self.lines.is_typed()
    }

    /// Returns the number of columns.
    pub(super) fn width(&self) -> usize {
        self.output.width()
    }

    /// Returns the number of lines left on this page. Returns `None` if output is not paged.
    pub(super) fn room(&self) -> Option<usize> {
        self.height().map(|_| self.room)
    }

    /// Returns the number of lines of an empty page, without the line of the prompt. Returns `None` if output is not
    /// paged.
    pub(super) fn height(&self) -> Option<usize> {
        let height = self.output.height().filter(|_| self.lines.is_typed());
        height.map(|height| height - 2)
    }

    /// Begins a page, because the user has read what is on the screen.
    pub(super) fn begin(&mut self) {
        self.room = self.height().unwrap_or(usize::MAX);
    }

    /// Prints a text as it is.
    pub(super) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.lines.print(self.output, text)
    }

    /// Prints a few lines at once.
    pub(super) fn say(&mut self, text: &str) -> Result<(), Failure> {
        let text = text::fit(text, self.width());
        self.room = self.room.saturating_sub(text.lines().count());
        self.lines.print(self.output, &text)
    }

    /// Prints a text page by page.
    pub(super) async fn show(&mut self, text: &str) -> Result<Shown, Failure> {
        let width = self.width();
        for line in text.lines() {
            let lines = text::width(line).div_ceil(width).max(1);
            if lines > self.room {
                let shown = self.wait_for_page_turn().await?;
                if shown != Shown::Whole {
                    return Ok(shown);
                }
            }
            self.lines.print(self.output, line)?;
            self.room = self.room.saturating_sub(lines);
        }
        Ok(Shown::Whole)
    }

    /// Waits until the user has read the page. Only paging is possible here: a number could play an action that has not
    /// been on the screen yet.
    pub(super) async fn wait_for_page_turn(&mut self) -> Result<Shown, Failure> {
        let list = match self.actions {
            0 => String::new(),
            1 => "   l: your action".to_owned(),
            count => format!("   l: your {count} actions"),
        };
        let keys = styled(DIM, format_args!("Enter: next page{list}   q: quit"));
        self.lines.forget_early();
        self.lines.print(self.output, &keys)?;
        loop {
            let Some(line) = self.lines.next(self.output).await? else {
                return Ok(Shown::Quit);
            };
            let shown = match line.trim() {
                "" => Shown::Whole,
                "l" | "list" if self.actions > 0 => Shown::Skipped,
                line if is_quit(line) => Shown::Quit,
                _ => {
                    let hint = format!("Nothing is played between pages. {keys}");
                    self.lines.print(self.output, &hint)?;
                    continue;
                }
            };
            self.begin();
            return Ok(shown);
        }
    }

    /// Returns the next input line, or `None` at the end of the input. Cancel safe: a dropped call can be repeated.
    pub(super) async fn line(&mut self) -> Result<Option<String>, Failure> {
        let line = self.lines.next(self.output).await?;
        self.begin();
        Ok(line)
    }

    /// Discards what was typed before the screen showed the possible actions.
    pub(super) fn forget_early(&self) {
        self.lines.forget_early();
    }

    /// Ends a line that is still being typed, after the last text.
    pub(super) async fn close(&mut self) -> Result<(), Failure> {
        if self.lines.is_open() {
            self.say(&styled(DIM, "Enter: leave"))?;
            let _last = self.line().await?;
        }
        Ok(())
    }
}
