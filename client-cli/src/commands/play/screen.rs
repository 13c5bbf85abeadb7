//! The screen: text a page at a time, and lines that are typed below it.

use gamekeeper_rules::table::text::{self, DIM, styled};

use super::input::Lines;
use super::menu::is_quit;
use crate::failure::Failure;
use crate::output::Output;

/// How a text was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// To its end.
    Whole,
    /// The user wants to go on to the list of actions.
    Skipped,
    /// The user wants to leave.
    Quit,
}

/// Where a person reads and types.
pub(super) struct Screen {
    output: Output,
    lines: Lines,
    /// Lines that fit on the screen before the first ones scroll away.
    room: usize,
    /// How many actions there are to choose from.
    pub(super) actions: usize,
}

impl Screen {
    /// That of the standard input and output.
    pub(super) async fn new(output: Output) -> Self {
        Self {
            output,
            lines: Lines::of_stdin().await,
            room: usize::MAX,
            actions: 0,
        }
    }

    /// Does a person type?
    pub(super) fn is_typed(&self) -> bool {
        self.lines.is_typed()
    }

    /// Columns.
    pub(super) fn width(&self) -> usize {
        self.output.width()
    }

    /// Lines that are left on this page; `None`: there are no pages.
    pub(super) fn room(&self) -> Option<usize> {
        self.height().map(|_| self.room)
    }

    /// Lines of an empty page, without that of the prompt; `None`: there are no pages.
    pub(super) fn height(&self) -> Option<usize> {
        let height = self.output.height().filter(|_| self.lines.is_typed());
        height.map(|height| height - 2)
    }

    /// Begins a page: what is on the screen was read.
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

    /// Prints a text, a page at a time.
    pub(super) async fn show(&mut self, text: &str) -> Result<Shown, Failure> {
        let width = self.width();
        for line in text.lines() {
            let lines = text::width(line).div_ceil(width).max(1);
            if lines > self.room {
                let turned = self.turn().await?;
                if turned != Shown::Whole {
                    return Ok(turned);
                }
            }
            self.lines.print(self.output, line)?;
            self.room = self.room.saturating_sub(lines);
        }
        Ok(Shown::Whole)
    }

    /// Waits until the user has read the screen. Nothing but paging is possible here: what a number would play may not
    /// have been on the screen.
    pub(super) async fn turn(&mut self) -> Result<Shown, Failure> {
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

    /// The next line that is typed; `None` at the end. May be given up at any time, and asked again.
    pub(super) async fn line(&mut self) -> Result<Option<String>, Failure> {
        let line = self.lines.next(self.output).await?;
        self.begin();
        Ok(line)
    }

    /// Forgets what was typed before the screen showed what can be done.
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
