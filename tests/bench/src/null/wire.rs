//! The null game on the wire.

use gamekeeper_wire::{Malformed, Wire};

use super::pad::Pad;
use super::pb;
use super::rules::{Action, Event, Null, Options, View};

impl Wire for Null {
    const CATALOGUE_REVISION: u32 = 1;

    type Messages = pb::Messages;

    fn draft(message: pb::Options) -> Result<Options, Malformed> {
        let pb::Options {
            state,
            view,
            entry,
            event,
            action,
            listed,
            last,
        } = message;
        Ok(Options {
            state,
            view,
            entry,
            event,
            action,
            listed,
            last,
        })
    }

    fn options_message(options: &Options) -> pb::Options {
        let Options {
            state,
            view,
            entry,
            event,
            action,
            listed,
            last,
        } = *options;
        pb::Options {
            state,
            view,
            entry,
            event,
            action,
            listed,
            last,
        }
    }

    fn action(message: pb::Padding) -> Result<Action, Malformed> {
        Ok(Action {
            pad: Pad::new(message.pad.len()),
        })
    }

    fn action_message(action: &Action) -> pb::Padding {
        pb::Padding {
            pad: action.pad.bytes(),
        }
    }

    fn event_message(event: &Event, _text: Option<String>) -> pb::Padding {
        pb::Padding {
            pad: Pad::of(event.shown).bytes(),
        }
    }

    fn view_message(view: &View) -> pb::View {
        pb::View {
            counter: u64::from(view.counter),
            pad: view.pad.bytes(),
        }
    }

    fn refusal_detail(_refusal: &Self::Refusal) -> Option<()> {
        None
    }

    fn catalogue() {}
}
