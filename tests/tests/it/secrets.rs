//! Secrets stay secret: seeds, salts, tokens, keys and passwords occur in no log line, not even at trace level, in no
//! error, in no printed configuration and in no help text.

use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_proto::gamekeeper::v1::access_service_client::AccessServiceClient;
use gamekeeper_tests::dominion::{Client, Table, ada_and_bob};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::binary;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing, seat_holder, user_holder};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tonic::Status;
use tonic::transport::Endpoint;

/// Maximum time for every wait.
const SOON: Duration = Duration::from_secs(20);

const SEED: &[u8; 32] = b"a-seed-of-32-bytes-in-plain-text";
const PASSWORD: &str = "the-password-of-redis";
const WRONG_PASSWORD: &str = "another-password-of-redis";
const TEAM_SECRET: &str = "the-secret-of-a-team-that-signs-its-own-tokens";
/// A signing secret, as in the key files.
const SIGNING_SECRET: &str = "a secret of the tests that is long enough to sign";

/// Returns the encodings in which the bytes of a secret may appear.
fn spellings(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut spelled = vec![
        secret.to_vec(),
        const_hex::encode(secret).into_bytes(),
        const_hex::encode_upper(secret).into_bytes(),
        secret.escape_ascii().to_string().into_bytes(),
        format!("{secret:?}")
            .trim_matches(['[', ']'])
            .as_bytes()
            .to_vec(),
    ];
    // The base64 form depends on the offset of the secret modulo 3.
    for skipped in 0..3 {
        let whole = (secret.len() - skipped) / 3 * 3;
        for alphabet in [b"+/", b"-_"] {
            spelled.push(base64(&secret[skipped..skipped + whole], alphabet));
        }
    }
    spelled
}

fn base64(bytes: &[u8], last_two: &[u8; 2]) -> Vec<u8> {
    let digits: Vec<u8> = (b'A'..=b'Z')
        .chain(b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(*last_two)
        .collect();
    let of_group = |group: &[u8]| {
        let bits = group
            .iter()
            .fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        (0..=group.len())
            .map(move |at| bits >> (18 - 6 * at) & 63)
            .collect::<Vec<_>>()
    };
    bytes
        .chunks(3)
        .flat_map(of_group)
        .map(|digit| digits[digit])
        .collect()
}

/// Returns whether the text contains the secret in any encoding.
fn finds(text: &[u8], secret: &[u8]) -> bool {
    spellings(secret).iter().any(|spelled| {
        let first = spelled[0];
        let mut rest = text;
        while let Some(at) = rest.iter().position(|byte| *byte == first) {
            rest = &rest[at..];
            if rest.starts_with(spelled) {
                return true;
            }
            rest = &rest[1..];
        }
        false
    })
}

#[test]
fn every_spelling_is_found() {
    let secret = b"a secret of some length";
    let spelled = spellings(secret);
    assert_eq!(
        spelled[1],
        b"6120736563726574206f6620736f6d65206c656e677468"
    );
    assert_eq!(spelled[5], b"YSBzZWNyZXQgb2Ygc29tZSBsZW5n");
    for spelled in spelled {
        let text = [b"before it ".as_slice(), &spelled, b" after it"].concat();
        assert!(finds(&text, secret), "{}", spelled.escape_ascii());
    }
    assert!(!finds(b"a secret of another length", secret));
}

/// A server whose log is written to a file.
struct Logged {
    child: Child,
    log: PathBuf,
    address: String,
}

impl Logged {
    fn start(flags: &[String], log: &Path) -> Logged {
        let child = Command::new(binary("gamekeeperd"))
            .args([
                "--listen=127.0.0.1:0",
                "--admin-listen=127.0.0.1:0",
                "--log=trace",
            ])
            .args(flags)
            .stderr(File::create(log).unwrap())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Logged {
            child,
            log: log.to_owned(),
            address: String::new(),
        };
        let begun = Instant::now();
        while server.address.is_empty() {
            assert!(
                begun.elapsed() < SOON,
                "{}",
                String::from_utf8_lossy(&server.log())
            );
            std::thread::sleep(Duration::from_millis(20));
            server.address = server.greeted().unwrap_or_default();
        }
        server
    }

    fn greeted(&self) -> Option<String> {
        let log = String::from_utf8_lossy(&self.log()).into_owned();
        let (_, rest) = log.split_once("Gamekeeper listens on ")?;
        rest.contains('\n')
            .then(|| rest.split_whitespace().next().map(str::to_owned))?
    }

    async fn metrics(&self) -> Vec<u8> {
        let log = String::from_utf8_lossy(&self.log()).into_owned();
        let (_, rest) = log
            .split_once("/metrics and /log on ")
            .expect("an admin port");
        let address = rest.split_whitespace().next().expect("an address");
        let (status, metrics) = ask(address.trim_end_matches('.'), "GET", "/metrics", "").await;
        assert_eq!(status, 200);
        metrics.into_bytes()
    }

    fn log(&self) -> Vec<u8> {
        std::fs::read(&self.log).unwrap()
    }

    fn channel(&self) -> Channel {
        let uri = format!("http://{}", self.address);
        let channel = Endpoint::from_shared(uri).unwrap().connect_lazy();
        Channel::of_this_test(channel, &self.address)
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// The files with all kinds of secrets, and the flags that name them.
struct Vault {
    keys: KeyFiles,
    folder: TempDir,
}

impl Vault {
    fn new() -> Vault {
        let folder = TempDir::new().unwrap();
        let key = String::from_utf8(base64(TEAM_SECRET.as_bytes(), b"-_")).unwrap();
        let jwks =
            serde_json::json!({"keys": [{"kty": "oct", "alg": "HS256", "kid": "one", "k": key}]});
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("jwks", &jwks.to_string());
        write("password", PASSWORD);
        write("wrong", WRONG_PASSWORD);
        Vault {
            keys: KeyFiles::new(),
            folder,
        }
    }

    fn flags(&self, redis: &RedisServer, password: &str) -> Vec<String> {
        let file = |name: &str| self.folder.path().join(name).display().to_string();
        let mut flags = self.keys.flags();
        flags.extend([
            format!("--tenant-jwks-file={}", file("jwks")),
            String::from("--allow-seeds"),
            String::from("--store=redis"),
            format!("--redis={}", redis.address()),
            format!("--redis-password-file={}", file(password)),
        ]);
        flags
    }
}

/// Returns a token signed by a team.
fn team_token(secret: &str) -> String {
    let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
    header.kid = Some(String::from("one"));
    let claims = serde_json::json!({"tenant": "green", "exp": 4_000_000_000_u64});
    let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
    jsonwebtoken::encode(&header, &claims, &key).unwrap()
}

/// The errors of a server in calls of every kind, and the secrets involved.
struct Story {
    errors: String,
    secrets: Vec<Vec<u8>>,
    game_id: String,
    commitment: Vec<u8>,
}

impl Story {
    fn failed<A: std::fmt::Debug>(&mut self, answer: Result<A, Status>) {
        let status = answer.expect_err("a failure");
        // The details both encoded, as in headers, and decoded.
        let details = status.details().to_vec();
        let _never_fails = write!(
            self.errors,
            "{status:?} {} {}",
            String::from_utf8_lossy(&details),
            String::from_utf8(base64(&details, b"+/")).unwrap()
        );
    }

    /// Starts a game with a known seed, plays a little, and issues tokens of every kind.
    async fn begin(games: &mut Client) -> (Story, Table) {
        let create = v1::CreateGameRequest {
            seed: SEED.to_vec(),
            ..ada_and_bob()
        };
        let team = team_token(TEAM_SECRET);
        let created = games.create_game(bearing(&team, create.clone())).await;
        created.expect("a team that signs its own tokens");
        let created = games.create_game(bearing(RED, create)).await.unwrap();
        let created = created.into_inner();
        let spectator = created.tokens.clone().unwrap().spectator;
        let mut table = Table::of(created);
        table.play(games, 20).await.unwrap();
        let known_secrets = [
            RED,
            OPERATOR,
            PASSWORD,
            WRONG_PASSWORD,
            TEAM_SECRET,
            SIGNING_SECRET,
            &team,
            &spectator,
        ];
        let secrets = known_secrets
            .iter()
            .map(|secret| secret.as_bytes().to_vec());
        let tokens = table.tokens.iter().map(|token| token.clone().into_bytes());
        let story = Story {
            errors: String::new(),
            secrets: secrets.chain([SEED.to_vec()]).chain(tokens).collect(),
            game_id: table.game.game_id.clone(),
            commitment: table.game.seed_commitment.clone(),
        };
        (story, table)
    }

    /// Provokes errors with tokens that are invalid or no longer valid.
    async fn knock(&mut self, channel: Channel, table: &Table) {
        let mut access = AccessServiceClient::new(channel.clone());
        let mut games = Client::new(channel);
        let holder = || Some(seat_holder(&self.game_id, 1));
        let revoke = v1::RevokeTokensRequest { holder: holder() };
        access.revoke_tokens(bearing(RED, revoke)).await.unwrap();
        let issue = v1::IssueTokenRequest {
            holder: holder(),
            expire_time: None,
        };
        let fresh = access.issue_token(bearing(RED, issue)).await.unwrap();
        let fresh = fresh.into_inner().token;
        let of_user = v1::IssueTokenRequest {
            holder: Some(user_holder("ada")),
            expire_time: None,
        };
        let of_user = access.issue_token(bearing(RED, of_user)).await.unwrap();
        let of_user = of_user.into_inner().token;
        let holder = Some(user_holder("ada"));
        let revoke = v1::RevokeTokensRequest { holder };
        access.revoke_tokens(bearing(RED, revoke)).await.unwrap();
        let forged = team_token("not the secret of the team, but as long");
        for token in [
            table.token(1),
            &forged,
            &of_user,
            &table.token(2)[1..],
            "a key of nobody",
        ] {
            let ask = v1::GetGameRequest {
                game_id: self.game_id.clone(),
                ..Default::default()
            };
            self.failed(games.get_game(bearing(token, ask)).await);
        }
        self.secrets
            .extend([fresh, forged, of_user].map(String::into_bytes));
    }

    /// Provokes errors with a valid token.
    async fn err(&mut self, games: &mut Client, table: &Table) {
        let export = v1::ExportGameRequest {
            game_id: self.game_id.clone(),
            with_states: true,
            ..Default::default()
        };
        self.failed(games.export_game(bearing(RED, export)).await);
        let wrong_seed = v1::CreateGameRequest {
            seed: SEED[1..].to_vec(),
            ..ada_and_bob()
        };
        self.failed(games.create_game(bearing(RED, wrong_seed)).await);
        let act = v1::ApplyActionRequest {
            game_id: self.game_id.clone(),
            seat: 2,
            expected_version: 1,
            ..Default::default()
        };
        self.failed(games.apply_action(bearing(table.token(2), act)).await);
    }

    async fn tell(channel: Channel) -> Story {
        let mut games = Client::new(channel.clone());
        let (mut story, table) = Story::begin(&mut games).await;
        story.knock(channel, &table).await;
        story.err(&mut games, &table).await;
        story
    }

    /// Returns the salt, which is stored with the seed.
    fn salt(&self, redis: &RedisServer) -> Vec<u8> {
        let key = format!("gk:{{{}}}:log", self.game_id);
        let client =
            redis::Client::open(format!("redis://:{PASSWORD}@{}", redis.address())).unwrap();
        let mut connection = client.get_connection().unwrap();
        let first: redis::Value = redis::cmd("XRANGE")
            .arg(key)
            .arg("-")
            .arg("+")
            .arg("COUNT")
            .arg(1)
            .query(&mut connection)
            .unwrap();
        let mut stored = Vec::new();
        strings(&first, &mut stored);
        let at = stored
            .windows(32)
            .position(|window| window == SEED)
            .expect("the seed is kept");
        // The salt is the next field, after its tag and its length.
        let salt = stored[at + 34..at + 66].to_vec();
        let commitment = Sha256::new()
            .chain_update(&salt)
            .chain_update(SEED)
            .finalize();
        assert_eq!(
            self.commitment,
            commitment.to_vec(),
            "the salt stands behind the seed"
        );
        salt
    }
}

fn strings(value: &redis::Value, collected: &mut Vec<u8>) {
    if let redis::Value::Array(values) = value {
        values.iter().for_each(|value| strings(value, collected));
    } else if let redis::Value::BulkString(bytes) = value {
        collected.extend(bytes);
    }
}

/// Returns the output of a server, including its standard error, up to its end.
fn printed(flags: &[String], last: &str) -> Vec<u8> {
    let output = Command::new(binary("gamekeeperd"))
        .args(flags)
        .arg(last)
        .output()
        .unwrap();
    [output.stdout, output.stderr].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_logs_errors_or_print_outs() {
    let redis = RedisServer::start(&RedisOptions::new().set("requirepass", PASSWORD));
    let vault = Vault::new();
    let flags = vault.flags(&redis, "password");
    let server = Logged::start(&flags, &vault.folder.path().join("log"));
    let mut story = Story::tell(server.channel()).await;
    story.secrets.push(story.salt(&redis));
    // The store is stopped, so that its failures are logged and searched too.
    drop(redis);
    let call = v1::GetGameRequest {
        game_id: story.game_id.clone(),
        ..Default::default()
    };
    let unavailable = Client::new(server.channel())
        .get_game(bearing(RED, call))
        .await;
    story.failed(unavailable);
    let metrics = server.metrics().await;
    let log = server.log();
    let text = String::from_utf8_lossy(&log);
    assert!(text.contains("DEBUG") && text.contains("gamekeeper.v1.GameService/ApplyAction"));
    drop(server);

    let redis = RedisServer::start(&RedisOptions::new().set("requirepass", PASSWORD));
    let wrong = vault.flags(&redis, "wrong");
    let outputs = [
        ("the log", log),
        ("the metrics", metrics),
        ("the errors", story.errors.into_bytes()),
        ("--print-config", printed(&flags, "--print-config")),
        ("--check", printed(&flags, "--check")),
        ("--help", printed(&flags, "--help")),
        (
            "a start with the wrong password",
            printed(&wrong, "--log=trace"),
        ),
    ];
    for (output, text) in &outputs {
        assert!(!text.is_empty(), "{output}");
        for secret in &story.secrets {
            assert!(
                !finds(text, secret),
                "{:?} is in {output}",
                secret.escape_ascii().to_string()
            );
        }
    }
}
