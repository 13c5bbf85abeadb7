//! Plain JSON over HTTP/1.1, as `curl` sends it: calls, streams, errors and refusals.

use gamekeeper_proto::gamekeeper::v1::{GetCatalogueRequest, ListRulesetsRequest};
use gamekeeper_tests::http::send;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED};
use gamekeeper_wire::contract::pool;
use prost::Message;
use prost_reflect::DynamicMessage;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const MEMORY: [&str; 2] = ["--store=memory", "--request-timeout=1s"];

/// Makes a call with this JSON, and returns the status and the response.
async fn call(address: &str, method: &str, json: &Value) -> (u16, Value) {
    call_with(address, method, &[], &json.to_string()).await
}

async fn call_with(
    address: &str,
    method: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, Value) {
    let headers = [headers, &[("content-type", "application/json")]].concat();
    let path = format!("/gamekeeper.v1.{method}");
    let answer = send(address, "POST", &path, &headers, body).await;
    (
        answer.status,
        serde_json::from_str(&answer.body).expect("JSON"),
    )
}

/// Returns the reason of a failed call.
fn reason(failure: &Value) -> &str {
    let details = failure["details"].as_array().expect("details");
    let info = details
        .iter()
        .find(|detail| detail["type"] == "google.rpc.ErrorInfo");
    let info = info.expect("an ErrorInfo");
    assert!(!failure["message"].as_str().unwrap().is_empty());
    info["debug"]["reason"].as_str().expect("a reason")
}

async fn new_game(address: &str) -> Value {
    let players = json!([{ "name": "Ada" }, { "name": "Bob" }]);
    let request = json!({ "ruleset": "dominion", "players": players });
    let (status, mut answer) = call(address, "GameService/CreateGame", &request).await;
    assert_eq!(status, 200, "{answer}");
    answer["table"]["game"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_played_in_json() {
    let server = Gamekeeperd::start(&MEMORY);
    let address = server.address();
    let game = new_game(address).await;
    let (id, seat) = (&game["gameId"], &game["pending"][0]["seat"]);
    let question = json!({ "gameId": id, "seat": seat });
    let (_, legal) = call(address, "GameService/ListLegalActions", &question).await;
    let action = &legal["actions"][0]["action"];
    let show = json!({ "events": true, "text": true });
    let request = json!({ "game_id": id, "seat": seat, "action": action, "show": show });
    let (status, played) = call(address, "GameService/ApplyAction", &request).await;
    assert_eq!(
        (status, &played["table"]["game"]["version"]),
        (200, &json!("2"))
    );
    assert!(played["entry"]["events"][0]["text"].is_string(), "{played}");

    let gold = json!({ "dominion": { "buyCard": { "card": "CARD_GOLD" } } });
    let request = json!({ "gameId": id, "seat": seat, "action": gold });
    let (status, refused) = call(address, "GameService/ApplyAction", &request).await;
    assert_eq!(
        (status, &refused["code"]),
        (400, &json!("failed_precondition"))
    );
    assert_eq!(reason(&refused), "CANNOT_AFFORD");
    let details = refused["details"].as_array().unwrap();
    let values = details
        .iter()
        .find(|detail| detail["type"] == "gamekeeper.v1.RefusalDetail");
    assert_eq!(
        values.unwrap()["debug"]["dominion"]["cannotAfford"]["cost"],
        6
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn json_says_what_grpc_says() {
    // Whole catalogues in JSON cost more than an address may use without a token in so short a time.
    let server = Gamekeeperd::start(&["--store=memory", "--max-rate=0"]);
    let listed = server
        .rulesets()
        .list_rulesets(ListRulesetsRequest::default())
        .await;
    let message = pool()
        .get_message_by_name("gamekeeper.v1.GetCatalogueResponse")
        .unwrap();
    for ruleset in listed.unwrap().into_inner().rulesets {
        let request = json!({ "ruleset": ruleset.id });
        let (status, json) = call(server.address(), "RulesetService/GetCatalogue", &request).await;
        assert_eq!(status, 200);
        let json = DynamicMessage::deserialize(message.clone(), json).unwrap();
        let request = GetCatalogueRequest {
            ruleset: ruleset.id,
            ..GetCatalogueRequest::default()
        };
        let response = server
            .rulesets()
            .get_catalogue(request)
            .await
            .unwrap()
            .into_inner();
        let decoded = DynamicMessage::decode(message.clone(), &*response.encode_to_vec()).unwrap();
        assert_eq!(json, decoded);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_lines() {
    let mut server = Gamekeeperd::start(&MEMORY);
    let address = server.address().to_owned();
    let game = new_game(&address).await;
    let request = json!({ "gameId": game["gameId"] }).to_string();
    let headers = [("content-type", "application/json")];
    let export = "/gamekeeper.v1.GameService/ExportGame";
    let record = send(&address, "POST", export, &headers, &request).await;
    assert_eq!(record.status, 200);
    let parts: Vec<Value> = record
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        parts[0]["header"].is_object() && parts[1]["version"].is_object(),
        "{parts:?}"
    );
    assert_eq!(parts.len(), 2);

    // A stream that ends with an error reports it in its last line.
    let watching = tokio::spawn(async move {
        let watch = "/gamekeeper.v1.GameService/WatchGame";
        send(&address, "POST", watch, &headers, &request).await
    });
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert!(server.stop());
    let watched = watching.await.unwrap();
    let lines: Vec<Value> = watched
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["table"]["game"]["gameId"], game["gameId"]);
    let error = &lines.last().unwrap()["error"];
    assert_eq!(
        (&error["code"], reason(error)),
        (&json!("unavailable"), "GOING_AWAY")
    );

    // A stream that fails at once is an error like any other.
    let server = Gamekeeperd::start(&MEMORY);
    let missing = json!({ "gameId": "00000000-0000-4000-8000-000000000000" });
    let (status, failed) = call(server.address(), "GameService/ExportGame", &missing).await;
    assert_eq!((status, reason(&failed)), (404, "NO_SUCH_GAME"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_refused_with_a_reason() {
    let server = Gamekeeperd::start(&MEMORY);
    let get = "GameService/GetGame";
    let long = json!({ "gameId": "a".repeat(70_000) }).to_string();
    let deep = format!(r#"{{"viewer": {}"#, r#"{"a":"#.repeat(10_000));
    let unknown = format!(r#"{{"{}": 1}}"#, "x".repeat(10_000));
    for (method, body, status, why) in [
        (get, "{", 400, "MALFORMED_MESSAGE"),
        (get, "[1]", 400, "MALFORMED_MESSAGE"),
        (get, "{} {}", 400, "MALFORMED_MESSAGE"),
        (get, r#"{"gameid": "a"}"#, 400, "MALFORMED_MESSAGE"),
        (get, r#"{"atVersion": -1}"#, 400, "MALFORMED_MESSAGE"),
        (
            get,
            r#"{"viewer": {"kind": "VIEWER_KIND_KING"}}"#,
            400,
            "MALFORMED_MESSAGE",
        ),
        (get, &deep, 400, "MALFORMED_MESSAGE"),
        (get, &unknown, 400, "MALFORMED_MESSAGE"),
        (get, &long, 429, "MESSAGE_TOO_LARGE"),
        ("GameService/Win", "{}", 501, "UNKNOWN_METHOD"),
        ("SelfPlayService/SelfPlay", "{}", 501, "UNKNOWN_METHOD"),
    ] {
        let (code, failure) = call_with(server.address(), method, &[], body).await;
        let text = failure["message"].as_str().unwrap();
        assert!(text.len() < 500, "{text}");
        assert_eq!(
            (code, reason(&failure)),
            (status, why),
            "{method}: {failure}"
        );
    }
    let zipped = [("content-encoding", "gzip")];
    let (status, failure) = call_with(server.address(), get, &zipped, "{}").await;
    assert_eq!((status, reason(&failure)), (501, "UNKNOWN_COMPRESSION"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_arrive_is_late() {
    // The server's limit ends the first call, the caller's own deadline the second.
    let patient = ["--store=memory", "--request-timeout=10m"];
    for (flags, deadline) in [(MEMORY, ""), (patient, "connect-timeout-ms: 100\r\n")] {
        let server = Gamekeeperd::start(&flags);
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let head = format!(
            "POST /gamekeeper.v1.RulesetService/ListRulesets HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             {deadline}content-type: application/json\r\ncontent-length: 10\r\n\r\n{{",
            server.address()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 504") && answer.contains(r#""DEADLINE""#),
            "{answer}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_those_of_grpc() {
    let tokens = KeyFiles::new();
    let server = tokens.server(&[]);
    let get = "GameService/ListGames";
    // Without a token the body is not read, so even nonsense is not noticed.
    let (status, failure) = call_with(server.address(), get, &[], "nonsense").await;
    assert_eq!((status, reason(&failure)), (401, "NO_TOKEN"));
    let bearer = format!("Bearer {RED}");
    let with_token = [("authorization", &*bearer)];
    let (status, games) = call_with(server.address(), get, &with_token, "").await;
    assert_eq!((status, games), (200, json!({})));
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_else_gets_a_sentence() {
    let server = Gamekeeperd::start(&MEMORY);
    let list = "/gamekeeper.v1.RulesetService/ListRulesets";
    for (method, path, media, status, what) in [
        ("GET", "/", "", 405, "curl"),
        ("GET", list, "application/json", 405, "curl"),
        ("POST", list, "", 415, "curl"),
        ("POST", list, "text/plain", 415, "curl"),
        ("POST", list, "application/grpc", 400, "HTTP/2"),
    ] {
        let headers = [("content-type", media)];
        let headers = if media.is_empty() { &[][..] } else { &headers };
        let answer = send(server.address(), method, path, headers, "").await;
        assert_eq!(answer.status, status, "{method} {media}");
        assert!(
            answer.body.contains(what) && answer.body.ends_with(".\n")
                || answer.body.ends_with("ListRulesets\n"),
            "{}",
            answer.body
        );
    }
}
