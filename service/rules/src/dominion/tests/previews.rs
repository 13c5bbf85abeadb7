//! Previews of actions: given where the seat can know what comes, withheld with the reason elsewhere.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet;
use gamekeeper_rules::dominion::{Action, Dominion};
use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_rules::table_life::{self, EntryStamp, Uncertainty, preview};

/// Returns the reason why P1 cannot foresee the outcome of an action; `None` if there is a preview.
fn withheld(table: &Table, action: &Action) -> Option<Uncertainty> {
    let chance = Chance::from_seed(&Seed::from_number(1));
    let table = table_life::Table::<Dominion> {
        state: &table.state,
        chance: &chance,
        seats: table.state.seats(),
        table_life: None,
    };
    let stamp = EntryStamp {
        version: 2,
        at_ms: 0,
    };
    preview(table, P1, action, stamp).err()
}

/// DOM-13.1: own cards are known to their owner before they are played or trashed.
#[test]
fn what_a_player_does_with_known_cards_is_foreseen() {
    let table = table(KingdomSet::FirstGame)
        .hand(P1, "2 copper, silver")
        .hand(P2, "moat, 4 copper")
        .draw_pile(P2, "5 estate")
        .buy_phase();
    assert_eq!(withheld(&table, &Action::PlayAllTreasures), None);
    let table = table.coins(3);
    assert_eq!(withheld(&table, &buy("silver")), None);
    let table = self::table(KingdomSet::FirstGame).hand(P1, "remodel, 2 estate, copper");
    assert_eq!(withheld(&table, &play("remodel")), None);
    assert_eq!(withheld(&table, &Action::EndActionPhase), None);
}

/// DOM-6.18: an opponent may hold a Moat if there is one among their cards.
#[test]
fn an_attack_is_foreseen_where_nobody_can_have_a_moat() {
    let table = table(KingdomSet::FirstGame)
        .hand(P1, "militia, 2 copper")
        .hand(P2, "5 copper")
        .draw_pile(P2, "5 estate");
    assert_eq!(withheld(&table, &play("militia")), None);
    for (hand, draw_pile) in [
        ("moat, 4 copper", "5 estate"),
        ("5 copper", "moat, 4 estate"),
    ] {
        let table = self::table(KingdomSet::FirstGame)
            .hand(P1, "militia, 2 copper")
            .hand(P2, hand)
            .draw_pile(P2, draw_pile);
        let reason = withheld(&table, &play("militia"));
        assert_eq!(reason, Some(Uncertainty::Hidden), "{hand}");
    }
}

/// DOM-6.30, DOM-6.31: the order of a pile is hidden, that of the next one is luck.
#[test]
fn drawn_cards_are_foreseen_where_all_are_equal() {
    let draws = |draw_pile: &str, discard_pile: &str| {
        let table = table(KingdomSet::FirstGame)
            .hand(P1, "smithy, 2 copper")
            .draw_pile(P1, draw_pile)
            .discard_pile(P1, discard_pile);
        withheld(&table, &play("smithy"))
    };
    assert_eq!(
        draws("3 copper, 2 estate", "gold"),
        Some(Uncertainty::Hidden)
    );
    assert_eq!(
        draws("copper", "estate, gold, silver, village"),
        Some(Uncertainty::Luck)
    );
    assert_eq!(draws("5 copper", "gold"), None);
    assert_eq!(draws("copper", "estate, estate"), None, "all cards come");
}
