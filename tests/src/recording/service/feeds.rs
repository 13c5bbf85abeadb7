//! Sessions of the feed of a tenant, which reports the changes in all its games and is resumed by a cursor.

use serde_json::{Value, json};

use super::Sessions;
use super::requests::{
    RULESET, change, create_for, end_turn, game, line, look, of_seat, table, with,
};

const USER: &str = "$run feed";

/// Follows the games that a filter selects, from now on.
fn follow(filter: &Value) -> Value {
    line("WatchGames", &json!({"filter": filter}))
}

/// Follows the games that a filter selects, from the cursor of the last message received.
fn resume(filter: &Value) -> Value {
    let request = json!({"filter": filter, "cursor": "$cursor"});
    line("WatchGames", &request)
}

/// Builds the message that the filter does not select the game any more.
fn unselected(game: &str) -> Value {
    json!({"left": {"gameId": game, "problem": null}})
}

impl Sessions {
    pub(super) fn feed_of_a_label(&mut self) {
        self.begin("a feed of games with a label", Some("feeds"));
        let labels = json!({"session": "$run label"});
        let filter = json!({"labels": labels});
        self.streams(follow(&filter), &[]);
        let create = with(create_for(["", ""]), "labels", labels.clone());
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        // The changes since each cursor arrive in order, although no stream was open when they happened.
        self.streams(resume(&filter), &[change("$game", 1)]);
        self.streams(resume(&filter), &[change("$game", 2)]);
        self.answered("ApplyAction", &end_turn(2), &table(&game(3, 1)));
        self.streams(resume(&filter), &[change("$game", 3)]);
        // Another game gets the label and loses it again.
        let other = json!({"gameId": "$other", "version": "1"});
        self.answered("CreateGame", &create_for(["", ""]), &table(&other));
        let update = json!({"gameId": "$other", "setLabels": labels});
        self.answered("UpdateGame", &update, &json!({"game": other}));
        self.streams(resume(&filter), &[change("$other", 1)]);
        let update = json!({"gameId": "$other", "removeLabels": ["session"]});
        self.answered("UpdateGame", &update, &json!({"game": other}));
        self.streams(resume(&filter), &[unselected("$other")]);
        self.end_of_a_game(&filter);
    }

    /// The end of a game is reported with the event that led to it, and its deletion without events.
    fn end_of_a_game(&mut self, filter: &Value) {
        let over = json!({"status": "GAME_STATUS_FINISHED", "resigned": [2]});
        self.answered("Resign", &of_seat(2), &json!({"game": over}));
        let resigned = json!({"kind": "resigned", "seat": 2, "table": {"resigned": {"seat": 2}}});
        let ended = json!({"ended": {"reason": "END_REASON_RESIGNATION"}});
        let events = json!([resigned, {"kind": "ended", "table": ended}]);
        let mut end = change("$game", 4);
        end["change"]["entry"] = json!({"version": "4", "seat": 2, "events": events});
        let mut with_events = resume(filter);
        with_events["request"]["show"] = json!({"events": true});
        self.streams(with_events, &[end]);
        self.answered("DeleteGame", &look(), &json!({}));
        let problem = json!({"code": 5, "reason": "NO_SUCH_GAME"});
        let gone = json!({"left": {"gameId": "$game", "problem": problem}});
        self.streams(resume(filter), &[gone]);
    }

    pub(super) fn feed_of_a_user(&mut self) {
        self.begin("a feed of games of a user", Some("feeds"));
        let filter = json!({"user": USER, "ruleset": RULESET});
        self.streams(follow(&filter), &[]);
        let create = create_for(["", USER]);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        self.streams(resume(&filter), &[change("$game", 1)]);
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        self.streams(resume(&filter), &[change("$game", 2)]);
        // A viewer can be named for a game: seats see more than spectators.
        self.answered("ApplyAction", &end_turn(2), &table(&game(3, 1)));
        let viewer = json!({"kind": "VIEWER_KIND_SEAT", "seat": 2});
        let mut with_views = resume(&filter);
        with_views["request"]["games"] = json!([{"gameId": "$game", "viewer": viewer}]);
        let mut change = change("$game", 3);
        change["change"]["table"]["viewer"] = viewer;
        self.streams(with_views, &[change]);
        let gone = json!([{"seat": 2, "user": ""}]);
        let update = with(look(), "players", gone);
        self.answered("UpdateGame", &update, &json!({"game": game(3, 1)}));
        self.streams(resume(&filter), &[unselected("$game")]);
        let long_ago = json!({"filter": filter, "fromTime": "2000-01-01T00:00:00Z"});
        let long_ago = line("WatchGames", &long_ago);
        self.refused(long_ago, "OUT_OF_RANGE", "CURSOR_EXPIRED");
    }

    pub(super) fn wrong_feeds(&mut self) {
        self.begin("feeds that nobody can mean", None);
        self.game();
        let filter = |filter: Value| json!({"filter": filter});
        let named = |game: Value| json!({"filter": {}, "games": [game]});
        let viewer = json!({"kind": "VIEWER_KIND_SPECTATOR"});
        let time = "2000-01-01T00:00:00Z";
        for wrong in [
            filter(json!({"status": "GAME_STATUS_ACTIVE"})),
            filter(json!({"awaitingUser": "ada"})),
            filter(json!({"ruleset": "chess"})),
            filter(json!({"labels": {"": "gold"}})),
            json!({"filter": {}, "user": "ada"}),
            json!({"filter": {}, "cursor": "no cursor"}),
            json!({"filter": {}, "cursor": "no cursor", "fromTime": time}),
            named(look()),
            named(json!({"gameId": "$game", "afterVersion": "1", "viewer": viewer})),
        ] {
            self.wrong("WatchGames", &wrong);
        }
    }

    pub(super) fn no_feed(&mut self) {
        self.begin("a server that keeps no feeds", Some("no_feeds"));
        self.late(follow(&json!({})), "NO_FEED");
        let create = create_for([USER, ""]);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        // The games of a user can be followed all the same.
        let watch = line("WatchGames", &json!({"user": USER}));
        self.streams(watch, &[change("$game", 1)]);
    }
}
