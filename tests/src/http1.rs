//! A connection with HTTP/1.1 that carries several requests, as pools of load balancers keep them.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection with HTTP/1.1.
#[derive(Debug)]
pub struct Http1 {
    stream: TcpStream,
    /// The bytes that were read and not used yet.
    read: Vec<u8>,
}

/// A response on such a connection.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The status line and the headers, in lower case.
    pub head: String,
    /// The body with its chunks joined.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the value of a header, if there is one.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// Writes a request with these headers, one a line, for a body of this length.
#[must_use]
pub fn head(path: &str, headers: &str, length: usize) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {length}\r\n\r\n")
}

impl Http1 {
    /// Connects to this address.
    ///
    /// # Errors
    /// If nobody listens there.
    pub async fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let read = Vec::new();
        Ok(Self { stream, read })
    }

    /// Sends these bytes.
    ///
    /// # Errors
    /// If the connection is closed.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(bytes.as_ref()).await
    }

    /// Reads a response.
    ///
    /// # Errors
    /// If the connection ends before the response does.
    ///
    /// # Panics
    /// If the response is not HTTP/1.1.
    pub async fn response(&mut self) -> io::Result<Response> {
        let length = self.until(b"\r\n\r\n").await?;
        let head = self.take(length);
        let head = String::from_utf8(head).expect("text").to_lowercase();
        let status = head.split_whitespace().nth(1).expect("a status");
        let mut response = Response {
            status: status.parse().expect("a number"),
            body: Vec::new(),
            head,
        };
        if response.header("transfer-encoding") == Some("chunked") {
            loop {
                let length = self.until(b"\r\n").await?;
                let line = String::from_utf8(self.take(length)).expect("text");
                let size = usize::from_str_radix(line.trim(), 16).expect("the size of a chunk");
                self.fill(size + 2).await?;
                let chunk = self.take(size + 2);
                response.body.extend(&chunk[..size]);
                if size == 0 {
                    return Ok(response);
                }
            }
        }
        let length = response.header("content-length").unwrap_or("0");
        let length = length.parse().expect("a number");
        self.fill(length).await?;
        response.body = self.take(length);
        Ok(response)
    }

    /// Waits until the server closes the connection, and returns the number of further bytes.
    ///
    /// # Errors
    /// If the server resets the connection.
    pub async fn closed(mut self) -> io::Result<usize> {
        self.stream.read_to_end(&mut self.read).await?;
        Ok(self.read.len())
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let rest = self.read.split_off(length);
        std::mem::replace(&mut self.read, rest)
    }

    /// Reads until there are at least this many bytes.
    async fn fill(&mut self, length: usize) -> io::Result<()> {
        while self.read.len() < length {
            if self.stream.read_buf(&mut self.read).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }

    /// Reads until these bytes arrive, and returns the position after them.
    async fn until(&mut self, end: &[u8]) -> io::Result<usize> {
        loop {
            let found = self.read.windows(end.len()).position(|bytes| bytes == end);
            if let Some(begin) = found {
                return Ok(begin + end.len());
            }
            self.fill(self.read.len() + 1).await?;
        }
    }
}
