use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::json;
use tempfile::TempDir;

use super::*;

const OLD: &str = "an old secret of a team, long enough";
const NEW: &str = "a new secret of a team, long enough!";

/// An authority with a key set of two keys, and the folder of its files.
fn authority() -> (Authority, TempDir) {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let key = |id: &str, secret: &str| json!({"kty": "oct", "alg": "HS256", "kid": id, "k": base64(secret)});
    let jwks = json!({"keys": [key("old", OLD), key("new", NEW)]}).to_string();
    let config = AuthConfig::Tokens {
        tenant_keys: Some(write(
            "tenants",
            format!("# teams\n\nred: {}\n", hex("red key")),
        )),
        operator_keys: None,
        tenant_jwks: Some(write("jwks", jwks)),
        token_keys: write("tokens", format!("{NEW}\n{OLD}\n")),
    };
    (Authority::load(&config).unwrap(), folder)
}

/// URL-safe base64 without padding.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = text.as_bytes().chunks(3).flat_map(|chunk| {
        let bits = chunk
            .iter()
            .fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |at| DIGITS[(bits >> (18 - 6 * at) & 63) as usize])
    });
    String::from_utf8(digits.collect()).unwrap()
}

fn hex(key: &str) -> String {
    const_hex::encode(Sha256::digest(key))
}

fn jwt(key_id: &str, secret: &str, lives_seconds: i64) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let expiry = i64::try_from(now).unwrap() + lives_seconds;
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some(key_id.to_owned());
    let claims = json!({"tenant": "green", "exp": expiry});
    jsonwebtoken::encode(
        &header,
        &claims,
        &EncodingKey::from_secret(secret.as_bytes()),
    )
    .unwrap()
}

fn caller(token: &str) -> Option<Caller> {
    authority().0.caller(Some(&format!("Bearer {token}"))).ok()
}

#[test]
fn a_key_is_known_by_its_hash() {
    assert_eq!(caller("red key"), Some(Caller::Tenant(String::from("red"))));
    assert_eq!(caller("another key"), None);
    assert_eq!(caller(&hex("red key")), None);
}

#[test]
fn a_signed_tenant_token_holds_until_it_expires_and_keys_can_be_replaced() {
    let green = Some(Caller::Tenant(String::from("green")));
    assert_eq!(caller(&jwt("old", OLD, 600)), green);
    assert_eq!(caller(&jwt("new", NEW, 600)), green);
    assert_eq!(
        caller(&jwt("old", NEW, 600)),
        None,
        "signed with another key than it names"
    );
    assert_eq!(caller(&jwt("new", NEW, -600)), None, "expired");
}

#[test]
fn a_seat_token_holds_for_its_seat_alone_and_no_tenant_token_passes_for_one() {
    let (authority, _folder) = authority();
    let game = GameId::from_u128(7);
    let token = authority.seat_token(game, Seat::new(2), 3).unwrap();
    let seat = Seat::new(2).unwrap();
    assert_eq!(
        authority.caller(Some(&format!("bearer {token}"))).unwrap(),
        Caller::Seat {
            game,
            seat,
            generation: 3
        }
    );
    let spectator = authority.seat_token(game, None, 0).unwrap();
    let caller = authority
        .caller(Some(&format!("Bearer {spectator}")))
        .unwrap();
    assert_eq!(caller, Caller::Spectator { game });
    let header = jsonwebtoken::decode_header(&token).unwrap();
    assert_eq!(header.alg, Algorithm::HS256);
    let forged = jwt("new", OLD, 600);
    assert!(authority.caller(Some(&format!("Bearer {forged}"))).is_err());
}

#[test]
fn headers_that_are_no_bearer_tokens_are_refused() {
    let (authority, _folder) = authority();
    for header in [
        None,
        Some(""),
        Some("Bearer"),
        Some("Bearer "),
        Some("Basic red key"),
        Some("red key"),
    ] {
        assert!(authority.caller(header).is_err(), "{header:?}");
    }
}

#[test]
fn files_that_hold_no_keys_are_refused_with_their_line() {
    let folder = TempDir::new().unwrap();
    let config = |text: &str| {
        let file = folder.path().join("tokens");
        std::fs::write(&file, text).unwrap();
        AuthConfig::Tokens {
            tenant_keys: None,
            operator_keys: None,
            tenant_jwks: None,
            token_keys: file,
        }
    };
    let error = |text: &str| {
        Authority::load(&config(text))
            .err()
            .map(|error| error.to_string())
    };
    assert!(error("# nothing\n").unwrap().ends_with("holds no key"));
    assert!(
        error(&format!("{OLD}\nshort\n"))
            .unwrap()
            .contains("line 2")
    );
    assert_eq!(error(&format!("{OLD}\n")), None);
}
