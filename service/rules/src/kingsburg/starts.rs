//! A rich start: everybody has goods to build with.

use super::data::Goods;
use super::state::State;

/// More gold, wood and stone.
const GOODS: Goods = Goods::new(8, 8, 8);

/// Gives everybody goods.
pub fn enrich(state: &mut State) -> bool {
    for player in state.players.iter_mut() {
        player.goods = player.goods.plus(GOODS);
    }
    true
}
