//! The **holdings** of a seat: its countable resources.

use super::data::{ACTIONS, count as number};
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
}

/// Adds the tokens that are due and lie on their cards to the certain gains; those of the bank are a choice.
///
/// # Rule MYT-6.8.2
fn expect_tokens(state: &State, seat: Seat, holdings: &mut Holdings) {
    for (index, &Award { seat: to, stack }) in state.awards.iter().enumerate() {
        let earlier = state.awards.iter().take(index);
        let taken = earlier.filter(|award| award.stack == stack).count();
        if to == seat && usize::from(state.tokens[stack.index()]) > taken {
            holdings.add_expected(POINT, state.value(stack));
        }
    }
}
