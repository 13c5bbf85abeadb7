//! Phase III: rewards of the cults, and their spades (TM-6.61, TM-6.62).

use super::goods::receive;
use super::reach::Leaps;
use super::spades::{SpadeSource, halfling_spades, spades_unused};
use super::transform::{self, Job};
use crate::table::{Lister, Seat, Visit, broken};
use crate::terra_mystica::action::{Action, Transforms, Work};
use crate::terra_mystica::data::{Cult, Faction, ScoringReward};
use crate::terra_mystica::event::{Event, GoodsSource};
use crate::terra_mystica::refusal::No;
use crate::terra_mystica::state::{CultSpades, Play, State};

impl State {
    /// The spades of the seat that decides in phase III.
    fn asked_spades(&self) -> SpadeSource {
        match self.cult_spades.first() {
            Some(queued) => SpadeSource::Cult(queued.spades),
            None => broken("TM-6.62", &self.stage),
        }
    }

    /// Returns whether any of these spades can be used (TM-6.62).
    fn can_use_spades(&self, spades: CultSpades) -> bool {
        let CultSpades { seat, spades } = spades;
        let lands = self.reach(seat, Leaps::Forbidden).reachable;
        let mut free = lands.minus(self.board.occupied()).iter();
        if self.faction(seat) == Faction::Giants {
            let home = Faction::Giants.home();
            spades >= 2 && free.any(|land| self.board.terrain(land) != home)
        } else {
            free.next().is_some()
        }
    }
}

/// # Rule TM-6.61
/// Goods at once, in the turn order of the next round; spades are queued.
pub fn enter(play: &mut Play<'_>) {
    let tile = play.state.scoring_tile();
    for seat in play.state.next_turn_order() {
        let steps = |cult: Cult| play.state.players[seat].cults[cult.index()];
        match tile.reward() {
            ScoringReward::Goods(cult, per, goods) => {
                let goods = goods.times(u16::from(steps(cult) / per));
                receive(play, seat, goods, GoodsSource::CultReward(tile));
            }
            ScoringReward::PerPriest(goods) => {
                let priests = play.state.priests_on_cults(seat);
                let goods = goods.times(priests);
                receive(play, seat, goods, GoodsSource::CultReward(tile));
            }
            ScoringReward::Spade(cult, per) => {
                let spades = steps(cult) / per;
                grant_cult_spades(play, seat, spades);
            }
        }
    }
}

/// Grants spades. Halflings score these spades when they get them, usable or not (TM-14.7).
fn grant_cult_spades(play: &mut Play<'_>, seat: Seat, spades: u8) {
    if spades > 0 {
        play.tell(Event::CultSpadesGranted { seat, spades });
        halfling_spades(play, seat, spades);
        play.state.cult_spades.push(CultSpades { seat, spades });
    }
}

/// Skips players who cannot use any spade.
///
/// # Rule TM-6.62
/// The next seat of the queue that can use a spade decides.
pub fn skip_useless(play: &mut Play<'_>) {
    while let Some(&queued) = play.state.cult_spades.first() {
        if play.state.can_use_spades(queued) {
            return;
        }
        let nowhere = Action::UseCultSpades {
            transforms: Transforms::default(),
        };
        play.automatic(queued.seat, nowhere, |play| {
            play.state.cult_spades.remove(0);
            spades_unused(play, queued.seat, queued.spades);
        });
    }
}

pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let mut visit = |work: Work| {
        list.visit(Action::UseCultSpades {
            transforms: work.transforms,
        })
    };
    let source = state.asked_spades();
    visit(Work::default())?;
    transform::one_space(state, seat, source, &mut visit)?;
    transform::many_spaces(state, seat, source, &mut visit)
}

/// # Rule TM-6.62
/// Transformations only.
pub fn check(state: &State, seat: Seat, transforms: &Transforms) -> Result<Job, No> {
    let work = Work {
        transforms: transforms.clone(),
        build_at: None,
    };
    transform::check(state, seat, state.asked_spades(), &work)
}

pub fn perform(play: &mut Play<'_>, seat: Seat, job: &Job) {
    play.state.cult_spades.remove(0);
    transform::perform(play, seat, job);
}
