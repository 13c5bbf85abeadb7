//! The null game on the wire.

use gamekeeper_wire::{Malformed, Wire};

use super::pad::Pad;
use super::pb::{self, Options};
use super::rules::{Action, Event, Null, View};

impl Wire for Null {
    const CATALOGUE_REVISION: u32 = 1;

    type Messages = pb::Messages;

    fn draft(message: Options) -> Result<Options, Malformed> {
        Ok(message)
    }

    fn options_message(options: &Options) -> Options {
        *options
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
