//! Records requests to create games, and requests that are refused in every game.

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw::CreateGameRequest;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::{Applied, create, legal_actions};
use gamekeeper_rules::table::{Detail, Seat, Seed, Viewer};
use gamekeeper_wire::{
    Wire, pending, standings, wrap_action, wrap_catalogue, wrap_options, wrap_view,
};
use prost_reflect::DynamicMessage;
use serde_json::{Value, json};

use super::{NAMES, Recorder, WrongOptions, chance, json as message, list, players_json, shared};

impl<W: Wire + Audit> Recorder<W> {
    /// Records options that the rules refuse.
    pub(super) fn creations(&mut self, wrong: &[WrongOptions]) {
        self.session("options that the rules refuse");
        for (players, text) in wrong {
            let names: Vec<String> = players.iter().map(|&name| name.to_owned()).collect();
            let field = shared("Options").get_field_by_name(W::INFO.id);
            let field = field.expect("the options of the ruleset");
            let kind = field.kind().as_message().expect("a message").clone();
            let options: Value = serde_json::from_str(text).expect("JSON");
            let dynamic = DynamicMessage::deserialize(kind, &options).expect("options");
            let options_message = dynamic.transcode_to::<W::PbOptions>().expect("options");
            let draft = W::draft(options_message).expect("options that mean something");
            let refusal = W::options(&names, &draft).expect_err("options that the rules refuse");
            self.covers("refusal", refusal.code());
            let options = json!({field.json_name(): options});
            let request = json!({
                "ruleset": W::INFO.id,
                "players": players_json(&names),
                "options": options,
            });
            self.refused(
                "CreateGame",
                &request,
                "INVALID_ARGUMENT",
                refusal.code(),
                Some(refusal.refused.rule),
            );
        }
    }

    /// Records the catalogue, with the texts that are printed on components.
    pub(super) fn catalogue(&mut self) {
        self.session("what is printed");
        let request = json!({"ruleset": W::INFO.id});
        let catalogue = message("Catalogue", &wrap_catalogue::<W>(&Rulebook::read(W::RULES)));
        self.digested(
            "GetCatalogue",
            &request,
            &json!({}),
            [("/catalogue", catalogue)],
        );
    }

    /// Records the requests that the service refuses regardless of the rules.
    pub(super) fn service(&mut self) {
        self.session("what every service refuses");
        let seats = usize::from(W::INFO.min_seats);
        let options = W::table(seats, 1);
        self.create(seats, &options, 1);
        for (call, request, code, reason) in meaningless(W::INFO.id) {
            self.refused(call, &request, code, reason, None);
        }
        let table = create::<W>(&options, chance(1));
        let seat = W::pending(&table.state)[0].seat;
        let action = legal_actions::<W>(&table.state, seat, Detail::Moves).swap_remove(0);
        let mut request = act::<W>(seat, &action);
        request["expectedVersion"] = json!("7");
        self.refused("ApplyAction", &request, "ABORTED", "STALE_VERSION", None);
    }

    /// Records a game that its owner ends, after which no decision is pending.
    pub(super) fn end(&mut self) {
        self.session("a game that is ended");
        let seats = usize::from(W::INFO.min_seats);
        let options = W::table(seats, 1);
        self.create(seats, &options, 1);
        let ended = json!({"game": {"status": "GAME_STATUS_FINISHED", "version": "2"}});
        self.answered("EndGame", &json!({"gameId": "$game"}), &ended);
        let mut view = W::view(&create::<W>(&options, chance(1)).state, Viewer::Spectator);
        W::clear_pending(&mut view);
        let request = json!({"gameId": "$game", "show": {"view": true}});
        let answer = json!({"table": {"view": message("View", &wrap_view::<W>(&view))}});
        self.answered("GetGame", &request, &answer);
    }

    pub(super) fn create(&mut self, seats: usize, options: &W::Options, seed: u64) {
        let names: Vec<String> = NAMES[..seats].iter().map(|&name| name.to_owned()).collect();
        let table = create::<W>(options, chance(seed));
        let request = CreateGameRequest {
            ruleset: W::INFO.id.to_owned(),
            options: Some(wrap_options::<W>(options)),
            seed: Seed::from_number(seed).as_bytes().to_vec(),
            show: Some(Show {
                view: true,
                ..Show::default()
            }),
            ..CreateGameRequest::default()
        };
        let mut request = message("CreateGameRequest", &request);
        request["players"] = players_json(&names);
        let view = wrap_view::<W>(&W::view(&table.state, Viewer::Spectator));
        let mut shown = json!({"game": info(&table, 1), "view": message("View", &view)});
        shown["game"]["gameId"] = json!("$game");
        self.answered("CreateGame", &request, &json!({"table": shown}));
    }
}

/// Returns the public facts on which another implementation must agree.
pub(super) fn info<W: Wire>(table: &Applied<W>, version: u64) -> Value {
    let decisions = pending(&W::pending(&table.state));
    let status = if decisions.is_empty() {
        "GAME_STATUS_FINISHED"
    } else {
        "GAME_STATUS_ACTIVE"
    };
    let mut info = json!({
        "version": version.to_string(),
        "status": status,
        "pending": list("PendingDecision", &decisions),
    });
    if let Some(ranking) = W::ranking(&table.state) {
        info["standings"] = list("Standing", &standings(&ranking));
        info["endReason"] = json!("END_REASON_RULES");
    }
    info
}

/// Builds a request for an action.
pub(super) fn act<W: Wire>(seat: Seat, action: &W::Action) -> Value {
    let action = message("Action", &wrap_action::<W>(action));
    json!({"gameId": "$game", "seat": seat.number(), "action": action})
}

/// Returns requests that are invalid in any game, with their calls, status codes and reasons.
fn meaningless(ruleset: &str) -> [(&'static str, Value, &'static str, &'static str); 10] {
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
        (
            "CreateGame",
            json!({"ruleset": ruleset, "players": [{"name": ""}]}),
            wrong,
        ),
        ("CreateGame", json!({"players": [{"name": "Ada"}]}), wrong),
    ]
    .map(|(call, request, (code, reason))| (call, request, code, reason))
}
