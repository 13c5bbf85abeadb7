//! The terminal as it was before lines were edited.

#[cfg(unix)]
use rustix::stdio::stdin;
#[cfg(unix)]
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

/// How the terminal echoes and reads lines.
pub(super) struct Terminal {
    #[cfg(unix)]
    before: Option<Termios>,
}

#[cfg(unix)]
impl Terminal {
    /// As it is now.
    pub(super) fn of_stdin() -> Self {
        Self {
            before: tcgetattr(stdin()).ok(),
        }
    }

    /// As it was.
    pub(super) fn restore(&self) {
        if let Some(before) = &self.before {
            // There is nothing left to do for a terminal that is gone.
            let _gone = tcsetattr(stdin(), OptionalActions::Drain, before);
        }
    }

    /// Drops what was typed and not read yet.
    pub(super) fn forget_typed(&self) {
        if self.before.is_some() {
            let _gone = tcflush(stdin(), QueueSelector::IFlush);
        }
    }
}

/// Consoles are restored by the shells that own them.
#[cfg(not(unix))]
impl Terminal {
    pub(super) fn of_stdin() -> Self {
        Self {}
    }

    pub(super) fn restore(&self) {}

    pub(super) fn forget_typed(&self) {}
}
