//! The invariants of every state, and of two successive ones (MYT-11).

use crate::mythotopia::data::count;
use crate::mythotopia::data::{
    ACTIONS, ARMIES, CITIES, Card, CardSet, DISPLAYED, FACE_DOWN, FEWEST_CARDS, Improvement,
    MERCENARIES, PointCard, Province, SHIPS, Stack, TOKENS,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::{Stage, TurnMark, WarEnd, Zone};
use crate::mythotopia::state::{Citadel, Player, State};
use crate::table::{Fault, Seat};

/// The invariants of one table.
pub fn of_state(state: &State) -> Result<(), Fault> {
    for (seat, player) in state.players.entries() {
        pieces(state, seat, player)?;
        owned_cards(state, seat, player)?;
        known_cards(seat, player)?;
    }
    common_pieces(state)?;
    improvements(state)?;
    tokens(state)?;
    provinces(state)
}

/// MYT-11.1, 11.2, 11.12.
fn pieces(state: &State, seat: Seat, player: &Player) -> Result<(), Fault> {
    let armies = player.armies.total() + player.stock.armies + player.pool.armies;
    let ships = player.ships.iter().sum::<u8>() + player.stock.ships + player.pool.ships;
    Fault::unless(armies == ARMIES && ships == SHIPS, "MYT-11.1", || {
        format!("{seat}: {armies} armies, {ships} ships")
    })?;
    let towns = count(player.towns.len()) + player.seas_towns;
    let citadel = player.citadel == Citadel::Unused || state.in_play.contains(PointCard::Citadel);
    let cities = count(player.cities.len());
    Fault::unless(
        towns <= state.towns_each() && cities <= CITIES && citadel,
        "MYT-11.2",
        || format!("{seat}: {towns} towns, {cities} cities"),
    )?;
    let tokens = player.tokens;
    let own = 3 * player.controlled().len()
        + usize::from(tokens[0])
        + 2 * usize::from(tokens[1])
        + 3 * usize::from(tokens[2]);
    let points = own.max(usize::from(state.switches.vp_floor));
    Fault::unless(
        usize::from(state.points(seat)) == points,
        "MYT-11.12",
        || format!("{seat}: {points} points"),
    )
}

/// MYT-11.20: the known cards of a hand are in the hand.
fn known_cards(seat: Seat, player: &Player) -> Result<(), Fault> {
    let secret: CardSet = player.secret_card().into_iter().collect();
    let visible = player.shown | secret;
    let holds = (visible - player.hand).is_empty() && (player.shown & secret).is_empty();
    Fault::unless(holds, "MYT-11.20", || format!("{seat}: {visible:?}"))
}

/// MYT-11.4, 11.6: the own starting cards and the cards of the own provinces, each in one zone.
fn owned_cards(state: &State, seat: Seat, player: &Player) -> Result<(), Fault> {
    let zones = [
        player.hand,
        player.deck_cards(),
        player.discard,
        player.reserve,
        player.removed,
    ];
    let cards = zones.iter().fold(CardSet::EMPTY, |all, &zone| all | zone);
    let number: usize = zones.iter().map(CardSet::len).sum();
    let distinct = cards.len() == number && player.deck.len() == player.deck_cards().len();
    Fault::unless(distinct, "MYT-11.4", || {
        format!("{seat} has a card in two places")
    })?;
    let due: CardSet = Card::starting(player.color)
        .chain(player.controlled().iter().map(Card::province))
        .collect();
    let others = cards - due;
    let improvements = others.iter().all(|card| card.as_improvement().is_some());
    let removed = player.removed.iter();
    let removed_ok = removed
        .filter(|card| card.as_improvement().is_some())
        .count()
        == 0;
    let all = (due - cards).is_empty() && improvements && removed_ok;
    Fault::unless(all, "MYT-11.4", || {
        format!("{seat}: {due:?} are due, {cards:?} are there")
    })?;
    let setup = matches!(state.stage, Stage::SetupDiscard | Stage::SetupCitadel);
    Fault::unless(setup || player.choice.is_none(), "MYT-5.7", || {
        format!("{seat} still has a set-up choice")
    })
}

/// MYT-11.3, 11.10, 11.11.
fn common_pieces(state: &State) -> Result<(), Fault> {
    let hired: u8 = state.players.iter().map(|p| p.mercenaries.total()).sum();
    let few = hired <= MERCENARIES && state.roads.len() <= 9 && state.castles.len() <= 9;
    Fault::unless(few, "MYT-11.3", || String::from("too many pieces"))?;
    Fault::unless(state.turn.actions_done <= ACTIONS, "MYT-11.11", || {
        format!("{} actions", state.turn.actions_done)
    })
}

/// MYT-11.5, 14.13.
fn improvements(state: &State) -> Result<(), Fault> {
    let mut places: Vec<Improvement> = state.display.iter().collect();
    places.extend(state.improvement_deck.iter().copied());
    for player in &state.players {
        let owned = player.playable() | player.discard | player.deck_cards();
        places.extend(owned.iter().filter_map(Card::as_improvement));
    }
    let looking = state.stage == Stage::Philosopher;
    let used = looking || state.improvement_deck.len() < FACE_DOWN;
    if used {
        places.push(Improvement::Philosopher);
    }
    places.sort_unstable();
    Fault::unless(places == Improvement::ALL, "MYT-11.5", || {
        format!("{places:?}")
    })?;
    let deck = state.improvement_deck.len();
    Fault::unless(
        deck == FACE_DOWN || deck == FACE_DOWN - 1 && !looking,
        "MYT-14.13",
        || format!("{deck} face-down improvements, {DISPLAYED} were displayed"),
    )
}

/// MYT-11.7.
fn tokens(state: &State) -> Result<(), Fault> {
    for (index, supply) in TOKENS.iter().enumerate() {
        let of_value = |stack: &&Stack| {
            usize::from(state.value(**stack)) == index + 1 && state.in_play.contains(stack.card())
        };
        let stacks = || Stack::ALL.iter().filter(of_value);
        let placed: u8 = stacks().map(|s| s.tokens(state.seats())).sum();
        let on_cards: u8 = stacks().map(|s| state.tokens[s.index()]).sum();
        let owned: u8 = state.players.iter().map(|p| p.tokens[index]).sum();
        let now = on_cards + state.bank[index] + owned;
        Fault::unless(now == placed.max(*supply), "MYT-11.7", || {
            format!("{now} tokens of value {}", index + 1)
        })?;
    }
    Ok(())
}

/// MYT-11.9.
fn provinces(state: &State) -> Result<(), Fault> {
    for province in Province::ALL {
        let mut buildings = 0;
        for player in &state.players {
            buildings += usize::from(player.towns.contains(province));
            buildings += usize::from(player.cities.contains(province));
            let citadel = player.citadel == Citadel::At(province);
            buildings += usize::from(citadel);
            let both = citadel && state.castles.contains(province);
            Fault::unless(!both, "MYT-11.9", || {
                format!("castle and citadel in {province}")
            })?;
        }
        let wonder = state.dragons.contains(province) || state.runestones.contains(province);
        let fits = buildings <= 1 && !(wonder && buildings > 0);
        Fault::unless(fits, "MYT-11.9", || {
            format!("{buildings} buildings in {province}, a wonder: {wonder}")
        })?;
    }
    Ok(())
}

/// The invariants of two tables and the events between them.
pub fn of_step(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    for stack in Stack::ALL {
        let (then, now) = (before.tokens[stack.index()], after.tokens[stack.index()]);
        Fault::unless(now <= then, "MYT-11.8", || {
            format!("more tokens on {stack}")
        })?;
    }
    let mut gains = vec![0_isize; before.seats()];
    let mut setup = false;
    for event in events {
        one_event(before, after, event)?;
        setup |= matches!(event, Event::ProvincesDiscarded { .. });
        note_gains(event, &mut gains);
    }
    for (seat, player) in before.players.entries() {
        let then = player.total().cast_signed();
        let now = after.players[seat].total().cast_signed();
        let fits = setup || now - then == gains[seat.index()];
        Fault::unless(fits, "MYT-11.17", || {
            format!("{seat}: {then} cards, then {now}")
        })?;
    }
    Ok(())
}

/// MYT-11.17: counts the cards that events give and take.
fn note_gains(event: &Event, gains: &mut [isize]) {
    let lose = |gains: &mut [isize], loser: Option<Seat>, from| {
        if let Some(loser) = loser
            && from != Zone::Removed
        {
            gains[loser.index()] -= 1;
        }
    };
    if let Event::CardDrafted { seat, .. } | Event::ImprovementTaken { seat, .. } = event {
        gains[seat.index()] += 1;
    }
    if let Event::ImprovementsInspected { seat, .. } = event {
        gains[seat.index()] -= 1;
    }
    if let Event::CardsRemoved {
        seat,
        hand,
        reserve,
    } = event
    {
        gains[seat.index()] -= (hand.len() + reserve.len()).cast_signed();
    }
    if let Event::ProvinceCaptured {
        seat,
        loser,
        card_from,
        ..
    } = event
    {
        gains[seat.index()] += 1;
        lose(gains, *loser, *card_from);
    }
    if let Event::ProvinceNotTaken {
        loser, card_from, ..
    } = event
    {
        lose(gains, *loser, *card_from);
    }
}

/// MYT-11.13, 11.14, 11.19.
fn one_event(before: &State, after: &State, event: &Event) -> Result<(), Fault> {
    if let Event::CardsRemoved { seat, .. } = event {
        let total = after.players[*seat].total();
        Fault::unless(total >= usize::from(FEWEST_CARDS), "MYT-11.13", || {
            format!("{seat} has {total} cards")
        })?;
    }
    if let Event::CardsReserved { seat, .. } = event {
        let player = &after.players[*seat];
        let fits = player.reserve.len() <= usize::from(player.reserve_limit());
        Fault::unless(fits, "MYT-11.13", || {
            format!("{seat}: {:?}", player.reserve)
        })?;
    }
    if let Event::WarEnded {
        end: WarEnd::Strength | WarEnd::Hero,
        ..
    } = event
    {
        let free = before.turn.marks.contains(TurnMark::FreeAction);
        let first = before.turn.actions_done == 0 && !free;
        Fault::unless(first, "MYT-11.14", || String::from("a late end of a war"))?;
    }
    if let Event::TurnBegan { .. } = event
        && before.stage == Stage::Turns
    {
        let (then, now) = (
            &before.players[before.active],
            &after.players[before.active],
        );
        let limit = usize::from(then.hand_limit(before.switches.hand_limit_stacking));
        let all = then.hand.len() + then.deck.len() + then.discard.len();
        let hand = then.hand.len().max(limit.min(all));
        Fault::unless(now.hand.len() == hand, "MYT-14.19", || {
            format!("a hand of {} instead of {hand}", now.hand.len())
        })?;
    }
    Ok(())
}
