//! Lines from the keyboard, without blocking the rest.

use std::io::BufRead;

use tokio::sync::mpsc;

/// Lines as they are typed.
pub(super) struct Lines {
    lines: mpsc::UnboundedReceiver<String>,
    /// A line that was read too early; an inner `None`: the end of the input.
    ahead: Option<Option<String>>,
}

impl Lines {
    /// Reads the standard input in a thread of its own: a read cannot be canceled.
    pub(super) fn of_stdin() -> Self {
        let (sender, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines, ahead: None }
    }

    /// The next line; `None` at the end of the input and on an interrupt.
    pub(super) async fn next(&mut self) -> Option<String> {
        if let Some(ahead) = self.ahead.take() {
            return ahead;
        }
        tokio::select! {
            line = self.lines.recv() => line,
            _ = tokio::signal::ctrl_c() => None,
        }
    }

    /// Was a line read too early?
    pub(super) fn is_ahead(&self) -> bool {
        self.ahead.is_some()
    }

    /// Puts back a line that was meant for another prompt; it is the next one to be read.
    pub(super) fn put_back(&mut self, line: Option<String>) {
        self.ahead = Some(line);
    }
}
