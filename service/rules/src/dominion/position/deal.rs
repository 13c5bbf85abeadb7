//! The cards of one player; luck deals those that the description leaves out (DOM-15.3, DOM-15.4).

use super::{Judged, known_path, listed, path};
use crate::dominion::data::{Card, CardType};
use crate::dominion::stage::EffectFrame;
use crate::dominion::state::piles::{DiscardPile, DrawPile};
use crate::dominion::state::{Cards, Player, State};
use crate::dominion::view::{KnownCards, PlayerView, View};
use crate::dominion::worlds;
use crate::table::{Chance, PositionError, Seat};

/// The card that Library asks about, and whether everybody has seen it on the draw pile.
pub struct Asked {
    pub card: Card,
    pub is_seen: bool,
}

/// Makes a player of a table that has its turn and its open effects.
pub fn player(
    state: &State,
    view: &View,
    seat: Seat,
    chance: &mut Chance,
) -> Judged<(Player, Option<Asked>)> {
    let described = &view.players[seat.index()];
    let known = known(state, view, seat);
    let mut zones = Zones::given(state, described, &known, seat);
    let on_top = zones.draw_pile.len();
    PositionError::unless(usize::from(known.draw_pile) <= on_top, || {
        let (path, allowed) = (known_path(seat, "draw_pile"), format!("0 to {on_top}"));
        PositionError::new("DOM-11.15", path, known.draw_pile, allowed)
    })?;
    let gaps = Gaps::of(state, described, &known, &zones, seat)?;
    gaps.deal(state, &mut zones, seat, chance);
    zones.fit(described, &known, seat)?;
    let asked = zones.asked(state, &known, seat)?;
    let seen = known.draw_pile - u16::from(asked.as_ref().is_some_and(|asked| asked.is_seen));
    let Zones {
        hand,
        draw_pile,
        discard_pile,
    } = zones;
    let made = Player::of(
        hand,
        known.hand,
        DrawPile::of(draw_pile, seen),
        DiscardPile::of(discard_pile, described.discard_top, &known.discard_pile),
        described.turns_taken,
    );
    Ok((made, asked))
}

/// Returns what everybody knows of the cards of a player. Where the view says nothing, this is the least that anybody
/// can know: the top of the discard pile, and a Moat that was shown in this turn.
///
/// # Rule DOM-15.3
fn known(state: &State, view: &View, seat: Seat) -> KnownCards {
    let described = view.bookkeeping.as_ref();
    let given = described.and_then(|all| all.players.get(seat.index()));
    let mut known = given.copied().unwrap_or(KnownCards {
        seat,
        owned: Cards::none(),
        hand: Cards::none(),
        draw_pile: 0,
        discard_pile: Cards::none(),
    });
    let player = &view.players[seat.index()];
    if known.discard_pile.is_empty() {
        known.discard_pile = player.discard_top.into_iter().collect();
    }
    let is_immune = |frame: &EffectFrame| frame.immune().contains(&seat);
    let can_have_shown = player.hand.is_none_or(|hand| hand.has(Card::Moat));
    if known.hand.is_empty() && can_have_shown && state.stack.iter().any(is_immune) {
        known.hand.add(Card::Moat);
    }
    known
}

/// Returns whether Library asks this player about a card, known or not.
fn is_asked(state: &State, seat: Seat) -> bool {
    let asks = matches!(state.stack.last(), Some(EffectFrame::Library { .. }));
    asks && seat == state.turn.active
}

/// The hidden zones of a player. The card that Library asks about is the first one of the draw pile.
struct Zones {
    hand: Cards,
    draw_pile: Vec<Card>,
    discard_pile: Cards,
}

impl Zones {
    /// The zones as they are described; of the others, the cards that are certain to be there.
    fn given(state: &State, described: &PlayerView, known: &KnownCards, seat: Seat) -> Self {
        let asked = || state.library_asks(seat).into_iter().collect();
        Self {
            hand: described.hand.unwrap_or(known.hand),
            draw_pile: described.draw_pile.clone().unwrap_or_else(asked),
            discard_pile: described.discard_pile.unwrap_or(known.discard_pile),
        }
    }

    /// Checks that the known cards are there, and that the pile has a top.
    fn fit(&self, described: &PlayerView, known: &KnownCards, seat: Seat) -> Judged {
        let (hand, pile) = (&self.hand, &self.discard_pile);
        let (path_of_top, top) = (path(seat, "discard_top"), described.discard_top);
        let error = |path: String, found: String, allowed: &Cards| {
            let allowed = format!("some of: {}", listed(allowed));
            Err(PositionError::new("DOM-11.15", path, found, allowed))
        };
        match top {
            Some(top) if !pile.has(top) => return error(path_of_top, top.name().into(), pile),
            None if !pile.is_empty() => return error(path_of_top, String::from("nothing"), pile),
            Some(_) | None => {}
        }
        if !known.hand.without(hand).is_empty() {
            return error(known_path(seat, "hand"), listed(&known.hand), hand);
        }
        let has_top = top.is_none_or(|top| known.discard_pile.has(top));
        if !has_top || !known.discard_pile.without(pile).is_empty() {
            let found = listed(&known.discard_pile);
            return error(known_path(seat, "discard_pile"), found, pile);
        }
        Ok(())
    }

    /// Takes the card that Library asks about from the draw pile.
    fn asked(&mut self, state: &State, known: &KnownCards, seat: Seat) -> Judged<Option<Asked>> {
        if !is_asked(state, seat) {
            return Ok(None);
        }
        let first = self.draw_pile.first().copied();
        let asked = state.library_asks(seat).or(first);
        let Some(card) = asked.filter(|_| asked == first) else {
            let found = first.map_or("nothing", Card::name);
            let allowed = asked.map_or("a card to ask about", Card::name);
            let path = path(seat, "draw_pile[0]");
            return Err(PositionError::new("DOM-7.11", path, found, allowed));
        };
        self.draw_pile.remove(0);
        let is_seen = known.draw_pile > 0;
        Ok(Some(Asked { card, is_seen }))
    }
}

/// The cards that the description leaves out, and how many of them go where. The rest goes to the discard pile.
struct Gaps {
    cards: Cards,
    in_hand: usize,
    on_draw_pile: usize,
}

impl Gaps {
    /// Counts the gaps.
    ///
    /// # Rule DOM-15.4
    fn of(
        state: &State,
        described: &PlayerView,
        known: &KnownCards,
        zones: &Zones,
        seat: Seat,
    ) -> Judged<Self> {
        let cards = left_out(state, described, known, zones, seat)?;
        let left = usize::from(cards.len());
        let hand_count = usize::from(zones.hand.len());
        let in_hand = match described.hand {
            Some(_) => 0,
            None => slots(
                left,
                hand_count,
                described.hand_count,
                &path(seat, "hand_count"),
            )?,
        };
        let (left, pile_count) = (left - in_hand, zones.draw_pile.len());
        let on_draw_pile = match (described.draw_pile_count, described.discard_pile) {
            _ if described.draw_pile.is_some() => 0,
            (Some(count), None) => slots(left, pile_count, count, &path(seat, "draw_pile_count"))?,
            (_, Some(_)) | (None, None) => left,
        };
        let is_placed = described.discard_pile.is_none() || left == on_draw_pile;
        PositionError::unless(is_placed, || {
            let (path, allowed) = (path(seat, "hand_count"), hand_count + in_hand + left);
            PositionError::new("DOM-15.4", path, described.hand_count, allowed.to_string())
        })?;
        Ok(Self {
            cards,
            in_hand,
            on_draw_pile,
        })
    }

    /// Deals the cards at random, every order equally likely that fits the open question (draw R5).
    ///
    /// # Rule DOM-15.4
    fn deal(&self, state: &State, zones: &mut Zones, seat: Seat, chance: &mut Chance) {
        if self.cards.is_empty() {
            return;
        }
        // A card that is nowhere to be dealt is not waited for: then the question does not fit the table.
        let can_be_dealt = |wanted: &CardType| self.cards.has_type(*wanted);
        let in_hand = worlds::certain(state, seat)
            .filter(|wanted| self.in_hand > 0 && !zones.hand.has_type(*wanted))
            .filter(can_be_dealt);
        let asks = is_asked(state, seat) && !state.options.strict_secrecy;
        let asks = asks && zones.draw_pile.is_empty() && self.on_draw_pile > 0;
        let in_question = asks.then_some(CardType::Action).filter(can_be_dealt);
        let mut cards: Vec<Card> = self.cards.each().collect();
        let count = cards.len();
        chance.sample_where("R5", Some(seat), &mut cards, count, |cards| {
            let (hand, others) = cards.split_at(self.in_hand);
            in_hand.is_none_or(|wanted| hand.iter().any(|card| card.is(wanted)))
                && in_question
                    .is_none_or(|wanted| others.first().is_some_and(|card| card.is(wanted)))
        });
        let mut cards = cards.into_iter();
        let hand = cards.by_ref().take(self.in_hand);
        hand.for_each(|card| zones.hand.add(card));
        zones
            .draw_pile
            .extend(cards.by_ref().take(self.on_draw_pile));
        cards.for_each(|card| zones.discard_pile.add(card));
    }
}

/// Returns the cards that the player owns and that lie nowhere yet. There are none if nothing is left out.
fn left_out(
    state: &State,
    described: &PlayerView,
    known: &KnownCards,
    zones: &Zones,
    seat: Seat,
) -> Judged<Cards> {
    let is_whole = described.hand.is_some() && described.draw_pile.is_some();
    if known.owned.is_empty() || is_whole && described.discard_pile.is_some() {
        return Ok(Cards::none());
    }
    let mut placed = zones.hand;
    placed.add_all(&zones.discard_pile);
    let in_play = state.turn.in_play.iter().copied();
    let in_play = in_play.filter(|_| seat == state.turn.active);
    let cards = zones.draw_pile.iter().copied().chain(in_play);
    cards.for_each(|card| placed.add(card));
    // Library's card is on the draw pile already.
    let mut held = state.in_effect(seat);
    state.library_asks(seat).map(|card| held.remove(card));
    placed.add_all(&held);
    PositionError::unless(placed.without(&known.owned).is_empty(), || {
        let allowed = format!("at least {}", listed(&placed));
        PositionError::new(
            "DOM-11.1",
            known_path(seat, "owned"),
            listed(&known.owned),
            allowed,
        )
    })?;
    Ok(known.owned.without(&placed))
}

/// Returns how many cards are dealt to a zone that has `here` cards, and shall have `count`.
fn slots(left: usize, here: usize, count: u16, path: &str) -> Judged<usize> {
    let wanted = usize::from(count).checked_sub(here);
    let dealt = wanted.filter(|&dealt| dealt <= left);
    dealt.ok_or_else(|| {
        PositionError::new(
            "DOM-15.4",
            path,
            count,
            format!("{here} to {}", here + left),
        )
    })
}
