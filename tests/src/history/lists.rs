//! Checks that lists contain exactly the games that belong there, once no more changes happen.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_proto::gamekeeper::v1;
use v1::{GameFilter, GameInfo, GameStatus, ListGamesRequest};

use super::desk::Desk;
use super::shared::Shared;

/// Compares the lists of every user and label with the facts of the games themselves.
///
/// # Panics
/// If a list cannot be read.
pub(super) async fn check(desk: &mut Desk, shared: &Shared, infos: &[GameInfo]) {
    let mut questions = BTreeSet::new();
    for info in infos {
        let users = info.players.iter().map(|player| player.user.clone());
        for user in users.filter(|user| !user.is_empty()) {
            questions.insert(Question::User(user.clone()));
            questions.insert(Question::Active(user.clone()));
            questions.insert(Question::Awaiting(user));
        }
        for (key, value) in &info.labels {
            questions.insert(Question::Label(key.clone(), value.clone()));
        }
    }
    for question in questions {
        let listed = listed(desk, &question).await;
        let has_info = |id: &&String| infos.iter().any(|info| info.game_id == **id);
        // A game whose creation was never answered is unknown to all clients.
        let matching: BTreeSet<&String> = listed.iter().filter(has_info).collect();
        let belongs = infos.iter().filter(|info| question.asks_for(info));
        let belongs: BTreeSet<&String> = belongs.map(|info| &info.game_id).collect();
        let mut distinct = listed.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if matching != belongs || distinct.len() != listed.len() {
            let text = format!("{question:?} lists {listed:?} instead of {belongs:?}");
            shared.broken("any game", text);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    User(String),
    Active(String),
    Awaiting(String),
    Label(String, String),
}

impl Question {
    fn call(&self) -> ListGamesRequest {
        ListGamesRequest {
            filter: Some(self.filter()),
            page_size: 7,
            ..Default::default()
        }
    }

    fn filter(&self) -> GameFilter {
        let all = GameFilter::default();
        match self.clone() {
            Self::User(user) => GameFilter { user, ..all },
            Self::Active(user) => GameFilter {
                user,
                status: GameStatus::Active.into(),
                ..all
            },
            Self::Awaiting(awaiting_user) => GameFilter {
                awaiting_user,
                ..all
            },
            Self::Label(key, value) => GameFilter {
                labels: BTreeMap::from([(key, value)]),
                ..all
            },
        }
    }

    fn asks_for(&self, info: &GameInfo) -> bool {
        let sits = |user: &String, seat: u32| {
            let mut players = info.players.iter();
            players.any(|player| player.user == *user && (seat == 0 || player.seat == seat))
        };
        match self {
            Self::User(user) => sits(user, 0),
            Self::Active(user) => sits(user, 0) && info.status() == GameStatus::Active,
            Self::Awaiting(user) => info.pending.iter().any(|pending| sits(user, pending.seat)),
            Self::Label(key, value) => info.labels.get(key) == Some(value),
        }
    }
}

async fn listed(desk: &mut Desk, question: &Question) -> Vec<String> {
    let (mut game_ids, mut call) = (Vec::new(), question.call());
    loop {
        let ask = desk.ask(call.clone());
        let page = desk.games.list_games(ask).await.expect("a list");
        let page = page.into_inner();
        game_ids.extend(page.games.into_iter().map(|info| info.game_id));
        call.page_token = page.next_page_token;
        if call.page_token.is_empty() {
            return game_ids;
        }
    }
}
