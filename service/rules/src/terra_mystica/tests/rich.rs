//! Random games of players who can afford anything, so that they reach all rules.

use gamekeeper_rules::conformance::{Audit, PatchedRuleset, Plan, RulesetPatch, play_games};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::terra_mystica::{Options, SetupMode, State, TerraMystica};

/// Terra Mystica with full purses at the start.
enum Rich {}

impl RulesetPatch for Rich {
    type Base = TerraMystica;

    fn enrich(state: &mut State) {
        assert!(TerraMystica::enrich(state));
    }

    /// Draws options with given factions: only players who have boards from the start can be made rich.
    fn table(seats: usize, seed: u64) -> Options {
        let options = TerraMystica::table(seats, seed * 8 + 3);
        assert_eq!(options.setup_mode, SetupMode::Custom);
        options
    }
}

#[test]
fn rich_players_break_nothing() {
    for seats in 2..=5 {
        let plan = Plan {
            games: 2,
            closely_every: 149,
            ..Plan::default()
        };
        let tally = play_games::<PatchedRuleset<Rich>>(seats, &plan).unwrap();
        assert_eq!(tally.finished, tally.games);
        assert!(tally.largest_state <= 700, "{tally:?}");
        println!("{tally:?}");
    }
}
