//! The messages of the null game, in the contract.

use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_wire::{Malformed, OneofCodec, Wire};

use super::pad::Pad;
use super::pb::{self, Options};
use super::rules::{Action, Event, Null, View};

impl Wire for Null {
    const CATALOGUE_REVISION: u32 = 1;

    /// The fields of Dominion: the server passes the messages on without decoding them.
    const ONEOF_CODEC: OneofCodec = Dominion::ONEOF_CODEC;

    type PbOptions = Options;
    type PbAction = pb::Padding;
    type PbEvent = pb::Padding;
    type PbView = pb::View;
    /// The null game has no components.
    type PbCatalogue = ();
    /// Nothing: the refusals of the null game have no values.
    type PbRefusalDetail = ();

    fn unwrap_options(joined: raw::options::Ruleset) -> Option<EncodedMessage> {
        Dominion::unwrap_options(joined)
    }

    fn unwrap_action(joined: raw::action::Ruleset) -> Option<EncodedMessage> {
        Dominion::unwrap_action(joined)
    }

    fn unwrap_view(joined: raw::view::Ruleset) -> Option<EncodedMessage> {
        Dominion::unwrap_view(joined)
    }

    fn draft(message: Options) -> Result<Options, Malformed> {
        Ok(message)
    }

    fn encoded_options(options: &Options) -> EncodedMessage {
        let Options {
            state,
            view,
            entry,
            event,
            action,
            listed,
            last,
        } = *options;
        EncodedMessage::from_message(&pb::Options {
            state,
            view,
            entry,
            event,
            action,
            listed,
            last,
        })
    }

    fn action(message: pb::Padding) -> Result<Action, Malformed> {
        Ok(Action {
            pad: Pad::new(message.pad.len()),
        })
    }

    fn encoded_action(action: &Action) -> EncodedMessage {
        EncodedMessage::from_message(&pb::Padding {
            pad: action.pad.bytes(),
        })
    }

    fn encoded_event(event: &Event) -> EncodedMessage {
        EncodedMessage::from_message(&pb::Padding {
            pad: Pad::of(event.shown).bytes(),
        })
    }

    fn encoded_view(view: &View) -> EncodedMessage {
        EncodedMessage::from_message(&pb::View {
            counter: u64::from(view.counter),
            pad: view.pad.bytes(),
        })
    }

    fn encoded_detail(_refusal: &Self::Refusal) -> Option<EncodedMessage> {
        None
    }

    fn catalogue() {}
}
