//! Deletion of games, and **tokens** for their seats and spectators.

use gamekeeper_rules::table::Seat;
use gamekeeper_store::Head;
use gamekeeper_wire::Wire;
use prost_types::Timestamp;
use uuid::Uuid;

use crate::heart::access::{Account, Caller, Grant, Wish};
use crate::heart::changing::Change;
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;
use crate::heart::seats::{check_seat, seat};

/// The change that deletes a game.
struct Delete;

impl<W: Wire> Change<W> for Delete {
    type Answer = ();

    async fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<()>, Problem> {
        caller.may(game.subject(), Wish::Manage)?;
        games.forget(game.id);
        if games.shared.store.delete(game.id).await? {
            Ok(Some(()))
        } else {
            Err(Problem::no_such_game(game.id))
        }
    }
}

/// The change that revokes the tokens of a seat, or of spectators if `seat` is `None`.
struct Revoke {
    seat: Option<Seat>,
}

impl<W: Wire> Change<W> for Revoke {
    type Answer = ();

    async fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<()>, Problem> {
        caller.may(game.subject(), Wish::Manage)?;
        if let Some(seat) = self.seat {
            check_seat(caller, game, seat, "holder.seat.seat")?;
        }
        let is_done = games.rotate_token(game, self.seat, None).await?;
        Ok(is_done.then_some(()))
    }
}

impl<W: Wire> Games<W> {
    /// Deletes a game permanently.
    ///
    /// # Errors
    /// If the caller lacks permission, or the store fails.
    pub async fn delete(&self, caller: &Caller, id: Uuid) -> Result<(), Problem> {
        self.change(caller, id, &Delete).await
    }

    /// Issues a token for a seat, or for spectators if `number` is `None`. Returns the token, and its expiry in seconds
    /// since the Unix epoch. Other tokens stay valid.
    ///
    /// # Errors
    /// If the caller lacks permission, the seat does not exist, the expiry has passed, the game shares hidden
    /// information with one that is not over, or the store fails.
    pub async fn issue_token(
        &self,
        caller: &Caller,
        id: Uuid,
        number: Option<u32>,
        expire_time: Option<Timestamp>,
    ) -> Result<(String, Option<u64>), Problem> {
        let seat = match holder(number) {
            Ok(seat) => seat,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let until = match expire_time {
            Some(asked) => Some(self.shared.end_of_token(asked)?),
            None => self.shared.end_of_tokens(self.shared.clock.now_ms()),
        };
        let mut game = self.open_fresh(caller, id).await?;
        caller.may(game.subject(), Wish::Manage)?;
        self.unseal(&mut game).await?;
        if game.is_secret {
            return Err(Problem::OriginNotOver);
        }
        if let Some(seat) = seat {
            check_seat(caller, &game, seat, "holder.seat.seat")?;
        }
        let generation = game.access.generation_of(seat);
        let account = game.account_of(seat);
        let token = self.token(&game, seat, generation, until, account)?;
        Ok((token, until))
    }

    /// Revokes all tokens of a seat, or of spectators if `number` is `None`.
    ///
    /// # Errors
    /// If the caller lacks permission, the seat does not exist, concurrent writers keep winning, or the store fails.
    pub async fn revoke_tokens(
        &self,
        caller: &Caller,
        id: Uuid,
        number: Option<u32>,
    ) -> Result<(), Problem> {
        let seat = match holder(number) {
            Ok(seat) => seat,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        self.change(caller, id, &Revoke { seat }).await
    }

    /// Revokes the tokens of a seat, or of spectators if `seat` is `None`; with a `head`, only if that is still the
    /// newest entry. Returns false, and refreshes the game, if the game has moved on or its access record has changed
    /// (tokens, users or labels).
    pub(crate) async fn rotate_token(
        &self,
        game: &mut Game<W>,
        seat: Option<Seat>,
        head: Option<Head>,
    ) -> Result<bool, Problem> {
        let rotated = game.access.rotated(seat);
        self.change_access(game, rotated, head).await
    }

    /// Signs a token of a seat, or of spectators if `seat` is `None`.
    pub(crate) fn token(
        &self,
        game: &Game<W>,
        seat: Option<Seat>,
        generation: u32,
        until: Option<u64>,
        account: Account,
    ) -> Result<String, Problem> {
        self.shared.tokens.seat_token(&Grant {
            game: game.id,
            birth: game.birth_mark(),
            seat,
            generation,
            until,
            account,
        })
    }
}

/// Decodes the holder of a token that a request names. Returns `None` for spectators.
fn holder(number: Option<u32>) -> Result<Option<Seat>, Problem> {
    let seat = number.map(|number| seat(number, "holder.seat.seat"));
    seat.transpose()
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::{ListLegalActionsRequest, TableOptions};
    use gamekeeper_proto::raw::ApplyActionRequest;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::heart::access::Role;
    use crate::process::{BEGUN, Process, store};
    use crate::verbs::table_life::TableRequest;

    /// A process with the game in its cache accepts a new token at once, since it refreshes the game before refusing
    /// it.
    #[tokio::test]
    async fn a_new_token_is_valid_in_every_process_at_once() {
        let store = store();
        let (one, other) = (
            Process::<Dominion>::over(&store),
            Process::<Dominion>::over(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let game = other.act(&game).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let mut open = one.games.open_fresh(&Caller::OPEN, id).await.unwrap();
        for _ in 0..2 {
            let replaced = open.access.generation(Seat::FIRST);
            assert!(
                one.games
                    .rotate_token(&mut open, Some(Seat::FIRST), None)
                    .await
                    .unwrap()
            );
            let with_token = |generation| {
                Caller::new(Role::Seat {
                    game: id,
                    seat: Seat::FIRST,
                    generation,
                    birth: None,
                })
            };
            let ask = || TableRequest::Resign { seat: 1 };
            let current = open.access.generation(Seat::FIRST);
            let tried = other
                .games
                .change_table(&with_token(current), id, ask(), "")
                .await;
            assert!(
                matches!(tried, Ok(_) | Err(Problem::Table(_))),
                "{:?}",
                tried.err()
            );
            let old = other
                .games
                .change_table(&with_token(replaced), id, ask(), "")
                .await;
            assert!(matches!(old, Err(Problem::TokenReplaced(_))));
        }
    }

    /// A replaced token is not even accepted for a repeated request by a process that has not heard of the new token.
    #[tokio::test]
    async fn a_replaced_token_gets_no_answer_again() {
        let store = store();
        let (one, other) = (
            Process::<Dominion>::over(&store),
            Process::<Dominion>::over(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let seat = Seat::new(game.pending[0].seat.try_into().unwrap()).unwrap();
        let legal = ListLegalActionsRequest {
            game_id: game.game_id.clone(),
            seat: game.pending[0].seat,
            page_size: 1,
            ..Default::default()
        };
        let legal = other.games.legal(&Caller::OPEN, legal).await.unwrap();
        let call = ApplyActionRequest {
            game_id: game.game_id.clone(),
            seat: game.pending[0].seat,
            action: legal
                .actions
                .into_iter()
                .next()
                .and_then(|legal| legal.action),
            request_id: "once".into(),
            ..Default::default()
        };
        let token = Caller::new(Role::Seat {
            game: id,
            seat,
            generation: 0,
            birth: None,
        });
        let act = || other.games.apply(&token, Box::new(call.clone()));
        let resign = || {
            let ask = TableRequest::Resign { seat: 1 };
            other.games.change_table(&Caller::OPEN, id, ask, "twice")
        };
        let played = act().await.unwrap();
        assert_eq!(act().await.unwrap(), played);
        let left = resign().await.unwrap();
        assert_eq!(resign().await.unwrap(), left);
        let number = Some(seat.number().into());
        let revoked = one.games.revoke_tokens(&Caller::OPEN, id, number);
        revoked.await.unwrap();
        let again = act().await;
        assert!(matches!(again, Err(Problem::TokenReplaced(_))), "{again:?}");
        let ask = TableRequest::Resign { seat: 1 };
        one.games
            .revoke_tokens(&Caller::OPEN, id, Some(1))
            .await
            .unwrap();
        let token = Caller::new(Role::Seat {
            game: id,
            seat: Seat::FIRST,
            generation: 0,
            birth: None,
        });
        let again = other.games.change_table(&token, id, ask, "twice").await;
        assert!(matches!(again, Err(Problem::TokenReplaced(_))));
    }

    #[tokio::test]
    async fn a_token_expires_after_now() {
        let process = Process::<Dominion>::over(&store());
        let game = process.create(2, TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let end = Timestamp {
            seconds: i64::try_from(BEGUN / 1_000 + 10).unwrap(),
            nanos: 0,
        };
        for (ms, is_later) in [(0, true), (9_999, true), (10_000, false)] {
            process.at(ms);
            let token = process
                .games
                .issue_token(&Caller::OPEN, id, Some(1), Some(end));
            assert_eq!(token.await.is_ok(), is_later, "{ms}");
        }
    }

    /// Without the compare-and-set, both processes would issue a token, and both tokens would be valid.
    #[tokio::test]
    async fn of_two_processes_that_replace_a_token_at_once_one_tries_again() {
        let store = store();
        let (one, other) = (
            Process::<Dominion>::over(&store),
            Process::<Dominion>::over(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let mut first = one.games.open_fresh(&Caller::OPEN, id).await.unwrap();
        let mut second = other.games.open_fresh(&Caller::OPEN, id).await.unwrap();
        let seat = Some(Seat::FIRST);
        let replaced = one.games.rotate_token(&mut first, seat, None).await;
        assert!(replaced.unwrap());
        let replaced = other.games.rotate_token(&mut second, seat, None).await;
        assert!(!replaced.unwrap());
        assert_eq!(first.access, second.access);
        let replaced = other.games.rotate_token(&mut second, seat, None).await;
        assert!(replaced.unwrap());
        assert_ne!(first.access, second.access);
    }
}
