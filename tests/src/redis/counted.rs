//! A proxy for a Redis that counts **round trips**. All commands that are sent before the next response count as one,
//! as in a pipeline.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// A proxy that forwards everything in both directions and counts round trips.
#[derive(Debug)]
pub struct CountedRedis {
    address: String,
    trips: Trips,
}

/// The round trips up to now: the number of the connection, and the names of the commands.
type Trips = Arc<Mutex<Vec<(usize, Vec<String>)>>>;

impl CountedRedis {
    /// Starts a proxy in front of the Redis at this address.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn before(redis: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (trips, redis) = (Trips::default(), redis.to_owned());
        let counted = Arc::clone(&trips);
        tokio::spawn(async move {
            for number in 0.. {
                let Ok((client, _)) = listener.accept().await else {
                    return;
                };
                let Ok(server) = TcpStream::connect(&redis).await else {
                    return;
                };
                Connection::join(client, server, number, &counted);
            }
        });
        Self { address, trips }
    }

    /// Returns the address on which the proxy listens.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the commands of each round trip since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<Vec<String>> {
        let trips = std::mem::take(&mut *self.trips.lock());
        trips.into_iter().map(|(_, names)| names).collect()
    }
}

/// A connection of a client.
#[derive(Clone)]
struct Connection {
    number: usize,
    /// Whether a command was sent that is not answered yet.
    is_waiting: Arc<Mutex<bool>>,
    trips: Trips,
}

impl Connection {
    fn join(client: TcpStream, server: TcpStream, number: usize, trips: &Trips) {
        let connection = Self {
            number,
            is_waiting: Arc::default(),
            trips: Arc::clone(trips),
        };
        let ((from_client, to_client), (from_server, to_server)) =
            (client.into_split(), server.into_split());
        tokio::spawn(connection.clone().ask(from_client, to_server));
        tokio::spawn(connection.answer(from_server, to_client));
    }

    async fn ask(self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let (mut chunk, mut open) = (vec![0; 64 * 1_024], Vec::new());
        while let Ok(length @ 1..) = from.read(&mut chunk).await {
            open.extend_from_slice(&chunk[..length]);
            self.note(commands(&mut open));
            if to.write_all(&chunk[..length]).await.is_err() {
                return;
            }
        }
    }

    fn note(&self, names: Vec<String>) {
        let mut is_waiting = self.is_waiting.lock();
        let mut trips = self.trips.lock();
        let mut newest_first = trips.iter_mut().rev();
        match newest_first.find(|(number, _)| *number == self.number) {
            Some((_, last)) if *is_waiting => last.extend(names),
            Some(_) | None => trips.push((self.number, names)),
        }
        *is_waiting = true;
    }

    async fn answer(self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let mut chunk = vec![0; 64 * 1_024];
        while let Ok(length @ 1..) = from.read(&mut chunk).await {
            *self.is_waiting.lock() = false;
            if to.write_all(&chunk[..length]).await.is_err() {
                return;
            }
        }
    }
}

/// Removes the complete commands from the buffer and returns their names; the start of the next command remains.
fn commands(open: &mut Vec<u8>) -> Vec<String> {
    let (mut names, mut read) = (Vec::new(), 0);
    while let Some((name, length)) = command(&open[read..]) {
        names.push(name);
        read += length;
    }
    open.drain(..read);
    names
}

/// Parses the first command, an array of strings. Returns its name and its length in bytes.
fn command(bytes: &[u8]) -> Option<(String, usize)> {
    let (count, mut read) = header(bytes, b'*')?;
    let mut name = None;
    for _ in 0..count {
        let (length, begin) = header(bytes.get(read..)?, b'$')?;
        let text = bytes.get(read + begin..read + begin + length)?;
        name.get_or_insert_with(|| String::from_utf8_lossy(text).to_uppercase());
        read += begin + length + 2;
    }
    (read <= bytes.len()).then_some((name?, read))
}

/// Parses a header. Returns its number and the length of its line.
fn header(bytes: &[u8], kind: u8) -> Option<(usize, usize)> {
    let end = bytes.windows(2).position(|pair| pair == b"\r\n")?;
    let digits = bytes[..end].strip_prefix(&[kind])?;
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((number, end + 2))
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_told_apart_wherever_they_are_cut() {
        let sent = b"*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nget\r\n$4\r\na\r\nb\r\n*1\r\n$4\r\nPING\r\n";
        for cut in 0..sent.len() {
            let (one, other) = sent.split_at(cut);
            let mut open = one.to_vec();
            let mut names = commands(&mut open);
            open.extend_from_slice(other);
            names.extend(commands(&mut open));
            assert_eq!(names, ["PING", "GET", "PING"], "cut at {cut}");
            assert!(open.is_empty());
        }
    }
}
