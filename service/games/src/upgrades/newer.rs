//! A ruleset as a later build might have it: with one more option, action, event and field of the state. The new ones
//! come before the old ones, so that everything stored by position has moved.

use std::fmt;
use std::marker::PhantomData;

use gamekeeper_proto::{EncodedMessage, Pb, raw};
use gamekeeper_rules::rulebook::Documents;
use gamekeeper_rules::ruleset::{
    ExecContextOf, JournalOf, RefusedBy, RefusedOptionBy, Ruleset, RulesetInfo,
};
use gamekeeper_rules::table::{
    ActionEnumerator, Automatic, Chance, DecisionWords, ExecContext, GameEvent, Journal, Kind,
    Names, OptionRule, PendingList, PositionError, Ranking, Seat, Term, TextContext, Viewer,
    VisitFlow,
};
use gamekeeper_wire::{Malformed, OneofCodec, Wire};
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
    inner: D,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Options<O> {
    /// Whether the game begins with a signal.
    pub(super) signals: bool,
    pub(super) inner: O,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State<S> {
    /// The number of signals that were given.
    pub(super) signals: u32,
    inner: S,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Action<A> {
    Signal,
    Inner(A),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Event<E> {
    Signaled { seat: Seat },
    Inner(E),
}

pub(crate) enum Permit<P> {
    Signal(Seat),
    Inner(P),
}

impl<A: Kind> Kind for Action<A> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Signal => "signal",
            Self::Inner(inner) => inner.kind(),
        }
    }
}

impl<E: Kind> Kind for Event<E> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Signaled { .. } => "signaled",
            Self::Inner(inner) => inner.kind(),
        }
    }
}

impl<E: GameEvent> GameEvent for Event<E> {
    fn seat(&self) -> Option<Seat> {
        match self {
            Self::Signaled { seat } => Some(*seat),
            Self::Inner(inner) => inner.seat(),
        }
    }

    fn write_sentence(&self, names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signaled { seat } => write!(f, "{} gives a signal.", names.who(*seat)),
            Self::Inner(inner) => inner.write_sentence(names, f),
        }
    }

    fn reveals(&self) -> bool {
        match self {
            Self::Signaled { .. } => false,
            Self::Inner(inner) => inner.reveals(),
        }
    }

    fn reveals_to(&self, viewer: Viewer) -> bool {
        match self {
            Self::Signaled { .. } => false,
            Self::Inner(inner) => inner.reveals_to(viewer),
        }
    }

    fn seen_by(&self, viewer: Viewer) -> Option<Self> {
        match self {
            Self::Signaled { seat } => Some(Self::Signaled { seat: *seat }),
            Self::Inner(inner) => inner.seen_by(viewer).map(Self::Inner),
        }
    }
}

/// Moves events and forced actions to the journal of the newer build.
fn move_over<W: Ruleset, const OTHER: bool>(
    inner: JournalOf<W>,
    journal: &mut JournalOf<Newer<W, OTHER>>,
) {
    let before = journal.events.len();
    for event in inner.events {
        journal.push_event(Event::Inner(event));
    }
    let automatic = inner.automatic.into_iter().map(|automatic| Automatic {
        seat: automatic.seat,
        action: Action::Inner(automatic.action),
        first_event: automatic.first_event.map(|at| at + before),
    });
    journal.automatic.extend(automatic);
}

/// Lets the ruleset change its part of the table.
fn within<W: Ruleset, const OTHER: bool>(
    play: &mut ExecContextOf<'_, Newer<W, OTHER>>,
    change: impl FnOnce(&mut ExecContextOf<'_, W>),
) {
    let mut journal = Journal::new();
    change(&mut ExecContext {
        state: &mut play.state.inner,
        chance: &mut *play.chance,
        journal: &mut journal,
    });
    move_over::<W, OTHER>(journal, play.journal);
}

impl<W: Ruleset, const OTHER: bool> Ruleset for Newer<W, OTHER> {
    const INFO: RulesetInfo = W::INFO;
    const RULES: Documents = W::RULES;
    const OPTIONS: &'static [OptionRule] = W::OPTIONS;
    const DECISIONS: &'static [DecisionWords] = W::DECISIONS;
    const ACTIONS: &'static [Term] = W::ACTIONS;
    const HAS_POSITIONS: bool = W::HAS_POSITIONS;
    /// Empty, so the fallback is the first legal action.
    type Draft = Draft<W::Draft>;
    type Options = Options<W::Options>;
    type State = State<W::State>;
    type Action = Action<W::Action>;
    type Event = Event<W::Event>;
    type View = W::View;
    type Refusal = W::Refusal;
    type Permit = Permit<W::Permit>;

    fn layout_hash() -> u32 {
        !W::layout_hash()
    }

    fn options(
        players: &[String],
        draft: &Self::Draft,
    ) -> Result<Self::Options, RefusedOptionBy<Self>> {
        let inner = W::options(players, &draft.inner)?;
        let signals = draft.signals;
        Ok(Options { signals, inner })
    }

    fn seats(options: &Self::Options) -> usize {
        W::seats(&options.inner)
    }

    fn setup(
        options: &Self::Options,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) -> Self::State {
        if OTHER {
            chance.roll("omen", None, 6, 1);
        }
        let mut inner = Journal::new();
        let state = W::setup(&options.inner, chance, &mut inner);
        move_over::<W, OTHER>(inner, journal);
        State {
            signals: u32::from(options.signals),
            inner: state,
        }
    }

    fn position(
        options: &Self::Options,
        view: &Self::View,
        chance: &mut Chance,
    ) -> Result<Self::State, PositionError> {
        Ok(State {
            signals: u32::from(options.signals),
            inner: W::position(&options.inner, view, chance)?,
        })
    }

    fn pending(state: &Self::State) -> PendingList {
        W::pending(&state.inner)
    }

    fn candidates(
        state: &Self::State,
        seat: Seat,
        list: &mut ActionEnumerator<'_, Self::Action>,
    ) -> VisitFlow {
        let mut visit = |action| list.visit(Action::Inner(action));
        W::candidates(
            &state.inner,
            seat,
            &mut ActionEnumerator::new(W::kind, &mut visit),
        )?;
        list.visit(Action::Signal)
    }

    fn check(
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
    ) -> Result<Self::Permit, RefusedBy<Self>> {
        match action {
            Action::Signal => Ok(Permit::Signal(seat)),
            Action::Inner(inner) => W::check(&state.inner, seat, inner).map(Permit::Inner),
        }
    }

    fn execute(play: &mut ExecContextOf<'_, Self>, permit: Self::Permit) {
        match permit {
            Permit::Signal(seat) => {
                play.state.signals += 1;
                play.emit(Event::Signaled { seat });
            }
            Permit::Inner(permit) => within::<W, OTHER>(play, |inner| W::execute(inner, permit)),
        }
    }

    fn settle(play: &mut ExecContextOf<'_, Self>) {
        within::<W, OTHER>(play, W::settle);
    }

    fn ranking(state: &Self::State) -> Option<Ranking> {
        W::ranking(&state.inner)
    }

    fn sources() -> Vec<Term> {
        W::sources()
    }

    fn view(state: &Self::State, viewer: Viewer) -> Self::View {
        W::view(&state.inner, viewer)
    }

    fn sample_world(state: &Self::State, seat: Seat, chance: &mut Chance) -> Self::State {
        State {
            signals: state.signals,
            inner: W::sample_world(&state.inner, seat, chance),
        }
    }

    fn text_context(state: &Self::State) -> Option<TextContext> {
        W::text_context(&state.inner)
    }

    fn update_text_context(scene: &mut TextContext, event: &Self::Event) {
        if let Event::Inner(inner) = event {
            W::update_text_context(scene, inner);
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
    inner: P,
}

impl<P: Pb> Message for Grown<P> {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        self.inner.encode_raw(buffer);
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
            _ => self.inner.merge_field(tag, wire_type, buffer, context),
        }
    }

    fn encoded_len(&self) -> usize {
        let signals = encoding::bool::encoded_len(SIGNALS, &true);
        self.inner.encoded_len() + if self.signals { signals } else { 0 }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Encodes a message that has only the new field.
fn signal() -> EncodedMessage {
    EncodedMessage::from_message(&Grown {
        signals: true,
        inner: EncodedMessage::default(),
    })
}

impl<W: Wire, const OTHER: bool> Wire for Newer<W, OTHER> {
    const CATALOGUE_REVISION: u32 = W::CATALOGUE_REVISION;
    const ONEOF_CODEC: OneofCodec = W::ONEOF_CODEC;

    type PbOptions = Grown<W::PbOptions>;
    type PbAction = Grown<W::PbAction>;
    type PbEvent = Grown<W::PbEvent>;
    type PbView = W::PbView;
    type PbCatalogue = W::PbCatalogue;
    type PbRefusalDetail = W::PbRefusalDetail;

    fn unwrap_options(joined: raw::options::Ruleset) -> Option<EncodedMessage> {
        W::unwrap_options(joined)
    }

    fn unwrap_action(joined: raw::action::Ruleset) -> Option<EncodedMessage> {
        W::unwrap_action(joined)
    }

    fn unwrap_view(joined: raw::view::Ruleset) -> Option<EncodedMessage> {
        W::unwrap_view(joined)
    }

    fn read_view(message: Self::PbView, options: &Self::Options) -> Result<Self::View, Malformed> {
        W::read_view(message, &options.inner)
    }

    fn draft(message: Self::PbOptions) -> Result<Self::Draft, Malformed> {
        let inner = W::draft(message.inner)?;
        let signals = message.signals;
        Ok(Draft { signals, inner })
    }

    fn encoded_options(options: &Self::Options) -> EncodedMessage {
        EncodedMessage::from_message(&Grown {
            signals: options.signals,
            inner: W::encoded_options(&options.inner),
        })
    }

    fn action(message: Self::PbAction) -> Result<Self::Action, Malformed> {
        if message.signals {
            return Ok(Action::Signal);
        }
        W::action(message.inner).map(Action::Inner)
    }

    fn encoded_action(action: &Self::Action) -> EncodedMessage {
        match action {
            Action::Signal => signal(),
            Action::Inner(inner) => W::encoded_action(inner),
        }
    }

    fn encoded_event(event: &Self::Event) -> EncodedMessage {
        match event {
            Event::Signaled { .. } => signal(),
            Event::Inner(inner) => W::encoded_event(inner),
        }
    }

    fn encoded_view(view: &Self::View) -> EncodedMessage {
        W::encoded_view(view)
    }

    fn encoded_detail(refusal: &Self::Refusal) -> Option<EncodedMessage> {
        W::encoded_detail(refusal)
    }

    fn catalogue() -> Self::PbCatalogue {
        W::catalogue()
    }
}
