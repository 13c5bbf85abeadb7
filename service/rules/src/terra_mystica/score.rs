//! The end of the game (TM-8.1 to TM-8.5).

use super::data::{AREA_VP, CULT_VP, Cult, Faction};
use super::event::{Event, VpSource};
use super::rules::Play;
use super::state::{Stage, State};
use crate::table::{PerSeat, Ranking, ScoreItem, Seat};

/// What a VP costs at the end, in coins (TM-8.4); the Alchemists' stone is cheaper.
const COINS_PER_VP: u16 = 3;
const COINS_PER_VP_OF_ALCHEMISTS: u16 = 2;

/// The final scoring of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Finale {
    cults: [u16; 4],
    area: u16,
    resources: u16,
}

/// VP by rank.
///
/// # Rule TM-8.2
/// Players at 0 take no rank. Tied players share the sum of the ranks that they cover, rounded down.
pub(super) fn by_rank(values: &PerSeat<u8>, vp: [u16; 3], seat: Seat) -> u16 {
    let own = values[seat];
    if own == 0 {
        return 0;
    }
    let ahead = values.iter().filter(|&&value| value > own).count();
    let tied = values.iter().filter(|&&value| value == own).count();
    let sum: u16 = vp.iter().skip(ahead).take(tied).sum();
    sum / u16::try_from(tied).unwrap_or(1)
}

impl State {
    fn finale(&self, seat: Seat) -> Finale {
        let on = |cult: Cult| {
            let values = PerSeat::new(self.seats(), |seat| self.players[seat].cults[cult.index()]);
            by_rank(&values, CULT_VP, seat)
        };
        let areas = PerSeat::new(self.seats(), |seat| self.largest_area(seat));
        Finale {
            cults: [
                on(Cult::Fire),
                on(Cult::Water),
                on(Cult::Earth),
                on(Cult::Air),
            ],
            area: by_rank(&areas, AREA_VP, seat),
            resources: self.resource_vp(seat),
        }
    }

    /// # Rule TM-8.4
    /// All goods as coins: bowl III whole, bowl II in pairs.
    fn resource_vp(&self, seat: Seat) -> u16 {
        let player = &self.players[seat];
        let power = player.bowls[2] + player.bowls[1] / 2;
        let coins = player.coins + player.workers + u16::from(player.priests) + u16::from(power);
        if player.faction == Faction::Alchemists {
            coins / COINS_PER_VP_OF_ALCHEMISTS
        } else {
            coins / COINS_PER_VP
        }
    }

    /// The result with its sources; ties stay ties (TM-8.5).
    pub(super) fn ranking(&self) -> Option<Ranking> {
        if self.stage != Stage::Finished {
            return None;
        }
        Some(Ranking::of(self.players.seats().map(|seat| {
            let finale = self.finale(seat);
            let [fire, water, earth, air] = finale.cults;
            let last: u16 = finale.cults.iter().sum::<u16>() + finale.area + finale.resources;
            let items = [
                ("before_final_scoring", self.players[seat].vp - last),
                ("fire", fire),
                ("water", water),
                ("earth", earth),
                ("air", air),
                ("area", finale.area),
                ("resources", finale.resources),
            ];
            let breakdown = items.map(|(source, vp)| ScoreItem {
                source,
                points: i32::from(vp),
            });
            (seat, breakdown.to_vec(), Vec::new())
        })))
    }
}

impl Play<'_> {
    /// Cults, areas, resources (TM-8.1). Goods stay as they are (TM-14.7).
    pub(super) fn final_scoring(&mut self) {
        let finales = PerSeat::new(self.state.seats(), |seat| self.state.finale(seat));
        for &cult in Cult::ALL {
            for (seat, finale) in finales.entries() {
                self.score(seat, finale.cults[cult.index()], VpSource::Cult(cult));
            }
        }
        for (seat, finale) in finales.entries() {
            let size = self.state.largest_area(seat);
            self.tell(Event::AreaMeasured { seat, size });
            self.score(seat, finale.area, VpSource::Area);
        }
        for (seat, finale) in finales.entries() {
            self.score(seat, finale.resources, VpSource::Resources);
        }
    }
}
