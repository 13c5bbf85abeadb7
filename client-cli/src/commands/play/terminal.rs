//! The settings of the terminal, saved before lines are edited.

#[cfg(unix)]
use rustix::stdio::stdin;
#[cfg(unix)]
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

/// The saved settings for echo and line input.
pub(super) struct Terminal {
    #[cfg(unix)]
    before: Option<Termios>,
}

#[cfg(unix)]
impl Terminal {
    /// Saves the current settings.
    pub(super) fn of_stdin() -> Self {
        Self {
            before: tcgetattr(stdin()).ok(),
        }
    }

    /// Restores the saved settings.
    pub(super) fn restore(&self) {
        if let Some(before) = &self.before {
            // If the terminal is gone, there is nothing to restore.
            let _gone = tcsetattr(stdin(), OptionalActions::Drain, before);
        }
    }

    /// Discards input that was typed and not read yet.
    pub(super) fn forget_typed(&self) {
        if self.before.is_some() {
            let _gone = tcflush(stdin(), QueueSelector::IFlush);
        }
    }
}

/// A version without settings to save, for systems where the shell restores the console.
#[cfg(not(unix))]
impl Terminal {
    pub(super) fn of_stdin() -> Self {
        Self {}
    }

    pub(super) fn restore(&self) {}

    pub(super) fn forget_typed(&self) {}
}
