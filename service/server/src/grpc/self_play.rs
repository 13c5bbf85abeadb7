//! Messages of self-play, to and from the names of a package.

use futures_util::StreamExt;
use tonic::{Code, Status, Streaming};

use crate::games::Answers;
use crate::problem::Problem;

/// What a client says, message by message.
pub fn incoming<A, B>(stream: Streaming<A>, message: fn(A) -> B) -> Answers<B>
where
    A: Send + 'static,
    B: 'static,
{
    Box::pin(stream.map(move |asked| asked.map(message).map_err(|status| unreadable(&status))))
}

/// Why the library could not give us a message.
fn unreadable(status: &Status) -> Problem {
    let message = status.message().to_owned();
    match status.code() {
        Code::OutOfRange | Code::ResourceExhausted => Problem::TooLarge(message),
        // The client went away, and nobody hears our answer.
        Code::Cancelled | Code::DeadlineExceeded | Code::Unavailable => {
            Problem::GoingAway { version: 0 }
        }
        Code::Ok
        | Code::Unknown
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::Unimplemented
        | Code::Internal
        | Code::DataLoss
        | Code::Unauthenticated => Problem::Unreadable(message),
    }
}

/// Writes `asked_of` and `told_to`, where `pb` and `Ruleset` are those of a ruleset.
#[macro_export]
macro_rules! self_play_messages {
    () => {
        fn asked_of(request: pb::SelfPlayRequest) -> $crate::games::Ask<Ruleset> {
            use pb::self_play_request::Step;
            use $crate::games::{Ask, Plan};
            match request.step {
                Some(Step::Plan(plan)) => Ask::Plan(Box::new(Plan {
                    seats: plan.seats,
                    options: plan.options,
                    games: plan.games,
                    total_games: plan.total_games,
                    seed: plan.seed,
                    show: plan.show.unwrap_or_default(),
                    detail: plan.detail,
                    most_actions: plan.most_actions,
                    most_versions: plan.most_versions,
                })),
                Some(Step::Moves(moves)) => {
                    Ask::Moves(moves.moves.into_iter().map(move_of).collect())
                }
                None => Ask::Nothing,
            }
        }

        fn move_of(message: pb::SelfPlayMove) -> $crate::games::SelfPlayMove<Ruleset> {
            use pb::self_play_move as given;
            use $crate::games::Choice;
            let choice = message.choice.map(|choice| match choice {
                given::Choice::Index(index) => Choice::Index(index),
                given::Choice::Action(action) => Choice::Action(action),
                given::Choice::Abandon(pb::SelfPlayAbandon {}) => Choice::Abandon,
            });
            $crate::games::SelfPlayMove {
                slot: message.slot,
                version: message.version,
                choice,
            }
        }

        fn told_to(told: $crate::games::Told<Ruleset>) -> pb::SelfPlayResponse {
            let observation = |seen: $crate::games::Observation<Ruleset>| pb::SelfPlayObservation {
                slot: seen.slot,
                game: seen.game,
                version: seen.version,
                seat: seen.seat,
                pending: seen.pending,
                view: seen.view,
                actions: seen.actions,
                action_count: seen.action_count,
                partial: seen.partial,
                events: seen.events,
                refusal: seen.refusal,
            };
            pb::SelfPlayResponse {
                results: told.results,
                observations: told.observations.into_iter().map(observation).collect(),
                more: told.more,
            }
        }
    };
}
