//! Keys and tokens for servers that want them.

use std::path::PathBuf;

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tonic::Request;

/// The key of the first tenant.
pub const RED: &str = "key-of-the-red-team";
/// The key of another tenant.
pub const BLUE: &str = "key-of-the-blue-team";
/// The key of the operator.
pub const OPERATOR: &str = "key-of-the-operator";

/// Key files for two tenants and an operator.
#[derive(Debug)]
pub struct KeyFiles {
    folder: TempDir,
}

impl KeyFiles {
    /// Writes the files.
    ///
    /// # Panics
    /// When they cannot be written.
    #[must_use]
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a folder for keys");
        let write = |name: &str, text: String| {
            std::fs::write(folder.path().join(name), text).expect("a key file");
        };
        write(
            "tenants",
            format!("red:{}\nblue:{}\n", hash(RED), hash(BLUE)),
        );
        write("operators", format!("{}\n", hash(OPERATOR)));
        write(
            "tokens",
            String::from("a secret of the tests that is long enough to sign\n"),
        );
        Self { folder }
    }

    /// The file of the `tenants`, the `operators`, or the secrets of seat `tokens`.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The flags that make a server use them.
    #[must_use]
    pub fn flags(&self) -> Vec<String> {
        let file = |name: &str| self.file(name);
        [
            ("tenant-keys", "tenants"),
            ("operator-keys", "operators"),
            ("token-keys", "tokens"),
        ]
        .into_iter()
        .map(|(flag, name)| format!("--{flag}-file={}", file(name).display()))
        .chain([String::from("--auth=tokens")])
        .collect()
    }
}

impl Default for KeyFiles {
    fn default() -> Self {
        Self::new()
    }
}

fn hash(key: &str) -> String {
    Sha256::digest(key)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A request that carries a token.
///
/// # Panics
/// When the token is not plain text.
#[must_use]
pub fn bearing<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let header = format!("Bearer {token}")
        .parse()
        .expect("a token of plain text");
    request.metadata_mut().insert("authorization", header);
    request
}
