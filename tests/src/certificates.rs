//! A self-signed certificate, for servers with TLS.

use std::path::Path;

/// Writes a certificate of `localhost` and its key into a folder, and returns the path of each.
///
/// # Panics
/// If a file cannot be written.
#[must_use]
pub fn self_signed(folder: &Path) -> [String; 2] {
    let made = rcgen::generate_simple_self_signed([String::from("localhost")]);
    let made = made.expect("a certificate");
    let files = [
        ("cert.pem", made.cert.pem()),
        ("key.pem", made.signing_key.serialize_pem()),
    ];
    files.map(|(name, text)| {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a file of a certificate");
        file.display().to_string()
    })
}

/// Writes a certificate of `localhost` and its key into a folder, and returns the flags of a server that uses them.
///
/// # Panics
/// If a file cannot be written.
#[must_use]
pub fn tls_flags(folder: &Path) -> [String; 2] {
    let [cert, key] = self_signed(folder);
    [
        format!("--tls-cert-file={cert}"),
        format!("--tls-key-file={key}"),
    ]
}
