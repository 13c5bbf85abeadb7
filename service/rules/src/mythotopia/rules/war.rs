//! Ending wars, with a winner or without (MYT-4.4, 6.5.6, 7.6).

use super::actor::ActorContext;
use super::cards::{Cards, CheckResult, Role};
use super::payment::{Cost, pay};
use super::purse::Purse;
use super::{awards, capture, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{ABILITY_GOLD, Card, Improvement, Province, Stack, Symbol, count};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::{Side, WarEnd};
use crate::mythotopia::state::{ExecContext, strongest};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
    End(Verdict),
    /// Ends a war by Diplomat, without a winner.
    Dissolve(Province),
}

/// Ends a war.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    match valid_action {
        ValidAction::End(verdict) => conclude(ctx, seat, verdict),
        ValidAction::Dissolve(province) => dissolve(ctx, seat, *province),
    }
}

/// A war that may be ended.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub province: Province,
    pub end: WarEnd,
    pub winner: Side,
}

fn war_of(
    actor: ActorContext,
    province: Province,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let war = actor.state.at_war(province);
    ensure(war, Refusal::NotAtWar { province }.citing(rule))?;
    let takes_part = actor.state.takes_part(actor.seat, province);
    ensure(
        takes_part,
        Refusal::NotAParticipant { province }.citing(rule),
    )
}

/// Checks that a war may be ended, and determines the winner.
///
/// # Rule MYT-6.5.6, 7.10
/// The strongest wins; a tie for the lead blocks the end, unless the actor is in it and has Hero.
pub fn check_end(
    actor: ActorContext,
    province: MaybeKnown<Province>,
    hero: Option<MaybeKnown<Card>>,
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let cards = Cards {
        uses: &[("hero", hero.as_slice(), Role::Ability(Improvement::Hero))],
        pays: &[],
    };
    cards.require_known()?;
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
            .citing("MYT-6.5.6"));
        }
        (_, None) => {
            return Err(Refusal::NoClearWinner {
                province,
                strength,
                sides,
            }
            .citing("MYT-6.5.6"));
        }
    };
    let verdict = Verdict {
        province,
        end,
        winner,
    };
    Ok((spend, ValidAction::End(verdict)))
}

/// Checks that Diplomat may end a war.
///
/// # Rule MYT-7.6, A43
/// In any war that the actor takes part in, regardless of the strengths.
pub fn check_diplomat(
    actor: ActorContext,
    card: MaybeKnown<Card>,
    province: MaybeKnown<Province>,
    gold: &[SymbolPlay],
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let cards = Cards {
        uses: &[("card", &[card], Role::Ability(Improvement::Diplomat))],
        pays: &[("gold", gold, Symbol::Gold)],
    };
    cards.require_known()?;
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
    Ok((spend, ValidAction::Dissolve(province)))
}

/// Ends a war with a winner.
///
/// # Rule MYT-6.5.6
/// All units go home. Then a defending player is rewarded, or an attacker captures the province.
pub fn conclude(ctx: &mut ExecContext<'_>, seat: Seat, verdict: &Verdict) {
    let Verdict {
        province,
        end,
        winner,
    } = *verdict;
    let defender = ctx.state.defender(province);
    note_end(ctx, seat, province, end, Some(winner));
    everybody_home(ctx, province);
    match winner {
        Side::Player(victor) if winner == defender => {
            awards::queue(ctx.state, victor, Stack::DefenderOfTheRealm);
        }
        Side::Player(victor) => capture::capture(ctx, victor, province),
        Side::Neutral => {}
    }
}

/// Ends a war without a winner (MYT-7.6).
fn dissolve(ctx: &mut ExecContext<'_>, seat: Seat, province: Province) {
    note_end(ctx, seat, province, WarEnd::Diplomat, None);
    everybody_home(ctx, province);
}

fn note_end(
    ctx: &mut ExecContext<'_>,
    seat: Seat,
    province: Province,
    end: WarEnd,
    winner: Option<Side>,
) {
    let strengths = ctx.state.strengths(province).into_iter().collect();
    ctx.emit(Event::WarEnded {
        seat,
        province,
        end,
        strengths,
        winner,
    });
}

/// Returns armies to their stocks, and mercenaries to the supply; ships stay.
fn everybody_home(ctx: &mut ExecContext<'_>, province: Province) {
    for seat in ctx.state.players.seats() {
        let player = &mut ctx.state.players[seat];
        let armies = player.armies.clear(province);
        let mercenaries = player.mercenaries.clear(province);
        player.stock.armies += armies;
        if armies + mercenaries > 0 {
            ctx.emit(Event::UnitsReturned {
                seat,
                province,
                armies,
                mercenaries,
            });
        }
    }
}

/// Lists the wars that may be ended, by province number; where both are possible, without Hero first.
pub fn candidates_end(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let hero = Card::improvement(Improvement::Hero);
    let hero = actor.player().playable().contains(hero).then_some(hero);
    for province in actor.state.wars().iter() {
        list.alternatives(|list| {
            for hero in [None].into_iter().chain(hero.map(Some)) {
                list.visit(Action::EndWar {
                    province: Some(province),
                    hero: hero.map(Some),
                })?;
            }
            VisitFlow::Continue(())
        })?;
    }
    VisitFlow::Continue(())
}

/// Lists the wars that Diplomat may end, by province number.
pub fn candidates_diplomat(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let card = Card::improvement(Improvement::Diplomat);
    let Some(purse) = Purse::of(actor).with_played(card) else {
        return VisitFlow::Continue(());
    };
    for province in actor.state.wars().iter() {
        list.alternatives(|list| {
            purse.pay(Symbol::Gold, ABILITY_GOLD, list, &mut |list, _, gold| {
                list.visit(Action::UseDiplomat {
                    card: Some(card),
                    province: Some(province),
                    gold: gold.to_vec(),
                })
            })
        })?;
    }
    VisitFlow::Continue(())
}
