//! Point cards and tokens of a described table.

use arrayvec::ArrayVec;

use super::{Judged, seated};
use crate::mythotopia::data::{PointCard, PointCardSet, Stack, TOKENS, VARIABLE_IN_PLAY};
use crate::mythotopia::options::Options;
use crate::mythotopia::stage::{SeasMark, Stage, Token};
use crate::mythotopia::state::{Award, State};
use crate::mythotopia::view::{PointCardView, View};
use crate::table::{ClosedSet as _, PositionError};

type Awards = ArrayVec<Award, 8>;

/// Reads the point cards in play and the tokens on them. A card without a list of tokens has all of them.
///
/// # Rule MYT-5.5, MYT-11.8
pub(super) fn point_cards(view: &View, options: &Options) -> Judged<(PointCardSet, [u8; 15])> {
    let cards: PointCardSet = view.point_cards.iter().map(|shown| shown.card).collect();
    let due = PointCard::FIXED.len() + VARIABLE_IN_PLAY;
    let fits = view.point_cards.len() == due
        && cards.len() == due
        && PointCard::FIXED.iter().all(|&card| cards.contains(card));
    PositionError::unless(fits, || {
        let found: Vec<&str> = view
            .point_cards
            .iter()
            .map(|shown| shown.card.id())
            .collect();
        let allowed = "city, castle, road and four others, each once";
        PositionError::new("MYT-5.5", "point_cards", found.join(", "), allowed)
    })?;
    let mut tokens = [0; 15];
    for (index, shown) in view.point_cards.iter().enumerate() {
        let path = format!("point_cards[{index}]");
        for &stack in shown.card.stacks() {
            tokens[stack.index()] = on_card(&path, shown, stack, options.seats())?;
        }
    }
    Ok((cards, tokens))
}

fn on_card(path: &str, shown: &PointCardView, stack: Stack, seats: usize) -> Judged<u8> {
    let most = stack.tokens(seats);
    if shown.tokens.is_empty() {
        return Ok(most);
    }
    let mut listed = shown.tokens.iter().enumerate();
    let found = listed.find(|(_, tokens)| tokens.token.slot == stack.slot());
    let Some((index, tokens)) = found.filter(|_| shown.tokens.len() == shown.card.stacks().len())
    else {
        let allowed = "one number for each stack of the card";
        let found = shown.tokens.len();
        return Err(PositionError::new(
            "MYT-5.5",
            format!("{path}.tokens"),
            found,
            allowed,
        ));
    };
    let path = format!("{path}.tokens[{index}].count");
    PositionError::within("MYT-11.8", path, tokens.count, 0..=most)?;
    Ok(tokens.count)
}

/// Counts the tokens in the bank: those that are neither on cards nor owned.
///
/// # Rule MYT-11.7
pub(super) fn bank(state: &State) -> Judged<[u8; 3]> {
    let mut bank = TOKENS;
    for (index, supply) in TOKENS.into_iter().enumerate() {
        let stacks = Stack::ALL.into_iter().filter(|&stack| {
            state.in_play.contains(stack.card()) && usize::from(state.value(stack)) == index + 1
        });
        let all: u16 = stacks
            .clone()
            .map(|stack| u16::from(stack.tokens(state.seats())))
            .sum();
        let on_cards: u16 = stacks
            .map(|stack| u16::from(state.tokens[stack.index()]))
            .sum();
        let owned: u16 = state
            .players
            .iter()
            .map(|player| u16::from(player.tokens[index]))
            .sum();
        let most = all.max(u16::from(supply)).saturating_sub(on_cards);
        let path = format!("players.tokens.{}", ["ones", "twos", "threes"][index]);
        PositionError::within("MYT-11.7", path, owned, 0..=most)?;
        bank[index] = u8::try_from(most - owned).unwrap_or(u8::MAX);
    }
    Ok(bank)
}

/// Reads the tokens that wait to be taken.
///
/// # Rule MYT-6.8
pub(super) fn awards(state: &State, view: &View) -> Judged<Awards> {
    let mut awards = Awards::new();
    for (index, shown) in view.awards.iter().enumerate() {
        let path = format!("awards[{index}]");
        seated(format!("{path}.seat"), shown.seat, state.seats())?;
        let award = Award {
            seat: shown.seat,
            stack: stack(&path, state, shown.token)?,
        };
        let player = &state.players[award.seat];
        let claimed = match award
            .stack
            .slot()
            .and_then(|slot| SeasMark::by_id(slot.id()))
        {
            Some(mark) => player.seas_claimed.contains(mark) || awards.contains(&award),
            None => false,
        };
        let fits = state.stage == Stage::Turns && !claimed;
        let refused = |found: Token, allowed| {
            PositionError::new("MYT-6.8", format!("{path}.token"), found, allowed)
        };
        PositionError::unless(fits, || refused(shown.token, "a token that can be due"))?;
        let pushed = awards.try_push(award);
        pushed.map_err(|_| refused(shown.token, "8 tokens at most"))?;
    }
    Ok(awards)
}

/// The stack of a token.
fn stack(path: &str, state: &State, token: Token) -> Judged<Stack> {
    let mut stacks = token.card.stacks().iter().copied();
    let found = stacks.find(|stack| stack.slot() == token.slot);
    found
        .filter(|_| state.in_play.contains(token.card))
        .ok_or_else(|| {
            let allowed = "a token of a card in play, with its slot";
            PositionError::new("MYT-6.8", format!("{path}.token"), token, allowed)
        })
}
