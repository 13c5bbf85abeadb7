//! Deletion of games, and **tokens** for their seats and spectators.

use gamekeeper_rules::table::Seat;
use gamekeeper_store::Head;
use gamekeeper_wire::Wire;
use prost_types::Timestamp;
use uuid::Uuid;

use crate::aggregate::game::Game;
use crate::authz::{Account, Caller, Permission, SeatGrant};
use crate::commit::mutation::Mutation;
use crate::errors::ServiceError;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::seats::{ensure_seat_exists, parse_seat};

/// The change that deletes a game.
struct DeleteGame;

impl<W: Wire> Mutation<W> for DeleteGame {
    type Response = ();

    async fn attempt(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<()>, ServiceError> {
        caller.authorize(game.access_target(), Permission::Manage)?;
        service.evict(game.id);
        if service.context.store.delete(game.id).await? {
            Ok(Some(()))
        } else {
            Err(ServiceError::no_such_game(game.id))
        }
    }
}

/// The change that revokes the tokens of a seat, or of spectators if `seat` is `None`.
struct RevokeTokens {
    seat: Option<Seat>,
}

impl<W: Wire> Mutation<W> for RevokeTokens {
    type Response = ();

    async fn attempt(
        &self,
        service: &GameService<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<()>, ServiceError> {
        caller.authorize(game.access_target(), Permission::Manage)?;
        if let Some(seat) = self.seat {
            ensure_seat_exists(caller, game, seat, "holder.seat.seat")?;
        }
        let is_done = service.rotate_tokens(game, self.seat, None).await?;
        Ok(is_done.then_some(()))
    }
}

impl<W: Wire> GameService<W> {
    /// Deletes a game permanently.
    ///
    /// # Errors
    /// If the caller lacks permission, or the store fails.
    pub async fn delete_game(&self, caller: &Caller, id: Uuid) -> Result<(), ServiceError> {
        self.mutate(caller, id, &DeleteGame).await
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
    ) -> Result<(String, Option<u64>), ServiceError> {
        let seat = match parse_holder(number) {
            Ok(seat) => seat,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let expires_at = match expire_time {
            Some(requested) => Some(self.context.requested_token_expiry(requested)?),
            None => self
                .context
                .default_token_expiry(self.context.clock.now_ms()),
        };
        let mut game = self.lock_current(caller, id).await?;
        caller.authorize(game.access_target(), Permission::Manage)?;
        self.check_ancestors_finished(&mut game).await?;
        if game.shares_hidden_info {
            return Err(ServiceError::OriginNotOver);
        }
        if let Some(seat) = seat {
            ensure_seat_exists(caller, &game, seat, "holder.seat.seat")?;
        }
        let generation = game.metadata.generation_of(seat);
        let account = game.account_of_token(seat);
        let token = self.sign_token(&game, seat, generation, expires_at, account)?;
        Ok((token, expires_at))
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
    ) -> Result<(), ServiceError> {
        let seat = match parse_holder(number) {
            Ok(seat) => seat,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        self.mutate(caller, id, &RevokeTokens { seat }).await
    }

    /// Revokes the tokens of a seat, or of spectators if `seat` is `None`; with a `head`, only if that is still the
    /// newest entry. Returns false, and refreshes the game, if the game has moved on or its metadata record has changed
    /// (tokens, users or labels).
    pub(crate) async fn rotate_tokens(
        &self,
        game: &mut Game<W>,
        seat: Option<Seat>,
        head: Option<Head>,
    ) -> Result<bool, ServiceError> {
        let metadata = game.metadata.with_rotated_token(seat);
        self.update_metadata(game, metadata, head).await
    }

    /// Signs a token of a seat, or of spectators if `seat` is `None`.
    pub(crate) fn sign_token(
        &self,
        game: &Game<W>,
        seat: Option<Seat>,
        generation: u32,
        expires_at: Option<u64>,
        account: Account,
    ) -> Result<String, ServiceError> {
        self.context.tokens.seat_token(&SeatGrant {
            game: game.id,
            incarnation: game.incarnation(),
            seat,
            generation,
            expires_at,
            account,
        })
    }
}

/// Decodes the holder of a token that a request names. Returns `None` for spectators.
fn parse_holder(number: Option<u32>) -> Result<Option<Seat>, ServiceError> {
    let seat = number.map(|number| parse_seat(number, "holder.seat.seat"));
    seat.transpose()
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::TableOptions;
    use gamekeeper_proto::raw::ApplyActionRequest;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::authz::Role;
    use crate::handlers::table_commands::TableRequest;
    use crate::test_server::{START_MS, TestServer, store};

    /// Returns the caller with a token of this generation.
    fn seat_caller(game: Uuid, seat: Seat, generation: u32) -> Caller {
        Caller::new(Role::Seat {
            game,
            seat,
            generation,
            incarnation: None,
        })
    }

    /// A process with the game in its cache accepts a new token at once, since it refreshes the game before refusing
    /// it.
    #[tokio::test]
    async fn a_new_token_is_valid_in_every_process_at_once() {
        let store = store();
        let (one, other) = (
            TestServer::<Dominion>::new(&store),
            TestServer::<Dominion>::new(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let game = other.play_first_legal(&game).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let mut open = one
            .games
            .lock_current(&Caller::UNAUTHENTICATED, id)
            .await
            .unwrap();
        for _ in 0..2 {
            let replaced = open.metadata.seat_generation(Seat::FIRST);
            assert!(
                one.games
                    .rotate_tokens(&mut open, Some(Seat::FIRST), None)
                    .await
                    .unwrap()
            );
            let with_token = |generation| seat_caller(id, Seat::FIRST, generation);
            let ask = || TableRequest::Resign { seat: 1 };
            let current = open.metadata.seat_generation(Seat::FIRST);
            let tried = other
                .games
                .apply_table_command(&with_token(current), id, ask(), "")
                .await;
            assert!(
                matches!(tried, Ok(_) | Err(ServiceError::RefusedByTable(_))),
                "{:?}",
                tried.err()
            );
            let old = other
                .games
                .apply_table_command(&with_token(replaced), id, ask(), "")
                .await;
            assert!(matches!(old, Err(ServiceError::TokenReplaced(_))));
        }
    }

    /// A replaced token is not even accepted for a repeated request by a process that has not heard of the new token.
    #[tokio::test]
    async fn a_replaced_token_gets_no_answer_again() {
        let store = store();
        let (one, other) = (
            TestServer::<Dominion>::new(&store),
            TestServer::<Dominion>::new(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let seat = Seat::new(game.pending[0].seat.try_into().unwrap()).unwrap();
        let call = ApplyActionRequest {
            request_id: "once".into(),
            ..other.first_legal_call(&game).await
        };
        let token = seat_caller(id, seat, 0);
        let act = || other.games.apply_action(&token, Box::new(call.clone()));
        let resign = || {
            let ask = TableRequest::Resign { seat: 1 };
            other
                .games
                .apply_table_command(&Caller::UNAUTHENTICATED, id, ask, "twice")
        };
        let played = act().await.unwrap();
        assert_eq!(act().await.unwrap(), played);
        let left = resign().await.unwrap();
        assert_eq!(resign().await.unwrap(), left);
        let number = Some(seat.number().into());
        let revoked = one
            .games
            .revoke_tokens(&Caller::UNAUTHENTICATED, id, number);
        revoked.await.unwrap();
        let again = act().await;
        assert!(
            matches!(again, Err(ServiceError::TokenReplaced(_))),
            "{again:?}"
        );
        let ask = TableRequest::Resign { seat: 1 };
        one.games
            .revoke_tokens(&Caller::UNAUTHENTICATED, id, Some(1))
            .await
            .unwrap();
        let token = seat_caller(id, Seat::FIRST, 0);
        let again = other
            .games
            .apply_table_command(&token, id, ask, "twice")
            .await;
        assert!(matches!(again, Err(ServiceError::TokenReplaced(_))));
    }

    #[tokio::test]
    async fn a_token_expires_after_now() {
        let process = TestServer::<Dominion>::new(&store());
        let game = process.create(2, TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let end = Timestamp {
            seconds: i64::try_from(START_MS / 1_000 + 10).unwrap(),
            nanos: 0,
        };
        for (ms, is_later) in [(0, true), (9_999, true), (10_000, false)] {
            process.set_clock(ms);
            let token = process
                .games
                .issue_token(&Caller::UNAUTHENTICATED, id, Some(1), Some(end));
            assert_eq!(token.await.is_ok(), is_later, "{ms}");
        }
    }

    /// Without the compare-and-set, both processes would issue a token, and both tokens would be valid.
    #[tokio::test]
    async fn of_two_processes_that_replace_a_token_at_once_one_tries_again() {
        let store = store();
        let (one, other) = (
            TestServer::<Dominion>::new(&store),
            TestServer::<Dominion>::new(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let mut first = one
            .games
            .lock_current(&Caller::UNAUTHENTICATED, id)
            .await
            .unwrap();
        let mut second = other
            .games
            .lock_current(&Caller::UNAUTHENTICATED, id)
            .await
            .unwrap();
        let seat = Some(Seat::FIRST);
        let replaced = one.games.rotate_tokens(&mut first, seat, None).await;
        assert!(replaced.unwrap());
        let replaced = other.games.rotate_tokens(&mut second, seat, None).await;
        assert!(!replaced.unwrap());
        assert_eq!(first.metadata, second.metadata);
        let replaced = other.games.rotate_tokens(&mut second, seat, None).await;
        assert!(replaced.unwrap());
        assert_ne!(first.metadata, second.metadata);
    }
}
