//! The **holdings** of a seat: its countable resources.

use super::data::{ACTIONS, Improvement, PROVINCE_POINTS, count as number};
use super::rules::awards;
use super::stage::Stage;
use super::state::{Award, State};
use crate::table::{Holdings, Resource, Seat};

const ACTION: usize = 0;
const CARD: usize = 1;
const OWNED: usize = 2;
const ARMY: usize = 3;
const MERCENARY: usize = 4;
const SHIP: usize = 5;
const TOWN: usize = 6;
const CITY: usize = 7;
const CASTLE: usize = 8;
const POINT: usize = 9;

/// All countable resources. Armies and ships are those on the board and in stock: a player can place those too.
pub const RESOURCES: &[Resource] = &[
    Resource::new("action", "action").without_cost_text(),
    Resource::many("card", "card in hand", "cards in hand").without_cost_text(),
    Resource::many("own_card", "card of your own", "cards of your own"),
    Resource::many("army", "army", "armies"),
    Resource::many("mercenary", "mercenary", "mercenaries"),
    Resource::new("ship", "ship"),
    Resource::new("town", "town"),
    Resource::many("city", "city", "cities"),
    Resource::new("castle", "castle"),
    Resource::mass("victory_point", "VP"),
];

pub fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
    let player = &state.players[seat];
    if state.active == seat {
        holdings.add(ACTION, ACTIONS.saturating_sub(state.turn.actions_done));
    }
    holdings.add(CARD, number(player.hand.len()));
    holdings.add(OWNED, number(player.total()));
    holdings.add(ARMY, player.stock.armies + player.armies.total());
    holdings.add(MERCENARY, player.mercenaries.total());
    holdings.add(SHIP, player.stock.ships + player.ships.iter().sum::<u8>());
    holdings.add(TOWN, number(player.towns.len()));
    holdings.add(CITY, number(player.cities.len()));
    holdings.add(CASTLE, number((state.castles & player.controlled()).len()));
    holdings.add(
        POINT,
        state.province_points(seat) + state.token_points(seat),
    );
    expect_tokens(state, seat, holdings);
    expect_choice(state, seat, holdings);
}

/// Adds the tokens that are due to the certain gains: those that lie on their cards, and those that the bank gives if
/// the player cannot decline them.
///
/// # Rule MYT-6.8.2
fn expect_tokens(state: &State, seat: Seat, holdings: &mut Holdings) {
    let (mut on_cards, mut in_bank) = (state.tokens, state.bank);
    for &Award { seat: to, stack } in &state.awards {
        let value = state.value(stack);
        let (card, bank) = (
            &mut on_cards[stack.index()],
            &mut in_bank[usize::from(value) - 1],
        );
        let from_bank = state.players[to].reserves(Improvement::Scribe) && *bank > 0;
        let comes = if *card > 0 {
            *card -= 1;
            true
        } else {
            *bank -= u8::from(from_bank);
            from_bank && !awards::may_decline(stack)
        };
        if comes && to == seat {
            holdings.add_expected(POINT, value);
        }
    }
}

/// Adds the certain consequences of the player's own choice of the set-up, which is carried out when all have chosen:
/// provinces given away, with their towns, cards and points, or the town that the citadel replaces.
///
/// # Rule MYT-5.7
fn expect_choice(state: &State, seat: Seat, holdings: &mut Holdings) {
    let Some(choice) = state.players[seat].choice else {
        return;
    };
    let provinces = i32::from(number(choice.len()));
    holdings.add_expected(TOWN, -provinces);
    if state.stage == Stage::SetupDiscard {
        holdings.add_expected(OWNED, -provinces);
        holdings.add_expected(POINT, -provinces * i32::from(PROVINCE_POINTS));
    }
}
