//! Wars: who fights, how strongly, and how a war ends (MYT-4.4, 6.5.6, 7.6).

use arrayvec::ArrayVec;

use super::cards::{Cards, Cost, Role, Spend, pay};
use super::{Actor, Play, awards, capture, ensure, gate, known};
use crate::mythotopia::action::{Action, Named, SymbolPlay};
use crate::mythotopia::data::{
    ABILITY_GOLD, CASTLE_STRENGTH, Card, DRAGON_STRENGTH, Improvement, Province, ProvinceSet,
    RESERVE_STRENGTH, RUGGED_STRENGTH, Stack, Symbol,
};
use crate::mythotopia::event::{Building, Event, Side, Strength, WarEnd};
use crate::mythotopia::refusal::Refusal;
use crate::mythotopia::rules::listing::Listing;
use crate::mythotopia::rules::purse::Purse;
use crate::mythotopia::state::State;
use crate::table::{MAX_SEATS, Seat, Visit};

/// The strengths of a war: the defender first, then the attackers in seat order.
pub(in crate::mythotopia) type Strengths = ArrayVec<Strength, MAX_SEATS>;

/// A war that may be ended.
#[derive(Clone, Debug)]
pub(in crate::mythotopia) struct Verdict {
    pub(in crate::mythotopia) province: Province,
    pub(in crate::mythotopia) end: WarEnd,
    pub(in crate::mythotopia) winner: Side,
}

impl State {
    /// # Rule MYT-4.4.4, 4.4.5
    /// A war goes on where somebody has armies or mercenaries in a province that is not his.
    pub(in crate::mythotopia) fn wars(&self) -> ProvinceSet {
        self.players
            .iter()
            .fold(ProvinceSet::EMPTY, |wars, player| {
                wars | (player.garrisons() - player.controlled())
            })
    }

    /// Does a seat attack there?
    pub(in crate::mythotopia) fn attacks(&self, seat: Seat, province: Province) -> bool {
        let player = &self.players[seat];
        player.fights_at(province) && !player.controls(province)
    }

    /// Is a war going on there?
    pub(in crate::mythotopia) fn at_war(&self, province: Province) -> bool {
        let mut seats = self.players.seats();
        seats.any(|seat| self.attacks(seat, province))
    }

    /// # Rule MYT-4.4.5
    /// The participants are the attackers and the defender.
    pub(in crate::mythotopia) fn takes_part(&self, seat: Seat, province: Province) -> bool {
        self.attacks(seat, province)
            || self.players[seat].controls(province) && self.at_war(province)
    }

    /// The provinces where a seat is at war with another player.
    ///
    /// # Rule MYT-4.4.6
    /// A war in which the neutral side is the only opponent does not count.
    pub(in crate::mythotopia) fn wars_with_players(&self, seat: Seat) -> ProvinceSet {
        let with_players = |province: &Province| {
            let others = seat.others(self.players.count());
            self.takes_part(seat, *province)
                && others.into_iter().any(|s| self.takes_part(s, *province))
        };
        self.wars().iter().filter(with_players).collect()
    }

    /// Who defends a province.
    pub(in crate::mythotopia) fn defender(&self, province: Province) -> Side {
        self.controller(province)
            .map_or(Side::Neutral, Side::Player)
    }

    /// # Rule MYT-4.4.8
    /// The strengths of all participants.
    pub(in crate::mythotopia) fn strengths(&self, province: Province) -> Strengths {
        let defender = self.defender(province);
        let defence = match defender {
            Side::Neutral => neutral_strength(self, province),
            Side::Player(seat) => defence(self, seat, province),
        };
        let attackers = self
            .players
            .seats()
            .filter(|&seat| self.attacks(seat, province))
            .map(|seat| Strength {
                side: Side::Player(seat),
                strength: attack(self, seat, province),
            });
        std::iter::once(Strength {
            side: defender,
            strength: defence,
        })
        .chain(attackers)
        .collect()
    }
}

fn neutral_strength(state: &State, province: Province) -> u8 {
    let dragon = state.dragons.contains(province);
    province.row().strength + if dragon { DRAGON_STRENGTH } else { 0 }
}

/// Armies, mercenaries and ships.
fn units(state: &State, seat: Seat, province: Province) -> u8 {
    let player = &state.players[seat];
    let present = player.armies.at(province) + player.mercenaries.at(province);
    present + state.ships_near(seat, province)
}

fn bonus(holds: bool, strength: u8) -> u8 {
    if holds { strength } else { 0 }
}

fn attack(state: &State, seat: Seat, province: Province) -> u8 {
    let player = &state.players[seat];
    let ranger = province.row().rugged && player.reserves(Improvement::Ranger);
    units(state, seat, province)
        + bonus(player.reserves(Improvement::Cavalry), RESERVE_STRENGTH)
        + bonus(ranger, RESERVE_STRENGTH)
}

fn defence(state: &State, seat: Seat, province: Province) -> u8 {
    let player = &state.players[seat];
    let citadel = player.building(province) == Some(Building::Citadel);
    let walls = state.castles.contains(province) || citadel;
    units(state, seat, province)
        + bonus(walls, CASTLE_STRENGTH)
        + bonus(province.row().rugged, RUGGED_STRENGTH)
        + bonus(player.reserves(Improvement::Limes), RESERVE_STRENGTH)
}

/// The sides with the highest strength.
pub(in crate::mythotopia) fn strongest(strengths: &Strengths) -> ArrayVec<Side, MAX_SEATS> {
    let most = strengths.iter().map(|s| s.strength).max().unwrap_or(0);
    let strongest = strengths.iter().filter(|s| s.strength == most);
    strongest.map(|s| s.side).collect()
}

fn war_of(actor: Actor, province: Province) -> Result<(), Refusal> {
    let war = actor.state.at_war(province);
    ensure(war, Refusal::NotAtWar { province })?;
    let takes_part = actor.state.takes_part(actor.seat, province);
    ensure(takes_part, Refusal::NotAParticipant { province })
}

/// May a war be ended, and who wins it?
///
/// # Rule MYT-6.5.6, 7.10
/// The strongest wins; a tie for the lead blocks the end, unless the actor is in it and has Hero.
pub(in crate::mythotopia) fn check_end(
    actor: Actor,
    province: Named<Province>,
    hero: Option<Named<Card>>,
) -> Result<(Spend, Verdict), Refusal> {
    let province = known(province)?;
    let cards = Cards {
        uses: &[(hero.as_slice(), Role::Ability(Improvement::Hero))],
        pays: &[],
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::first_action(actor)?;
    let spend = cards.usable(actor, used)?;
    war_of(actor, province)?;
    let strengths = actor.state.strengths(province);
    let strength = strengths.iter().map(|s| s.strength).max().unwrap_or(0);
    let strongest = strongest(&strengths);
    let sides = strongest.len();
    let own = Side::Player(actor.seat);
    let (end, winner) = match (strongest.as_slice(), hero) {
        (&[winner], None) => (WarEnd::Strength, winner),
        (tied, Some(_)) if sides > 1 && tied.contains(&own) => (WarEnd::Hero, own),
        (_, Some(_)) => {
            return Err(Refusal::HeroNotApplicable {
                province,
                strength,
                sides,
            });
        }
        (_, None) => {
            return Err(Refusal::NoClearWinner {
                province,
                strength,
                sides,
            });
        }
    };
    let verdict = Verdict {
        province,
        end,
        winner,
    };
    Ok((spend, verdict))
}

/// May Diplomat end a war?
///
/// # Rule MYT-7.6, A43
/// In any war that the actor takes part in, whoever is stronger.
pub(in crate::mythotopia) fn check_diplomat(
    actor: Actor,
    card: Named<Card>,
    province: Named<Province>,
    gold: &[SymbolPlay],
) -> Result<(Spend, Province), Refusal> {
    let province = known(province)?;
    let cards = Cards {
        uses: &[(&[card], Role::Ability(Improvement::Diplomat))],
        pays: &[(gold, Symbol::Gold)],
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    war_of(actor, province)?;
    pay(&[Cost::new(gold, Symbol::Gold, ABILITY_GOLD)])?;
    Ok((spend, province))
}

/// Ends a war with a winner.
///
/// # Rule MYT-6.5.6
/// Everybody goes home. Then a defending player is rewarded, or an attacker captures.
pub(in crate::mythotopia) fn conclude(play: &mut Play, seat: Seat, verdict: &Verdict) {
    let Verdict {
        province,
        end,
        winner,
    } = *verdict;
    let defender = play.state.defender(province);
    note_end(play, seat, province, end, Some(winner));
    everybody_home(play, province);
    match winner {
        Side::Player(victor) if winner == defender => {
            awards::queue(play.state, victor, Stack::DefenderOfTheRealm);
        }
        Side::Player(victor) => capture::capture(play, victor, province),
        Side::Neutral => {}
    }
}

/// Ends a war without a winner (MYT-7.6).
pub(in crate::mythotopia) fn dissolve(play: &mut Play, seat: Seat, province: Province) {
    note_end(play, seat, province, WarEnd::Diplomat, None);
    everybody_home(play, province);
}

fn note_end(play: &mut Play, seat: Seat, province: Province, end: WarEnd, winner: Option<Side>) {
    let strengths = play.state.strengths(province).into_iter().collect();
    play.note(Event::WarEnded {
        seat,
        province,
        end,
        strengths,
        winner,
    });
}

/// Armies return to their stocks, mercenaries to the supply; ships stay.
fn everybody_home(play: &mut Play, province: Province) {
    for seat in play.state.players.seats() {
        let player = play.player(seat);
        let armies = player.armies.clear(province);
        let mercenaries = player.mercenaries.clear(province);
        player.stock.armies += armies;
        if armies + mercenaries > 0 {
            play.note(Event::UnitsReturned {
                seat,
                province,
                armies,
                mercenaries,
            });
        }
    }
}

/// Wars that may be ended, by province number; where both go, without Hero first.
pub(in crate::mythotopia) fn list_end(list: &mut Listing) -> Visit {
    let actor = list.actor();
    let hero = Card::improvement(Improvement::Hero);
    let hero = actor.player().playable().contains(hero).then_some(hero);
    for province in actor.state.wars().iter() {
        list.target(|visit| {
            for hero in [None].into_iter().chain(hero.map(Some)) {
                visit(Action::EndWar {
                    province: Some(province),
                    hero: hero.map(Some),
                })?;
            }
            Visit::Continue(())
        })?;
    }
    Visit::Continue(())
}

/// Wars that Diplomat may end, by province number.
pub(in crate::mythotopia) fn list_diplomat(list: &mut Listing) -> Visit {
    let actor = list.actor();
    let card = Card::improvement(Improvement::Diplomat);
    let Some(purse) = Purse::of(actor).with_played(card) else {
        return Visit::Continue(());
    };
    let payments = purse.payments(Symbol::Gold, ABILITY_GOLD);
    for province in actor.state.wars().iter() {
        list.target(|visit| {
            payments.iter().try_for_each(|gold| {
                visit(Action::UseDiplomat {
                    card: Some(card),
                    province: Some(province),
                    gold: gold.to_vec(),
                })
            })
        })?;
    }
    Visit::Continue(())
}
