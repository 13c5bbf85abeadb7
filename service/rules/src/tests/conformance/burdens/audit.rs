//! The hooks of the suite and of bots: invariants, a reader of events, an evaluation function.

use super::seen::view::{PlayerView, View};
use super::{Burdens, CHIPS, Card, Event, Options, State};
use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::conformance::{Audit, EventReader};
use gamekeeper_rules::table::{Chance, Fault, PendingList, Seat, Viewer};

/// Knows what the events tell.
#[derive(Clone)]
pub struct Reader(View);

impl EventReader<Burdens> for Reader {
    fn new(options: &Options, viewer: Viewer) -> Self {
        let player = |seat| PlayerView {
            seat,
            chips: viewer.sees(seat).then_some(CHIPS),
            cards: Vec::new(),
        };
        Self(View {
            deck: Vec::new(),
            offered: None,
            chips: 0,
            players: Seat::all(options.seats()).map(player).collect(),
            pending: PendingList::new(),
        })
    }

    fn read(&mut self, event: &Event) {
        let view = &mut self.0;
        match *event {
            Event::TurnedUp { card } => view.offered = Some(card),
            Event::CardRefused { seat, chips } => {
                let own = &mut view.players[seat.index()].chips;
                *own = own.map(|own| own - chips.get());
                view.chips += chips.get();
            }
            Event::CardTaken { seat, card, chips } => {
                let player = &mut view.players[seat.index()];
                player.chips = player.chips.map(|own| own + chips);
                player.cards.push(card);
                (view.offered, view.chips) = (None, 0);
            }
        }
    }

    fn view(&self, _actual: &View) -> View {
        self.0.clone()
    }
}

impl Audit for Burdens {
    type Reader = Reader;

    fn table(seats: usize, _seed: u64) -> Options {
        let seats = u8::try_from(seats).unwrap_or_default();
        Options { seats }
    }

    /// # Rule BUR-1, BUR-2, BUR-3
    fn invariants(state: &State) -> Result<(), Fault> {
        let taken = state.players.iter().flat_map(|player| &player.cards);
        let mut cards: Vec<Card> = state
            .deck
            .iter()
            .chain(&state.offered)
            .chain(taken)
            .copied()
            .collect();
        cards.sort_unstable();
        let is_whole = cards.into_iter().eq(Card::all());
        Fault::unless(is_whole, "BUR-2", || format!("{state:?}"))?;
        let chips: u8 = state.players.iter().map(|player| player.chips).sum();
        let all = CHIPS * u8::try_from(state.seats()).unwrap_or_default();
        Fault::unless(chips + state.chips == all, "BUR-1", || format!("{state:?}"))
    }

    fn step_invariants(before: &State, after: &State, _events: &[Event]) -> Result<(), Fault> {
        Fault::unless(before != after, "BUR-3", || {
            String::from("nothing happened")
        })
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        let mut other = state.clone();
        if viewer != Viewer::Operator {
            chance.shuffle("scramble", None, &mut other.deck);
        }
        other
    }

    fn scramble_event(event: &Event, _viewer: Viewer, _chance: &mut Chance) -> Event {
        event.clone()
    }
}

impl Heuristics for Burdens {
    const HORIZON: u32 = 40;

    fn players(state: &State) -> usize {
        state.seats()
    }

    fn evaluate(state: &State, seat: Seat) -> i32 {
        let player = &state.players[seat];
        10 * (i32::from(player.chips) - player.burden())
    }
}
