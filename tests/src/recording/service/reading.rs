//! Sessions of reads: rulesets and their rules, games, records, and games in memory.

use serde_json::{Value, json};

use super::Sessions;
use super::requests::{NO_GAME, RULESET, game, line, look, of_seat, table, with};

impl Sessions {
    pub(super) fn documents(&mut self) {
        self.begin("what the server can play", None);
        self.answered("ListRulesets", &json!({}), &json!({}));
        let of_ruleset = json!({"ruleset": RULESET});
        self.answered("GetCatalogue", &of_ruleset, &json!({}));
        let of = |id: &str| json!({"id": id, "ruleset": RULESET, "chapter": "6"});
        let rule = json!({"rule": of("DOM-6.10")});
        self.answered("GetRule", &json!({"id": "DOM-6.10"}), &rule);
        let chapter = json!({"ruleset": RULESET, "chapter": "6", "pageSize": 1});
        let first = json!({"ruleset": RULESET, "chapter": "6"});
        self.answered("ListRules", &chapter, &json!({"rules": [first]}));
        for call in ["GetCatalogue", "ListRules"] {
            self.wrong(call, &json!({"ruleset": "chess"}));
        }
    }

    pub(super) fn read(&mut self) {
        self.begin("a game that is read", None);
        self.game();
        let query = |id: &str| json!({"gameId": id});
        let both = json!({"games": [query("$game"), query(NO_GAME)]});
        let problem = json!({"code": 5, "reason": "NO_SUCH_GAME"});
        let results = json!([
            {"gameId": "$game", "table": {"game": game(1, 1)}},
            {"gameId": NO_GAME, "problem": problem},
        ]);
        self.answered("BatchGetGames", &both, &json!({"results": results}));
        self.wrong("BatchGetGames", &json!({}));
        let kinds = with(of_seat(1), "kinds", json!(["play_all_treasures"]));
        let action = json!({RULESET: {"playAllTreasures": {}}});
        let only = json!({"kind": "play_all_treasures", "action": action});
        let legal = json!({"version": "1", "actions": [only], "exhaustive": true});
        self.answered("ListLegalActions", &kinds, &legal);
        let nothing = json!({"version": "1", "actions": []});
        self.answered("ListLegalActions", &of_seat(2), &nothing);
        let over = json!({"status": "GAME_STATUS_FINISHED", "resigned": [2]});
        self.answered("Resign", &of_seat(2), &json!({"game": over}));
        let after = with(look(), "afterVersion", json!("1"));
        let resigned = json!({"kind": "resigned", "seat": 2, "table": {"resigned": {"seat": 2}}});
        let ended = json!({"ended": {"reason": "END_REASON_RESIGNATION"}});
        let events = json!([resigned, {"kind": "ended", "table": ended}]);
        let entry = json!({"version": "2", "seat": 2, "events": events});
        self.answered("ListEvents", &after, &json!({"entries": [entry]}));
    }

    pub(super) fn exported(&mut self) {
        self.begin("the record of a game", None);
        self.game();
        let reason = json!({"status": "GAME_STATUS_FINISHED", "version": "2"});
        self.answered("EndGame", &look(), &json!({"game": reason}));
        let header = json!({"header": {"game": {"gameId": "$game", "version": "2"}}});
        let begin = json!({"version": {"pending": [{"seat": 1, "decision": "buy_phase"}]}});
        let ended = json!({"ended": {"reason": "END_REASON_ABORTED"}});
        let events = json!([{"kind": "ended", "table": ended}]);
        let end = json!({"version": {"entry": {"version": "2", "events": events}, "pending": []}});
        let last = json!({"end": {}});
        let whole = with(line("ExportGame", &look()), "ends", json!(true));
        let all = [header.clone(), begin, end.clone(), last.clone()];
        self.streams(whole, &all);
        let after = with(look(), "afterVersion", json!("1"));
        let rest = with(line("ExportGame", &after), "ends", json!(true));
        self.streams(rest, &[header, end, last]);
        let over = json!({"gameId": "$game", "status": "GAME_STATUS_FINISHED"});
        self.answered("GetGame", &look(), &table(&over));
    }

    pub(super) fn imported(&mut self) {
        self.begin("a record becomes a game again", None);
        self.game();
        let over = json!({"status": "GAME_STATUS_FINISHED", "version": "2"});
        self.answered("EndGame", &look(), &json!({"game": over}));
        let header = json!({"header": {"game": {"gameId": "$game", "version": "2"}}});
        let versions = [json!({"version": {}}), json!({"version": {}})];
        let [begin, end] = versions;
        let whole = with(line("ExportGame", &look()), "ends", json!(true));
        self.streams(whole, &[header, begin, end, json!({"end": {}})]);
        let import = |plan: &Value, parts: u64| {
            let request = json!({"plan": plan});
            with(line("ImportGame", &request), "record", json!(parts))
        };
        let origin = json!({"gameId": "$game", "version": "1"});
        let info = json!({"version": "1", "status": "GAME_STATUS_ACTIVE", "forkedFrom": origin, "importedVersions": "1"});
        let first = json!({"atVersion": "1"});
        self.passes(import(&first, 4), &json!({"game": info}));
        let info =
            json!({"version": "2", "status": "GAME_STATUS_FINISHED", "importedVersions": "2"});
        self.passes(import(&json!({}), 4), &json!({"game": info}));
        self.refused(import(&json!({}), 2), "INVALID_ARGUMENT", "RECORD_REFUSED");
        self.refused(import(&json!({}), 0), "INVALID_ARGUMENT", "MALFORMED");
        let later = json!({"atVersion": "3"});
        self.refused(import(&later, 4), "OUT_OF_RANGE", "NO_SUCH_VERSION");
    }

    /// Records a game in memory whose seats receive nothing but the turn.
    pub(super) fn practised(&mut self) {
        self.begin("games in memory", None);
        let options = json!({RULESET: {"firstPlayer": 1}});
        let plan = json!({
            "ruleset": RULESET, "seats": 2, "games": 1, "totalGames": 1, "options": options,
        });
        let turn = json!({"game": "1", "version": "1", "seat": 1});
        let play = line("SelfPlay", &json!({"plan": plan}));
        let play = with(play, "ends", json!(true));
        self.streams(play, &[json!({"observations": [turn]})]);
    }
}
