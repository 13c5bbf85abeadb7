//! A small front end for Dominion: creates games, buys money, and reads refusals.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, Player};
use pb::action::Kind;
use pb::dominion_service_client::DominionServiceClient;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::tokens::bearing;

/// A client of the Dominion service.
pub type Client = DominionServiceClient<Channel>;

/// Players of these names.
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

/// A request for a game of Ada and Bob.
#[must_use]
pub fn ada_and_bob() -> pb::CreateGameRequest {
    pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    }
}

/// The action that a client with a big money strategy chooses.
///
/// # Panics
/// When there are no legal actions.
#[must_use]
pub fn choose(actions: &[pb::Action]) -> pb::Action {
    let wishes = [pb::Card::Province, pb::Card::Gold, pb::Card::Silver];
    let buys = |card: pb::Card| {
        actions.iter().find(move |action| {
            matches!(&action.kind, Some(Kind::BuyCard(buy)) if buy.card == i32::from(card))
        })
    };
    let is = |wanted: fn(&Kind) -> bool| {
        actions
            .iter()
            .find(move |action| action.kind.as_ref().is_some_and(wanted))
    };
    is(|kind| matches!(kind, Kind::PlayAllTreasures(_)))
        .or_else(|| wishes.into_iter().find_map(buys))
        .or_else(|| is(|kind| matches!(kind, Kind::EndTurn(_))))
        .or_else(|| actions.first())
        .cloned()
        .expect("whoever owes a decision has a legal action")
}

/// One game as the players see it: a token for each seat, empty without tokens.
#[derive(Clone, Debug)]
pub struct Table {
    /// The newest facts.
    pub game: GameInfo,
    /// The tokens in seat order.
    pub tokens: Vec<String>,
}

impl Table {
    /// Creates a game of Ada and Bob on a server without tokens.
    ///
    /// # Panics
    /// When the server refuses.
    pub async fn begin(client: &mut Client) -> Self {
        let created = client.create_game(ada_and_bob()).await;
        Self::of(created.expect("a game").into_inner())
    }

    /// The table of a game that was just created.
    ///
    /// # Panics
    /// When the answer holds no game.
    #[must_use]
    pub fn of(created: pb::CreateGameResponse) -> Self {
        let tokens = created
            .seat_tokens
            .into_iter()
            .map(|token| token.token)
            .collect();
        Self {
            game: created.game.expect("a game"),
            tokens,
        }
    }

    /// A question for the newest version of the game.
    #[must_use]
    pub fn ask(&self) -> pb::GetGameRequest {
        pb::GetGameRequest {
            game_id: self.game.game_id.clone(),
            ..Default::default()
        }
    }

    /// The token of a seat.
    ///
    /// # Panics
    /// When there is no such seat.
    #[must_use]
    pub fn token(&self, seat: u32) -> &str {
        &self.tokens[usize::try_from(seat).expect("a seat") - 1]
    }

    /// A seat has a new token.
    ///
    /// # Panics
    /// When there is no such seat.
    pub fn set_token(&mut self, seat: u32, token: &str) {
        token.clone_into(&mut self.tokens[usize::try_from(seat).expect("a seat") - 1]);
    }

    /// Ends this many turns without buying anything, so that the game never ends.
    ///
    /// # Errors
    /// The first call that fails.
    ///
    /// # Panics
    /// When an answer holds no game.
    pub async fn pass(&mut self, client: &mut Client, turns: u32) -> Result<(), Status> {
        for _ in 0..turns {
            let seat = self.game.pending[0].seat;
            let act = pb::ApplyActionRequest {
                game_id: self.game.game_id.clone(),
                seat,
                action: Some(pb::Action {
                    kind: Some(Kind::EndTurn(pb::EndTurn::default())),
                }),
                expected_version: self.game.version,
                ..Default::default()
            };
            let act = bearing(self.token(seat), act);
            let passed = client.apply_action(act).await?.into_inner();
            self.game = passed.game.expect("a game");
        }
        Ok(())
    }

    /// Plays at most this many actions; stops at the end of the game.
    ///
    /// # Errors
    /// The first call that fails.
    ///
    /// # Panics
    /// When an answer holds no game.
    pub async fn play(&mut self, client: &mut Client, most: u32) -> Result<(), Status> {
        for _ in 0..most {
            let Some(pending) = self.game.pending.first().cloned() else {
                return Ok(());
            };
            let token = self.token(pending.seat).to_owned();
            let ask = pb::ListLegalActionsRequest {
                game_id: self.game.game_id.clone(),
                seat: pending.seat,
                ..Default::default()
            };
            let legal = client
                .list_legal_actions(bearing(&token, ask))
                .await?
                .into_inner();
            assert_eq!(legal.version, self.game.version);
            let act = pb::ApplyActionRequest {
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
            self.game = played.game.expect("a game");
        }
        Ok(())
    }
}

/// The reason of a failed call, if the server gave one.
#[must_use]
pub fn reason_of(status: &Status) -> Option<String> {
    let details = status.get_error_details();
    let info = details.error_info()?;
    (info.domain == "gamekeeper").then(|| info.reason.clone())
}

/// Code and reason of a failed call.
///
/// # Panics
/// When the status has no `ErrorInfo`.
#[must_use]
pub fn reason(status: &Status) -> (Code, String) {
    let details = status.get_error_details();
    let info = details
        .error_info()
        .unwrap_or_else(|| panic!("no ErrorInfo: {status:?}"));
    assert_eq!(info.domain, "gamekeeper");
    (status.code(), info.reason.clone())
}

/// Checks code and reason of a failed call.
///
/// # Panics
/// When they differ.
#[track_caller]
pub fn assert_reason(status: &Status, code: Code, expected: &str) {
    assert_eq!(reason(status), (code, expected.to_owned()), "{status:?}");
}

/// The field that a failed call names.
///
/// # Panics
/// When it names none.
#[must_use]
pub fn field_of(status: &Status) -> String {
    let details = status.get_error_details();
    let request = details.bad_request().expect("a BadRequest");
    request.field_violations[0].field.clone()
}
