//! A ruleset as a later build might have it: with one more option, action, event and field of the state. The new ones
//! come before the old ones, so that everything stored by position has moved.

use std::fmt;
use std::marker::PhantomData;

use gamekeeper_proto::{Opaque, Pb, raw};
use gamekeeper_rules::rulebook::Documents;
use gamekeeper_rules::ruleset::{JournalOf, PlayOf, RefusedBy, RefusedOptionBy, Ruleset, Sheet};
use gamekeeper_rules::table::{
    Automatic, Chance, DecisionWords, Fallback, Happening, Journal, Kind, Lister, Names,
    OptionRule, PendingList, Play, Ranking, Scene, Seat, Term, Viewer, Visit,
};
use gamekeeper_wire::{Join, Malformed, Wire};
use prost::bytes::{Buf, BufMut};
use prost::encoding::{self, DecodeContext, WireType};
use prost::{DecodeError, Message};
use serde::{Deserialize, Serialize};

/// The ruleset `W` with signals, which seats may give whenever they have a decision to take. If `OTHER` is true, it
/// also rolls a die during the set-up, and so replays no earlier game as it was played.
pub(super) struct Newer<W, const OTHER: bool = false>(PhantomData<fn() -> W>);

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Draft<D> {
    signals: bool,
    own: D,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Options<O> {
    /// Whether the game begins with a signal.
    pub(super) signals: bool,
    pub(super) own: O,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State<S> {
    /// The number of signals that were given.
    pub(super) signals: u32,
    own: S,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Action<A> {
    Signal,
    Own(A),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Event<E> {
    Signaled { seat: Seat },
    Own(E),
}

pub(crate) enum Permit<P> {
    Signal(Seat),
    Own(P),
}

impl<A: Kind> Kind for Action<A> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Signal => "signal",
            Self::Own(own) => own.kind(),
        }
    }
}

impl<E: Kind> Kind for Event<E> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Signaled { .. } => "signaled",
            Self::Own(own) => own.kind(),
        }
    }
}

impl<E: Happening> Happening for Event<E> {
    fn seat(&self) -> Option<Seat> {
        match self {
            Self::Signaled { seat } => Some(*seat),
            Self::Own(own) => own.seat(),
        }
    }

    fn say(&self, names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signaled { seat } => write!(f, "{} gives a signal.", names.who(*seat)),
            Self::Own(own) => own.say(names, f),
        }
    }

    fn reveals(&self) -> bool {
        match self {
            Self::Signaled { .. } => false,
            Self::Own(own) => own.reveals(),
        }
    }

    fn seen_by(&self, viewer: Viewer) -> Option<Self> {
        match self {
            Self::Signaled { seat } => Some(Self::Signaled { seat: *seat }),
            Self::Own(own) => own.seen_by(viewer).map(Self::Own),
        }
    }
}

/// Moves events and forced actions to the journal of the newer build.
fn move_over<W: Ruleset, const OTHER: bool>(
    own: JournalOf<W>,
    journal: &mut JournalOf<Newer<W, OTHER>>,
) {
    let before = journal.events.len();
    for event in own.events {
        journal.event(Event::Own(event));
    }
    let automatic = own.automatic.into_iter().map(|automatic| Automatic {
        seat: automatic.seat,
        action: Action::Own(automatic.action),
        at: automatic.at.map(|at| at + before),
    });
    journal.automatic.extend(automatic);
}

impl<W: Ruleset, const OTHER: bool> Ruleset for Newer<W, OTHER> {
    const SHEET: Sheet = W::SHEET;
    const RULES: Documents = W::RULES;
    const OPTIONS: &'static [OptionRule] = W::OPTIONS;
    const DECISIONS: &'static [DecisionWords] = W::DECISIONS;
    const ACTIONS: &'static [Term] = W::ACTIONS;
    /// Empty, so the fallback is the first legal action.
    const FALLBACKS: &'static [Fallback<Self::Action>] = &[];

    type Draft = Draft<W::Draft>;
    type Options = Options<W::Options>;
    type State = State<W::State>;
    type Action = Action<W::Action>;
    type Event = Event<W::Event>;
    type View = W::View;
    type Refusal = W::Refusal;
    type Permit = Permit<W::Permit>;

    fn layout() -> u32 {
        !W::layout()
    }

    fn options(
        players: &[String],
        draft: &Self::Draft,
    ) -> Result<Self::Options, RefusedOptionBy<Self>> {
        let own = W::options(players, &draft.own)?;
        let signals = draft.signals;
        Ok(Options { signals, own })
    }

    fn seats(options: &Self::Options) -> usize {
        W::seats(&options.own)
    }

    fn setup(
        options: &Self::Options,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) -> Self::State {
        if OTHER {
            chance.roll("omen", None, 6, 1);
        }
        let mut own = Journal::new();
        let state = W::setup(&options.own, chance, &mut own);
        move_over::<W, OTHER>(own, journal);
        State {
            signals: u32::from(options.signals),
            own: state,
        }
    }

    fn pending(state: &Self::State) -> PendingList {
        W::pending(&state.own)
    }

    fn candidates(state: &Self::State, seat: Seat, list: &mut Lister<'_, Self::Action>) -> Visit {
        let mut visit = |action| list.visit(Action::Own(action));
        W::candidates(&state.own, seat, &mut Lister::new(W::kind, &mut visit))?;
        list.visit(Action::Signal)
    }

    fn check(
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
    ) -> Result<Self::Permit, RefusedBy<Self>> {
        match action {
            Action::Signal => Ok(Permit::Signal(seat)),
            Action::Own(own) => W::check(&state.own, seat, own).map(Permit::Own),
        }
    }

    fn perform(play: &mut PlayOf<'_, Self>, permit: Self::Permit) {
        match permit {
            Permit::Signal(seat) => {
                play.state.signals += 1;
                play.tell(Event::Signaled { seat });
            }
            Permit::Own(permit) => {
                let mut journal = Journal::new();
                let mut own = Play {
                    state: &mut play.state.own,
                    chance: &mut *play.chance,
                    journal: &mut journal,
                };
                W::perform(&mut own, permit);
                move_over::<W, OTHER>(journal, play.journal);
            }
        }
    }

    fn ranking(state: &Self::State) -> Option<Ranking> {
        W::ranking(&state.own)
    }

    fn sources() -> Vec<Term> {
        W::sources()
    }

    fn view(state: &Self::State, viewer: Viewer) -> Self::View {
        W::view(&state.own, viewer)
    }

    fn sample(state: &Self::State, seat: Seat, chance: &mut Chance) -> Self::State {
        State {
            signals: state.signals,
            own: W::sample(&state.own, seat, chance),
        }
    }

    fn scene(state: &Self::State) -> Option<Scene> {
        W::scene(&state.own)
    }

    fn changes(scene: &mut Scene, event: &Self::Event) {
        if let Event::Own(own) = event {
            W::changes(scene, own);
        }
    }

    fn draw_label(draw: &str, value: u16) -> String {
        W::draw_label(draw, value)
    }
}

/// The field number of the new field of `Options`, `Action` and `Event`.
const SIGNALS: u32 = 1_000;

/// A message with one more field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Grown<P> {
    signals: bool,
    own: P,
}

impl<P: Pb> Message for Grown<P> {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        self.own.encode_raw(buffer);
        if self.signals {
            encoding::bool::encode(SIGNALS, &true, buffer);
        }
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        match tag {
            SIGNALS => encoding::bool::merge(wire_type, &mut self.signals, buffer, context),
            _ => self.own.merge_field(tag, wire_type, buffer, context),
        }
    }

    fn encoded_len(&self) -> usize {
        let signals = encoding::bool::encoded_len(SIGNALS, &true);
        self.own.encoded_len() + if self.signals { signals } else { 0 }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Encodes a message that has only the new field.
fn signal() -> Opaque {
    Opaque::of(&Grown {
        signals: true,
        own: Opaque::default(),
    })
}

impl<W: Wire, const OTHER: bool> Wire for Newer<W, OTHER> {
    const CATALOGUE_REVISION: u32 = W::CATALOGUE_REVISION;
    const JOIN: Join = W::JOIN;

    type PbOptions = Grown<W::PbOptions>;
    type PbAction = Grown<W::PbAction>;
    type PbEvent = Grown<W::PbEvent>;
    type PbView = W::PbView;
    type PbCatalogue = W::PbCatalogue;
    type PbRefusalDetail = W::PbRefusalDetail;

    fn own_options(joined: raw::options::Ruleset) -> Option<Opaque> {
        W::own_options(joined)
    }

    fn own_action(joined: raw::action::Ruleset) -> Option<Opaque> {
        W::own_action(joined)
    }

    fn draft(message: Self::PbOptions) -> Result<Self::Draft, Malformed> {
        let own = W::draft(message.own)?;
        let signals = message.signals;
        Ok(Draft { signals, own })
    }

    fn encoded_options(options: &Self::Options) -> Opaque {
        Opaque::of(&Grown {
            signals: options.signals,
            own: W::encoded_options(&options.own),
        })
    }

    fn action(message: Self::PbAction) -> Result<Self::Action, Malformed> {
        if message.signals {
            return Ok(Action::Signal);
        }
        W::action(message.own).map(Action::Own)
    }

    fn encoded_action(action: &Self::Action) -> Opaque {
        match action {
            Action::Signal => signal(),
            Action::Own(own) => W::encoded_action(own),
        }
    }

    fn encoded_event(event: &Self::Event) -> Opaque {
        match event {
            Event::Signaled { .. } => signal(),
            Event::Own(own) => W::encoded_event(own),
        }
    }

    fn encoded_view(view: &Self::View) -> Opaque {
        W::encoded_view(view)
    }

    fn encoded_detail(refusal: &Self::Refusal) -> Option<Opaque> {
        W::encoded_detail(refusal)
    }

    fn catalogue() -> Self::PbCatalogue {
        W::catalogue()
    }
}
