//! Ending wars, with a winner or without (MYT-4.4, 6.5.6, 7.6).

use super::actor::Actor;
use super::cards::{Cards, Role, Ruling};
use super::payment::{Cost, pay};
use super::purse::Purse;
use super::{awards, capture, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{ABILITY_GOLD, Card, Improvement, Province, Stack, Symbol, count};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{No, Purchase, Refusal, ensure, known};
use crate::mythotopia::stage::{Side, WarEnd};
use crate::mythotopia::state::{Play, strongest};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Debug)]
pub enum Deed {
    End(Verdict),
    /// Ends a war by Diplomat, without a winner.
    Dissolve(Province),
}

/// Ends a war.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: &Deed) {
    match deed {
        Deed::End(verdict) => conclude(play, seat, verdict),
        Deed::Dissolve(province) => dissolve(play, seat, *province),
    }
}

/// A war that may be ended.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub province: Province,
    pub end: WarEnd,
    pub winner: Side,
}

fn war_of(actor: Actor, province: Province, rule: &'static str) -> Result<(), No> {
    let war = actor.state.at_war(province);
    ensure(war, Refusal::NotAtWar { province }.at(rule))?;
    let takes_part = actor.state.takes_part(actor.seat, province);
    ensure(takes_part, Refusal::NotAParticipant { province }.at(rule))
}

/// Checks that a war may be ended, and determines the winner.
///
/// # Rule MYT-6.5.6, 7.10
/// The strongest wins; a tie for the lead blocks the end, unless the actor is in it and has Hero.
pub fn check_end(
    actor: Actor,
    province: Named<Province>,
    hero: Option<Named<Card>>,
) -> Ruling<Deed> {
    let province = known(province, "province")?;
    let cards = Cards {
        uses: &[("hero", hero.as_slice(), Role::Ability(Improvement::Hero))],
        pays: &[],
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::first_action(actor)?;
    let spend = cards.usable(actor, used)?;
    war_of(actor, province, "MYT-6.5.6")?;
    let strengths = actor.state.strengths(province);
    let strength = strengths.iter().map(|s| s.strength).max().unwrap_or(0);
    let strongest = strongest(&strengths);
    let sides = count(strongest.len());
    let own = Side::Player(actor.seat);
    let (end, winner) = match (strongest.as_slice(), hero) {
        (&[winner], None) => (WarEnd::Strength, winner),
        (tied, Some(_)) if sides > 1 && tied.contains(&own) => (WarEnd::Hero, own),
        (_, Some(_)) => {
            return Err(Refusal::HeroNotApplicable {
                province,
                strength,
                sides,
            }
            .at("MYT-6.5.6"));
        }
        (_, None) => {
            return Err(Refusal::NoClearWinner {
                province,
                strength,
                sides,
            }
            .at("MYT-6.5.6"));
        }
    };
    let verdict = Verdict {
        province,
        end,
        winner,
    };
    Ok((spend, Deed::End(verdict)))
}

/// Checks that Diplomat may end a war.
///
/// # Rule MYT-7.6, A43
/// In any war that the actor takes part in, regardless of the strengths.
pub fn check_diplomat(
    actor: Actor,
    card: Named<Card>,
    province: Named<Province>,
    gold: &[SymbolPlay],
) -> Ruling<Deed> {
    let province = known(province, "province")?;
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(Improvement::Diplomat))],
        pays: &[("gold", gold, Symbol::Gold)],
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    war_of(actor, province, "MYT-7.6")?;
    pay(&[Cost::new(
        Purchase::Diplomat,
        gold,
        Symbol::Gold,
        ABILITY_GOLD,
    )])?;
    Ok((spend, Deed::Dissolve(province)))
}

/// Ends a war with a winner.
///
/// # Rule MYT-6.5.6
/// All units go home. Then a defending player is rewarded, or an attacker captures the province.
pub fn conclude(play: &mut Play<'_>, seat: Seat, verdict: &Verdict) {
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
fn dissolve(play: &mut Play<'_>, seat: Seat, province: Province) {
    note_end(play, seat, province, WarEnd::Diplomat, None);
    everybody_home(play, province);
}

fn note_end(
    play: &mut Play<'_>,
    seat: Seat,
    province: Province,
    end: WarEnd,
    winner: Option<Side>,
) {
    let strengths = play.state.strengths(province).into_iter().collect();
    play.tell(Event::WarEnded {
        seat,
        province,
        end,
        strengths,
        winner,
    });
}

/// Returns armies to their stocks, and mercenaries to the supply; ships stay.
fn everybody_home(play: &mut Play<'_>, province: Province) {
    for seat in play.state.players.seats() {
        let player = &mut play.state.players[seat];
        let armies = player.armies.clear(province);
        let mercenaries = player.mercenaries.clear(province);
        player.stock.armies += armies;
        if armies + mercenaries > 0 {
            play.tell(Event::UnitsReturned {
                seat,
                province,
                armies,
                mercenaries,
            });
        }
    }
}

/// Lists the wars that may be ended, by province number; where both are possible, without Hero first.
pub fn candidates_end(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let hero = Card::improvement(Improvement::Hero);
    let hero = actor.player().playable().contains(hero).then_some(hero);
    for province in actor.state.wars().iter() {
        list.one_of(|list| {
            for hero in [None].into_iter().chain(hero.map(Some)) {
                list.visit(Action::EndWar {
                    province: Some(province),
                    hero: hero.map(Some),
                })?;
            }
            Visit::Continue(())
        })?;
    }
    Visit::Continue(())
}

/// Lists the wars that Diplomat may end, by province number.
pub fn candidates_diplomat(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let card = Card::improvement(Improvement::Diplomat);
    let Some(purse) = Purse::of(actor).with_played(card) else {
        return Visit::Continue(());
    };
    for province in actor.state.wars().iter() {
        list.one_of(|list| {
            purse.pay(Symbol::Gold, ABILITY_GOLD, list, &mut |list, _, gold| {
                list.visit(Action::UseDiplomat {
                    card: Some(card),
                    province: Some(province),
                    gold: gold.to_vec(),
                })
            })
        })?;
    }
    Visit::Continue(())
}
