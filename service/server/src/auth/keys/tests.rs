use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gamekeeper_games::authz::Account;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameId;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::auth::config::JwtRules;

const OLD: &str = "an old secret of a team, long enough";
const NEW: &str = "a new secret of a team, long enough!";

/// An authority with a key set of two keys, and the folder of its files.
fn authority() -> (Authenticator, TempDir) {
    strict_authority(JwtRules::default())
}

/// Creates an authenticator like [`authority`], with these rules for signed tokens.
fn strict_authority(rules: JwtRules) -> (Authenticator, TempDir) {
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
        jwt: rules,
        token_keys: write("tokens", format!("{NEW}\n{OLD}\n")),
    };
    (Authenticator::load(&config).unwrap(), folder)
}

/// Encodes a text in URL-safe base64 without padding.
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

/// Returns the time this many seconds from now.
fn at(seconds: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap() + seconds
}

fn jwt(key_id: &str, secret: &str, lives_seconds: i64) -> String {
    let claims = json!({"tenant": "green", "exp": at(lives_seconds)});
    signed(key_id, secret, &claims)
}

fn signed(key_id: &str, secret: &str, claims: &serde_json::Value) -> String {
    use_ring();
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some(key_id.to_owned());
    jsonwebtoken::encode(
        &header,
        claims,
        &EncodingKey::from_secret(secret.as_bytes()),
    )
    .unwrap()
}

fn authenticate(authenticator: &Authenticator, token: &str) -> Result<Caller, ServiceError> {
    authenticator.caller(Some(&format!("Bearer {token}")), || Ok(()))
}

fn role(token: &str) -> Option<Role> {
    let caller = authenticate(&authority().0, token).ok()?;
    Some(caller.role)
}

/// Returns the reason why a token is not valid.
fn why(authenticator: &Authenticator, token: &str) -> String {
    authenticate(authenticator, token).unwrap_err().to_string()
}

#[test]
fn an_expired_token_says_so_and_only_one_that_was_good() {
    let (authenticator, _folder) = authority();
    let old = jwt("new", NEW, -600);
    assert!(matches!(
        authenticate(&authenticator, &old),
        Err(ServiceError::TokenExpired)
    ));
    let forged = jwt("new", OLD, -600);
    assert_eq!(why(&authenticator, &forged), "the token is not valid");
}

#[test]
fn a_claim_names_a_user_and_never_makes_a_tenant_of_one() {
    let (authenticator, _folder) = strict_authority(JwtRules {
        user_claim: String::from("login"),
        ..JwtRules::default()
    });
    let role = |user: serde_json::Value| {
        let mut claims = json!({"tenant": "green", "exp": at(600), "user": "unread"});
        claims["login"] = user;
        authenticate(&authenticator, &signed("new", NEW, &claims)).map(|caller| caller.role)
    };
    let ada = Role::User {
        tenant: String::from("green"),
        user: String::from("ada"),
        generation: None,
    };
    assert_eq!(role(json!("ada")).unwrap(), ada);
    for wrong in [
        json!(null),
        json!(""),
        json!(7),
        json!(["ada"]),
        json!("x".repeat(65)),
        json!("two\nlines"),
    ] {
        let refused = role(wrong.clone()).unwrap_err().to_string();
        assert_eq!(refused, "the token does not name its user", "{wrong}");
    }
    let without = json!({"tenant": "green", "exp": at(600)});
    let accepted = authenticate(&authenticator, &signed("new", NEW, &without)).unwrap();
    assert_eq!(accepted.role, Role::Tenant(String::from("green")));
}

#[test]
fn a_key_may_be_for_users_only() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: String| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let key =
        json!({"kty": "oct", "alg": "HS256", "kid": "new", "k": base64(NEW), "only_users": true});
    let authenticator = Authenticator::load(&AuthConfig::Tokens {
        tenant_keys: None,
        operator_keys: None,
        tenant_jwks: Some(file("jwks", json!({"keys": [key]}).to_string())),
        jwt: JwtRules {
            user_claim: String::from("user"),
            ..JwtRules::default()
        },
        token_keys: file("tokens", format!("{NEW}\n")),
    });
    let authenticator = authenticator.unwrap();
    let of_user = json!({"tenant": "green", "exp": at(600), "user": "ada"});
    assert!(authenticate(&authenticator, &signed("new", NEW, &of_user)).is_ok());
    let message = why(&authenticator, &jwt("new", NEW, 600));
    assert_eq!(message, "the token does not name its user");
}

#[test]
fn audience_issuer_and_times_are_asked_for() {
    let (authenticator, _folder) = strict_authority(JwtRules {
        audiences: vec![String::from("games")],
        issuers: vec![String::from("https://id.example.org")],
        leeway: Duration::from_secs(5),
        user_claim: String::from("user"),
    });
    let token = |change: serde_json::Value| {
        let mut claims = json!({
            "tenant": "green", "exp": at(600), "nbf": at(-1),
            "aud": ["other", "games"], "iss": "https://id.example.org",
        });
        let all = claims.as_object_mut().unwrap();
        for (name, value) in change.as_object().unwrap() {
            all.insert(name.clone(), value.clone());
            all.retain(|_, value| !value.is_null());
        }
        signed("new", NEW, &claims)
    };
    assert!(authenticate(&authenticator, &token(json!({}))).is_ok());
    for (change, message) in [
        (json!({"aud": "other"}), "the token is for another audience"),
        (
            json!({"iss": "https://other.example.org"}),
            "the token is from another issuer",
        ),
        (json!({"nbf": at(60)}), "the token is not valid yet"),
        (json!({"exp": at(-6)}), "the token has expired"),
        (json!({"aud": null}), "the token is not valid"),
        (json!({"iss": null}), "the token is not valid"),
        (json!({"exp": null}), "the token is not valid"),
    ] {
        assert_eq!(
            why(&authenticator, &token(change.clone())),
            message,
            "{change}"
        );
    }
    for within in [json!({"nbf": at(3)}), json!({"exp": at(-3)})] {
        assert!(authenticate(&authenticator, &token(within)).is_ok());
    }
}

#[test]
fn a_seat_token_may_have_an_end() {
    let (authenticator, _folder) = authority();
    let until = |seconds| {
        let until = u64::try_from(at(seconds)).unwrap();
        authenticator
            .seat_token(&SeatGrant {
                expires_at: Some(until),
                ..grant(None)
            })
            .unwrap()
    };
    assert!(authenticate(&authenticator, &until(60)).is_ok());
    assert!(matches!(
        authenticate(&authenticator, &until(-1)),
        Err(ServiceError::TokenExpired)
    ));
}

fn grant(seat: Option<Seat>) -> SeatGrant {
    SeatGrant {
        game: GameId::from_u128(7),
        incarnation: 11,
        seat,
        generation: 3,
        expires_at: None,
        account: account(seat),
    }
}

fn account(seat: Option<Seat>) -> Account {
    Account::of_token_holder(Account::of_tenant("red"), GameId::from_u128(1), seat)
}

#[test]
fn a_key_is_known_by_its_hash() {
    assert_eq!(role("red key"), Some(Role::Tenant(String::from("red"))));
    assert_eq!(role("another key"), None);
    assert_eq!(role(&hex("red key")), None);
}

#[test]
fn a_signed_tenant_token_holds_until_it_expires_and_keys_can_be_replaced() {
    let green = Some(Role::Tenant(String::from("green")));
    assert_eq!(role(&jwt("old", OLD, 600)), green);
    assert_eq!(role(&jwt("new", NEW, 600)), green);
    assert_eq!(
        role(&jwt("old", NEW, 600)),
        None,
        "signed with another key than it names"
    );
    assert_eq!(role(&jwt("new", NEW, -600)), None, "expired");
}

#[test]
fn a_seat_token_holds_for_its_seat_alone_and_no_tenant_token_passes_for_one() {
    let (authenticator, _folder) = authority();
    let game = GameId::from_u128(7);
    let seat = Seat::new(2).unwrap();
    let (generation, incarnation) = (3, Some(11));
    let token = authenticator.seat_token(&grant(Some(seat))).unwrap();
    let of_seat = Role::Seat {
        game,
        seat,
        generation,
        incarnation,
    };
    assert_eq!(authenticate(&authenticator, &token).unwrap().role, of_seat);
    let spectator = authenticator.seat_token(&grant(None)).unwrap();
    let of_spectator = Role::Spectator {
        game,
        generation,
        incarnation,
    };
    assert_eq!(
        authenticate(&authenticator, &spectator).unwrap().role,
        of_spectator
    );
    for (token, seat) in [(&token, Some(seat)), (&spectator, None)] {
        let caller = authenticate(&authenticator, token).unwrap();
        assert_eq!(caller.account, account(seat));
    }
    let header = jsonwebtoken::decode_header(&token).unwrap();
    assert_eq!(header.alg, Algorithm::HS256);
    let forged = jwt("new", OLD, 600);
    assert!(authenticate(&authenticator, &forged).is_err());
}

#[test]
fn a_user_token_holds_for_its_user_until_its_end() {
    let (authenticator, _folder) = authority();
    let token = |until| {
        let grant = UserGrant {
            tenant: "red",
            user: "ada",
            generation: 7,
            expires_at: until,
        };
        authenticator.user_token(&grant).unwrap()
    };
    let until = u64::try_from(at(600)).unwrap();
    let caller = authenticate(&authenticator, &token(until)).unwrap();
    let ada = Role::User {
        tenant: String::from("red"),
        user: String::from("ada"),
        generation: Some(7),
    };
    assert_eq!(
        caller,
        Caller::new(ada).with_expiry(Duration::from_secs(until))
    );
    let passed = u64::try_from(at(-1)).unwrap();
    assert!(matches!(
        authenticate(&authenticator, &token(passed)),
        Err(ServiceError::TokenExpired)
    ));
    let forged = jsonwebtoken::encode(
        &jsonwebtoken::Header::default(),
        &json!({"aud": "gamekeeper-user", "of": "red", "sub": "ada", "generation": 7, "exp": until}),
        &jsonwebtoken::EncodingKey::from_secret(b"another secret of at least 32 characters"),
    );
    assert_eq!(
        why(&authenticator, &forged.unwrap()),
        "the token is not valid"
    );
}

#[test]
fn headers_that_are_no_bearer_tokens_are_refused() {
    let (authenticator, _folder) = authority();
    for header in [
        None,
        Some(""),
        Some("Bearer"),
        Some("Bearer "),
        Some("Basic red key"),
        Some("red key"),
    ] {
        assert!(
            authenticator.caller(header, || Ok(())).is_err(),
            "{header:?}"
        );
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
            jwt: JwtRules::default(),
            token_keys: file,
        }
    };
    let error = |text: &str| {
        Authenticator::load(&config(text))
            .err()
            .map(|error| error.to_string())
    };
    assert!(error("# nothing\n").unwrap().ends_with("contains no key"));
    assert!(
        error(&format!("{OLD}\nshort\n"))
            .unwrap()
            .contains("line 2")
    );
    assert_eq!(error(&format!("{OLD}\n")), None);
}

/// An empty key file is refused like a malformed one: it is hardly intended.
#[test]
fn a_key_file_without_a_key_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let token_keys = write("tokens", OLD);
    let error = |name: &str, text: &str| {
        let file = Some(write(name, text));
        let given = |kind: &str| file.clone().filter(|_| name == kind);
        let config = AuthConfig::Tokens {
            tenant_keys: given("tenants"),
            operator_keys: given("operators"),
            tenant_jwks: given("jwks"),
            jwt: JwtRules::default(),
            token_keys: token_keys.clone(),
        };
        Authenticator::load(&config)
            .err()
            .map(|error| error.to_string())
    };
    for name in ["tenants", "operators"] {
        for text in ["", "\n", "# none yet\n"] {
            let message = error(name, text).unwrap();
            assert!(
                message.ends_with(&format!("{name}: contains no key")),
                "{message}"
            );
        }
    }
    let empty = hex("");
    for (name, text) in [
        ("tenants", format!("red: {}\nblue: {empty}\n", hex("key"))),
        ("operators", format!("{}\n{empty}\n", hex("key"))),
    ] {
        let message = error(name, &text).unwrap();
        assert!(
            message.contains("line 2") && message.contains("empty key"),
            "{message}"
        );
    }
    let jwk = json!({"keys": [{"kty": "oct", "alg": "HS256", "k": ""}]});
    let message = error("jwks", &jwk.to_string()).unwrap();
    assert!(message.contains("jwks"), "{message}");
}

#[test]
fn a_key_is_bound_to_its_issuer_audience_and_tenants() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: String| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let bound = json!({
        "kty": "oct", "alg": "HS256", "kid": "old", "k": base64(OLD),
        "iss": "https://issuer.example", "aud": "games", "tenants": ["green", "teal"],
    });
    let free = json!({"kty": "oct", "alg": "HS256", "kid": "new", "k": base64(NEW)});
    let authenticator = Authenticator::load(&AuthConfig::Tokens {
        tenant_keys: None,
        operator_keys: None,
        tenant_jwks: Some(file("jwks", json!({"keys": [bound, free]}).to_string())),
        jwt: JwtRules::default(),
        token_keys: file("tokens", format!("{NEW}\n")),
    });
    let authenticator = authenticator.unwrap();
    let is_accepted = |key: &str, secret: &str, changed: &str, value: &str| {
        let mut claims = json!({
            "tenant": "green", "exp": at(600), "iss": "https://issuer.example", "aud": "games",
        });
        claims[changed] = json!(value);
        authenticate(&authenticator, &signed(key, secret, &claims)).is_ok()
    };
    assert!(is_accepted("old", OLD, "tenant", "teal"));
    for (claim, other) in [
        ("tenant", "red"),
        ("iss", "https://other.example"),
        ("aud", "else"),
    ] {
        assert!(!is_accepted("old", OLD, claim, other), "{claim}");
        assert!(
            is_accepted("new", NEW, claim, other),
            "a key without binding"
        );
    }
}

#[test]
fn a_token_that_wants_an_unknown_extension_is_refused() {
    let (authenticator, _folder) = authority();
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some(String::from("new"));
    let token = |header: &Header| {
        let claims = json!({"tenant": "green", "exp": at(600)});
        let key = EncodingKey::from_secret(NEW.as_bytes());
        jsonwebtoken::encode(header, &claims, &key).unwrap()
    };
    assert!(authenticate(&authenticator, &token(&header)).is_ok());
    header.crit = Some(vec![String::from("b64")]);
    assert!(authenticate(&authenticator, &token(&header)).is_err());
}

#[test]
fn keys_are_read_again_and_wrong_files_change_nothing() {
    let (authenticator, folder) = authority();
    let tenants = folder.path().join("tenants");
    assert!(authenticate(&authenticator, "red key").is_ok());
    std::fs::write(&tenants, "no key").unwrap();
    assert!(authenticator.reload().is_err());
    assert!(authenticate(&authenticator, "red key").is_ok());
    std::fs::write(&tenants, format!("red: {}\n", hex("new key"))).unwrap();
    authenticator.reload().unwrap();
    assert!(authenticate(&authenticator, "red key").is_err());
    assert!(authenticate(&authenticator, "new key").is_ok());
}
