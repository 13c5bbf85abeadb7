//! Requests: creation of games, and what is refused regardless of the game.

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{Applied, create, legal_actions};
use gamekeeper_rules::table::{Detail, Seat, Seed, Viewer};
use gamekeeper_wire::{PbOptions, Wire, pending, standings};
use prost_reflect::DynamicMessage;
use serde_json::{Value, json};

use super::{NAMES, Recorder, WrongOptions, chance, players_json};

impl<W: Wire + Audit> Recorder<W> {
    /// Options that the rules refuse.
    pub(super) fn creations(&mut self, wrong: &[WrongOptions]) {
        self.session("options that the rules refuse");
        for (players, text) in wrong {
            let names: Vec<String> = players.iter().map(|&name| name.to_owned()).collect();
            let kind = self
                .pool
                .get_message_by_name(&format!("{}.Options", W::PACKAGE))
                .expect("Options");
            let options: Value = serde_json::from_str(text).expect("JSON");
            let dynamic = DynamicMessage::deserialize(kind, &options).expect("options");
            let message = dynamic.transcode_to::<PbOptions<W>>().expect("options");
            let draft = W::draft(message).expect("options that mean something");
            let refusal = W::options(&names, &draft).expect_err("options that the rules refuse");
            self.covers("refusal", refusal.code());
            let request = json!({"players": players_json(&names), "options": options});
            self.refused(
                "CreateGame",
                &request,
                "INVALID_ARGUMENT",
                refusal.code(),
                Some(refusal.refused.rule),
            );
        }
    }

    /// What the service refuses regardless of the rules.
    pub(super) fn service(&mut self) {
        self.session("what every service refuses");
        let seats = usize::from(W::SHEET.min_seats);
        let options = W::table(seats, 1);
        self.create(seats, &options, 1);
        for (call, request, code, reason) in meaningless() {
            self.refused(call, &request, code, reason, None);
        }
        let table = create::<W>(&options, chance(1));
        let seat = W::pending(&table.state)[0].seat;
        let action = legal_actions::<W>(&table.state, seat, Detail::Moves).swap_remove(0);
        let mut request = self.action(seat, &action);
        request["expectedVersion"] = json!("7");
        self.refused("ApplyAction", &request, "ABORTED", "STALE_VERSION", None);
    }

    pub(super) fn create(&mut self, seats: usize, options: &W::Options, seed: u64) {
        let names: Vec<String> = NAMES[..seats].iter().map(|&name| name.to_owned()).collect();
        let table = create::<W>(options, chance(seed));
        let options = self.json("Options", &W::options_message(options));
        // Bytes are base64 in protobuf JSON: a little-endian number and zeros.
        let seed = self.json_of(
            "gamekeeper.v1.SelfPlayResult",
            &gamekeeper_proto::gamekeeper::v1::SelfPlayResult {
                seed: Seed::from_number(seed).as_bytes().to_vec(),
                ..Default::default()
            },
        )["seed"]
            .take();
        let request = json!({"players": players_json(&names), "options": options, "seed": seed});
        let view = W::view_message(&W::view(&table.state, Viewer::Spectator));
        let mut answer = json!({"game": self.info(&table, 1), "view": self.json("View", &view)});
        answer["game"]["gameId"] = json!("$game");
        self.answered("CreateGame", &request, &answer);
    }

    /// The facts that a re-implementation must agree on.
    pub(super) fn info(&self, table: &Applied<W>, version: u64) -> Value {
        let owed = pending(&W::pending(&table.state));
        let status = if owed.is_empty() {
            "GAME_STATUS_FINISHED"
        } else {
            "GAME_STATUS_ACTIVE"
        };
        let mut info = json!({
            "version": version.to_string(),
            "status": status,
            "pending": self.list("gamekeeper.v1.PendingDecision", &owed),
        });
        if let Some(ranking) = W::ranking(&table.state) {
            info["standings"] = self.list("gamekeeper.v1.Standing", &standings(&ranking));
        }
        info
    }

    pub(super) fn action(&self, seat: Seat, action: &W::Action) -> Value {
        let action = self.json("Action", &W::action_message(action));
        json!({"gameId": "$game", "seat": seat.number(), "action": action})
    }
}

/// Requests that are invalid in any game: call, request, status and reason.
fn meaningless() -> [(&'static str, Value, &'static str, &'static str); 9] {
    let with = |key: &str, value: Value| {
        let mut request = json!({"gameId": "$game"});
        request[key] = value;
        request
    };
    let missing = json!({"gameId": "00000000-0000-8000-8000-000000000000"});
    let (not_found, wrong) = (
        ("NOT_FOUND", "NO_SUCH_GAME"),
        ("INVALID_ARGUMENT", "MALFORMED"),
    );
    let no_seat = ("INVALID_ARGUMENT", "NO_SUCH_SEAT");
    let viewer = json!({"kind": "VIEWER_KIND_SPECTATOR", "seat": 1});
    [
        ("GetGame", missing, not_found),
        ("GetGame", json!({"gameId": "no id"}), not_found),
        (
            "GetGame",
            with("atVersion", json!("99")),
            ("OUT_OF_RANGE", "NO_SUCH_VERSION"),
        ),
        ("GetGame", with("viewer", viewer), wrong),
        ("ApplyAction", with("seat", json!(1)), wrong),
        ("ApplyAction", with("seat", json!(0)), no_seat),
        ("ListLegalActions", with("seat", json!(0)), no_seat),
        ("ListEvents", with("pageSize", json!(-1)), wrong),
        ("CreateGame", json!({"players": [{"name": ""}]}), wrong),
    ]
    .map(|(call, request, (code, reason))| (call, request, code, reason))
}
