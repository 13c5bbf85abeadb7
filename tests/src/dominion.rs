//! A small front end for Dominion that creates games, buys treasures and provinces, and reads refusals.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::game_service_client::GameServiceClient;
use gamekeeper_proto::gamekeeper::v1::{
    self as service, Action, ApplyActionRequest, CreateGameRequest, CreateGameResponse, GameInfo,
    GetGameRequest, LegalAction, ListLegalActionsRequest, Options, Player, Show, action, event,
    options, view,
};
use pb::action::Kind;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::evidence::Channel;
use crate::tokens::bearing;

/// A client of the game service.
pub type Client = GameServiceClient<Channel>;

/// The parts of responses that a front end needs to draw the table and to report events.
pub const SEEN: Show = Show {
    view: true,
    events: true,
    text: false,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    anonymous: false,
    numbers: 0,
};

/// Builds players with these names.
#[must_use]
pub fn players(names: &[&str]) -> Vec<Player> {
    names
        .iter()
        .map(|name| Player {
            seat: 0,
            name: (*name).to_owned(),
            ..Player::default()
        })
        .collect()
}

/// Builds a request for a game of players with these names.
#[must_use]
pub fn game_of(names: &[&str]) -> CreateGameRequest {
    CreateGameRequest {
        ruleset: String::from("dominion"),
        players: players(names),
        ..Default::default()
    }
}

/// Builds a request for a game of Ada and Bob.
#[must_use]
pub fn ada_and_bob() -> CreateGameRequest {
    game_of(&["Ada", "Bob"])
}

/// Wraps options of Dominion for a request.
#[must_use]
pub fn options(of_ruleset: pb::Options) -> Options {
    Options {
        ruleset: Some(options::Ruleset::Dominion(of_ruleset)),
    }
}

/// Wraps an action of Dominion for a request.
#[must_use]
pub fn action(kind: Kind) -> Action {
    let of_ruleset = pb::Action { kind: Some(kind) };
    Action {
        ruleset: Some(action::Ruleset::Dominion(of_ruleset)),
    }
}

/// Returns the kind of an action of Dominion. Returns `None` for an action of another ruleset.
#[must_use]
pub fn kind_of(action: &Action) -> Option<&Kind> {
    let Some(action::Ruleset::Dominion(of_ruleset)) = &action.ruleset else {
        return None;
    };
    of_ruleset.kind.as_ref()
}

/// Returns the kind of a legal action of Dominion.
#[must_use]
pub fn legal_kind(action: &LegalAction) -> Option<&Kind> {
    action.action.as_ref().and_then(kind_of)
}

/// Returns the kind of an event of Dominion's rules. Returns `None` for an event beyond the rules or of another
/// ruleset.
#[must_use]
pub fn event_kind(event: &service::Event) -> Option<&pb::event::Kind> {
    let Some(event::Ruleset::Dominion(of_ruleset)) = &event.ruleset else {
        return None;
    };
    of_ruleset.kind.as_ref()
}

/// Returns the requested view of a table of Dominion.
///
/// # Panics
/// If the table has no view of Dominion.
#[must_use]
pub fn view_of(table: &service::Table) -> &pb::View {
    let view = table.view.as_ref().and_then(|view| view.ruleset.as_ref());
    let Some(view::Ruleset::Dominion(view)) = view else {
        panic!("a view of Dominion: {view:?}");
    };
    view
}

/// Returns the public facts of the table in a response.
///
/// # Panics
/// If there is no table with public facts.
#[must_use]
pub fn facts(table: Option<service::Table>) -> GameInfo {
    let facts = table.and_then(|table| table.game);
    facts.expect("a table with its public facts")
}

/// Chooses an action by the Big Money strategy.
///
/// # Panics
/// If there are no legal actions.
#[must_use]
pub fn choose(actions: &[LegalAction]) -> Action {
    let wishes = [pb::Card::Province, pb::Card::Gold, pb::Card::Silver];
    let is = |wanted: &dyn Fn(&Kind) -> bool| {
        let mut actions = actions.iter();
        actions.find(|action| legal_kind(action).is_some_and(wanted))
    };
    let buys = |card: pb::Card| {
        is(&|kind| matches!(kind, Kind::BuyCard(buy) if buy.card == i32::from(card)))
    };
    is(&|kind| matches!(kind, Kind::PlayAllTreasures(_)))
        .or_else(|| wishes.into_iter().find_map(buys))
        .or_else(|| is(&|kind| matches!(kind, Kind::EndTurn(_))))
        .or_else(|| actions.first())
        .and_then(|chosen| chosen.action.clone())
        .expect("whoever owes a decision has a legal action")
}

/// A game as its players know it, with a token for each seat; the list of tokens is empty on a server without tokens.
#[derive(Clone, Debug)]
pub struct Table {
    /// The newest public facts.
    pub game: GameInfo,
    /// The tokens in seat order.
    pub tokens: Vec<String>,
}

impl Table {
    /// Creates a game of Ada and Bob on a server without tokens.
    ///
    /// # Panics
    /// If the server refuses.
    pub async fn begin(client: &mut Client) -> Self {
        let created = client.create_game(ada_and_bob()).await;
        Self::of(created.expect("a game").into_inner())
    }

    /// Returns the table of a game that was just created.
    ///
    /// # Panics
    /// If the response contains no game.
    #[must_use]
    pub fn of(created: CreateGameResponse) -> Self {
        let game = facts(created.table);
        let tokens = match created.tokens {
            Some(tokens) => tokens.seats.into_iter().map(|seat| seat.token).collect(),
            None => vec![String::new(); game.players.len()],
        };
        Self { game, tokens }
    }

    /// Builds a request for the newest version of the game.
    #[must_use]
    pub fn ask(&self) -> GetGameRequest {
        GetGameRequest {
            game_id: self.game.game_id.clone(),
            ..Default::default()
        }
    }

    /// Returns the token of a seat; empty on a server without tokens.
    ///
    /// # Panics
    /// If the seat is 0.
    #[must_use]
    pub fn token(&self, seat: u32) -> &str {
        let index = usize::try_from(seat).expect("a seat") - 1;
        self.tokens.get(index).map_or("", String::as_str)
    }

    /// Replaces the token of a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn set_token(&mut self, seat: u32, token: &str) {
        token.clone_into(&mut self.tokens[usize::try_from(seat).expect("a seat") - 1]);
    }

    /// Ends this number of turns without buying anything, so that the game never ends.
    ///
    /// # Errors
    /// The first call that fails.
    ///
    /// # Panics
    /// If a response contains no game.
    pub async fn pass(&mut self, client: &mut Client, turns: u32) -> Result<(), Status> {
        for _ in 0..turns {
            let seat = self.game.pending[0].seat;
            let act = ApplyActionRequest {
                game_id: self.game.game_id.clone(),
                seat,
                action: Some(action(Kind::EndTurn(pb::EndTurn::default()))),
                expected_version: self.game.version,
                ..Default::default()
            };
            let act = bearing(self.token(seat), act);
            let passed = client.apply_action(act).await?.into_inner();
            self.game = facts(passed.table);
        }
        Ok(())
    }

    /// Plays up to this number of actions, or to the end of the game.
    ///
    /// # Errors
    /// The first call that fails.
    ///
    /// # Panics
    /// If a response contains no game.
    pub async fn play(&mut self, client: &mut Client, most: u32) -> Result<(), Status> {
        for _ in 0..most {
            let Some(pending) = self.game.pending.first().cloned() else {
                return Ok(());
            };
            let token = self.token(pending.seat).to_owned();
            let ask = ListLegalActionsRequest {
                game_id: self.game.game_id.clone(),
                seat: pending.seat,
                ..Default::default()
            };
            let legal = client
                .list_legal_actions(bearing(&token, ask))
                .await?
                .into_inner();
            assert_eq!(legal.version, self.game.version);
            let act = ApplyActionRequest {
                game_id: self.game.game_id.clone(),
                seat: pending.seat,
                action: Some(choose(&legal.actions)),
                expected_version: legal.version,
                request_id: format!("{}-{}", self.game.game_id, legal.version),
                ..Default::default()
            };
            let played = client
                .apply_action(bearing(&token, act))
                .await?
                .into_inner();
            self.game = facts(played.table);
        }
        Ok(())
    }
}

/// Returns the reason of a failed call, if the server gave one.
#[must_use]
pub fn reason_of(status: &Status) -> Option<String> {
    let details = status.get_error_details();
    let info = details.error_info()?;
    (info.domain == "gamekeeper").then(|| info.reason.clone())
}

/// Returns the status code and the reason of a failed call.
///
/// # Panics
/// If the status has no `ErrorInfo`.
#[must_use]
pub fn reason(status: &Status) -> (Code, String) {
    let details = status.get_error_details();
    let info = details
        .error_info()
        .unwrap_or_else(|| panic!("no ErrorInfo: {status:?}"));
    assert_eq!(info.domain, "gamekeeper");
    (status.code(), info.reason.clone())
}

/// Checks the status code and the reason of a failed call.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn assert_reason(status: &Status, code: Code, expected: &str) {
    assert_eq!(reason(status), (code, expected.to_owned()), "{status:?}");
}

/// Checks that a stream has ended as planned, with this cause.
///
/// # Panics
/// If it has not.
#[track_caller]
pub fn assert_planned_end(status: &Status, cause: &str) {
    assert_reason(status, Code::Unavailable, "GOING_AWAY");
    let details = status.get_error_details();
    let info = details.error_info();
    let reported_cause = info.and_then(|info| info.metadata.get("cause"));
    assert_eq!(
        reported_cause.map(String::as_str),
        Some(cause),
        "{status:?}"
    );
}

/// Returns the field that a failed call names.
///
/// # Panics
/// If it names no field.
#[must_use]
pub fn field_of(status: &Status) -> String {
    let details = status.get_error_details();
    let request = details.bad_request().expect("a BadRequest");
    request.field_violations[0].field.clone()
}
