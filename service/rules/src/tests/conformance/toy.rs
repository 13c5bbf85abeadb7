//! High Card: everybody holds three hidden cards and plays one each round; the highest scores a
//! point. The engine plays the last card. `CHEAT` breaks one guarantee.

use std::fmt;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use gamekeeper_rules::conformance::{Audit, EventReader};
use gamekeeper_rules::ruleset::{ExecContextOf, JournalOf, Ruleset, RulesetInfo};
use gamekeeper_rules::table::{
    ActionEnumerator, Chance, CommonRefusals, DecisionWords, Fault, GameEvent, Holdings, Kind,
    Names, Pending, PendingList, PerSeat, Ranking, Refusal, Refused, RefusedOption, Resource,
    ScoreItem, Seat, Source as _, Term, TextContext, Viewer, VisitFlow, sources,
};

pub(super) const HONEST: u8 = 0;
pub(super) const VIEW_LEAKS: u8 = 1;
pub(super) const EVENT_LEAKS: u8 = 2;
pub(super) const REFUSAL_LEAKS: u8 = 3;
pub(super) const LISTS_TOO_LITTLE: u8 = 4;
pub(super) const LISTS_NOTHING: u8 = 5;
pub(super) const LISTS_TWICE: u8 = 6;
pub(super) const LOSES_A_CARD: u8 = 7;
pub(super) const FORGETS_WHEN_SAVED: u8 = 8;
pub(super) const NO_RANKING: u8 = 9;
pub(super) const TELLS_NOTHING: u8 = 10;
pub(super) const SAYS_ALIKE: u8 = 11;
pub(super) const CHANGES_NO_SCENE: u8 = 12;
pub(super) const WORLD_IS_REAL: u8 = 13;
pub(super) const WORLD_LOOKS_OTHER: u8 = 14;
pub(super) const WORLD_LOSES_A_CARD: u8 = 15;
pub(super) const WORLD_KEEPS_RECORD: u8 = 16;
pub(super) const DRAWS_IN_SECRET: u8 = 17;
pub(super) const DECIDES_A_CHOICE: u8 = 18;
pub(super) const MARKS_ANOTHER_EVENT: u8 = 19;
pub(super) const KEEPS_A_SOURCE_BACK: u8 = 20;
pub(super) const TELLS_ANOTHER_SEAT: u8 = 21;
pub(super) const CHARGES_LATER: u8 = 23;
/// Ranks as if the most points won, although the fewest do.
pub(super) const RANKS_THE_LAST_FIRST: u8 = 22;

pub(super) struct Toy<const CHEAT: u8>;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Table {
    pub(super) seats: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    hands: PerSeat<Vec<u8>>,
    laid: Vec<u8>,
    points: PerSeat<i32>,
    turn: Seat,
    #[serde(skip)]
    forgotten: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Lay(u8);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Event {
    Dealt { seat: Seat, cards: Option<Vec<u8>> },
    Laid { seat: Seat, card: u8 },
}

sources! {
    Counted {
        Tricks "tricks" "Tricks",
    }
}

impl Kind for Lay {
    fn kind(&self) -> &'static str {
        "lay"
    }
}

impl Kind for Event {
    fn kind(&self) -> &'static str {
        match self {
            Self::Dealt { .. } => "dealt",
            Self::Laid { .. } => "laid",
        }
    }
}

impl GameEvent for Event {
    fn seat(&self) -> Option<Seat> {
        match self {
            Self::Dealt { seat, .. } | Self::Laid { seat, .. } => Some(*seat),
        }
    }

    fn reveals(&self) -> bool {
        true
    }

    fn seen_by(&self, viewer: Viewer) -> Option<Self> {
        Some(match self {
            Self::Dealt { seat, cards } => Self::Dealt {
                seat: *seat,
                cards: cards.clone().filter(|_| viewer.sees(*seat)),
            },
            Self::Laid { .. } => self.clone(),
        })
    }

    fn write_sentence(&self, names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dealt { seat, cards } => {
                write!(f, "{} gets cards {cards:?}.", names.who(*seat))
            }
            Self::Laid { seat, card } => write!(f, "{} lays {card}.", names.who(*seat)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum No {
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("you do not hold that card")]
    NotInHand,
    #[error("{0} holds that card")]
    HeldBy(Seat),
}

impl CommonRefusals for No {}

impl Refusal for No {
    const CODES: &'static [&'static str] = &["NOT_YOUR_TURN", "NOT_IN_HAND"];

    fn code(&self) -> &'static str {
        match self {
            Self::NotYourTurn => "NOT_YOUR_TURN",
            Self::NotInHand | Self::HeldBy(_) => "NOT_IN_HAND",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    hands: Vec<Option<Vec<u8>>>,
    laid: Vec<u8>,
}

fn lay<const CHEAT: u8>(state: &mut State, card: u8, journal: &mut JournalOf<Toy<CHEAT>>) {
    let seat = state.turn;
    state.hands[seat].retain(|&in_hand| in_hand != card);
    state.laid.push(card);
    if CHEAT != TELLS_NOTHING {
        let seat = match CHEAT {
            TELLS_ANOTHER_SEAT => seat.next(state.hands.count()),
            _ => seat,
        };
        journal.push_event(Event::Laid { seat, card });
    }
    if CHEAT == LOSES_A_CARD && card == 7 {
        state.hands[seat].pop();
    }
    state.turn = seat.next(state.hands.count());
    let round = state.laid.iter().rev().take(state.hands.count());
    if state.turn == Seat::FIRST
        && let Some(high) = round
            .enumerate()
            .max_by_key(|(_, card)| **card)
            .map(|(back, _)| back)
    {
        state.points[Seat::at(state.hands.count() - 1 - high)] += 1;
    }
}

/// Deals the hidden hands anew from all cards that the viewer does not see.
fn deal_again(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
    let mut other = state.clone();
    let hidden = |seat: &Seat| !viewer.sees(*seat);
    let mut pool: Vec<u8> = (1..=20).collect();
    pool.retain(|card| !state.laid.contains(card));
    for seat in state.hands.seats().filter(|seat| !hidden(seat)) {
        pool.retain(|card| !state.hands[seat].contains(card));
    }
    chance.shuffle("scramble", None, &mut pool);
    for seat in state.hands.seats().filter(hidden) {
        let rest = pool.split_off(state.hands[seat].len());
        other.hands[seat] = std::mem::replace(&mut pool, rest);
    }
    other
}

impl<const CHEAT: u8> Ruleset for Toy<CHEAT> {
    const INFO: RulesetInfo = RulesetInfo {
        id: "toy",
        title: "High Card",
        min_seats: 2,
        max_seats: 4,
        unit: "point",
        fewest_win: CHEAT == RANKS_THE_LAST_FIRST,
        revision: 1,
    };

    const DECISIONS: &'static [DecisionWords] = &[DecisionWords {
        id: "lay",
        title: "Lay a card",
        question: "Which card do you lay?",
    }];

    const ACTIONS: &'static [Term] = &[Term {
        id: "lay",
        title: "Lay a card",
        doc: "",
    }];

    const RESOURCES: &'static [Resource] = &[Resource::new("card", "card")];

    type Draft = Table;
    type Options = Table;
    type State = State;
    type Action = Lay;
    type Event = Event;
    type View = View;
    type Refusal = No;
    type Permit = u8;

    fn options(players: &[String], _draft: &Table) -> Result<Table, RefusedOption<No>> {
        Ok(Table {
            seats: players.len(),
        })
    }

    fn seats(options: &Table) -> usize {
        options.seats
    }

    fn setup(options: &Table, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        let mut deck: Vec<u8> = (1..=20).collect();
        let hands = PerSeat::new(options.seats, |seat| {
            let mut hand = deck.clone();
            chance.sample("deal", Some(seat), &mut hand, 3);
            hand.sort_unstable();
            deck.retain(|card| !hand.contains(card));
            journal.push_event(Event::Dealt {
                seat,
                cards: Some(hand.clone()),
            });
            hand
        });
        let points = PerSeat::new(options.seats, |_| match CHEAT {
            DRAWS_IN_SECRET => i32::try_from(chance.uniform(1_000)).unwrap_or_default(),
            _ => 0,
        });
        State {
            hands,
            laid: Vec::new(),
            points,
            turn: Seat::FIRST,
            forgotten: 0,
        }
    }

    fn pending(state: &State) -> PendingList {
        let owes = !state.hands[state.turn].is_empty();
        Pending::all(owes.then_some((state.turn, "lay")), |name| name)
    }

    fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Lay>) -> VisitFlow {
        for &card in &state.hands[seat] {
            if CHEAT == LISTS_NOTHING || CHEAT == LISTS_TOO_LITTLE && card % 5 == 0 {
                continue;
            }
            list.visit(Lay(card))?;
            if CHEAT == LISTS_TWICE {
                list.visit(Lay(card))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn check(state: &State, seat: Seat, action: &Lay) -> Result<u8, Refused<No>> {
        if seat != state.turn {
            return Err(No::NotYourTurn.citing("TOY-2"));
        }
        if CHEAT == REFUSAL_LEAKS
            && let Some((holder, _)) = state
                .hands
                .entries()
                .find(|(s, hand)| *s != seat && hand.contains(&action.0))
        {
            return Err(No::HeldBy(holder).citing("TOY-2"));
        }
        state.hands[seat]
            .contains(&action.0)
            .then_some(action.0)
            .ok_or(No::NotInHand.citing("TOY-2"))
    }

    fn execute(ctx: &mut ExecContextOf<'_, Self>, card: u8) {
        lay::<CHEAT>(ctx.state, card, ctx.journal);
        if CHEAT == FORGETS_WHEN_SAVED {
            ctx.state.forgotten = 1;
        }
        while let [last, ..] = ctx.state.hands[ctx.state.turn][..]
            && (CHEAT == DECIDES_A_CHOICE || ctx.state.hands[ctx.state.turn].len() == 1)
        {
            ctx.execute_forced(ctx.state.turn, Lay(last), |ctx| {
                if CHEAT == MARKS_ANOTHER_EVENT {
                    let seat = ctx.state.turn;
                    ctx.emit(Event::Laid { seat, card: 0 });
                }
                lay::<CHEAT>(ctx.state, last, ctx.journal);
            });
        }
    }

    fn holdings(state: &State, seat: Seat, holdings: &mut Holdings) {
        let count = |cards: usize| i32::try_from(cards).unwrap_or_default();
        holdings.add(0, count(state.hands[seat].len()));
        if CHEAT == CHARGES_LATER {
            let rounds = state.laid.chunks_exact(state.hands.count());
            let own = rounds.filter(|round| round[seat.index()] % 2 == 0);
            holdings.add(0, -count(own.count()));
        }
    }

    fn ranking(state: &State) -> Option<Ranking> {
        let over = state.hands.iter().all(Vec::is_empty) && CHEAT != NO_RANKING;
        let scores = state.points.entries().map(|(seat, &points)| {
            let source = Counted::Tricks;
            (seat, vec![ScoreItem { source, points }], Vec::new())
        });
        over.then(|| match CHEAT {
            RANKS_THE_LAST_FIRST => Some(Ranking::of(scores)),
            _ => Self::INFO.ranking(scores),
        })
        .flatten()
    }

    fn sources() -> Vec<Term> {
        if CHEAT == KEEPS_A_SOURCE_BACK {
            return Vec::new();
        }
        Counted::all().map(Counted::term).collect()
    }

    fn view(state: &State, viewer: Viewer) -> View {
        let shown = |(seat, hand): (Seat, &Vec<u8>)| {
            (CHEAT == VIEW_LEAKS || viewer.sees(seat)).then(|| hand.clone())
        };
        View {
            hands: state.hands.entries().map(shown).collect(),
            laid: state.laid.clone(),
        }
    }

    fn sample_world(state: &State, seat: Seat, chance: &mut Chance) -> State {
        if CHEAT == WORLD_IS_REAL {
            return state.clone();
        }
        let mut world = deal_again(state, Viewer::Seat(seat), chance);
        if CHEAT == WORLD_LOOKS_OTHER {
            world.hands[seat].reverse();
        }
        if CHEAT == WORLD_LOSES_A_CARD {
            world.hands[seat.next(state.hands.count())].pop();
        }
        if CHEAT != WORLD_KEEPS_RECORD {
            drop(chance.take_record());
        }
        world
    }

    fn event_view(event: &Event, viewer: Viewer) -> Option<Event> {
        match CHEAT {
            EVENT_LEAKS => Some(event.clone()),
            _ => event.seen_by(viewer),
        }
    }

    fn text_context(state: &State) -> Option<TextContext> {
        let mut scene = TextContext::default();
        for &card in state.laid.iter().filter(|_| CHEAT == CHANGES_NO_SCENE) {
            scene.set_object(usize::from(card), "card");
        }
        Some(scene)
    }

    fn action_text(_view: &View, Lay(card): &Lay, _names: Names<'_>) -> String {
        match CHEAT {
            SAYS_ALIKE => String::from("lay a card"),
            _ => format!("lay {card}"),
        }
    }
}

/// Knows what the events tell.
#[derive(Clone)]
pub(super) struct Reader(View);

impl<const CHEAT: u8> EventReader<Toy<CHEAT>> for Reader {
    fn new(options: &Table, _viewer: Viewer) -> Self {
        Self(View {
            hands: vec![None; options.seats],
            laid: Vec::new(),
        })
    }

    fn read(&mut self, event: &Event) {
        match event {
            Event::Dealt { seat, cards } => self.0.hands[seat.index()].clone_from(cards),
            Event::Laid { seat, card } => {
                self.0.laid.push(*card);
                if let Some(hand) = &mut self.0.hands[seat.index()] {
                    hand.retain(|held| held != card);
                }
            }
        }
    }

    fn view(&self, _actual: &View) -> View {
        self.0.clone()
    }
}

impl<const CHEAT: u8> Audit for Toy<CHEAT> {
    type Reader = Reader;

    fn table(seats: usize, _seed: u64) -> Table {
        Table { seats }
    }

    /// Is empty: the suite's own near misses and noise must catch every cheat.
    fn universe(_state: &State, _seat: Seat) -> Vec<Lay> {
        Vec::new()
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        let cards = state.hands.iter().map(Vec::len).sum::<usize>() + state.laid.len();
        Fault::unless(cards == 3 * state.hands.count(), "TOY-1", || {
            format!("{cards} cards")
        })
    }

    fn step_invariants(before: &State, after: &State, _events: &[Event]) -> Result<(), Fault> {
        Fault::unless(after.laid.len() > before.laid.len(), "TOY-3", || {
            "no card was laid".into()
        })
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        deal_again(state, viewer, chance)
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        match event {
            Event::Dealt {
                seat,
                cards: Some(cards),
            } if !viewer.sees(*seat) => {
                let faces = chance.roll("scramble", None, 20, cards.len());
                Event::Dealt {
                    seat: *seat,
                    cards: Some(faces),
                }
            }
            Event::Dealt { .. } | Event::Laid { .. } => event.clone(),
        }
    }
}
