//! **Log output**: lines to standard error, without waiting for whoever reads it.
//!
//! A pipe that nobody reads is full after 64 KiB, and a write to it waits: the thread of a call, and with it all calls of
//! that thread. So a line is written only as far as there is room. What does not fit waits in a queue, which a thread
//! empties when there is room again. Lines beyond the bound of the queue are lost, and counted by their target; the
//! log names them once it is read again. As long as it is read, a line is written before the call that it is about is
//! answered.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use gamekeeper_store::metering::{record_service_time, take_thread_time};
use parking_lot::{Condvar, Mutex};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};
use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

/// The maximum size of the queue, in bytes.
const MAX_WAITING: usize = 1_024 * 1_024;

/// The time after which a thread looks again whether there is room.
const ROOM_TIMEOUT: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// The target of lines that belong to no part of the program.
const PROGRAM: &str = "gamekeeperd";

/// The log of this process.
static LOG: LazyLock<LogWriter> = LazyLock::new(|| {
    let stderr = io::stderr().as_fd().try_clone_to_owned();
    LogWriter::new(stderr.ok())
});

/// Returns the log of this process.
pub(crate) fn log() -> LogWriter {
    LOG.clone()
}

/// Writes lines to a file without waiting. Clones share it.
#[derive(Clone)]
pub(crate) struct LogWriter(Arc<Shared>);

struct Shared {
    output: Output,
    queue: Mutex<Queue>,
    /// Signals that the queue is no longer empty.
    filled: Condvar,
    /// Signals that the queue is empty.
    emptied: Condvar,
}

/// How lines are written.
enum Output {
    /// To a file that never lets a write wait: one on a disk, or a pipe or terminal that was opened again for this.
    Direct(OwnedFd),
    /// To a socket.
    Socket(OwnedFd),
    /// To a file that may let writes wait: only the thread writes to it.
    Waiting(OwnedFd),
    /// Nowhere.
    Closed,
}

#[derive(Default)]
struct Queue {
    /// The lines, of which the first may be written in part.
    lines: VecDeque<Vec<u8>>,
    /// The size of all lines, in bytes.
    size: usize,
    /// Whether the thread runs.
    has_thread: bool,
    lost: BTreeMap<String, LostLines>,
}

/// The lost lines of one target.
#[derive(Clone, Copy, Default)]
struct LostLines {
    count: u64,
    /// How many of them the log has not named yet.
    untold: u64,
}

impl Output {
    fn of(file: OwnedFd) -> Output {
        let kind = fstat(&file).map(|stat| FileType::from_raw_mode(stat.st_mode));
        match kind {
            Ok(FileType::RegularFile) => Output::Direct(file),
            Ok(FileType::Socket) => Output::Socket(file),
            // Not set on this file: other programs may share it.
            Ok(FileType::Fifo | FileType::CharacterDevice) => {
                let path = format!("/proc/self/fd/{}", file.as_raw_fd());
                let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
                match open(path, flags, Mode::empty()) {
                    Ok(own) => Output::Direct(own),
                    Err(_) => Output::Waiting(file),
                }
            }
            Ok(_) | Err(_) => Output::Waiting(file),
        }
    }

    /// Writes as much as there is room for, and returns how many bytes that was.
    fn write(&self, bytes: &[u8]) -> Result<usize, Errno> {
        let write_once = || match self {
            Output::Direct(file) | Output::Waiting(file) => rustix::io::write(file, bytes),
            Output::Socket(socket) => {
                send(socket, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)
            }
            Output::Closed => Err(Errno::PIPE),
        };
        loop {
            match write_once() {
                Err(Errno::INTR) => {}
                done => return done,
            }
        }
    }

    /// Waits until there is room.
    fn wait(&self) {
        if let Output::Direct(file) | Output::Socket(file) = self {
            let mut room = [PollFd::new(file, PollFlags::OUT)];
            // After an error the next write fails too.
            let _interrupted = poll(&mut room, Some(&ROOM_TIMEOUT));
        }
    }
}

impl LogWriter {
    /// Creates the writer of a file. Without one, nothing is written.
    fn new(file: Option<OwnedFd>) -> LogWriter {
        LogWriter(Arc::new(Shared {
            output: file.map_or(Output::Closed, Output::of),
            queue: Mutex::default(),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }))
    }

    /// Writes a line of the program itself.
    pub(crate) fn print(&self, line: &str) {
        self.write(PROGRAM, format!("{line}\n").as_bytes());
    }

    /// Returns how many lines of each target are lost. Contains the audit log from the start.
    pub(crate) fn lost(&self) -> Vec<(String, u64)> {
        let queue = self.0.queue.lock();
        let mut lost: BTreeMap<_, _> = [(String::from("audit"), 0)].into();
        let counts = queue
            .lost
            .iter()
            .map(|(target, lost)| (target.clone(), lost.count));
        lost.extend(counts);
        lost.into_iter().collect()
    }

    /// Waits until all lines are written, but not longer than this.
    pub(crate) fn flush(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let mut queue = self.0.queue.lock();
        while !queue.lines.is_empty() {
            if self.0.emptied.wait_until(&mut queue, deadline).timed_out() {
                return;
            }
        }
    }

    fn write(&self, target: &str, line: &[u8]) {
        let mut queue = self.0.queue.lock();
        let mut rest = line;
        if queue.lines.is_empty() && !matches!(self.0.output, Output::Waiting(_)) {
            match self.0.output.write(line) {
                Ok(written) => rest = &line[written..],
                Err(Errno::AGAIN) => {}
                Err(_) => return queue.lose(target),
            }
        }
        if rest.is_empty() {
            return;
        }
        let is_begun = rest.len() < line.len();
        if !is_begun && queue.size + rest.len() > MAX_WAITING {
            return queue.lose(target);
        }
        queue.size += rest.len();
        queue.lines.push_back(rest.to_vec());
        if !queue.has_thread {
            let writer = self.clone();
            let name = String::from("log");
            let thread = thread::Builder::new().name(name);
            queue.has_thread = thread.spawn(move || writer.run()).is_ok();
        }
        self.0.filled.notify_one();
    }

    /// Empties the queue whenever there is something in it.
    fn run(&self) {
        loop {
            let mut queue = self.0.queue.lock();
            while queue.lines.is_empty() {
                self.0.filled.wait(&mut queue);
            }
            drop(queue);
            self.0.output.wait();
            for (target, lines) in self.empty() {
                tracing::warn!(lost = target, lines, "the log was not read: lines are lost");
            }
            record_service_time(take_thread_time());
        }
    }

    /// Writes lines of the queue as far as there is room. Returns the lost lines that were not named yet, if the queue
    /// is empty now.
    fn empty(&self) -> Vec<(String, u64)> {
        let mut queue = self.0.queue.lock();
        while let Some(line) = queue.lines.front() {
            let written = match &self.0.output {
                // Nobody else writes, and others must not wait for the lock.
                Output::Waiting(_) => {
                    let line = line.clone();
                    drop(queue);
                    let written = self.0.output.write(&line);
                    queue = self.0.queue.lock();
                    written
                }
                output @ (Output::Direct(_) | Output::Socket(_) | Output::Closed) => {
                    output.write(line)
                }
            };
            match written {
                Ok(written) => queue.written(written),
                Err(Errno::AGAIN) => return Vec::new(),
                Err(_) => queue.give_up(),
            }
        }
        self.0.emptied.notify_all();
        queue.untold()
    }
}

impl Queue {
    fn lose(&mut self, target: &str) {
        let part = target.split("::").next().unwrap_or_default();
        let lost = self.lost.entry(part.to_owned()).or_default();
        lost.count += 1;
        lost.untold += 1;
    }

    /// Removes the first bytes.
    fn written(&mut self, count: usize) {
        self.size -= count;
        match self.lines.front_mut() {
            Some(line) if line.len() > count => drop(line.drain(..count)),
            Some(_) | None => drop(self.lines.pop_front()),
        }
    }

    /// Gives up all lines: nobody will read them.
    fn give_up(&mut self) {
        for _ in 0..self.lines.len() {
            self.lose(PROGRAM);
        }
        self.lines.clear();
        self.size = 0;
    }

    fn untold(&mut self) -> Vec<(String, u64)> {
        let mut untold = Vec::new();
        for (target, lost) in &mut self.lost {
            let lines = std::mem::take(&mut lost.untold);
            if lines > 0 {
                untold.push((target.clone(), lines));
            }
        }
        untold
    }
}

/// Writes one line.
pub(crate) struct LineWriter<'a> {
    log: &'a LogWriter,
    target: String,
}

impl io::Write for LineWriter<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.log.write(&self.target, line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = LineWriter<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        LineWriter {
            log: self,
            target: PROGRAM.to_owned(),
        }
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Self::Writer {
        LineWriter {
            log: self,
            target: metadata.target().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufRead, BufReader, PipeReader, pipe};
    use std::os::unix::net::UnixStream;

    use super::*;

    /// More than a pipe and the queue hold together.
    const MANY: usize = 20_000;

    fn line(number: usize) -> String {
        format!("{number} {}\n", "x".repeat(90))
    }

    /// Writes lines that nobody reads, to the end and fast, and returns how many of them are lost.
    fn write_all(log: &LogWriter) -> u64 {
        let begun = Instant::now();
        for number in 0..MANY {
            log.write("audit::of::games", line(number).as_bytes());
        }
        assert!(begun.elapsed() < Duration::from_secs(30));
        let lost = log.lost();
        assert_eq!(lost.len(), 1, "{lost:?}");
        assert_eq!(lost[0].0, "audit");
        lost[0].1
    }

    /// Reads all lines but the lost ones, whole and in their order.
    fn read_all(log: &LogWriter, mut lines: impl BufRead, lost: u64) {
        let kept = MANY - usize::try_from(lost).unwrap();
        let mut last = None;
        for _ in 0..kept {
            let mut read = String::new();
            lines.read_line(&mut read).unwrap();
            let number: usize = read.split(' ').next().unwrap().parse().unwrap();
            assert!(read == line(number) && Some(number) > last, "{read}");
            last = Some(number);
        }
        log.flush(Duration::from_secs(10));
        log.write("audit", b"again\n");
        let mut read = String::new();
        lines.read_line(&mut read).unwrap();
        assert_eq!(read, "again\n");
    }

    fn of_pipe() -> (LogWriter, BufReader<PipeReader>) {
        let (reader, writer) = pipe().unwrap();
        (LogWriter::new(Some(writer.into())), BufReader::new(reader))
    }

    #[test]
    fn a_pipe_that_nobody_reads_holds_nothing_up_and_nothing_is_lost_unseen() {
        let (log, reader) = of_pipe();
        let lost = write_all(&log);
        assert!(lost > 0);
        read_all(&log, reader, lost);
    }

    #[test]
    fn a_socket_that_nobody_reads_holds_nothing_up() {
        let (reader, writer) = UnixStream::pair().unwrap();
        let log = LogWriter::new(Some(writer.into()));
        let lost = write_all(&log);
        assert!(lost > 0);
        read_all(&log, BufReader::new(reader), lost);
    }

    /// A pipe that cannot be opened again, such as one of another user.
    #[test]
    fn a_file_that_may_wait_is_written_by_the_thread_alone() {
        let (reader, writer) = pipe().unwrap();
        let log = LogWriter(Arc::new(Shared {
            output: Output::Waiting(writer.into()),
            queue: Mutex::default(),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }));
        let lost = write_all(&log);
        assert!(lost > 0);
        read_all(&log, BufReader::new(reader), lost);
    }

    #[test]
    fn a_file_keeps_every_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let log = LogWriter::new(Some(file.reopen().unwrap().into()));
        assert_eq!(write_all(&log), 0);
        let lines = BufReader::new(File::open(file.path()).unwrap()).lines();
        assert_eq!(lines.count(), MANY);
    }

    #[test]
    fn the_end_waits_for_a_reader_a_while() {
        let (log, _unread) = of_pipe();
        write_all(&log);
        let begun = Instant::now();
        log.flush(Duration::from_millis(100));
        let waited = begun.elapsed();
        assert!((Duration::from_millis(100)..Duration::from_secs(5)).contains(&waited));
    }

    #[test]
    fn lines_for_nobody_are_lost_and_counted() {
        let (log, reader) = of_pipe();
        drop(reader);
        log.write("gamekeeper_games::commit", b"a line\n");
        let lost = log.lost();
        assert_eq!(lost[1], (String::from("gamekeeper_games"), 1), "{lost:?}");
    }
}
