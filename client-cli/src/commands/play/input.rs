//! Lines from the keyboard, without blocking the rest.

use std::io::BufRead;

use tokio::sync::mpsc;

/// Lines as they are typed.
pub(super) struct Lines {
    lines: mpsc::UnboundedReceiver<String>,
    /// What was read too early; nothing inside: the end.
    ahead: Option<Option<String>>,
}

impl Lines {
    /// Reads the standard input in a thread of its own: a read cannot be called off.
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

    /// The next line; nothing at the end of the input, and when the user interrupts.
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

    /// The next line is this one, which was meant for somebody else.
    pub(super) fn put_back(&mut self, line: Option<String>) {
        self.ahead = Some(line);
    }
}
