//! Scoring tiles and bonus cards (TM-5.3, TM-5.4, TM-5.8, TM-11.6).

use super::common::{distinct, path};
use crate::table::{PositionError, Seat};
use crate::terra_mystica::data::{BonusCard, ROUNDS, SPARE_CARDS, ScoringTile};
use crate::terra_mystica::options::may_lie_so;
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::State;

pub(super) fn judge(state: &State) -> Result<(), PositionError> {
    scoring(state)?;
    in_play(state)?;
    held(state)
}

/// # Rule TM-5.3, TM-P.30
/// Six different tiles of the box, SCORE1 not in rounds 5 and 6.
fn scoring(state: &State) -> Result<(), PositionError> {
    let tiles = &state.scoring_tiles;
    let in_box = tiles.iter().all(|&tile| state.rules.has_scoring_tile(tile));
    PositionError::unless(distinct(tiles) && in_box && may_lie_so(tiles), || {
        let found = tiles.map(ScoringTile::id).join(", ");
        let allowed = "six different tiles of the box, SCORE1 not in rounds 5 and 6";
        PositionError::new("TM-5.3", "scoring_tiles", found, allowed)
    })
}

/// # Rule TM-11.6, TM-6.63
/// Three more different cards of the box than players, and on none of the pool more coins than rounds have begun.
fn in_play(state: &State) -> Result<(), PositionError> {
    let held = state.players.iter().filter_map(|player| player.card);
    let pooled = state.pool.iter().map(|pooled| pooled.card);
    let cards: Vec<BonusCard> = pooled.chain(held).collect();
    let count = state.seats() + SPARE_CARDS;
    let in_box = cards.iter().all(|&card| state.rules.has_card(card));
    PositionError::unless(distinct(&cards) && cards.len() == count && in_box, || {
        let found = cards
            .iter()
            .map(|card| card.id())
            .collect::<Vec<_>>()
            .join(", ");
        let allowed = format!("{count} different cards of the box, with those of players");
        PositionError::new("TM-11.6", "bonus_pool", found, allowed)
    })?;
    state
        .pool
        .iter()
        .enumerate()
        .try_for_each(|(place, pooled)| {
            let field = format!("bonus_pool[{place}].coins");
            PositionError::within("TM-6.63", field, pooled.coins, 0..=state.round)
        })
}

/// # Rule TM-5.8, TM-6.45, TM-11.6
/// Everybody has a card in the rounds, except who has passed in the last one; in the set-up those have one who have
/// taken it, from the last player on.
fn held(state: &State) -> Result<(), PositionError> {
    let mut waiting = false;
    for &seat in state.turn_order.iter().rev() {
        let Some(player) = state.players.iter().nth(seat.index()) else {
            return Ok(());
        };
        let card = player.card;
        let fits = match state.stage {
            Stage::ChooseFaction(_) | Stage::PlaceDwelling => card.is_none(),
            Stage::ChooseBonusCard => {
                waiting |= card.is_none();
                card.is_none() == waiting
            }
            Stage::Action | Stage::Cult | Stage::Over => {
                let has_returned = state.round == ROUNDS && state.has_passed(seat);
                card.is_none() == has_returned
            }
        };
        PositionError::unless(fits, || wrong(seat, card))?;
    }
    let cards_left = waiting || state.stage != Stage::ChooseBonusCard;
    PositionError::unless(cards_left, || {
        let allowed = "a seat without a card at the end of the set-up";
        PositionError::new("TM-5.8", "players", "a card for everybody", allowed)
    })
}

fn wrong(seat: Seat, card: Option<BonusCard>) -> PositionError {
    let allowed = if card.is_some() { "none now" } else { "a card" };
    let found = card.map_or("none", |card| card.id());
    PositionError::new("TM-11.6", path(seat, "bonus_card"), found, allowed)
}
