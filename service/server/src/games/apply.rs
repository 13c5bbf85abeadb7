//! `ApplyAction`: judges an action, plays it on a copy of the game and commits it. Nothing is shown before that.

use gamekeeper_proto::raw::{ApplyActionRequest, ApplyActionResponse};
use gamekeeper_rules::life::{self, Denied};
use gamekeeper_rules::table::{Scene, Seat, Viewer};
use gamekeeper_wire::Wire;
use prost::Message;

use super::append::{self, MOST_TRIES, refreshable};
use super::create::check_request_id;
use super::events::{Later, logged_version};
use super::game::{EntryOf, Game};
use super::load::LockedGame;
use super::own::own_action;
use super::recent::Repeat;
use super::record::{Act, Done, RequestMark};
use super::seats::{check_seat, seat};
use super::show::Show;
use super::{Games, parse_id};
use crate::auth::{Caller, Wish};
use crate::problem::{Problem, Refused};
use crate::store::Version;
use crate::telemetry::{step, traced};

/// A decoded request to act.
pub(super) struct Attempt<W: Wire> {
    seat: Seat,
    action: W::Action,
    expected: Version,
    mark: RequestMark,
    show: Show,
    validate_only: bool,
}

/// The outcome of one attempt.
pub(super) enum Outcome {
    Answered(Box<ApplyActionResponse>),
    /// The game was refreshed; judge again.
    Retry,
}

impl<W: Wire> Games<W> {
    /// Judges an action and, if it is legal, plays it. Requests with the same id and body are played once and
    /// get the same answer.
    ///
    /// # Errors
    /// When the caller lacks permission, the request is malformed, the version is stale, the rules refuse, or
    /// the store fails.
    pub async fn apply(
        &self,
        caller: &Caller,
        call: Box<ApplyActionRequest>,
    ) -> Result<Box<ApplyActionResponse>, Problem> {
        let id = parse_id(&call.game_id)?;
        let attempt = Attempt::<W>::read(*call)?;
        let mut game = self.open(caller, id).await?;
        for _ in 0..MOST_TRIES {
            match self.attempt(caller, &mut game, &attempt).await {
                Ok(Outcome::Answered(answer)) => return Ok(answer),
                Ok(Outcome::Retry) => {}
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

    /// Makes one attempt on the game as this process knows it.
    pub(super) async fn attempt(
        &self,
        caller: &Caller,
        game: &mut LockedGame<W>,
        attempt: &Attempt<W>,
    ) -> Result<Outcome, Problem> {
        let judging = self.judge(caller, game, attempt);
        let judged = traced(step!("judge"), judging).await;
        match judged {
            Ok(Verdict::Legal(judged)) if attempt.validate_only => {
                drop(judged);
                // The verdict must hold for the newest version.
                if self.refresh(game).await? {
                    return Ok(Outcome::Retry);
                }
                let facts = Show::facts(attempt.show.viewer);
                Ok(Outcome::Answered(Box::new(ApplyActionResponse {
                    table: Some(facts.table(game, game.info_for(caller))),
                    entry: None,
                })))
            }
            Ok(Verdict::Legal(judged)) => {
                // Only sentences need the scene before the action.
                let scene = attempt
                    .show
                    .tells()
                    .then(|| Box::new(attempt.show.scene(game)));
                let played = self.append(game, judged).await?;
                let Some(played) = played else {
                    return Ok(Outcome::Retry);
                };
                let scene = scene.map_or_else(Scene::default, |scene| *scene);
                attempt.answer(caller, game, &played, scene)
            }
            Ok(Verdict::PlayedBefore(version)) => {
                // Boxed: this is rare, and must not enlarge the future of every call.
                Box::pin(self.answer_again(caller, game, attempt, version)).await
            }
            // The cached game may be stale: refuse a call only on the newest version.
            Err(problem) if refreshable(&problem) && self.refresh(game).await? => {
                Ok(Outcome::Retry)
            }
            Err(problem) => Err(problem),
        }
    }

    /// Repeats the answer to a request that was played as this version.
    async fn answer_again(
        &self,
        caller: &Caller,
        game: &mut LockedGame<W>,
        attempt: &Attempt<W>,
        version: Version,
    ) -> Result<Outcome, Problem> {
        // The token must be valid now, and the log must still have that version.
        if self.refresh(game).await? {
            return Ok(Outcome::Retry);
        }
        let before = self.played_before(game, attempt.mark, version).await?;
        let Some((then, played)) = before else {
            return Ok(Outcome::Retry);
        };
        let now = attempt.show.tells().then(|| Later::of(&then)).flatten();
        let scene = self.scene_after(then.id, version - 1, now).await?;
        attempt.answer(caller, &then, &played, scene)
    }

    /// Judges an attempt, without changing the game.
    pub(super) async fn judge(
        &self,
        caller: &Caller,
        game: &mut Game<W>,
        attempt: &Attempt<W>,
    ) -> Result<Verdict<W>, Problem> {
        check_seat(caller, game, attempt.seat, "seat")?;
        caller.may(game.subject(), Wish::Act(attempt.seat))?;
        match self.repeat(game, attempt.mark, attempt.expected).await? {
            Repeat::Played(version) => return Ok(Verdict::PlayedBefore(version)),
            Repeat::Reused => return Err(Problem::RequestIdReused),
            Repeat::Unknown => {}
        }
        if attempt.expected != 0 && attempt.expected != game.version {
            let (expected, current) = (attempt.expected, game.version);
            return Err(Problem::StaleVersion { expected, current });
        }
        let time_ms = self.next_time(game);
        let (seat, action) = (attempt.seat, &attempt.action);
        let after = life::act(game.table(), seat, action, game.moment(time_ms));
        let after = after.map_err(|denied| match denied {
            Denied::Rules(refusal) => Problem::Refused(Refused::of::<W>(&refusal)),
            Denied::Table(no) => Problem::Table(no),
        })?;
        let action = action.clone();
        let done = Done::Act(Act { seat, action });
        let judged = append::Judged::new(game, done, after, attempt.mark, time_ms);
        Ok(Verdict::Legal(judged))
    }
}

/// The bytes that two requests must have in common to count as the same request, whichever builds receive them.
fn body_of<W: Wire>(seat: Seat, action: &W::Action, expected: Version) -> Vec<u8> {
    let mut body = vec![seat.number()];
    body.extend_from_slice(&expected.to_be_bytes());
    W::encoded_action(action).encode_raw(&mut body);
    body
}

/// The verdict on an action that is not refused.
pub(super) enum Verdict<W: Wire> {
    Legal(Box<append::Judged<W>>),
    PlayedBefore(Version),
}

impl<W: Wire> Attempt<W> {
    fn read(call: ApplyActionRequest) -> Result<Self, Problem> {
        check_request_id(&call.request_id)?;
        let seat = seat(call.seat, "seat")?;
        let action = own_action::<W>(call.action, "action")?;
        // Requests without an id are never compared with others.
        let body = if call.request_id.is_empty() {
            Vec::new()
        } else {
            body_of::<W>(seat, &action, call.expected_version)
        };
        Ok(Self {
            seat,
            action,
            expected: call.expected_version,
            mark: RequestMark::new(&call.request_id, &body),
            show: Show::read(Viewer::Seat(seat), call.show.as_ref())?,
            validate_only: call.validate_only,
        })
    }

    /// Answers with the game after the action. `scene` is the scene before it.
    fn answer(
        &self,
        caller: &Caller,
        game: &Game<W>,
        played: &EntryOf<W>,
        mut scene: Scene,
    ) -> Result<Outcome, Problem> {
        let show = self.show;
        let entry = show.events.then(|| {
            let ended = show.ended(game);
            logged_version::<W>(game.version, played, &game.birth, (show, &mut scene), ended)
        });
        Ok(Outcome::Answered(Box::new(ApplyActionResponse {
            table: Some(show.table(game, game.info_for(caller))),
            entry: entry.transpose()?,
        })))
    }
}
