//! The one judge, and the list that it is asked about (MYT-6.11, 6.12).

use crate::mythotopia::action::{Action, TokenSource};
use crate::mythotopia::data::{
    ACTIONS, Card, CardSet, Improvement, Province, ProvinceSet, Sea, Stack,
};
use crate::mythotopia::event::{March, Zone};
use crate::mythotopia::refusal::{No, Refusal, ensure};
use crate::mythotopia::rules::actor::{Actor, Wants};
use crate::mythotopia::rules::cards::Spend;
use crate::mythotopia::rules::listing::{Belongs, Listing};
use crate::mythotopia::rules::{
    abilities, armies, awards, build, decks, end_game, gate, gold, invade, philosopher, roads,
    setup_choice, ships, turn, war,
};
use crate::mythotopia::stage::{Phase, TurnMark};
use crate::mythotopia::state::{Pieces, State};
use crate::table::{Detail, Refusal as _, Seat, Visit};

/// An action that was allowed. Only [`check`] makes one.
#[derive(Debug)]
pub struct Permit {
    pub(crate) seat: Seat,
    pub(crate) spend: Spend,
    pub(crate) deed: Deed,
}

/// What is to be done, with everything worked out.
#[derive(Debug)]
pub(crate) enum Deed {
    SetupChoice(ProvinceSet),
    Invade(invade::Landing),
    PlaceArmies(Province, u8),
    RemoveArmies(armies::Retreat),
    PlaceShips(Sea, u8),
    RemoveShips(Sea, u8),
    EndWar(war::Verdict),
    Buy(Pieces),
    Draft(Card, Zone),
    Reserve(CardSet),
    Discard(CardSet),
    Remove(CardSet),
    Build(build::Work, Option<Stack>),
    Alchemist(u8),
    Diplomat(Province),
    Patronage,
    Pass,
    EndGame,
    March(Vec<March>),
    Store(CardSet),
    Redraw(u8),
    Marauders(Province, Seat),
    Mercenaries(Province, u8),
    Militia,
    Mystic(Card),
    Philosopher,
    EndTurn,
    TokenSource(TokenSource),
    TakeImprovement(Improvement),
}

/// What a deed costs of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// One of the two actions.
    Action,
    /// A free action; some of them once in a turn.
    Free(Option<TurnMark>),
    /// Nothing.
    None,
}

impl Deed {
    pub(crate) const fn effort(&self) -> Effort {
        match self {
            Self::Invade(_)
            | Self::PlaceArmies(..)
            | Self::RemoveArmies(_)
            | Self::PlaceShips(..)
            | Self::RemoveShips(..)
            | Self::EndWar(_)
            | Self::Buy(_)
            | Self::Draft(..)
            | Self::Reserve(_)
            | Self::Discard(_)
            | Self::Remove(_)
            | Self::Build(..)
            | Self::Alchemist(_)
            | Self::Diplomat(_)
            | Self::Patronage
            | Self::Pass
            | Self::EndGame => Effort::Action,
            Self::March(_) => Effort::Free(Some(TurnMark::RoadMove)),
            Self::Store(_) => Effort::Free(Some(TurnMark::Warehouse)),
            Self::Redraw(_)
            | Self::Marauders(..)
            | Self::Mercenaries(..)
            | Self::Militia
            | Self::Mystic(_)
            | Self::Philosopher => Effort::Free(None),
            Self::SetupChoice(_)
            | Self::EndTurn
            | Self::TokenSource(_)
            | Self::TakeImprovement(_) => Effort::None,
        }
    }
}

/// May this seat do this now?
///
/// # Rule MYT-6.11
/// First whether the seat may act at all, then the action itself, in the order of the codes.
pub(crate) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, No> {
    let actor = Actor {
        state,
        seat,
        wants: Wants::Permit,
    };
    let (spend, deed) = judge(actor, action)?;
    Ok(Permit { seat, spend, deed })
}

/// The judgement of [`check`], with what the actor wants to know.
pub(crate) fn judge(actor: Actor, action: &Action) -> Result<(Spend, Deed), No> {
    let Actor { state, seat, .. } = actor;
    let active = state.active;
    ensure(
        state.players.has(seat),
        Refusal::NotYourTurn { active }.at("MYT-6.1.5"),
    )?;
    gate::check(actor, action)?;
    deed(actor, action)
}

/// The cards of an action that needs none.
fn no_cards(deed: Deed) -> (Spend, Deed) {
    (Spend::default(), deed)
}

#[expect(clippy::too_many_lines, reason = "one arm for each action")]
#[rustfmt::skip]
fn deed(actor: Actor, action: &Action) -> Result<(Spend, Deed), No> {
    use Action as A;
    Ok(match action {
        A::SetupDiscardProvinces { cards } => {
            no_cards(Deed::SetupChoice(setup_choice::check_discard(actor, cards)?))
        }
        A::SetupPlaceCitadel { province } => {
            no_cards(Deed::SetupChoice(setup_choice::check_citadel(actor, *province)?))
        }
        A::Invade(invasion) => {
            let (spend, landing) = invade::check(actor, invasion)?;
            (spend, Deed::Invade(landing))
        }
        A::PlaceArmies { province, armies, food } => {
            let (spend, province, armies) = armies::check_place(actor, *province, armies, food)?;
            (spend, Deed::PlaceArmies(province, armies))
        }
        A::RemoveArmies { province, armies, mercenaries } => {
            no_cards(Deed::RemoveArmies(armies::check_remove(actor, *province, *armies, *mercenaries)?))
        }
        A::PlaceShips { sea, ships } => {
            let (spend, sea, ships) = ships::check_place(actor, *sea, ships)?;
            (spend, Deed::PlaceShips(sea, ships))
        }
        A::RemoveShips { sea, count } => {
            let (sea, ships) = ships::check_remove(actor, *sea, *count)?;
            no_cards(Deed::RemoveShips(sea, ships))
        }
        A::EndWar { province, hero } => {
            let (spend, verdict) = war::check_end(actor, *province, *hero)?;
            (spend, Deed::EndWar(verdict))
        }
        A::BuyUnits { armies, ships, gold } => {
            let (spend, bought) = gold::check_buy(actor, *armies, *ships, gold)?;
            (spend, Deed::Buy(bought))
        }
        A::DraftCard { card, gold } => {
            let (spend, card, zone) = gold::check_draft(actor, *card, gold)?;
            (spend, Deed::Draft(card, zone))
        }
        A::ReserveCards { cards } => no_cards(Deed::Reserve(decks::check_reserve(actor, cards)?)),
        A::DiscardCards { cards } => no_cards(Deed::Discard(decks::check_discard(actor, cards)?)),
        A::RemoveCards { cards } => no_cards(Deed::Remove(decks::check_remove(actor, cards)?)),
        A::BuildCity { build_card, site_card, province, stone, guild_gold } => {
            let tools = build::Tools { build_card: *build_card, site_card: *site_card, stone, bonus: guild_gold };
            project(build::check_city(actor, *province, tools)?)
        }
        A::BuildCastle { build_card, site_card, province, stone } => {
            let tools = build::Tools { build_card: *build_card, site_card: *site_card, stone, bonus: &[] };
            project(build::check_castle(actor, *province, tools)?)
        }
        A::BuildRoad { build_card, site_card, a, b, stone, inn_gold } => {
            let tools = build::Tools { build_card: *build_card, site_card: *site_card, stone, bonus: inn_gold };
            project(build::check_road(actor, [*a, *b], tools)?)
        }
        A::UseAlchemist { card, from } => {
            let (spend, from) = gold::check_alchemist(actor, *card, *from)?;
            (spend, Deed::Alchemist(from))
        }
        A::UseDiplomat { card, province, gold } => {
            let (spend, province) = war::check_diplomat(actor, *card, *province, gold)?;
            (spend, Deed::Diplomat(province))
        }
        A::Patronage { gold } => (gold::check_patronage(actor, gold)?, Deed::Patronage),
        A::Pass => { gate::action(actor)?; no_cards(Deed::Pass) }
        A::EndGame => { end_game::check(actor)?; no_cards(Deed::EndGame) }
        A::MoveArmiesByRoad { moves } => no_cards(Deed::March(roads::check(actor, moves)?)),
        A::WarehouseStore { card } => no_cards(Deed::Store(decks::check_store(actor, *card)?)),
        A::UseCounsellor { card, hand, reserve } => {
            let (spend, cards) = abilities::check_counsellor(actor, *card, hand, reserve)?;
            (spend, Deed::Redraw(cards))
        }
        A::UseMarauders { card, province, owner } => {
            let (spend, province, owner) = abilities::check_marauders(actor, *card, *province, *owner)?;
            (spend, Deed::Marauders(province, owner))
        }
        A::UseMercenary { card, gold, province, count } => {
            let (spend, province, count) = abilities::check_mercenary(actor, *card, gold, *province, *count)?;
            (spend, Deed::Mercenaries(province, count))
        }
        A::UseMilitia { card } => (abilities::check_militia(actor, *card)?, Deed::Militia),
        A::UseMystic { card, gold, take } => {
            let (spend, card) = abilities::check_mystic(actor, *card, gold, *take)?;
            (spend, Deed::Mystic(card))
        }
        A::UsePhilosopher { card } => (abilities::check_philosopher(actor, *card)?, Deed::Philosopher),
        A::UseProvidence { card } => {
            let (spend, cards) = abilities::check_providence(actor, *card)?;
            (spend, Deed::Redraw(cards))
        }
        A::EndTurn => { turn::check_end(actor)?; no_cards(Deed::EndTurn) }
        A::ChooseTokenSource { source } => no_cards(Deed::TokenSource(awards::check_choice(actor, *source)?)),
        A::ChoosePhilosopherCard { card } => {
            no_cards(Deed::TakeImprovement(philosopher::check(actor, *card)?))
        }
    })
}

fn project((spend, work, bonus): build::Project) -> (Spend, Deed) {
    (spend, Deed::Build(work, bonus))
}

/// What this seat is allowed, in the order of chapter 6: actions, free actions, the end
/// of the turn; choices and set-up where they are due.
pub(crate) fn candidates(
    state: &State,
    seat: Seat,
    detail: Detail,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    list(state, seat, detail, is_legal, visit)
}

fn is_legal(actor: Actor, action: &Action) -> bool {
    judge(actor, action).is_ok()
}

/// What [`candidates`] asks about, legal or not: the suite plays with what is nearly right.
#[cfg(any(test, feature = "conformance"))]
pub(crate) fn proposals(
    state: &State,
    seat: Seat,
    detail: Detail,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    list(state, seat, detail, |_, _| true, visit)
}

fn list(
    state: &State,
    seat: Seat,
    detail: Detail,
    belongs: Belongs,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let owes = state.pending();
    if !owes.iter().any(|pending| pending.seat == seat) {
        return Visit::Continue(());
    }
    let wants = Wants::Answer;
    let actor = Actor { state, seat, wants };
    let mut list = Listing::new(actor, detail, belongs, visit);
    match state.phase() {
        Phase::SetupDiscard | Phase::SetupCitadel => setup_choice::list(&mut list),
        Phase::ChooseTokenSource => awards::list_choice(&mut list),
        Phase::ChoosePhilosopherCard => philosopher::list(&mut list),
        Phase::Finished => Visit::Continue(()),
        Phase::Turn => {
            if state.turn.actions_done < ACTIONS {
                actions(&mut list)?;
            }
            free_actions(&mut list)
        }
    }
}

fn actions(list: &mut Listing) -> Visit {
    let state = list.actor().state;
    let marks = state.turn.marks;
    let first = state.turn.actions_done == 0 && !marks.contains(TurnMark::FreeAction);
    invade::list(list)?;
    armies::list_place(list)?;
    armies::list_remove(list)?;
    ships::list_place(list)?;
    ships::list_remove(list)?;
    if first {
        war::list_end(list)?;
    }
    gold::list_buy(list)?;
    if !marks.contains(TurnMark::Drafted) {
        gold::list_draft(list)?;
    }
    decks::list_reserve(list)?;
    decks::list_discard(list)?;
    decks::list_remove(list)?;
    build::list_city(list)?;
    build::list_castle(list)?;
    build::list_road(list)?;
    gold::list_alchemist(list)?;
    war::list_diplomat(list)?;
    gold::list_patronage(list)?;
    list.single(Action::Pass)?;
    if first {
        list.single(Action::EndGame)?;
    }
    Visit::Continue(())
}

fn free_actions(list: &mut Listing) -> Visit {
    let marks = list.actor().state.turn.marks;
    if !marks.contains(TurnMark::RoadMove) {
        roads::list(list)?;
    }
    if !marks.contains(TurnMark::Warehouse) {
        decks::list_store(list)?;
    }
    abilities::list_counsellor(list)?;
    abilities::list_marauders(list)?;
    abilities::list_mercenary(list)?;
    abilities::list_alone(list, Improvement::Militia, |card| Action::UseMilitia {
        card,
    })?;
    abilities::list_mystic(list)?;
    abilities::list_alone(list, Improvement::Philosopher, |card| {
        Action::UsePhilosopher { card }
    })?;
    abilities::list_alone(list, Improvement::Providence, |card| {
        Action::UseProvidence { card }
    })?;
    list.single(Action::EndTurn)
}
