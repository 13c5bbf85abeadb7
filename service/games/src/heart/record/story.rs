//! The outcome of an entry: forced actions, draws, events and a fingerprint of the state.

use gamekeeper_proto::Opaque;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Automatic, Draw, decode, encode, fingerprint, told};
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, seat_number};

use super::envelope::damaged;
use super::known::Origin;
use super::{RequestMark, StoryOf, messages};
use crate::heart::problem::Problem;

/// The outcome of an entry. `A` and `E` are actions and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Story<A, E> {
    pub(crate) automatic: Vec<Automatic<A>>,
    pub(crate) draws: Vec<Draw>,
    /// The events and the fingerprint. Is `None` if they are stored in a layout that this build cannot decode;
    /// replaying the entry restores them.
    pub(crate) effects: Option<Effects<E>>,
    /// The time of the entry, in milliseconds since the beginning of the log. A fork's log begins with that of its
    /// origin.
    pub(crate) after_ms: u64,
    pub(crate) request: RequestMark,
}

/// The part of an outcome that is stored by position, in the layout of a build.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Effects<E> {
    pub(crate) events: Vec<E>,
    /// A hash of the state after the entry. Stored as eight bytes, since a variable-length integer would not make a
    /// hash shorter.
    pub(crate) fingerprint: [u8; 8],
}

impl<E> Effects<E> {
    /// Takes the events of a replay, and computes the fingerprint of its state.
    pub(crate) fn of<W: Wire<Event = E>>(applied: &mut Applied<W>) -> Self {
        Self {
            events: std::mem::take(&mut applied.events),
            fingerprint: fingerprint(&applied.state).to_be_bytes(),
        }
    }

    /// Checks that a replay gives the recorded fingerprint.
    pub(super) fn check<W: Wire<Event = E>>(
        &self,
        version: Version,
        applied: &Applied<W>,
    ) -> Result<(), Problem> {
        if self.fingerprint == fingerprint(&applied.state).to_be_bytes() {
            return Ok(());
        }
        let what = "the rules give a different state from the stored one";
        Err(damaged(version, &what))
    }
}

impl<A: PartialEq, E> Story<A, E> {
    /// Returns the events of the entry. The slice is empty while only a replay can restore them.
    pub(crate) fn events(&self) -> &[E] {
        let effects = self.effects.as_ref();
        effects.map_or(&[], |effects| &effects.events)
    }

    /// Returns the events, each with whether it is the first one that reports a forced action.
    pub(crate) fn told(&self) -> impl Iterator<Item = (&E, bool)> {
        told(self.events(), &self.automatic)
    }

    /// Checks a replay against the recorded outcome, and restores effects that this build cannot decode.
    pub(crate) fn replayed<W: Wire<Action = A, Event = E>>(
        &mut self,
        version: Version,
        applied: &mut Applied<W>,
    ) -> Result<(), Problem> {
        let differs = |what| damaged(version, &format!("the rules give different {what}"));
        if self.draws != applied.draws {
            return Err(differs("draws"));
        }
        let decided = |automatic: &[Automatic<A>]| -> bool {
            let decisions = automatic.iter().map(|one| (one.seat, &one.action));
            decisions.eq(self.automatic.iter().map(|one| (one.seat, &one.action)))
        };
        if !decided(&applied.automatic) {
            return Err(differs("automatic actions"));
        }
        match &self.effects {
            Some(effects) => effects.check(version, applied),
            None => {
                self.effects = Some(Effects::of(applied));
                // Forced actions hold indexes of events, so they must come from the same replay as the events.
                self.automatic = std::mem::take(&mut applied.automatic);
                Ok(())
            }
        }
    }
}

/// Encodes a story as a message.
pub(super) fn story_message<W: Wire>(story: &StoryOf<W>) -> messages::Story {
    let automatic = |automatic: &Automatic<W::Action>| messages::Automatic {
        seat: seat_number(automatic.seat),
        action: Some(W::encoded_action(&automatic.action)),
        at: automatic.at.and_then(|at| u32::try_from(at).ok()),
    };
    let draw = |draw: &Draw| messages::Draw {
        name: draw.name.to_string(),
        seat: draw.seat.map_or(0, seat_number),
        values: draw.values.iter().map(|&value| value.into()).collect(),
    };
    let mut message = messages::Story {
        automatic: story.automatic.iter().map(automatic).collect(),
        draws: story.draws.iter().map(draw).collect(),
        after_ms: story.after_ms,
        request: story.request.to_bytes(),
        ..messages::Story::default()
    };
    if let Some(Effects {
        events,
        fingerprint,
    }) = &story.effects
    {
        message.layout = Some(W::layout());
        message.events = encode(events);
        message.fingerprint = u64::from_be_bytes(*fingerprint);
    }
    message
}

/// Decodes a story that [`story_message`] encoded. Also returns its origin, by which other parts of the entry are
/// decoded.
pub(super) fn read_story<W: Wire>(
    version: Version,
    message: Option<messages::Story>,
) -> Result<(StoryOf<W>, Origin), Problem> {
    let message = message.ok_or_else(|| damaged(version, &"there is no story"))?;
    let is_own = message.layout == Some(W::layout());
    let origin = Origin { version, is_own };
    let automatic = |automatic: messages::Automatic| {
        let sent: Option<&Opaque> = automatic.action.as_ref();
        Ok(Automatic {
            seat: origin.seat(automatic.seat)?,
            action: origin.read(sent, W::action)?,
            at: automatic.at.and_then(|at| usize::try_from(at).ok()),
        })
    };
    let effects = || -> Result<_, Problem> {
        let events = decode(&message.events).map_err(|error| damaged(version, &error))?;
        let fingerprint = message.fingerprint.to_be_bytes();
        Ok(Effects {
            events,
            fingerprint,
        })
    };
    let story = StoryOf::<W> {
        effects: is_own.then(effects).transpose()?,
        automatic: (message.automatic.into_iter().map(automatic))
            .collect::<Result<_, Problem>>()?,
        draws: (message.draws.into_iter())
            .map(|draw| read_draw(origin, draw))
            .collect::<Result<_, Problem>>()?,
        after_ms: message.after_ms,
        request: RequestMark::from_bytes(&message.request)
            .ok_or_else(|| damaged(version, &"the mark of its request has a wrong length"))?,
    };
    Ok((story, origin))
}

fn read_draw(origin: Origin, draw: messages::Draw) -> Result<Draw, Problem> {
    let too_large = |_| damaged(origin.version, &"a draw has a value that is too large");
    let values = draw.values.into_iter().map(u16::try_from);
    let seat = Some(draw.seat).filter(|seat| *seat != 0);
    Ok(Draw {
        name: draw.name.into(),
        seat: seat.map(|seat| origin.seat(seat)).transpose()?,
        values: values.collect::<Result<_, _>>().map_err(too_large)?,
    })
}
