//! A client that issues and revokes tokens, and reads with new and old ones.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::sleep;
use tonic::Status;

use super::What;
use super::desk::{Desk, happens};
use super::shared::{Shared, Table, Verdict};
use crate::dominion::reason_of;
use crate::tokens::{seat_holder, spectator_holder};

/// The percentage of turns in which a token is issued; otherwise one is used.
const ISSUED: u32 = 25;

/// The percentage of issued tokens before which all others of their seat are revoked.
const REVOKED: u32 = 70;

/// The number of token holders: seats, and 0 for spectators.
const SEATS: u32 = 3;

pub(super) struct Rotator {
    desks: Vec<Desk>,
    table: Arc<Table>,
    shared: Arc<Shared>,
    /// The game, and all tokens of each holder, by their numbers.
    game: String,
    tokens: [Vec<String>; SEATS as usize],
}

impl Rotator {
    pub(super) fn new(desks: Vec<Desk>, table: &Arc<Table>, shared: &Arc<Shared>) -> Self {
        Self {
            desks,
            table: Arc::clone(table),
            shared: Arc::clone(shared),
            game: String::new(),
            tokens: Default::default(),
        }
    }

    pub(super) async fn rotate(mut self) {
        while !self.shared.is_over() {
            let pause = Duration::from_millis(crate::chance::rng().random_range(1..20));
            sleep(pause).await;
            let Some(game) = self.table.current().game else {
                continue;
            };
            if game != self.game {
                (self.game, self.tokens) = (game, Default::default());
            }
            let seat = crate::chance::rng().random_range(0..SEATS);
            let tokens = &self.tokens[seat as usize];
            if tokens.is_empty() || happens(ISSUED) {
                self.replace(seat).await;
            } else {
                self.present(seat).await;
            }
        }
    }

    fn desk(&self) -> Desk {
        let desk = self.desks.choose(&mut crate::chance::rng());
        desk.expect("a server").clone()
    }

    /// Issues a token, usually after revoking all others of the seat.
    async fn replace(&mut self, seat: u32) {
        if happens(REVOKED) {
            let begun = self.shared.recorder.now();
            let result = self.revoke(seat).await;
            let is_done = result.is_ok();
            let revoked = What::Revoked { seat, is_done };
            self.shared.recorder.note(&self.game, begun, revoked);
            if let Err(status) = result {
                return self.failed(&status);
            }
        }
        let begun = self.shared.recorder.now();
        match self.issue(seat).await {
            Ok(token) => {
                let tokens = &mut self.tokens[seat as usize];
                tokens.push(token);
                let token = tokens.len() as u64;
                let issued = What::Issued { seat, token };
                self.shared.recorder.note(&self.game, begun, issued);
            }
            Err(status) => self.failed(&status),
        }
    }

    fn holder(&self, seat: u32) -> Option<v1::TokenHolder> {
        Some(match seat {
            0 => spectator_holder(&self.game),
            seat => seat_holder(&self.game, seat),
        })
    }

    async fn revoke(&self, seat: u32) -> Result<(), Status> {
        let mut desk = self.desk();
        let ask = desk.ask_hastily(v1::RevokeTokensRequest {
            holder: self.holder(seat),
        });
        desk.access.revoke_tokens(ask).await?;
        Ok(())
    }

    async fn issue(&self, seat: u32) -> Result<String, Status> {
        let mut desk = self.desk();
        let ask = desk.ask_hastily(v1::IssueTokenRequest {
            holder: self.holder(seat),
            expire_time: None,
        });
        Ok(desk.access.issue_token(ask).await?.into_inner().token)
    }

    /// Reads with the newest token, or with an older one.
    async fn present(&self, seat: u32) {
        let begun = self.shared.recorder.now();
        let tokens = &self.tokens[seat as usize];
        let index = if happens(50) {
            tokens.len() - 1
        } else {
            crate::chance::rng().random_range(0..tokens.len())
        };
        let mut desk = self.desk().of(&tokens[index]);
        let ask = desk.ask_hastily(v1::GetGameRequest {
            game_id: self.game.clone(),
            ..Default::default()
        });
        let result = desk.games.get_game(ask).await;
        let is_accepted = match result {
            Ok(_) => true,
            Err(status) if reason_of(&status).as_deref() == Some("TOKEN_REPLACED") => false,
            Err(status) => return self.failed(&status),
        };
        let token = index as u64 + 1;
        let presented = What::Presented {
            seat,
            token,
            is_accepted,
        };
        self.shared.recorder.note(&self.game, begun, presented);
    }

    fn failed(&self, status: &Status) {
        if self.shared.verdict(status) == Verdict::Broken {
            self.shared.broken(&self.game, format!("{status:?}"));
        }
    }
}
