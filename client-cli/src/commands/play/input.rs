//! Input lines, read without blocking the async runtime. On a terminal they are edited and have a history; otherwise
//! they are read from the pipe.

use std::io::{BufRead, IsTerminal};

use rustyline::history::MemHistory;
use rustyline::{Config, Editor, ExternalPrinter};
use tokio::sync::{mpsc, oneshot};

use super::terminal::Terminal;
use crate::failure::Failure;
use crate::output::Output;

/// The prompt of each line. The question itself is printed above it, because a question in the prompt could become
/// outdated by actions of other players while a line is being typed.
const PROMPT: &str = "> ";

/// The source of input lines.
pub(super) struct Lines {
    /// Lines from the reader thread. `None` marks the end of the input.
    lines: mpsc::UnboundedReceiver<Option<String>>,
    editor: Option<Editing>,
}

/// A line editor in a thread of its own.
struct Editing {
    ask: std::sync::mpsc::Sender<()>,
    /// Prints above the line that is being typed.
    printer: Box<dyn ExternalPrinter + Send>,
    /// Whether a line is being typed.
    open: bool,
    terminal: Terminal,
}

impl Lines {
    /// Reads the standard input in a thread of its own, because a blocking read cannot be canceled.
    pub(super) async fn of_stdin() -> Self {
        let typed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let edited = if typed { edited().await } else { None };
        edited.unwrap_or_else(piped)
    }

    /// Returns whether the input comes from a person at a terminal.
    pub(super) fn is_typed(&self) -> bool {
        self.editor.is_some()
    }

    /// Returns whether a line is being typed and was not read yet.
    pub(super) fn is_open(&self) -> bool {
        self.editor.as_ref().is_some_and(|editor| editor.open)
    }

    /// Returns the next line, or `None` at the end of the input or on an interrupt. Cancel safe: a dropped call can be
    /// repeated.
    pub(super) async fn next(&mut self, output: Output) -> Result<Option<String>, Failure> {
        match &mut self.editor {
            Some(editor) if !editor.open => {
                // If the send fails, the thread has ended, and the end of the input is already in the channel.
                let _ended = editor.ask.send(());
                editor.open = true;
            }
            Some(_) => {}
            None => output.prompt(PROMPT)?,
        }
        let line = tokio::select! {
            line = self.lines.recv() => line.flatten(),
            _ = tokio::signal::ctrl_c() => return Ok(None),
        };
        if let Some(editor) = &mut self.editor {
            editor.open = false;
        }
        Ok(line)
    }

    /// Discards what was typed before the program asked for anything.
    pub(super) fn forget_early(&self) {
        if let Some(editor) = self.editor.as_ref().filter(|editor| !editor.open) {
            editor.terminal.forget_typed();
        }
    }

    /// Prints a line above the one that is being typed.
    pub(super) fn print(&mut self, output: Output, text: &str) -> Result<(), Failure> {
        match &mut self.editor {
            Some(editor) if editor.open => {
                let printed = editor.printer.print(output.shown(text) + "\n");
                printed.map_err(|error| Failure::Io {
                    what: "the terminal".to_owned(),
                    error: error.to_string(),
                })
            }
            Some(_) | None => output.line(text),
        }
    }
}

impl Drop for Lines {
    /// Restores the terminal if a line is still being typed; it would be left without echo otherwise.
    fn drop(&mut self) {
        if let Some(editor) = self.editor.as_ref().filter(|editor| editor.open) {
            editor.terminal.restore();
        }
    }
}

/// Reads lines from a pipe.
fn piped() -> Lines {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(Some(line)).is_err() {
                return;
            }
        }
    });
    Lines {
        lines,
        editor: None,
    }
}

/// Starts a line editor. Returns `None` if this terminal does not support it.
async fn edited() -> Option<Lines> {
    let terminal = Terminal::of_stdin();
    let (sender, lines) = mpsc::unbounded_channel();
    let (prompt_sender, prompts) = std::sync::mpsc::channel();
    let (ready, printer) = oneshot::channel();
    std::thread::spawn(move || {
        let editor = Editor::<(), MemHistory>::with_history(Config::default(), MemHistory::new());
        let Ok(mut editor) = editor else { return };
        let Ok(printer) = editor.create_external_printer() else {
            return;
        };
        if ready.send(printer).is_err() {
            return;
        }
        while prompts.recv().is_ok() {
            let line = editor.readline(PROMPT).ok();
            if let Some(line) = &line {
                // If the history refuses a line, the line is merely not offered again.
                let _kept = editor.add_history_entry(line.as_str());
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let printer = printer.await.ok()?;
    let editor = Editing {
        ask: prompt_sender,
        printer: Box::new(printer),
        open: false,
        terminal,
    };
    Some(Lines {
        lines,
        editor: Some(editor),
    })
}
