//! The end of the game (TM-8.1 to TM-8.4).

use super::goods::score;
use crate::table::{PerSeat, Seat};
use crate::terra_mystica::data::{AREA_VP, CULT_VP, Cult, Faction};
use crate::terra_mystica::event::{Event, VpSource};
use crate::terra_mystica::state::{ExecContext, State};

/// The price of a VP at the end, in coins (TM-8.4); the Alchemists' stone is cheaper.
const COINS_PER_VP: u16 = 3;
const COINS_PER_VP_OF_ALCHEMISTS: u16 = 2;

/// The final scoring of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalScore {
    pub cults: [u16; 4],
    pub area: u16,
    pub resources: u16,
}

/// VP by rank.
///
/// # Rule TM-8.2
/// Players at 0 are not ranked. Tied players share the sum of the ranks that they cover, rounded down.
pub fn by_rank(values: &PerSeat<u8>, vp: [u16; 3], seat: Seat) -> u16 {
    let own = values[seat];
    if own == 0 {
        return 0;
    }
    let ahead = values.iter().filter(|&&value| value > own).count();
    let tied = values.iter().filter(|&&value| value == own);
    let sum: u16 = vp.iter().skip(ahead).take(tied.clone().count()).sum();
    sum / tied.fold(0, |count, _| count + 1)
}

impl State {
    pub fn finale(&self, seat: Seat) -> FinalScore {
        let on = |cult: Cult| {
            let values = PerSeat::new(self.seats(), |seat| self.players[seat].cults[cult.index()]);
            by_rank(&values, CULT_VP, seat)
        };
        let areas = PerSeat::new(self.seats(), |seat| self.largest_area(seat));
        FinalScore {
            cults: Cult::ALL.map(on),
            area: by_rank(&areas, AREA_VP, seat),
            resources: self.resource_vp(seat),
        }
    }

    /// # Rule TM-8.4
    /// All goods as coins: all of bowl III, bowl II in pairs.
    fn resource_vp(&self, seat: Seat) -> u16 {
        let player = &self.players[seat];
        let power = player.bowls[2] + player.bowls[1] / 2;
        let coins = player.coins + player.workers + player.priests + u16::from(power);
        if player.faction == Faction::Alchemists {
            coins / COINS_PER_VP_OF_ALCHEMISTS
        } else {
            coins / COINS_PER_VP
        }
    }
}

/// Scores cults, areas and resources (TM-8.1). Goods stay as they are (TM-14.7).
pub fn enter(ctx: &mut ExecContext<'_>) {
    let finales = PerSeat::new(ctx.state.seats(), |seat| ctx.state.finale(seat));
    for cult in Cult::ALL {
        for (seat, finale) in finales.entries() {
            score(ctx, seat, finale.cults[cult.index()], VpSource::Cult(cult));
        }
    }
    for (seat, finale) in finales.entries() {
        let size = ctx.state.largest_area(seat);
        ctx.emit(Event::AreaMeasured { seat, size });
        score(ctx, seat, finale.area, VpSource::Area);
    }
    for (seat, finale) in finales.entries() {
        score(ctx, seat, finale.resources, VpSource::Resources);
    }
}
