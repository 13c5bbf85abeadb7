//! A client that replaces tokens, and reads with new and old ones.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio::time::sleep;
use tonic::Status;

use super::What;
use super::desk::{Desk, happens};
use super::load::{Shared, Table, Verdict};
use crate::dominion::reason_of;

/// The percentage of turns in which a token is replaced; otherwise one is used.
const ROTATED: u32 = 25;

/// Seats, and 0 for spectators.
const SEATS: u32 = 3;

pub(super) struct Rotator {
    desks: Vec<Desk>,
    table: Arc<Table>,
    shared: Arc<Shared>,
    /// The game, and the tokens of everybody in it, in the order of their numbers.
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
            let pause = Duration::from_millis(rand::rng().random_range(1..20));
            sleep(pause).await;
            let Some(game) = self.table.current().game else {
                continue;
            };
            if game != self.game {
                (self.game, self.tokens) = (game, Default::default());
            }
            let seat = rand::rng().random_range(0..SEATS);
            let tokens = &self.tokens[seat as usize];
            if tokens.is_empty() || happens(ROTATED) {
                self.replace(seat).await;
            } else {
                self.present(seat).await;
            }
        }
    }

    fn desk(&self) -> Desk {
        let desk = self.desks.choose(&mut rand::rng());
        desk.expect("a server").clone()
    }

    async fn replace(&mut self, seat: u32) {
        let begun = self.shared.recorder.now();
        let told = self.ask_for_token(seat).await;
        let tokens = &mut self.tokens[seat as usize];
        let token = match told {
            Ok(token) => {
                tokens.push(token);
                Some(tokens.len() as u64)
            }
            Err(status) => {
                self.failed(&status);
                None
            }
        };
        let rotated = What::Rotated { seat, token };
        self.shared.recorder.note(&self.game, begun, rotated);
    }

    async fn ask_for_token(&self, seat: u32) -> Result<String, Status> {
        let (mut desk, game_id) = (self.desk(), self.game.clone());
        if seat == 0 {
            let ask = desk.ask_hastily(v1::RotateSpectatorTokenRequest {
                game_id,
                ..Default::default()
            });
            let answer = desk.games.rotate_spectator_token(ask).await?;
            return Ok(answer.into_inner().token);
        }
        let ask = desk.ask_hastily(v1::RotateSeatTokenRequest {
            game_id,
            seat,
            ..Default::default()
        });
        let answer = desk.games.rotate_seat_token(ask).await?.into_inner();
        Ok(answer.seat_token.expect("a token").token)
    }

    /// Reads with the newest token, or with an older one.
    async fn present(&self, seat: u32) {
        let begun = self.shared.recorder.now();
        let tokens = &self.tokens[seat as usize];
        let place = if happens(50) {
            tokens.len() - 1
        } else {
            rand::rng().random_range(0..tokens.len())
        };
        let mut desk = self.desk().of(&tokens[place]);
        let ask = desk.ask_hastily(v1::GetGameInfoRequest {
            game_id: self.game.clone(),
        });
        let told = desk.games.get_game_info(ask).await;
        let held = match told {
            Ok(_) => true,
            Err(status) if reason_of(&status).as_deref() == Some("TOKEN_REPLACED") => false,
            Err(status) => return self.failed(&status),
        };
        let token = place as u64 + 1;
        let presented = What::Presented { seat, token, held };
        self.shared.recorder.note(&self.game, begun, presented);
    }

    fn failed(&self, status: &Status) {
        if self.shared.verdict(status) == Verdict::Broken {
            self.shared.broken(&self.game, format!("{status:?}"));
        }
    }
}
