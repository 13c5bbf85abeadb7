//! Sessions of changes beyond the rules: resignations, clocks, take-backs, ends.

use serde_json::{Value, json};

use super::Sessions;
use super::requests::{PATIENCE, create, end_turn, game, line, look, of_seat, table, with};

impl Sessions {
    pub(super) fn left(&mut self) {
        self.begin("players who leave, and seats that are filled again", None);
        let mut three = create("");
        three["players"] = json!([{"name": "Ada"}, {"name": "Bob"}, {"name": "Cyd"}]);
        self.answered("CreateGame", &three, &table(&game(1, 1)));
        self.late(line("FillSeat", &of_seat(2)), "HAS_NOT_LEFT");
        let left = with(game(2, 1), "resigned", json!([2]));
        let again = with(of_seat(2), "requestId", json!("leave"));
        for _ in 0..2 {
            self.answered("Resign", &again, &json!({"game": left}));
        }
        self.late(line("Resign", &of_seat(2)), "HAS_LEFT");
        self.answered("FillSeat", &of_seat(2), &json!({"game": game(3, 1)}));
        self.answered("Resign", &of_seat(1), &json!({"game": game(4, 2)}));
        let over = json!({
            "status": "GAME_STATUS_FINISHED",
            "endReason": "END_REASON_RESIGNATION",
            "resigned": [1, 3],
        });
        self.answered("Resign", &of_seat(3), &json!({"game": over}));
        self.late(line("Resign", &of_seat(2)), "GAME_OVER");
    }

    pub(super) fn timed(&mut self) {
        self.begin("a table with clocks", None);
        let clock = json!({"clock": {"bankSeconds": 86_400}});
        let create = with(create(""), "table", clock);
        // The deadline of a seat differs in every run, so it is not compared.
        let at = |version: &str| json!({"gameId": "$game", "version": version});
        self.answered("CreateGame", &create, &table(&at("1")));
        self.late(line("ClaimTimeout", &of_seat(1)), "NOT_DUE");
        self.late(line("ClaimTimeout", &of_seat(2)), "OWES_NOTHING");
        self.late(line("ResumeGame", &look()), "NOT_PAUSED");
        let paused = with(at("2"), "paused", json!(true));
        self.answered("PauseGame", &look(), &json!({"game": paused}));
        self.late(line("PauseGame", &look()), "PAUSED");
        self.answered("ResumeGame", &look(), &json!({"game": at("3")}));
        let more = with(look(), "time", json!("60s"));
        self.answered("AddTime", &more, &json!({"game": at("4")}));
        let none = with(look(), "time", json!("0s"));
        self.wrong("AddTime", &none);
    }

    pub(super) fn late_player(&mut self) {
        self.begin("a player whose time runs out", None);
        let clock = json!({"clock": {"decisionSeconds": 1}});
        let create = with(create(""), "table", clock);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        // The claim is refused until the second is over, so it is repeated.
        let claim = with(line("ClaimTimeout", &of_seat(1)), "within", json!(PATIENCE));
        self.passes(claim, &json!({"game": game(2, 2)}));
    }

    pub(super) fn take_backs(&mut self) {
        self.begin("a table that takes back what nobody has seen", None);
        let unseen = json!({"takeBack": "TAKE_BACK_POLICY_UNSEEN"});
        let create = with(create(""), "table", unseen);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        self.late(line("TakeBack", &of_seat(1)), "NOTHING_TO_TAKE_BACK");
        let answer = with(of_seat(2), "number", json!("1"));
        self.late(line("AnswerProposal", &answer), "NOT_ASKED");
        self.late(line("PauseGame", &look()), "NO_CLOCK");
        self.begin("a table that takes nothing back", None);
        self.game();
        self.late(line("TakeBack", &of_seat(1)), "NO_TAKE_BACK");
        self.late(line("PauseGame", &of_seat(1)), "NOT_BY_AGREEMENT");
        self.late(line("EndGame", &of_seat(1)), "NOT_BY_AGREEMENT");
    }

    pub(super) fn agreed_take_backs(&mut self) {
        self.begin("a table that takes back what all agree to", None);
        let agreed = json!({"takeBack": "TAKE_BACK_POLICY_AGREED"});
        let create = with(create(""), "table", agreed);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        let proposed = |version: u64| {
            let back = json!({"toVersion": "1"});
            let proposal = json!({"number": version.to_string(), "seat": 1, "takeBack": back});
            json!({"game": with(game(version, 2), "proposal", proposal)})
        };
        let back = with(of_seat(1), "toVersion", json!("1"));
        let answer = |number: u64, agrees: bool| {
            let answer = with(of_seat(2), "number", json!(number.to_string()));
            with(answer, "agrees", json!(agrees))
        };
        self.answered("TakeBack", &back, &proposed(3));
        let declined = with(game(4, 2), "proposal", Value::Null);
        self.answered(
            "AnswerProposal",
            &answer(3, false),
            &json!({"game": declined}),
        );
        self.answered("TakeBack", &back, &proposed(5));
        let undone = json!({"game": game(6, 1)});
        self.answered("AnswerProposal", &answer(5, true), &undone);
    }

    pub(super) fn ended(&mut self) {
        self.begin("a game that its owner ends", None);
        self.game();
        let scored = with(look(), "scored", json!(true));
        self.wrong("EndGame", &scored);
        let ended = |reason: &str| json!({"status": "GAME_STATUS_FINISHED", "endReason": reason, "version": "2"});
        let again = with(look(), "requestId", json!("end"));
        let aborted = json!({"game": ended("END_REASON_ABORTED")});
        for _ in 0..2 {
            self.answered("EndGame", &again, &aborted);
        }
        self.late(line("EndGame", &look()), "GAME_OVER");
        self.late(line("ApplyAction", &end_turn(1)), "GAME_OVER");
        self.begin("a game that its players agree to end", None);
        let agreed = json!({"endByAgreement": true});
        let create = with(create(""), "table", agreed);
        let at = |version: &str| json!({"gameId": "$game", "version": version});
        self.answered("CreateGame", &create, &table(&at("1")));
        let scored = with(of_seat(1), "scored", json!(true));
        let proposal = json!({"number": "2", "seat": 1, "end": {"scored": true}});
        let proposed_game = with(at("2"), "proposal", proposal);
        self.answered("EndGame", &scored, &json!({"game": proposed_game}));
        let answer = |number: &str| {
            let answer = with(of_seat(2), "number", json!(number));
            with(answer, "agrees", json!(true))
        };
        self.late(line("AnswerProposal", &answer("1")), "NOT_ASKED");
        let over = with(ended("END_REASON_AGREED"), "version", json!("3"));
        self.answered("AnswerProposal", &answer("2"), &json!({"game": over}));
        self.late(line("AnswerProposal", &answer("2")), "GAME_OVER");
    }
}
