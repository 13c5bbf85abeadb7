//! **Noninterference**: no response reveals a fact that is hidden from its viewer.
//!
//! Two servers share one store, so that they have the same games. One plays by the rules. The other one shows a viewer,
//! whenever it asks the rules, a table that differs in everything hidden from the viewer, and the events of that table.
//! The responses of both servers to every call of that viewer must be equal byte for byte: views, events, lists,
//! refusals, dry runs, watches, exports, and the lines of the log.

mod compare;
mod lines;
mod onlooker;
mod pair;
mod tools;

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::table::{Chance, Seat, Seed, Viewer};
use gamekeeper_rules::table_life::TableEvent;
use gamekeeper_tests::disguise::{deceive, mistake};
use gamekeeper_wire::Wire;

use self::lines::Lines;
use self::pair::Pair;

/// Returns the number of actions to play, and the interval of close comparisons. With `GAMEKEEPER_LONG`, whole games
/// are compared at every version.
fn plan() -> (u64, u64) {
    match std::env::var_os("GAMEKEEPER_LONG") {
        Some(_) => (u64::MAX, 1),
        None => (48, 12),
    }
}

/// The front end's users and labels, which no player may see.
const FRONT_END_SECRET: &str = "what the front end knows";

async fn nothing_leaks<W: Audit + Wire>(seats: usize, number: u64) {
    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(lines.clone())
        .without_time()
        .with_ansi(false)
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (actions, closely_every) = plan();
    let mut pair = Pair::<W>::begin(seats, number, lines).await;
    let mut policy = Chance::from_seed(&Seed::from_number(number + 1_000));
    pair.compare(number).await;
    let mut taken_back = 0;
    while pair.version <= actions && pair.step(&mut policy).await {
        if pair.version % closely_every == 0 {
            pair.compare(number + pair.version).await;
        }
        if taken_back < 3
            && let Some(event) = pair.second_thought()
            && pair.beside(event).await
        {
            pair.compare(number + pair.version).await;
            taken_back += 1;
        }
        if seats > 2 && pair.version > actions / 2 {
            // Only once, because the seat has left afterwards.
            let left = pair
                .beside(TableEvent::Resigned { seat: Seat::FIRST })
                .await;
            if left {
                pair.compare(number + pair.version).await;
            }
        }
    }
    forks_leak_nothing(&mut pair, &mut policy, number).await;
}

/// Checks that facts hidden in a game are hidden in its fork.
async fn forks_leak_nothing<W: Audit + Wire>(pair: &mut Pair<W>, policy: &mut Chance, number: u64) {
    if !pair.fork(number).await {
        return;
    }
    pair.compare(number + pair.version).await;
    for _ in 0..8 {
        pair.step(policy).await;
    }
    pair.compare(number + pair.version).await;
}

/// A seat that is mistaken for a spectator sees another hand than its own: the comparison detects that.
#[tokio::test]
async fn a_difference_is_noticed() {
    use gamekeeper_rules::dominion::Dominion;

    let pair = Pair::<Dominion>::begin(2, 1, Lines::default()).await;
    let seat = Viewer::Seat(Seat::FIRST);
    let here = pair.onlooker(&pair.true_server, seat);
    let there = pair.onlooker(&pair.other_server, seat);
    // Two hands of five of ten cards, seven of them Coppers, may be equal by chance, but not ten times.
    let differs = async |seed| {
        mistake(seat, Viewer::Spectator, seed);
        here.look(None, 0).await != there.look(None, 0).await
    };
    let mut different = 0;
    for seed in 1..=10 {
        different += u32::from(differs(seed).await);
    }
    assert!(different > 0);
    deceive(seat, 1);
    assert_eq!(here.questions().await, there.questions().await);
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::ruleset::Ruleset;

            #[tokio::test]
            async fn no_answer_reveals_what_is_hidden_from_its_viewer() {
                let seats = [Rules::INFO.min_seats, Rules::INFO.max_seats];
                for (number, seats) in (1..).zip(seats) {
                    super::nothing_leaks::<Rules>(usize::from(seats), number).await;
                }
            }

            #[tokio::test]
            async fn no_tool_reveals_what_is_hidden_from_its_seat() {
                super::tools::tell_nothing::<Rules>(usize::from(Rules::INFO.min_seats)).await;
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(of_every_ruleset);
