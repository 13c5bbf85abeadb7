//! Carrying procedure T out (TM-6.21, TM-6.22).

use super::super::data::{Faction, Goods, LEAP_VP, ScoringTrigger, Spades, Structure};
use super::super::event::{Event, GoodsSource, Purpose, VpSource};
use super::Play;
use super::transform::{Dig, Job, SpadeSource, leap_price, spade_price};
use crate::table::Seat;

/// VP of the Darklings for each spade paid with a priest (J13).
const PRIEST_SPADE_VP: u16 = 2;
/// Power of the Alchemists with stronghold for each spade used.
const ALCHEMY_SPADE_POWER: u16 = 2;

impl Play<'_> {
    /// Leap, spades, terrain, dwelling, in this order (TM-6.21).
    pub(in super::super) fn perform_work(&mut self, seat: Seat, job: &Job) {
        if let Some(land) = job.leap {
            self.pay(seat, leap_price(self.state, seat), Purpose::Leap);
            self.tell(Event::Leapt { seat, land });
            self.score(seat, LEAP_VP, VpSource::Leap);
        }
        self.pay(
            seat,
            spade_price(self.state, seat, job.bought),
            Purpose::Spades,
        );
        self.spades_obtained(seat, job);
        for dig in &job.digs {
            self.transform(seat, dig);
        }
        self.spades_used(seat, job);
        self.spades_unused(seat, job.source.free().saturating_sub(job.used()));
        if let Some(land) = job.build {
            let price = self.state.players[seat].sheet().cost(Structure::Dwelling);
            self.build_dwelling(seat, land, price);
        } else if !matches!(job.source, SpadeSource::Cult(_)) {
            let home = self.state.faction(seat).home();
            let turned = job.digs.iter().filter(|dig| dig.target == home);
            self.state.turn.late_build = turned.map(|dig| dig.land).collect();
        }
    }

    fn transform(&mut self, seat: Seat, dig: &Dig) {
        let from = self.state.board.terrain(dig.land);
        self.state.board.set_terrain(dig.land, dig.target);
        self.tell(Event::TerrainTransformed {
            seat,
            land: dig.land,
            from,
            to: dig.target,
            spades: dig.spades,
        });
    }

    /// What obtaining spades gives (TM-6.22): Halflings for each, Darklings for each priest. Spades
    /// of the stronghold and of cult rewards were counted when they came (TM-6.33, TM-14.7).
    fn spades_obtained(&mut self, seat: Seat, job: &Job) {
        let free = match job.source {
            SpadeSource::Stronghold | SpadeSource::Cult(_) => 0,
            SpadeSource::Bought
            | SpadeSource::Act5
            | SpadeSource::Act6
            | SpadeSource::Bon1
            | SpadeSource::ActG => job.source.free(),
        };
        self.halfling_spades(seat, free + job.bought);
        if self.state.players[seat].sheet().spades == Spades::Priests {
            let vp = PRIEST_SPADE_VP * u16::from(job.bought);
            self.score(seat, vp, VpSource::Spades);
        }
    }

    /// Halflings score every spade that they obtain (J12).
    pub(super) fn halfling_spades(&mut self, seat: Seat, spades: u8) {
        if self.state.faction(seat) == Faction::Halflings {
            self.score(seat, u16::from(spades), VpSource::Spades);
        }
    }

    /// What using spades on spaces gives (J11): the scoring tile in phase II, the Alchemists' power.
    fn spades_used(&mut self, seat: Seat, job: &Job) {
        let used = u16::from(job.used());
        if !matches!(job.source, SpadeSource::Cult(_)) {
            self.score_tile(seat, ScoringTrigger::Spade, used);
        }
        if self.state.faction(seat) == Faction::Alchemists && self.state.has_stronghold(seat) {
            let power = Goods::power(ALCHEMY_SPADE_POWER * used);
            self.receive(seat, power, GoodsSource::Spades);
        }
    }

    /// Free spades that nothing was done with are lost (J10).
    pub(super) fn spades_unused(&mut self, seat: Seat, spades: u8) {
        if spades > 0 {
            self.tell(Event::SpadesUnused { seat, spades });
        }
    }

    /// The scoring tile of the round, for so many things that it scores (TM-3.16).
    pub(super) fn score_tile(&mut self, seat: Seat, trigger: ScoringTrigger, times: u16) {
        let tile = self.state.scoring_tile();
        if tile.trigger() == trigger {
            self.score(seat, tile.vp() * times, VpSource::ScoringTile(tile));
        }
    }
}
