//! One action: judged, played on a copy, stored, and only then shown.

use std::mem;

use bytes::Bytes;
use gamekeeper_proto::envelope::{ApplyActionRequest, ApplyActionResponse};
use gamekeeper_proto::gamekeeper::v1::ViewMode;
use gamekeeper_rules::ruleset::{self, apply};
use gamekeeper_rules::table::{Scene, Seat, Viewer, encode, fingerprint};
use gamekeeper_wire::{Malformed, Wire};

use super::create::{check_request_id, row};
use super::game::{Game, MoveOf};
use super::load::{Desk, catch_up};
use super::recent::Repeat;
use super::record::{Move, RequestMark, seal, stored};
use super::seated::{seat, seated};
use super::show::{Board, Show};
use super::tagged::lists;
use super::{Games, now_ms, parse_id};
use crate::auth::{Caller, Wish};
use crate::problem::{Problem, Refused};
use crate::store::{Commit, Committed, Head, StoreError, Version};
use crate::telemetry::{CommitOutcome, step, traced};

/// How often an action is judged anew because others were faster.
const MOST_TRIES: usize = 16;

/// An action on its way.
struct Attempt<W: Wire> {
    seat: Seat,
    action: W::Action,
    expected: Version,
    mark: RequestMark,
    show: Show,
    validate_only: bool,
}

/// What came of a try.
enum Tried<W: Wire> {
    Answered(Box<ApplyActionResponse<W::Messages>>),
    /// The game was brought up to date; judge again.
    Again,
}

impl<W: Wire> Games<W> {
    /// Judges an action and, if it is legal, plays it. The same request id with the same body is
    /// played once and answered alike.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, the version is stale, the rules refuse,
    /// or the store fails.
    pub async fn apply(
        &self,
        caller: &Caller,
        call: ApplyActionRequest<W::Messages>,
    ) -> Result<ApplyActionResponse<W::Messages>, Problem> {
        let id = parse_id(&call.game_id)?;
        let attempt = Attempt::<W>::read(call)?;
        let mut desk = self.open(caller, id).await?;
        for _ in 0..MOST_TRIES {
            match self.attempt(caller, &mut desk, &attempt).await {
                Ok(Tried::Answered(answer)) => return Ok(*answer),
                Ok(Tried::Again) => {}
                Err(problem) => {
                    if matches!(problem, Problem::Store(_) | Problem::Damaged(_)) {
                        self.forget(id);
                    }
                    if let Problem::Refused(refused) = &problem {
                        self.metrics.refused(refused.code);
                    }
                    return Err(problem);
                }
            }
        }
        Err(Problem::Contended)
    }

    async fn attempt(
        &self,
        caller: &Caller,
        game: &mut Desk<W>,
        attempt: &Attempt<W>,
    ) -> Result<Tried<W>, Problem> {
        let judging = self.judge(caller, game, attempt);
        let judged = traced(step!("judge"), judging).await;
        match judged {
            Ok(Judged::Legal(applied)) if attempt.validate_only => {
                drop(applied);
                // A verdict counts only on the newest version.
                if self.refresh(game).await? {
                    return Ok(Tried::Again);
                }
                Ok(Tried::Answered(Box::new(ApplyActionResponse {
                    game: Some(game.info_for(caller)),
                    ..ApplyActionResponse::default()
                })))
            }
            Ok(Judged::Legal(applied)) => self.store(caller, game, attempt, applied).await,
            Ok(Judged::PlayedBefore(version)) => {
                Box::pin(self.played_before(caller, game, attempt, version)).await
            }
            // Nobody is refused on a guess.
            Err(problem) if refreshable(&problem) && self.refresh(game).await? => Ok(Tried::Again),
            Err(problem) => Err(problem),
        }
    }

    async fn judge(
        &self,
        caller: &Caller,
        game: &mut Game<W>,
        attempt: &Attempt<W>,
    ) -> Result<Judged<W>, Problem> {
        seated(caller, game, attempt.seat, "seat")?;
        caller.may(game.subject(), Wish::Act(attempt.seat))?;
        match self.repeat(game, attempt.mark, attempt.expected).await? {
            Repeat::Played(version) => return Ok(Judged::PlayedBefore(version)),
            Repeat::Reused => return Err(Problem::RequestIdReused),
            Repeat::Unknown => {}
        }
        if attempt.expected != 0 && attempt.expected != game.version {
            let (expected, current) = (attempt.expected, game.version);
            return Err(Problem::StaleVersion { expected, current });
        }
        apply::<W>(&game.state, &game.chance, attempt.seat, &attempt.action)
            .map(|applied| Judged::Legal(Box::new(applied)))
            .map_err(|refusal| Problem::Refused(Refused::of::<W>(&refusal)))
    }

    async fn store(
        &self,
        caller: &Caller,
        game: &mut Desk<W>,
        attempt: &Attempt<W>,
        mut applied: Box<ruleset::Applied<W>>,
    ) -> Result<Tried<W>, Problem> {
        let version = game.version + 1;
        let time_ms = now_ms().max(game.time_ms);
        let played: MoveOf<W> = Move {
            seat: attempt.seat,
            action: attempt.action.clone(),
            automatic: mem::take(&mut applied.automatic),
            draws: mem::take(&mut applied.draws),
            events: mem::take(&mut applied.events),
            after_ms: time_ms - game.birth.time_ms,
            request: attempt.mark,
            fingerprint: stored(fingerprint(&applied.state)),
        };
        let pending = W::pending(&applied.state);
        let (over, is_tagged) = (pending.is_empty(), !game.access.tags().is_empty());
        let snapshot = if over || version.is_multiple_of(self.house.settings.snapshot_every.max(1))
        {
            let position = applied.chance.position();
            Some(
                seal(
                    W::SHEET.revision,
                    version,
                    &(time_ms, position, &applied.state),
                )?
                .into(),
            )
        } else {
            None
        };
        let entry = Bytes::from(seal(W::SHEET.revision, version, &played)?);
        let commit = Commit {
            id: game.id,
            expected: game.head(),
            entry: entry.clone(),
            snapshot,
            row: (over || is_tagged).then(|| crate::store::IndexRow {
                finished: over,
                lists: lists(game.access.tags(), &pending, time_ms),
                ..row(game)
            }),
            // Tokens and lists are what it says.
            access: Some(game.access.to_bytes()),
        };
        match self.commit(commit).await? {
            Committed::Done => {
                let scene = attempt.show.scene(game);
                let ruleset::Applied { state, chance, .. } = *applied;
                game.take(state, chance, &played, &entry);
                let answer = attempt.answer(caller, game, &played, scene);
                Ok(Tried::Answered(Box::new(answer)))
            }
            Committed::Conflict { newer } if newer.is_empty() => self.reload(game).await,
            Committed::Conflict { newer } => catch_up(game, &newer).await.map(|()| Tried::Again),
            Committed::AccessChanged => self.reload(game).await,
            Committed::Missing => {
                self.forget(game.id);
                Err(Problem::no_such_game(game.id))
            }
        }
    }

    /// Gives an action to the store, and counts what comes of it.
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let snapshot_bytes = commit.snapshot.as_ref().map(Bytes::len);
        let over = commit.ends();
        let committed = self.house.store.commit(commit).await;
        self.metrics.committed(outcome_of(&committed));
        if matches!(committed, Ok(Committed::Done)) {
            if let Some(bytes) = snapshot_bytes {
                self.metrics.snapshot(bytes);
            }
            if over {
                self.metrics.finished();
            }
        }
        committed
    }

    async fn reload(&self, game: &mut Game<W>) -> Result<Tried<W>, Problem> {
        self.refresh(game).await.map(|_| Tried::Again)
    }

    /// The first answer to a request that was sent again. That it was played is a guess too: a
    /// failover may have lost it.
    async fn played_before(
        &self,
        caller: &Caller,
        game: &mut Game<W>,
        attempt: &Attempt<W>,
        version: Version,
    ) -> Result<Tried<W>, Problem> {
        let entries = self
            .house
            .store
            .log(game.id, version - 1, 1)
            .await?
            .unwrap_or_default();
        let entry = entries.first();
        let head = entry.map(|entry| Head::of(entry.version, &entry.bytes));
        let played = entry.map(Game::<W>::read_move).transpose()?;
        let Some(played) = played.filter(|played| played.request == attempt.mark) else {
            return if self.refresh(game).await? {
                Ok(Tried::Again)
            } else {
                Err(StoreError::Damaged(format!("version {version} is gone")).into())
            };
        };
        let then = match self.at_version(game.id, version).await {
            Ok(mut then) if Some(then.head()) == head => {
                then.access = game.access.clone();
                then
            }
            // Meanwhile the store has lost it.
            Ok(_) | Err(Problem::NoSuchVersion { .. }) => return self.reload(game).await,
            Err(problem) => return Err(problem),
        };
        self.metrics.repeated();
        let now = attempt.show.text.then(|| W::scene(&then.state)).flatten();
        let scene = self.scene_after(game.id, version - 1, now).await?;
        let answer = attempt.answer(caller, &then, &played, scene);
        Ok(Tried::Answered(Box::new(answer)))
    }
}

fn outcome_of(committed: &Result<Committed, StoreError>) -> CommitOutcome {
    match committed {
        Ok(Committed::Done) => CommitOutcome::Done,
        Ok(Committed::Conflict { .. }) => CommitOutcome::Conflict,
        Ok(Committed::AccessChanged) => CommitOutcome::AccessChanged,
        Ok(Committed::Missing) => CommitOutcome::Missing,
        Err(_) => CommitOutcome::Failed,
    }
}

/// What the rules say.
enum Judged<W: Wire> {
    Legal(Box<ruleset::Applied<W>>),
    PlayedBefore(Version),
}

impl<W: Wire> Attempt<W> {
    fn read(call: ApplyActionRequest<W::Messages>) -> Result<Self, Problem> {
        check_request_id(&call.request_id)?;
        let seat = seat(call.seat, "seat")?;
        let action = W::action(call.action.ok_or_else(|| Malformed::missing("action"))?)?;
        let view = match ViewMode::try_from(call.view_mode) {
            Ok(ViewMode::Unspecified | ViewMode::Seat) => true,
            Ok(ViewMode::None) => false,
            Err(_) => return Err(Malformed::new("view_mode", "is unknown").into()),
        };
        let body = encode(&(seat, &action, call.expected_version));
        Ok(Self {
            seat,
            action,
            expected: call.expected_version,
            mark: RequestMark::new(&call.request_id, &body),
            show: Show {
                viewer: Viewer::Seat(seat),
                view,
                board: Board::read(call.with_board)?,
                text: call.with_text,
            },
            validate_only: call.validate_only,
        })
    }

    /// The scene is that before the action.
    fn answer(
        &self,
        caller: &Caller,
        game: &Game<W>,
        played: &MoveOf<W>,
        mut scene: Scene,
    ) -> ApplyActionResponse<W::Messages> {
        let players = &game.birth.players;
        let (view, board) = self.show.table(game);
        ApplyActionResponse {
            game: Some(game.info_for(caller)),
            view,
            events: self.show.events::<W>(&played.events, players, &mut scene),
            board,
        }
    }
}

/// Could this answer be another one on a newer version?
fn refreshable(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Refused(_)
            | Problem::StaleVersion { .. }
            | Problem::BadToken(_)
            | Problem::TokenReplaced(_)
            | Problem::GameNotOver
            | Problem::PermissionDenied(_)
    )
}
