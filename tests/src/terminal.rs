//! Runs the command line in a terminal, as a person does.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use gamekeeper_rules::table::text::plain;
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::cli::Cli;

/// Maximum time to wait for output.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that runs in a terminal.
#[derive(Debug)]
pub struct Terminal {
    child: Child,
    keyboard: File,
    printed: Receiver<Vec<u8>>,
    /// The output that was not examined yet.
    screen: Vec<u8>,
}

impl Terminal {
    /// Starts a command in a terminal of this size.
    ///
    /// # Panics
    /// If this system has no terminals or the binary was not built.
    #[must_use]
    pub fn start(cli: &Cli, arguments: &str, (columns, lines): (u16, u16)) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).expect("our terminal");
        unlockpt(&ours).expect("an open terminal");
        let name = ptsname(&ours, Vec::new()).expect("its name");
        let size = Winsize {
            ws_row: lines,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&ours, size).expect("its size");
        let theirs = || {
            let file = open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
            Stdio::from(file.expect("their side of the terminal"))
        };
        let child = cli
            .command(arguments)
            .env("TERM", "xterm-256color")
            .stdin(theirs())
            .stdout(theirs())
            .stderr(theirs())
            .spawn()
            .expect("gamekeeper: build it first with cargo build --workspace --bins");
        let keyboard = File::from(ours);
        let mut output = keyboard.try_clone().expect("its output");
        let (sender, printed) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the last process has closed its side of the terminal.
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            keyboard,
            printed,
            screen: Vec::new(),
        }
    }

    /// Types a line.
    ///
    /// # Panics
    /// If the terminal is gone.
    pub fn type_line(&mut self, line: &str) {
        let typed = self.keyboard.write_all(format!("{line}\r").as_bytes());
        typed.expect("somebody who reads");
    }

    /// Waits for this text and returns the output up to it, without styles.
    ///
    /// # Panics
    /// If the text does not appear.
    pub fn until(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = plain(&String::from_utf8_lossy(&self.screen)).replace('\r', "");
            if let Some(index) = screen.find(text) {
                let (before, after) = screen.split_at(index + text.len());
                self.screen = after.as_bytes().to_vec();
                return before.to_owned();
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.printed.recv_timeout(left) {
                Ok(bytes) => self.screen.extend(bytes),
                Err(error @ (RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)) => {
                    panic!("{text:?} was not printed ({error}): {screen}")
                }
            }
        }
    }

    /// Waits for the end of the command, and returns its last output and its exit code.
    ///
    /// # Panics
    /// If the command does not end.
    pub fn end(mut self) -> (String, Option<i32>) {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < end, "the command does not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        while let Ok(bytes) = self.printed.recv_timeout(Duration::from_millis(200)) {
            self.screen.extend(bytes);
        }
        let screen = plain(&String::from_utf8_lossy(&self.screen)).replace('\r', "");
        (screen, status.code())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Killing a process that has ended is an error that does not matter.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
