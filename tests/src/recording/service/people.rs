//! Sessions of names, users and labels that change, and of a user who is erased.

use serde_json::{Value, json};

use super::Sessions;
use super::requests::{create_for, game, look, table, with};

const USER: &str = "$run erased";

impl Sessions {
    pub(super) fn changed_people(&mut self) {
        self.begin("players who change their names", None);
        let create = with(create_for(["", ""]), "labels", json!({"league": "gold"}));
        let labeled = with(game(1, 1), "labels", json!({"league": "gold"}));
        self.answered("CreateGame", &create, &table(&labeled));
        let players = json!([{"seat": 1, "name": "Eve", "user": "$run fay"}]);
        let update = with(look(), "players", players);
        let update = with(update, "setLabels", json!({"round": "2"}));
        let update = with(update, "removeLabels", json!(["league"]));
        let mut changed = with(game(1, 1), "labels", json!({"round": "2"}));
        changed["players"] = json!([
            {"seat": 1, "name": "Eve", "user": "$run fay"},
            {"seat": 2, "name": "Bob"},
        ]);
        self.answered("UpdateGame", &update, &json!({"game": changed}));
        self.answered("GetGame", &look(), &table(&changed));
        let of_eve = json!({"filter": {"user": "$run fay"}});
        let listed = json!({"games": [{"gameId": "$game", "version": "1"}]});
        self.answered("ListGames", &of_eve, &listed);
        for wrong in [
            with(look(), "players", json!([{"seat": 1, "name": ""}])),
            with(look(), "setLabels", json!({"": "gold"})),
            with(look(), "setLabels", json!({"league": "x".repeat(65)})),
        ] {
            self.wrong("UpdateGame", &wrong);
        }
        self.answered("GetGame", &look(), &table(&changed));
    }

    pub(super) fn erased(&mut self) {
        self.begin("a user who is erased", None);
        let labels = json!({"host": USER, "city": "London", "league": "gold"});
        let create = with(create_for([USER, "$run bob"]), "labels", labels);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        let erase = json!({"user": USER, "labels": ["city"]});
        self.answered("EraseUser", &erase, &json!({"erased": 1, "failed": []}));
        let mut left = with(game(1, 1), "labels", json!({"league": "gold"}));
        left["players"] = json!([
            {"seat": 1, "name": "Player 1"},
            {"seat": 2, "name": "Bob", "user": "$run bob"},
        ]);
        self.answered("GetGame", &look(), &table(&left));
        let of_user = json!({"filter": {"user": USER}});
        self.answered("ListGames", &of_user, &json!({"games": []}));
        let none = json!({"erased": null, "failed": []});
        self.answered("EraseUser", &erase, &none);
        let many = vec![Value::from("key"); 17];
        for wrong in [
            json!({"user": ""}),
            json!({"user": "x".repeat(65)}),
            json!({"user": USER, "labels": many}),
            json!({"user": USER, "pageToken": "no token"}),
            json!({"user": USER, "pageSize": -1}),
        ] {
            self.wrong("EraseUser", &wrong);
        }
    }
}
