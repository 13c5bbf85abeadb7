//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (MYT-6.11, 6.12).

use super::action::{Action, TokenSource};
use super::data::{ACTIONS, Improvement, ProvinceSet};
use super::event::March;
use super::refusal::RefusedAction;
use super::rules::actor::{ActorContext, CheckMode};
use super::rules::cards::{CheckResult, Spend, no_cards};
use super::rules::{
    abilities, armies, awards, build, decks, end_game, gate, gold, invade, philosopher, roads,
    setup_choice, ships, turn, war,
};
use super::stage::{Decision, TurnMark};
use super::state::State;
use crate::table::{ActionEnumerator, Seat, VisitFlow};

/// A validated action of a seat. Only `check` makes one, so that no unchecked action can be carried out.
#[derive(Debug)]
pub struct Permit {
    pub seat: Seat,
    pub spend: Spend,
    pub valid_action: ValidAction,
}

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum ValidAction {
    SetupChoice(ProvinceSet),
    Invade(invade::ValidAction),
    Armies(armies::ValidAction),
    Ships(ships::ValidAction),
    War(war::ValidAction),
    Gold(gold::ValidAction),
    Decks(decks::ValidAction),
    Build(build::ValidAction),
    Pass,
    EndGame,
    March(Vec<March>),
    Ability(abilities::ValidAction),
    EndTurn,
    TokenSource(TokenSource),
    TakeImprovement(Improvement),
}

/// Validates an action: the game is not over, the seat owes the decision, the action answers it; then the checks of the
/// action itself, in the order of the codes.
///
/// # Rule MYT-6.11
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedAction> {
    let actor = ActorContext {
        state,
        seat,
        mode: CheckMode::Permit,
    };
    gate::check(actor, action)?;
    let (spend, valid_action) = judge(actor, action)?;
    Ok(Permit {
        seat,
        spend,
        valid_action,
    })
}

/// Validates an action, in the detail that the actor wants.
#[rustfmt::skip]
fn judge(actor: ActorContext, action: &Action) -> CheckResult<ValidAction> {
    use Action as A;
    use abilities::{check_counsellor, check_marauders, check_mercenary, check_mystic};
    match action {
        A::SetupDiscardProvinces { cards } => alone(setup_choice::check_discard(actor, cards), ValidAction::SetupChoice),
        A::SetupPlaceCitadel { province } => alone(setup_choice::check_citadel(actor, *province), ValidAction::SetupChoice),
        A::Invade(invasion) => of(invade::check(actor, invasion), ValidAction::Invade),
        A::PlaceArmies { province, armies, food } => of(armies::check_place(actor, *province, armies, food), ValidAction::Armies),
        A::RemoveArmies { province, armies, mercenaries } => of(armies::check_remove(actor, *province, *armies, *mercenaries), ValidAction::Armies),
        A::PlaceShips { sea, ships } => of(ships::check_place(actor, *sea, ships), ValidAction::Ships),
        A::RemoveShips { sea, count } => of(ships::check_remove(actor, *sea, *count), ValidAction::Ships),
        A::EndWar { province, hero } => of(war::check_end(actor, *province, *hero), ValidAction::War),
        A::BuyUnits { armies, ships, gold } => of(gold::check_buy(actor, *armies, *ships, gold), ValidAction::Gold),
        A::DraftCard { card, gold } => of(gold::check_draft(actor, *card, gold), ValidAction::Gold),
        A::ReserveCards { cards } => of(decks::check_reserve(actor, cards), ValidAction::Decks),
        A::DiscardCards { cards } => of(decks::check_discard(actor, cards), ValidAction::Decks),
        A::RemoveCards { cards } => of(decks::check_remove(actor, cards), ValidAction::Decks),
        A::BuildCity { build_card, site_card, province, stone, guild_gold } => {
            let tools = build::Tools { build_card: *build_card, site_card: *site_card, stone, bonus: guild_gold };
            of(build::check_city(actor, *province, tools), ValidAction::Build)
        }
        A::BuildCastle { build_card, site_card, province, stone } => {
            let tools = build::Tools { build_card: *build_card, site_card: *site_card, stone, bonus: &[] };
            of(build::check_castle(actor, *province, tools), ValidAction::Build)
        }
        A::BuildRoad { build_card, site_card, a, b, stone, inn_gold } => {
            let tools = build::Tools { build_card: *build_card, site_card: *site_card, stone, bonus: inn_gold };
            of(build::check_road(actor, [*a, *b], tools), ValidAction::Build)
        }
        A::UseAlchemist { card, from_value: from } => of(gold::check_alchemist(actor, *card, *from), ValidAction::Gold),
        A::UseDiplomat { card, province, gold } => of(war::check_diplomat(actor, *card, *province, gold), ValidAction::War),
        A::Patronage { gold } => of(gold::check_patronage(actor, gold), ValidAction::Gold),
        A::PassTurn => alone(gate::action(actor), |()| ValidAction::Pass),
        A::EndGame => alone(end_game::check(actor), |()| ValidAction::EndGame),
        A::MoveArmiesByRoad { moves } => alone(roads::check(actor, moves), ValidAction::March),
        A::WarehouseStore { card } => of(decks::check_store(actor, *card), ValidAction::Decks),
        A::UseCounsellor { card, hand, reserve } => of(check_counsellor(actor, *card, hand, reserve), ValidAction::Ability),
        A::UseMarauders { card, province, owner } => of(check_marauders(actor, *card, *province, *owner), ValidAction::Ability),
        A::UseMercenary { card, gold, province, count } => of(check_mercenary(actor, *card, gold, *province, *count), ValidAction::Ability),
        A::UseMilitia { card } => of(abilities::check_militia(actor, *card), ValidAction::Ability),
        A::UseMystic { card, gold, take } => of(check_mystic(actor, *card, gold, *take), ValidAction::Ability),
        A::UsePhilosopher { card } => of(abilities::check_philosopher(actor, *card), ValidAction::Ability),
        A::UseProvidence { card } => of(abilities::check_providence(actor, *card), ValidAction::Ability),
        A::EndTurn => alone(turn::check_end(actor), |()| ValidAction::EndTurn),
        A::ChooseTokenSource { source } => alone(awards::check_choice(actor, *source), ValidAction::TokenSource),
        A::ChoosePhilosopherCard { card } => alone(philosopher::check(actor, *card), ValidAction::TakeImprovement),
    }
}

/// Wraps a ruling of a theme, with its cards.
fn of<D>(ruling: CheckResult<D>, wrap: impl FnOnce(D) -> ValidAction) -> CheckResult<ValidAction> {
    ruling.map(|(spend, done)| (spend, wrap(done)))
}

/// Wraps a ruling on an action that never takes cards.
fn alone<D>(
    allowed: Result<D, RefusedAction>,
    wrap: impl FnOnce(D) -> ValidAction,
) -> CheckResult<ValidAction> {
    allowed.map(|done| no_cards(wrap(done)))
}

/// Returns whether [`check`] allows this candidate. It skips the checks of the gate, since a candidate answers a
/// decision that the seat owes.
pub fn is_legal(state: &State, seat: Seat, candidate: &Action) -> bool {
    let wants = CheckMode::LegalityOnly;
    judge(
        ActorContext {
            state,
            seat,
            mode: wants,
        },
        candidate,
    )
    .is_ok()
}

/// Visits the candidates for legal actions of this seat, in canonical order: actions, free actions, the end of the
/// turn; choices and set-up where they are due.
///
/// # Rule MYT-6.12
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let Some((_, decision)) = state.pending().find(|&(to_act, _)| to_act == seat) else {
        return VisitFlow::Continue(());
    };
    let wants = CheckMode::LegalityOnly;
    let actor = ActorContext {
        state,
        seat,
        mode: wants,
    };
    match decision {
        Decision::SetupDiscard | Decision::SetupCitadel => setup_choice::candidates(actor, list),
        Decision::ChooseTokenSource => awards::candidates_choice(actor, list),
        Decision::ChoosePhilosopherCard => philosopher::candidates(actor, list),
        Decision::Turn => {
            if state.turn.actions_done < ACTIONS {
                actions(actor, list)?;
            }
            free_actions(actor, list)
        }
    }
}

fn actions(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let state = actor.state;
    let marks = state.turn.marks;
    let first = state.turn.actions_done == 0 && !marks.contains(TurnMark::FreeAction);
    list.kind("invade", |list| invade::candidates(actor, list))?;
    list.kind("place_armies", |list| armies::candidates_place(actor, list))?;
    list.kind("remove_armies", |list| {
        armies::candidates_remove(actor, list)
    })?;
    list.kind("place_ships", |list| ships::candidates_place(actor, list))?;
    list.kind("remove_ships", |list| ships::candidates_remove(actor, list))?;
    if first {
        list.kind("end_war", |list| war::candidates_end(actor, list))?;
    }
    list.kind("buy_units", |list| gold::candidates_buy(actor, list))?;
    if !marks.contains(TurnMark::Drafted) {
        list.kind("draft_card", |list| gold::candidates_draft(actor, list))?;
    }
    list.kind("reserve_cards", |list| {
        decks::candidates_reserve(actor, list)
    })?;
    list.kind("discard_cards", |list| {
        decks::candidates_discard(actor, list)
    })?;
    list.kind("remove_cards", |list| decks::candidates_remove(actor, list))?;
    list.kind("build_city", |list| build::candidates_city(actor, list))?;
    list.kind("build_castle", |list| build::candidates_castle(actor, list))?;
    list.kind("build_road", |list| build::candidates_road(actor, list))?;
    list.kind("use_alchemist", |list| {
        gold::candidates_alchemist(actor, list)
    })?;
    list.kind("use_diplomat", |list| war::candidates_diplomat(actor, list))?;
    list.kind("patronage", |list| gold::candidates_patronage(actor, list))?;
    list.visit(Action::PassTurn)?;
    if first {
        list.visit(Action::EndGame)?;
    }
    VisitFlow::Continue(())
}

fn free_actions(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let marks = actor.state.turn.marks;
    if !marks.contains(TurnMark::RoadMove) {
        list.kind("move_armies_by_road", |list| roads::candidates(actor, list))?;
    }
    if !marks.contains(TurnMark::Warehouse) {
        list.kind("warehouse_store", |list| {
            decks::candidates_store(actor, list)
        })?;
    }
    list.kind("use_counsellor", |list| {
        abilities::candidates_counsellor(actor, list)
    })?;
    list.kind("use_marauders", |list| {
        abilities::candidates_marauders(actor, list)
    })?;
    list.kind("use_mercenary", |list| {
        abilities::candidates_mercenary(actor, list)
    })?;
    abilities::candidates_alone(actor, list, Improvement::Militia, |card| {
        Action::UseMilitia { card }
    })?;
    list.kind("use_mystic", |list| {
        abilities::candidates_mystic(actor, list)
    })?;
    abilities::candidates_alone(actor, list, Improvement::Philosopher, |card| {
        Action::UsePhilosopher { card }
    })?;
    abilities::candidates_alone(actor, list, Improvement::Providence, |card| {
        Action::UseProvidence { card }
    })?;
    list.visit(Action::EndTurn)
}
