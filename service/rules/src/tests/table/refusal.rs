//! Refusals of a ruleset and of every game.

use gamekeeper_rules::table::{CommonRefusal, CommonRefusals, Refusal, refusals};
use mixed::Mixed;

refusals! {
    /// Names no row that every game has.
    #[allow(unreachable_pub, reason = "refusals are part of a ruleset's interface")]
    Plain of "Plain" {
        #[error("No.")]
        No,
    }
}

mod mixed {
    use gamekeeper_rules::table::refusals;

    refusals! {
        /// Names some of them.
        #[allow(unreachable_pub, reason = "refusals are part of a ruleset's interface")]
        Mixed of "Mixed" {
            #[error("Never.")]
            Never,
            common InvalidPlayerCount,
            #[error("Not {count}.")]
            NotSoMany { count: u8 },
            common GameOver,
        }
    }
}

/// A row that is not named comes first.
#[test]
fn every_ruleset_has_the_refusals_of_every_game() {
    let shared = ["GAME_OVER", "NOT_YOUR_TURN", "WRONG_DECISION", "UNKNOWN_ID"];
    let plain = [&shared[..], &["INVALID_PLAYER_COUNT", "NO"]].concat();
    assert_eq!(Plain::CODES, plain);
    let own = ["NEVER", "INVALID_PLAYER_COUNT", "NOT_SO_MANY", "GAME_OVER"];
    assert_eq!(Mixed::CODES, [&shared[1..], &own].concat());
    assert_eq!(
        (Plain::WITH_VALUES, Mixed::WITH_VALUES),
        (&[][..], &["NotSoMany"][..])
    );
    let players = CommonRefusal::InvalidPlayerCount {
        players: 9,
        min: 2,
        max: 5,
    };
    assert_eq!(Plain::from(players).common(), Some(players));
    assert_eq!(
        Mixed::from(players).to_string(),
        "Mixed is for 2 to 5 players, not 9."
    );
    assert_eq!((Mixed::Never.common(), Plain::No.code()), (None, "NO"));
}
