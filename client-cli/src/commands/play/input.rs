//! Lines from the keyboard, without blocking the rest: edited, with those typed before at hand, where a person types;
//! as they come from a pipe.

use std::io::{BufRead, IsTerminal};

use rustyline::history::MemHistory;
use rustyline::{Config, Editor, ExternalPrinter};
use tokio::sync::{mpsc, oneshot};

use super::terminal::Terminal;
use crate::failure::Failure;
use crate::output::Output;

/// The beginning of each line that is typed. What is asked is printed above it, so that it stays true whatever happens
/// at the table while somebody types.
const PROMPT: &str = "> ";

/// Lines as they are typed.
pub(super) struct Lines {
    /// `None`: an end of the input.
    lines: mpsc::UnboundedReceiver<Option<String>>,
    editor: Option<Editing>,
}

/// A line editor in a thread of its own.
struct Editing {
    ask: std::sync::mpsc::Sender<()>,
    /// Prints above a line that is being typed.
    printer: Box<dyn ExternalPrinter + Send>,
    /// Is a line being typed?
    open: bool,
    terminal: Terminal,
}

impl Lines {
    /// Reads the standard input in a thread of its own: a read cannot be canceled.
    pub(super) async fn of_stdin() -> Self {
        let typed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let edited = if typed { edited().await } else { None };
        edited.unwrap_or_else(piped)
    }

    /// Does a person type?
    pub(super) fn is_typed(&self) -> bool {
        self.editor.is_some()
    }

    /// Is a line being typed that was not read yet?
    pub(super) fn is_open(&self) -> bool {
        self.editor.as_ref().is_some_and(|editor| editor.open)
    }

    /// The next line; `None` at the end of the input and on an interrupt. May be given up at any time, and asked again.
    pub(super) async fn next(&mut self, output: Output) -> Result<Option<String>, Failure> {
        match &mut self.editor {
            Some(editor) if !editor.open => {
                // A thread that has ended has sent the end of the input.
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

    /// Forgets what was typed before anything was asked.
    pub(super) fn forget_early(&self) {
        if let Some(editor) = self.editor.as_ref().filter(|editor| !editor.open) {
            editor.terminal.forget_typed();
        }
    }

    /// Prints a line, above the one that is being typed.
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
    /// A line that is still being typed would leave the terminal without echo.
    fn drop(&mut self) {
        if let Some(editor) = self.editor.as_ref().filter(|editor| editor.open) {
            editor.terminal.restore();
        }
    }
}

/// Lines as they come.
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

/// Lines that can be edited; `None` if this terminal cannot do it.
async fn edited() -> Option<Lines> {
    let terminal = Terminal::of_stdin();
    let (sender, lines) = mpsc::unbounded_channel();
    let (ask, asked) = std::sync::mpsc::channel();
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
        while asked.recv().is_ok() {
            let line = editor.readline(PROMPT).ok();
            if let Some(line) = &line {
                // A line that is not kept is only not offered again.
                let _kept = editor.add_history_entry(line.as_str());
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let printer = printer.await.ok()?;
    let editor = Editing {
        ask,
        printer: Box::new(printer),
        open: false,
        terminal,
    };
    Some(Lines {
        lines,
        editor: Some(editor),
    })
}
