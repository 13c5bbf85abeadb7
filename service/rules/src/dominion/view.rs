//! The **projection** of the table for one viewer, field by field (DOM-13).

use super::data::{CHAPEL_CARDS, Card, CardType, Pile};
use super::options::Options;
use super::rules::cards::{militia, thief};
use super::rules::gain;
use super::stage::{Counters, Decision, EffectFrame, Phase};
use super::state::{Cards, State};
use crate::table::{Pending, PendingList, Seat, Viewer};

/// The table as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub options: Options,
    /// The ten kinds of kingdom cards, in canonical order.
    pub kingdom: Vec<Card>,
    pub phase: Phase,
    /// The player whose turn it is, or was when the game ended.
    pub active_player: Seat,
    /// The number of the turn in the game, from 1.
    pub turn_number: u32,
    pub counters: Counters,
    /// Whether a purchase was made this turn, after which no more Treasures may be played.
    pub bought_this_turn: bool,
    /// The 17 piles, in canonical order; empty ones stay.
    pub supply: Vec<Pile>,
    pub trash: Cards,
    pub players: Vec<PlayerView>,
    /// Effects that are not finished, the one being resolved last.
    pub stack: Vec<EffectFrame>,
    /// The pending decisions.
    pub pending: PendingList,
    /// The details of the pending decision, as far as the viewer may know them.
    pub question: Option<Question>,
    /// The cards that every player owned at the end, in seat order. Empty until the game is over.
    pub final_decks: Vec<FinalDeck>,
    /// Facts that the table keeps although no seat sees them; only for the operator.
    pub bookkeeping: Option<Bookkeeping>,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    pub seat: Seat,
    pub hand_count: u16,
    /// The hand; only for its owner and the operator.
    pub hand: Option<Cards>,
    pub draw_pile_empty: bool,
    /// The number of cards in the draw pile; only for its owner and the operator.
    pub draw_pile_count: Option<u16>,
    /// The draw pile from the top; only for the operator.
    pub draw_pile: Option<Vec<Card>>,
    pub discard_empty: bool,
    pub discard_top: Option<Card>,
    /// The discard pile; only for the operator.
    pub discard_pile: Option<Cards>,
    /// Cards in play, in the order of playing.
    pub in_play: Vec<Card>,
    /// Turns begun.
    pub turns_taken: u32,
}

/// Facts that the table keeps although no seat sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookkeeping {
    /// The known cards of each player, in seat order.
    pub players: Vec<KnownCards>,
}

/// The cards of one player that everybody knows from the events (DOM-13.9, DOM-13.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCards {
    pub seat: Seat,
    /// All cards that the player owns, in any zone, and those that an unfinished effect holds.
    pub owned: Cards,
    /// Cards of the hand that everybody has seen.
    pub hand: Cards,
    /// The number of cards from the top of the draw pile that everybody has seen. A card that Library asks about counts.
    pub draw_pile: u16,
    /// Cards of the discard pile that everybody has seen.
    pub discard_pile: Cards,
}

/// The details of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The cards to choose from, for decisions about cards.
    pub choice: Option<Choice>,
}

/// All cards of one seat at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalDeck {
    pub seat: Seat,
    /// Each kind once, in canonical order.
    pub cards: Vec<Pile>,
}

/// Cards to choose from, and the number to choose (DOM-13.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub cards: Cards,
    pub min: u16,
    pub max: u16,
}

/// The table as this viewer may know it.
///
/// # Rule DOM-13.1
pub fn view(state: &State, viewer: Viewer) -> View {
    let turn = &state.turn;
    View {
        options: state.options.clone(),
        kingdom: state.kingdom().to_vec(),
        phase: turn.phase,
        active_player: turn.active,
        turn_number: state.turn_number(),
        counters: turn.counters,
        bought_this_turn: turn.bought,
        supply: state.supply.piles().to_vec(),
        trash: state.trash,
        players: (state.players.seats())
            .map(|seat| player(state, seat, viewer))
            .collect(),
        stack: (state.stack.iter())
            .map(|frame| seen(frame, turn.active, viewer))
            .collect(),
        pending: Pending::all(state.pending(), Decision::id),
        question: question(state, viewer),
        final_decks: match turn.phase {
            Phase::Over => final_decks(state),
            Phase::Action | Phase::Buy => Vec::new(),
        },
        bookkeeping: (viewer == Viewer::Operator).then(|| bookkeeping(state)),
    }
}

/// Lists the cards that everybody knows.
///
/// # Rule DOM-13.11
fn bookkeeping(state: &State) -> Bookkeeping {
    let known = |seat| {
        let player = &state.players[seat];
        KnownCards {
            seat,
            owned: state.counted(seat),
            hand: *player.shown(),
            draw_pile: u16::try_from(state.seen_on_top(seat).count()).unwrap_or(u16::MAX),
            discard_pile: player.discard_pile.seen(),
        }
    };
    Bookkeeping {
        players: state.players.seats().map(known).collect(),
    }
}

/// Removes the pending decisions from a view.
pub fn clear_pending(view: &mut View) {
    view.pending.clear();
    view.question = None;
    view.stack.clear();
}

/// The cards that every player owned at the end: every card is public now.
///
/// # Rule DOM-8.5
fn final_decks(state: &State) -> Vec<FinalDeck> {
    let pile = |(card, count)| Pile { card, count };
    let deck = |seat| FinalDeck {
        seat,
        cards: state.owned(seat).iter().map(pile).collect(),
    };
    state.players.seats().map(deck).collect()
}

/// Projects a player: own hand and own draw-pile count; for all others only public information.
///
/// # Rule DOM-13.1
fn player(state: &State, seat: Seat, viewer: Viewer) -> PlayerView {
    let player = &state.players[seat];
    let sees_hand = viewer.sees(seat);
    let all = viewer == Viewer::Operator;
    // The card that Library asks about is drawn when it is decided: the events say so too.
    let asked = state.library_asks(seat);
    let draw_pile = asked.into_iter().chain(player.draw_pile.top_down());
    let in_play = if seat == state.turn.active {
        state.turn.in_play.clone()
    } else {
        Vec::new()
    };
    PlayerView {
        seat,
        hand_count: player.hand.len(),
        hand: sees_hand.then_some(player.hand),
        draw_pile_empty: player.draw_pile.is_empty() && asked.is_none(),
        draw_pile_count: sees_hand.then(|| player.draw_pile.len() + u16::from(asked.is_some())),
        draw_pile: all.then(|| draw_pile.collect()),
        discard_empty: player.discard_pile.is_empty(),
        discard_top: player.discard_pile.top(),
        discard_pile: all.then_some(*player.discard_pile.cards()),
        in_play,
        turns_taken: player.turns_taken,
    }
}

/// Projects an effect: all of it is public, except for the card in question of Library.
///
/// # Rule DOM-13.4, DOM-14.8
fn seen(frame: &EffectFrame, active: Seat, viewer: Viewer) -> EffectFrame {
    match frame {
        EffectFrame::Library { set_aside, .. } if !viewer.sees(active) => EffectFrame::Library {
            drawn: None,
            set_aside: set_aside.clone(),
        },
        EffectFrame::Reactions { .. }
        | EffectFrame::Resolve { .. }
        | EffectFrame::ThroneChoose
        | EffectFrame::ThroneSecond { .. }
        | EffectFrame::Gain(_)
        | EffectFrame::Cellar
        | EffectFrame::Chapel
        | EffectFrame::Chancellor
        | EffectFrame::RemodelTrash
        | EffectFrame::MineTrash
        | EffectFrame::Library { .. }
        | EffectFrame::Militia { .. }
        | EffectFrame::Bureaucrat { .. }
        | EffectFrame::Spy { .. }
        | EffectFrame::Thief { .. }
        | EffectFrame::ThiefGain { .. } => frame.clone(),
    }
}

fn question(state: &State, viewer: Viewer) -> Option<Question> {
    let (seat, decision) = state.pending()?;
    let choice = choice(state, seat, decision, viewer)?;
    Some(Question {
        choice: Some(choice),
    })
}

/// The cards to choose from: public for face-up cards, otherwise only for the seat that decides.
///
/// # Rule DOM-13.3
fn choice(state: &State, seat: Seat, decision: Decision, viewer: Viewer) -> Option<Choice> {
    let hand = || viewer.sees(seat).then(|| state.players[seat].hand);
    let hand_of = |card_type| hand().map(|hand| hand.of_type(card_type));
    let choose = |cards, least, most| Choice {
        cards,
        min: least,
        max: most,
    };
    // One card, if there is any: each kind counts once.
    let one = |cards: Cards| {
        let kinds: Cards = cards.iter().map(|(card, _)| (card, 1)).collect();
        let most = kinds.len().min(1);
        choose(kinds, most, most)
    };
    let perhaps_one = |cards| Choice {
        min: 0,
        ..one(cards)
    };
    match decision {
        Decision::ActionPhase => hand_of(CardType::Action).map(perhaps_one),
        Decision::ReactToAttack => hand_of(CardType::Reaction).map(perhaps_one),
        Decision::CellarDiscard => hand().map(|hand| choose(hand, 0, hand.len())),
        Decision::ChapelTrash => hand().map(|hand| choose(hand, 0, hand.len().min(CHAPEL_CARDS))),
        Decision::RemodelTrash => hand().map(one),
        Decision::MineTrash => hand_of(CardType::Treasure).map(one),
        Decision::ThroneRoomChoose => hand_of(CardType::Action).map(one),
        Decision::BureaucratTopdeck => hand_of(CardType::Victory).map(one),
        Decision::MilitiaDiscard => {
            let surplus = militia::surplus(state, seat);
            hand().map(|hand| choose(hand, surplus, surplus))
        }
        Decision::GainCard | Decision::ThiefTrash => open(state).map(one),
        Decision::ThiefGain => open(state).map(|trashed| choose(trashed, 0, trashed.len())),
        Decision::BuyPhase
        | Decision::ChancellorDecide
        | Decision::LibraryDecide
        | Decision::SpyDecide => None,
    }
}

/// Cards to choose from that are public.
fn open(state: &State) -> Option<Cards> {
    match state.stack.last()? {
        EffectFrame::Gain(wanted) => Some(gain::choices(state, wanted).collect()),
        EffectFrame::Thief { revealed, .. } => Some(thief::treasures_of(revealed)),
        EffectFrame::ThiefGain { trashed } => Some(thief::treasures_of(trashed)),
        EffectFrame::Reactions { .. }
        | EffectFrame::Resolve { .. }
        | EffectFrame::ThroneChoose
        | EffectFrame::ThroneSecond { .. }
        | EffectFrame::Cellar
        | EffectFrame::Chapel
        | EffectFrame::Chancellor
        | EffectFrame::RemodelTrash
        | EffectFrame::MineTrash
        | EffectFrame::Library { .. }
        | EffectFrame::Militia { .. }
        | EffectFrame::Bureaucrat { .. }
        | EffectFrame::Spy { .. } => None,
    }
}
