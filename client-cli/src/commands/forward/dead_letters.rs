//! The file of **dead letters**: webhooks that were given up, one JSON object on each line.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::dispatcher::Failing;
use super::webhook::{Webhook, rfc3339};
use crate::failure::Failure;

/// The name of the file.
const FILE: &str = "dead-letters.jsonl";

/// The file.
pub(super) struct DeadLetters {
    path: PathBuf,
    file: File,
}

impl DeadLetters {
    /// Opens the file in a directory, or creates it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn open(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join(FILE);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|error| Failure::io(path.display(), &error))?;
        Ok(Self { path, file })
    }

    /// Appends a webhook. It is on disk afterwards.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(
        &mut self,
        webhook: &Webhook,
        failing: &Failing,
        why: &str,
    ) -> Result<(), Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::Io {
            what: self.path.display().to_string(),
            error: error.to_string(),
        };
        let body = webhook.body().map_err(|error| failed(&error))?;
        let body: Value = serde_json::from_str(&body).map_err(|error| failed(&error))?;
        let line = json!({
            "id": webhook.id(),
            "failing_since": rfc3339(failing.since_ms),
            "attempts": failing.attempts,
            "last_failure": why,
            "body": body,
        });
        // In one piece, so that a crash leaves no half line before another.
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes());
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|error| failed(&error))
    }
}
