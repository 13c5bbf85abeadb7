//! Builders for requests and for the expected parts of responses.

use serde_json::{Value, json};

/// The ruleset of the games in these sessions: any would do.
pub(super) const RULESET: &str = "dominion";

/// The time, in seconds, for which a call is repeated until it is answered as recorded.
pub(super) const PATIENCE: u64 = 10;

/// The id of a game that does not exist.
pub(super) const NO_GAME: &str = "00000000-0000-8000-8000-000000000000";

/// Builds a request about a seat of the game.
pub(super) fn of_seat(seat: u64) -> Value {
    with(look(), "seat", json!(seat))
}

/// Builds a call with its request.
pub(super) fn line(call: &str, request: &Value) -> Value {
    json!({"call": call, "request": request})
}

/// Adds a field to a call or a request.
pub(super) fn with(mut line: Value, field: &str, value: Value) -> Value {
    line[field] = value;
    line
}

/// Builds a request for a game of two players.
pub(super) fn create(request_id: &str) -> Value {
    json!({
        "ruleset": RULESET,
        "players": [{"name": "Ada"}, {"name": "Bob"}],
        "options": {RULESET: {"firstPlayer": 1}},
        "requestId": request_id,
    })
}

/// Builds a request about the game.
pub(super) fn look() -> Value {
    json!({"gameId": "$game"})
}

/// Builds a request of a seat that ends its turn.
pub(super) fn end_turn(seat: u64) -> Value {
    json!({"gameId": "$game", "seat": seat, "action": {RULESET: {"endTurn": {}}}})
}

/// Returns the facts of the game at a version in which this seat is in its buy phase.
pub(super) fn game(version: u64, seat: u64) -> Value {
    json!({
        "gameId": "$game",
        "version": version.to_string(),
        "status": "GAME_STATUS_ACTIVE",
        "pending": [{"seat": seat, "decision": "buy_phase"}],
    })
}

/// Builds the message about a game at this version in a stream of several games.
pub(super) fn change(game: &str, version: u64) -> Value {
    let game = json!({"gameId": game, "version": version.to_string()});
    json!({"change": {"table": {"game": game}}})
}

/// Builds a request for a game whose players have these users.
pub(super) fn create_for(users: [&str; 2]) -> Value {
    let mut request = create("");
    for (seat, user) in users.into_iter().enumerate() {
        request["players"][seat]["user"] = json!(user);
    }
    request
}

/// Builds the token holder for a user.
pub(super) fn user_holder(user: &str) -> Value {
    json!({"holder": {"user": {"user": user}}})
}

/// Builds the token holder for a seat.
pub(super) fn holder(seat: u64) -> Value {
    json!({"holder": {"seat": of_seat(seat)}})
}

/// Builds a response with the table of a game with these facts.
pub(super) fn table(game: &Value) -> Value {
    json!({"table": {"game": game}})
}

/// Builds a plan for worlds of a seat.
pub(super) fn worlds(game: &str, seat: u32) -> Value {
    json!({"plan": {"games": 1, "worlds": {"gameId": game, "seat": seat}}})
}
