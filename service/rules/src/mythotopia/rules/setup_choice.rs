//! The secret choices of the set-up (MYT-5.7, 5.8, 6.10).

use super::listing::{Listing, named, subsets};
use super::{Actor, Play, ensure, known, malformed};
use crate::mythotopia::action::{Action, Named};
use crate::mythotopia::data::{Card, CardSet, PointCard, Province, ProvinceSet};
use crate::mythotopia::event::{Event, SetupChoice};
use crate::mythotopia::refusal::{Place, Problem, Refusal};
use crate::mythotopia::setup;
use crate::mythotopia::state::{Citadel, Stage, State};
use crate::table::{Seat, Visit};

/// May these provinces be given away?
///
/// # Rule MYT-6.10.1
/// Exactly as many as asked for, each once, of those that were dealt to the player.
pub(in crate::mythotopia) fn check_discard(
    actor: Actor,
    cards: &[Named<Card>],
) -> Result<ProvinceSet, Refusal> {
    let cards = cards.iter().copied().map(known);
    let cards = cards.collect::<Result<Vec<Card>, Refusal>>()?;
    due(actor, Stage::SetupDiscard)?;
    let wanted = actor.state.provinces_to_discard();
    let number = Problem::Cards {
        least: wanted,
        most: wanted,
        given: cards.len(),
    };
    ensure(cards.len() == wanted, malformed(number))?;
    let mut set = CardSet::EMPTY;
    for &card in &cards {
        ensure(!set.contains(card), Refusal::DuplicateCard { card })?;
        set.insert(card);
    }
    let own = actor.player().controlled();
    let dealt = |card: Card| {
        let province = card.as_province();
        let place = Place::Dealt;
        province
            .filter(|&province| own.contains(province))
            .ok_or(Refusal::CardNotAvailable { card, place })
    };
    cards.into_iter().map(dealt).collect()
}

/// # Rule MYT-14.9
/// A choice that is not due is not well formed.
fn due(actor: Actor, stage: Stage) -> Result<(), Refusal> {
    let due = actor.state.phase();
    ensure(
        actor.state.stage == stage,
        malformed(Problem::OtherChoice { due }),
    )
}

/// May the citadel be placed there?
///
/// # Rule MYT-6.10.2
/// In a province that the player controls.
pub(in crate::mythotopia) fn check_citadel(
    actor: Actor,
    province: Named<Province>,
) -> Result<ProvinceSet, Refusal> {
    let province = known(province)?;
    due(actor, Stage::SetupCitadel)?;
    let rule = "MYT-6.10.2";
    let own = actor.controls(province);
    ensure(own, Refusal::NotControlled { province, rule })?;
    Ok(ProvinceSet::only(province))
}

/// Keeps the choice; when the last one is there, all are revealed.
pub(in crate::mythotopia) fn perform(play: &mut Play, seat: Seat, choice: ProvinceSet) {
    play.player(seat).choice = Some(choice);
    let shown = shown(play.state, choice);
    play.note(Event::SetupChosen {
        seat,
        choice: Some(shown),
    });
    if play
        .state
        .players
        .iter()
        .all(|player| player.choice.is_some())
    {
        reveal(play);
    }
}

/// A choice as its owner may see it.
pub(in crate::mythotopia) fn shown(state: &State, choice: ProvinceSet) -> SetupChoice {
    match (state.stage, choice.iter().next()) {
        (Stage::SetupCitadel, Some(province)) => SetupChoice::Citadel(province),
        (
            Stage::SetupDiscard
            | Stage::SetupCitadel
            | Stage::Turns
            | Stage::Philosopher
            | Stage::Finished,
            _,
        ) => SetupChoice::Discard(choice),
    }
}

fn reveal(play: &mut Play) {
    let citadels = play.state.stage == Stage::SetupCitadel;
    for seat in play.state.players.seats() {
        let choice = play.player(seat).choice.take().unwrap_or_default();
        if citadels {
            raise_citadel(play, seat, choice);
        } else {
            give_away(play, seat, choice);
        }
    }
    if !citadels && play.state.in_play.contains(PointCard::Citadel) {
        play.state.stage = Stage::SetupCitadel;
    } else {
        setup::begin(play);
    }
}

/// # Rule MYT-5.7
/// The towns return to stock, the cards to the province pile.
fn give_away(play: &mut Play, seat: Seat, provinces: ProvinceSet) {
    let player = play.player(seat);
    player.towns = player.towns - provinces;
    player.deck.retain(|card| {
        let province = card.as_province();
        province.is_none_or(|province| !provinces.contains(province))
    });
    play.note(Event::ProvincesDiscarded { seat, provinces });
}

/// # Rule MYT-5.8
/// The town there is replaced.
fn raise_citadel(play: &mut Play, seat: Seat, choice: ProvinceSet) {
    for province in choice.iter() {
        let player = play.player(seat);
        player.towns.remove(province);
        player.citadel = Citadel::At(province);
        play.note(Event::CitadelPlaced { seat, province });
    }
}

/// The choices of the phase: sets of cards in ascending order, or provinces.
pub(in crate::mythotopia) fn list(list: &mut Listing) -> Visit {
    let actor = list.actor();
    let own = actor.player().controlled();
    if actor.state.stage == Stage::SetupCitadel {
        return own.iter().try_for_each(|province| {
            list.single(Action::SetupPlaceCitadel {
                province: Some(province),
            })
        });
    }
    let cards: CardSet = own.iter().map(Card::province).collect();
    let wanted = actor.state.provinces_to_discard();
    subsets(cards, 0, wanted, &mut Vec::new(), &mut |set| {
        if set.len() < wanted {
            return Visit::Continue(());
        }
        list.single(Action::SetupDiscardProvinces { cards: named(set) })
    })
}
