//! The evidence file of a failed test.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use gamekeeper_wire::contract::pool;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use serde_json::{Value, json};

use super::{Call, Evidence};

/// Writes the file: a line for the test, a line for each call in the order of their starts, a line for each log line.
pub(super) fn write(evidence: &Evidence, panic: &str) -> io::Result<PathBuf> {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("test").replace("::", "-");
    let folder = folder()?;
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{test}.jsonl"));
    let mut file = BufWriter::new(File::create(&path)?);
    let calls = evidence.trail.0.lock();
    let first = calls.retained.front().map(|call| call.lock().begun);
    let first = first.unwrap_or_else(Instant::now);
    let (seed, dropped) = (crate::chance::seed(), calls.dropped);
    let head = json!({"test": test, "seed": seed, "panic": panic, "older_calls_dropped": dropped});
    writeln!(file, "{head}")?;
    for call in &calls.retained {
        writeln!(file, "{}", line_of(&call.lock(), first))?;
    }
    for (number, log) in (1..).zip(&evidence.logs) {
        for line in &*log.lock() {
            let line = serde_json::from_str(line).unwrap_or_else(|_| json!(line));
            writeln!(file, "{}", json!({"server": number, "log": line}))?;
        }
    }
    file.flush()?;
    Ok(path)
}

/// Returns the folder `test-logs` in the target folder that this test was built in.
fn folder() -> io::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let target = test
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").exists());
    Ok(target
        .map_or_else(std::env::temp_dir, Path::to_path_buf)
        .join("test-logs"))
}

fn line_of(call: &Call, first: Instant) -> Value {
    let method = method(&call.path);
    let decoded = |bytes: &[u8], kind: Option<MessageDescriptor>| match kind {
        Some(kind) => messages(bytes, &kind),
        None => json!(const_hex::encode(bytes)),
    };
    let mut line = json!({
        "at_ms": millis(call.begun - first),
        "to": *call.to,
        "call": call.path,
        "request": decoded(&call.request_bytes, method.as_ref().map(MethodDescriptor::input)),
        "answer": decoded(&call.response_bytes, method.as_ref().map(MethodDescriptor::output)),
    });
    if let Some(token) = &call.token {
        line["token"] = json!(token);
    }
    if call.cut > 0 {
        line["bytes_cut"] = json!(call.cut);
    }
    // A call without an end was still running: neither its caller nor the test waited for it.
    if let Some(end) = &call.end {
        line["took_ms"] = json!(millis(end.after));
        line["status"] = json!(status(&end.code));
        if !end.message.is_empty() {
            line["message"] = json!(end.message);
        }
    }
    line
}

fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn status(code: &str) -> String {
    match code.parse::<i32>() {
        Ok(number) => gamekeeper_proto::code_name(tonic::Code::from(number)).to_owned(),
        Err(_) => code.to_owned(),
    }
}

fn method(path: &str) -> Option<MethodDescriptor> {
    let (service, name) = path.strip_prefix('/')?.split_once('/')?;
    let service = pool().get_service_by_name(service)?;
    service.methods().find(|method| method.name() == name)
}

/// Formats messages as protobuf JSON, and bytes that cannot be decoded in hexadecimal.
fn messages(mut bytes: &[u8], kind: &MessageDescriptor) -> Value {
    let mut decoded = Vec::new();
    while let Some((message, rest)) = next(bytes) {
        let read = DynamicMessage::decode(kind.clone(), message).ok();
        let read = read.and_then(|message| serde_json::to_value(&message).ok());
        decoded.push(read.unwrap_or_else(|| json!(const_hex::encode(message))));
        bytes = rest;
    }
    if !bytes.is_empty() {
        decoded.push(json!(const_hex::encode(bytes)));
    }
    match (decoded.pop(), decoded.is_empty()) {
        (None, _) => Value::Null,
        (Some(only), true) => only,
        (Some(last), false) => decoded.into_iter().chain([last]).collect(),
    }
}

/// Splits off the first message of an uncompressed body.
fn next(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<5>()?;
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
    let length = usize::try_from(length).ok().filter(|_| head[0] == 0)?;
    rest.split_at_checked(length)
}
