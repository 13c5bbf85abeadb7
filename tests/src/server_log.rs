//! The log of a server, read while it is written. A server writes a log line before it responds, so after a response
//! its lines can be read here: [`ServerLog::lines`] waits for those that are still in the pipe.

use std::io::Read;
use std::process::ChildStderr;
use std::sync::Arc;
use std::thread;

use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::ioctl_fionread;

use crate::evidence::{Lines, Trail, started};

/// The log of a server up to now.
#[derive(Debug)]
pub(crate) struct ServerLog {
    pipe: OwnedFd,
    lines: Lines,
}

impl ServerLog {
    /// Reads the pipe to its end, so that the server never blocks on a full pipe, and passes each line to `seen`.
    pub(crate) fn read(stderr: ChildStderr, on_line: impl FnMut(&str) + Send + 'static) -> Self {
        let pipe = stderr.as_fd().try_clone_to_owned().expect("a descriptor");
        let lines = Arc::default();
        let shared_lines = Arc::clone(&lines);
        thread::spawn(move || follow(stderr, &shared_lines, on_line));
        Self { pipe, lines }
    }

    /// Returns the recorded calls of the test that started the server.
    pub(crate) fn trail(&self) -> Trail {
        started(&self.lines)
    }

    /// Returns every complete line up to now, including those that are in the pipe at the time of the call.
    pub(crate) fn lines(&self) -> Vec<String> {
        loop {
            let lines = self.lines.lock();
            // The reader holds this lock while it moves bytes from the pipe to the list, so no line can be between the
            // two.
            if ioctl_fionread(&self.pipe).is_ok_and(|waiting| waiting == 0) {
                return lines.clone();
            }
            drop(lines);
            thread::yield_now();
        }
    }
}

fn follow(mut pipe: ChildStderr, shared_lines: &Mutex<Vec<String>>, mut on_line: impl FnMut(&str)) {
    let mut begun = Vec::new();
    let mut chunk = [0; 8192];
    loop {
        let ready = poll(&mut [PollFd::new(&pipe, PollFlags::IN)], None);
        let mut lines = shared_lines.lock();
        match ready.map(|_| pipe.read(&mut chunk)) {
            Ok(Ok(0) | Err(_)) => return,
            Ok(Ok(length)) => begun.extend_from_slice(&chunk[..length]),
            Err(_interrupted) => {}
        }
        while let Some(end) = begun.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = begun.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line[..end]).into_owned();
            on_line(&line);
            lines.push(line);
        }
    }
}
