//! Keys and tokens for servers that require them.

use std::path::PathBuf;

use gamekeeper_proto::gamekeeper::v1::token_holder::Holder;
use gamekeeper_proto::gamekeeper::v1::{SeatOfGame, SpectatorOfGame, TokenHolder, UserOfTenant};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tonic::Request;

use crate::server::Gamekeeperd;

/// The key of the first tenant.
pub const RED: &str = "key-of-the-red-team";
/// The key of another tenant.
pub const BLUE: &str = "key-of-the-blue-team";
/// The key of the operator.
pub const OPERATOR: &str = "key-of-the-operator";

/// The secret with which teams sign their own tokens.
const SIGNATURE: &[u8] = b"a secret of the tests that teams sign with";
/// Base64 of [`SIGNATURE`], which is the form in a key set.
const SIGNATURE_IN_BASE64: &str = "YSBzZWNyZXQgb2YgdGhlIHRlc3RzIHRoYXQgdGVhbXMgc2lnbiB3aXRo";

/// Key files for two tenants, for teams that sign their own tokens, and for an operator.
#[derive(Debug)]
pub struct KeyFiles {
    folder: TempDir,
}

impl KeyFiles {
    /// Writes the files.
    ///
    /// # Panics
    /// If the files cannot be written.
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
        let key = serde_json::json!({"kty": "oct", "alg": "HS256", "kid": "one", "k": SIGNATURE_IN_BASE64});
        write("jwks", serde_json::json!({"keys": [key]}).to_string());
        Self { folder }
    }

    /// Starts a server with these keys and further flags.
    ///
    /// # Panics
    /// If the server does not start.
    #[must_use]
    pub fn server(&self, more: &[&str]) -> Gamekeeperd {
        started(&self.flags(), more)
    }

    /// Starts a server with these keys, further flags, and a key set for teams that sign their own tokens.
    ///
    /// # Panics
    /// If the server does not start.
    #[must_use]
    pub fn server_for_teams(&self, more: &[&str]) -> Gamekeeperd {
        started(&self.flags_with_teams(), more)
    }

    /// Returns the server flags, including a key set for teams that sign their own tokens.
    #[must_use]
    pub fn flags_with_teams(&self) -> Vec<String> {
        let mut flags = self.flags();
        flags.push(format!(
            "--tenant-jwks-file={}",
            self.file("jwks").display()
        ));
        flags
    }

    /// Returns a token for a tenant, signed as a team signs it.
    ///
    /// # Panics
    /// If the token cannot be signed.
    #[must_use]
    pub fn signed(tenant: &str) -> String {
        Self::signed_until(tenant, 4_000_000_000)
    }

    /// Returns a signed token for a user of a tenant.
    ///
    /// # Panics
    /// If the token cannot be signed.
    #[must_use]
    pub fn signed_user(tenant: &str, user: &str) -> String {
        let claims = serde_json::json!({"tenant": tenant, "user": user, "exp": 4_000_000_000_u64});
        Self::signed_claims(&claims)
    }

    /// Returns a signed token for a tenant that expires at this time, in seconds since the Unix epoch.
    ///
    /// # Panics
    /// If the token cannot be signed.
    #[must_use]
    pub fn signed_until(tenant: &str, end: u64) -> String {
        Self::signed_claims(&serde_json::json!({"tenant": tenant, "exp": end}))
    }

    fn signed_claims(claims: &serde_json::Value) -> String {
        gamekeeperd::auth::use_ring();
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
        header.kid = Some(String::from("one"));
        let key = jsonwebtoken::EncodingKey::from_secret(SIGNATURE);
        jsonwebtoken::encode(&header, claims, &key).expect("a token")
    }

    /// Returns the path of a file: the `tenants`, the `operators`, or the secrets of the seats' `tokens`.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the server flags that use these files.
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

fn started(flags: &[String], more: &[&str]) -> Gamekeeperd {
    let flags = flags.iter().map(String::as_str);
    let flags: Vec<&str> = flags.chain(more.iter().copied()).collect();
    Gamekeeperd::start(&flags)
}

fn hash(key: &str) -> String {
    const_hex::encode(Sha256::digest(key))
}

/// Builds a request that carries a token.
///
/// # Panics
/// If the token is not plain text.
#[must_use]
pub fn bearing<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let header = format!("Bearer {token}")
        .parse()
        .expect("a token of plain text");
    request.metadata_mut().insert("authorization", header);
    request
}

/// Builds the token holder for a seat of a game.
#[must_use]
pub fn seat_holder(game_id: &str, seat: u32) -> TokenHolder {
    let game_id = game_id.to_owned();
    TokenHolder {
        holder: Some(Holder::Seat(SeatOfGame { game_id, seat })),
    }
}

/// Builds the token holder for a user of the calling tenant.
#[must_use]
pub fn user_holder(user: &str) -> TokenHolder {
    let user = user.to_owned();
    TokenHolder {
        holder: Some(Holder::User(UserOfTenant { user })),
    }
}

/// Builds the token holder for the spectators of a game.
#[must_use]
pub fn spectator_holder(game_id: &str) -> TokenHolder {
    let game_id = game_id.to_owned();
    TokenHolder {
        holder: Some(Holder::Spectator(SpectatorOfGame { game_id })),
    }
}
