//! The outcome of an entry: forced actions, draws, events and a fingerprint of the state.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Automatic, Draw, decode, encode, events_with_forced, fingerprint};
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, seat_number};

use super::envelope::damaged;
use super::{RecordOf, RequestFingerprint, messages};
use crate::errors::ServiceError;
use crate::log::decode_context::DecodeContext;

/// The outcome of an entry. `A` and `E` are actions and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EntryRecord<A, E> {
    pub(crate) automatic: Vec<Automatic<A>>,
    pub(crate) draws: Vec<Draw>,
    /// The events and the fingerprint. Is `None` if they are stored in a layout that this build cannot decode;
    /// replaying the entry restores them.
    pub(crate) effects: Option<Effects<E>>,
    /// The time of the entry, in milliseconds since the beginning of the log. A fork's log begins with that of its
    /// origin.
    pub(crate) after_ms: u64,
    pub(crate) request_fingerprint: RequestFingerprint,
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
    ) -> Result<(), ServiceError> {
        if self.fingerprint == fingerprint(&applied.state).to_be_bytes() {
            return Ok(());
        }
        let what = "the rules give a different state from the stored one";
        Err(damaged(version, &what))
    }
}

impl<A: PartialEq, E> EntryRecord<A, E> {
    /// Returns the events of the entry. The slice is empty while only a replay can restore them.
    pub(crate) fn events(&self) -> &[E] {
        let effects = self.effects.as_ref();
        effects.map_or(&[], |effects| &effects.events)
    }

    /// Returns the events, each with whether it is the first one that reports a forced action.
    pub(crate) fn events_with_forced(&self) -> impl Iterator<Item = (&E, bool)> {
        events_with_forced(self.events(), &self.automatic)
    }

    /// Checks a replay against the recorded outcome, and restores effects that this build cannot decode.
    pub(crate) fn verify_replay<W: Wire<Action = A, Event = E>>(
        &mut self,
        version: Version,
        applied: &mut Applied<W>,
    ) -> Result<(), ServiceError> {
        let differs = |part| damaged(version, &format!("the rules give different {part}"));
        if self.draws != applied.draws {
            return Err(differs("draws"));
        }
        let same_decisions = |automatic: &[Automatic<A>]| -> bool {
            let decisions = automatic.iter().map(|action| (action.seat, &action.action));
            decisions.eq(self.automatic.iter().map(|one| (one.seat, &one.action)))
        };
        if !same_decisions(&applied.automatic) {
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

/// Encodes a record as a message.
pub(super) fn encode_record<W: Wire>(record: &RecordOf<W>) -> messages::EntryRecord {
    let automatic = |automatic: &Automatic<W::Action>| messages::Automatic {
        seat: seat_number(automatic.seat),
        action: Some(W::encoded_action(&automatic.action)),
        first_event: automatic.first_event.and_then(|at| u32::try_from(at).ok()),
    };
    let draw = |draw: &Draw| messages::Draw {
        name: draw.name.to_string(),
        seat: draw.seat.map_or(0, seat_number),
        values: draw.values.iter().map(|&value| value.into()).collect(),
    };
    let mut message = messages::EntryRecord {
        automatic: record.automatic.iter().map(automatic).collect(),
        draws: record.draws.iter().map(draw).collect(),
        after_ms: record.after_ms,
        request: record.request_fingerprint.to_bytes(),
        ..messages::EntryRecord::default()
    };
    if let Some(Effects {
        events,
        fingerprint,
    }) = &record.effects
    {
        message.layout = Some(W::layout_hash());
        message.events = encode(events);
        message.fingerprint = u64::from_be_bytes(*fingerprint);
    }
    message
}

/// Decodes a record that [`encode_record`] encoded. Also returns its decode context, by which other parts of the entry
/// are decoded.
pub(super) fn decode_record<W: Wire>(
    version: Version,
    message: Option<messages::EntryRecord>,
) -> Result<(RecordOf<W>, DecodeContext), ServiceError> {
    let message = message.ok_or_else(|| damaged(version, &"the entry has no record"))?;
    let same_layout = message.layout == Some(W::layout_hash());
    let context = DecodeContext {
        version,
        same_layout,
    };
    let automatic = |automatic: messages::Automatic| {
        let encoded: Option<&EncodedMessage> = automatic.action.as_ref();
        Ok(Automatic {
            seat: context.decode_seat(automatic.seat)?,
            action: context.read(encoded, W::action)?,
            first_event: automatic
                .first_event
                .and_then(|at| usize::try_from(at).ok()),
        })
    };
    let effects = || -> Result<_, ServiceError> {
        let events = decode(&message.events).map_err(|error| damaged(version, &error))?;
        let fingerprint = message.fingerprint.to_be_bytes();
        Ok(Effects {
            events,
            fingerprint,
        })
    };
    let record = RecordOf::<W> {
        effects: same_layout.then(effects).transpose()?,
        automatic: (message.automatic.into_iter().map(automatic))
            .collect::<Result<_, ServiceError>>()?,
        draws: (message.draws.into_iter())
            .map(|draw| decode_draw(context, draw))
            .collect::<Result<_, ServiceError>>()?,
        after_ms: message.after_ms,
        request_fingerprint: RequestFingerprint::from_bytes(&message.request)
            .ok_or_else(|| damaged(version, &"the mark of its request has a wrong length"))?,
    };
    Ok((record, context))
}

fn decode_draw(context: DecodeContext, draw: messages::Draw) -> Result<Draw, ServiceError> {
    let too_large = |_| damaged(context.version, &"a draw has a value that is too large");
    let values = draw.values.into_iter().map(u16::try_from);
    let seat = Some(draw.seat).filter(|seat| *seat != 0);
    Ok(Draw {
        name: draw.name.into(),
        seat: seat.map(|seat| context.decode_seat(seat)).transpose()?,
        values: values.collect::<Result<_, _>>().map_err(too_large)?,
    })
}
