//! A rich start: every player has goods to build with.

use super::data::Goods;
use super::state::State;

/// The additional gold, wood and stone.
const GOODS: Goods = Goods::new(8, 8, 8);

/// Gives every player goods.
pub fn enrich(state: &mut State) -> bool {
    for player in state.players.iter_mut() {
        player.goods = player.goods.plus(GOODS);
    }
    true
}
