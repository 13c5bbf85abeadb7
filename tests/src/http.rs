//! A minimal HTTP client for the admin port and for plain JSON.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An HTTP response.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The body with its chunks joined.
    pub body: String,
}

/// Sends a request and returns the status code and the body of the response.
///
/// # Panics
/// If there is no response.
pub async fn ask(address: &str, method: &str, path: &str, body: &str) -> (u16, String) {
    let answer = send(address, method, path, &[], body).await;
    (answer.status, answer.body)
}

/// Sends a request with these headers and returns the response.
///
/// # Panics
/// If there is no response.
pub async fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let length = body.len();
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n");
    if !headers.iter().any(|(name, _)| *name == "host") {
        request.push_str(&format!("host: {address}\r\n"));
    }
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    let request = format!("{request}\r\n{body}");
    // A server that refuses the request may close the connection before reading all of it.
    let _refused = stream.write_all(request.as_bytes()).await;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let status = head.split_whitespace().nth(1).expect("a status");
    let is_chunked = head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked");
    Answer {
        status: status.parse().expect("a number"),
        body: if is_chunked {
            joined(body)
        } else {
            body.to_owned()
        },
    }
}

/// Joins the chunks of a body.
fn joined(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("the size of a chunk");
        let (chunk, rest) = rest.split_at(size);
        body.push_str(chunk);
        chunks = rest.trim_start_matches("\r\n");
    }
    body
}
