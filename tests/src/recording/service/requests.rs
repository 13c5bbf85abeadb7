//! Requests, and what answers to them have.

use serde_json::{Value, json};

/// The ruleset of the games in these sessions: any would do.
pub(super) const RULESET: &str = "dominion";

/// For how many seconds a call is sent again that is not answered as recorded yet.
pub(super) const PATIENCE: u64 = 10;

/// An id of a game that nobody has.
pub(super) const NO_GAME: &str = "00000000-0000-8000-8000-000000000000";

/// A request about a seat of the game.
pub(super) fn of_seat(seat: u64) -> Value {
    with(look(), "seat", json!(seat))
}

/// A call with its request.
pub(super) fn line(call: &str, request: &Value) -> Value {
    json!({"call": call, "request": request})
}

/// The same with one more field.
pub(super) fn with(mut line: Value, field: &str, value: Value) -> Value {
    line[field] = value;
    line
}

/// A request for a game of two players.
pub(super) fn create(request_id: &str) -> Value {
    json!({
        "ruleset": RULESET,
        "players": [{"name": "Ada"}, {"name": "Bob"}],
        "options": {RULESET: {"firstPlayer": 1}},
        "requestId": request_id,
    })
}

/// A request about the game.
pub(super) fn look() -> Value {
    json!({"gameId": "$game"})
}

/// A request of a seat that ends its turn.
pub(super) fn end_turn(seat: u64) -> Value {
    json!({"gameId": "$game", "seat": seat, "action": {RULESET: {"endTurn": {}}}})
}

/// The facts of the game at a version, when a seat is in its buy phase.
pub(super) fn game(version: u64, seat: u64) -> Value {
    json!({
        "gameId": "$game",
        "version": version.to_string(),
        "status": "GAME_STATUS_ACTIVE",
        "pending": [{"seat": seat, "decision": "buy_phase"}],
    })
}

/// A game in a stream of many, at this version.
pub(super) fn change(game: &str, version: u64) -> Value {
    let game = json!({"gameId": game, "version": version.to_string()});
    json!({"change": {"table": {"game": game}}})
}

/// A request for a game whose players have these users.
pub(super) fn create_for(users: [&str; 2]) -> Value {
    let mut request = create("");
    for (seat, user) in users.into_iter().enumerate() {
        request["players"][seat]["user"] = json!(user);
    }
    request
}

/// The user as holder of tokens.
pub(super) fn user_holder(user: &str) -> Value {
    json!({"holder": {"user": {"user": user}}})
}

/// The holder of a token for a seat.
pub(super) fn holder(seat: u64) -> Value {
    json!({"holder": {"seat": of_seat(seat)}})
}

/// An answer with the table of a game of these facts.
pub(super) fn table(game: &Value) -> Value {
    json!({"table": {"game": game}})
}

/// A plan for worlds of a seat.
pub(super) fn worlds(game: &str, seat: u32) -> Value {
    json!({"plan": {"games": 1, "worlds": {"gameId": game, "seat": seat}}})
}
