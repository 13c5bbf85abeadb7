//! Sessions of streams of one game, and of several named games.

use serde_json::json;

use super::Sessions;
use super::requests::{
    NO_GAME, change, create_for, end_turn, game, line, look, of_seat, table, with,
};

const USER: &str = "$run watched";

impl Sessions {
    pub(super) fn followed(&mut self) {
        self.begin("a game that is watched", None);
        self.game();
        let watch = |version: u64| {
            let after = with(look(), "afterVersion", json!(version.to_string()));
            line("WatchGame", &after)
        };
        let shown = |version: u64, seat: u64| {
            let (version, game) = (version.to_string(), game(version, seat));
            json!({"table": {"game": game}, "version": version})
        };
        self.streams(watch(0), &[shown(1, 1)]);
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        self.answered("ApplyAction", &end_turn(2), &table(&game(3, 1)));
        self.streams(watch(0), &[shown(3, 1)]);
        self.streams(watch(1), &[shown(2, 2), shown(3, 1)]);
        self.refused(watch(4), "OUT_OF_RANGE", "NO_SUCH_VERSION");
        let over = json!({"status": "GAME_STATUS_FINISHED", "version": "4"});
        self.answered("EndGame", &look(), &json!({"game": over}));
        let end = json!({"table": {"game": over}, "version": "4"});
        self.streams(watch(2), &[shown(3, 1), end]);
    }

    pub(super) fn followed_games(&mut self) {
        self.begin("games that are followed on one stream", None);
        let create = create_for([USER, ""]);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        let of_user = line("WatchGames", &json!({"user": USER}));
        self.streams(of_user.clone(), &[change("$game", 1)]);
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        self.streams(of_user, &[change("$game", 2)]);
        let after = |id: &str, version: &str| {
            let game = json!({"gameId": id, "afterVersion": version});
            line("WatchGames", &json!({"games": [game]}))
        };
        self.streams(after("$game", "1"), &[change("$game", 2)]);
        // A game that cannot be followed is left, and the stream continues with the others.
        let left = |id: &str, code: u64, reason: &str| {
            let problem = json!({"code": code, "reason": reason});
            json!({"left": {"gameId": id, "problem": problem}})
        };
        let unplayed = left("$game", 11, "NO_SUCH_VERSION");
        self.streams(after("$game", "3"), &[unplayed]);
        let unknown = left(NO_GAME, 5, "NO_SUCH_GAME");
        self.streams(after(NO_GAME, "0"), &[unknown]);
        let over = json!({"status": "GAME_STATUS_FINISHED", "resigned": [1]});
        self.answered("Resign", &of_seat(1), &json!({"game": over}));
        self.streams(after("$game", "2"), &[change("$game", 3)]);
        // A finished game has no news for its user.
        self.streams(line("WatchGames", &json!({"user": USER})), &[]);
        let named = json!({"gameId": "$game"});
        let twice = [named.clone(), named.clone()];
        for wrong in [
            json!({}),
            json!({"games": twice}),
            json!({"games": vec![named; 1_001]}),
            json!({"user": "x".repeat(65)}),
            json!({"user": USER, "cursor": "no cursor"}),
            json!({"user": USER, "fromTime": "2000-01-01T00:00:00Z"}),
        ] {
            self.wrong("WatchGames", &wrong);
        }
    }
}
