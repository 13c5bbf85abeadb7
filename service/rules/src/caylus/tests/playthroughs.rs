//! A **golden test**: a recorded game from a rich start. A changed rule shows as a changed line.

use gamekeeper_rules::caylus::RichCaylus;
use gamekeeper_rules::conformance::Suite;

#[test]
fn five_players_from_rich_starts() {
    Suite::plays_as_recorded::<RichCaylus<4>>("five_players_from_rich_starts", 5, 13);
}
