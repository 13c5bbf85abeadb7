//! Sizes of futures. A future is moved into the future that awaits it, so every call pays for one that has grown large.

use gamekeeper_proto::gamekeeper::v1::{GetGameRequest, ListLegalActionsRequest};
use gamekeeper_proto::raw::ApplyActionRequest;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::authz::Caller;
use crate::commit::append::PreparedEntry;
use crate::commit::mutation::{AppendCommand, Mutation, NewCommand};
use crate::handlers::apply_action::ApplyActionCommand;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;

/// The maximum size of a future on the path of a common call, in bytes.
const MAX: usize = 1_280;

/// Returns the size of the future that a function returns, in bytes.
fn size<A, F: Future>(_made_by: impl FnOnce(A) -> F) -> usize {
    size_of::<F>()
}

type Given<W, A> = (&'static GameService<W>, &'static Caller, A);

type Judging<W> = (&'static mut LockedGame<W>, &'static ApplyActionCommand<W>);

async fn attempting<W: Wire>(
    games: &'static GameService<W>,
    caller: &'static Caller,
    (game, attempt): Judging<W>,
) {
    drop(AppendCommand(attempt).attempt(games, caller, game).await);
}

fn sizes<W: Wire>() -> Vec<(&'static str, usize)> {
    type Apply = Box<ApplyActionRequest>;
    vec![
        (
            "apply",
            size(|(games, caller, call): Given<W, Apply>| games.apply_action(caller, call)),
        ),
        (
            "attempt",
            size(|(games, caller, (game, attempt)): Given<W, Judging<W>>| {
                attempting(games, caller, (game, attempt))
            }),
        ),
        (
            "judge",
            size(|(games, caller, (game, attempt)): Given<W, Judging<W>>| {
                attempt.prepare(games, caller, game)
            }),
        ),
        (
            "open",
            size(|(games, caller, id): Given<W, Uuid>| games.lock_cached(caller, id)),
        ),
        (
            "append",
            size(
                |(games, _, (game, judged)): Given<
                    W,
                    (&'static mut LockedGame<W>, Box<PreparedEntry<W>>),
                >| { games.append(game, judged) },
            ),
        ),
        (
            "refresh",
            size(|(games, _, game): Given<W, &'static mut LockedGame<W>>| games.refresh(game)),
        ),
        (
            "look",
            size(|(games, caller, call): Given<W, GetGameRequest>| games.get_game(caller, call)),
        ),
        (
            "legal",
            size(|(games, caller, call): Given<W, ListLegalActionsRequest>| {
                games.list_legal_actions(caller, call)
            }),
        ),
    ]
}

#[test]
fn futures_of_usual_calls_are_small() {
    for (ruleset, sizes) in gamekeeper_rules::of_each_ruleset!(R => (R::INFO.id, sizes::<R>())) {
        for (name, size) in sizes {
            assert!(size <= MAX, "{ruleset}, {name}: {size}");
        }
    }
}
