//! What is around the messages of a ruleset: the requests and answers of its service. They are the same for all
//! rulesets, so they are written once, for any [`Messages`]; every package has them under its own names.
//!
//! ```
//! use gamekeeper_proto::{envelope, gamekeeper::dominion::v1 as dominion};
//!
//! let same: envelope::GetGameResponse<dominion::Messages> = dominion::GetGameResponse::default();
//! ```

use std::fmt::Debug;

use prost::{DecodeError, Message};
use prost_types::Any;

use crate::Opaque;

/// A message of the contract.
pub trait Pb: Message + Default + Clone + Debug + PartialEq + 'static {}
impl<T: Message + Default + Clone + Debug + PartialEq + 'static> Pb for T {}

/// What a ruleset defines for itself.
pub trait Messages: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// What the creator of a game chooses.
    type Options: Pb;
    /// What a player does.
    type Action: Pb;
    /// What happened.
    type Event: Pb;
    /// What one viewer may know of the table.
    type View: Pb;
    /// The printed components.
    type Catalogue: Pb;
    /// The values of a refusal.
    type RefusalDetail: Pb;
}

/// The package of a ruleset.
pub trait Package: Messages {
    /// Its name, such as `gamekeeper.dominion.v1`.
    const NAME: &'static str;
    /// The full name of the service.
    const SERVICE: &'static str;
    /// The kinds of actions: the fields of `Action`, each with its name in JSON.
    const ACTION_KINDS: &'static [(&'static str, &'static str)];
}

/// The messages of any ruleset, packed: those of `gamekeeper.v1.TableService`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed;

impl Messages for Packed {
    type Options = Any;
    type Action = Any;
    type Event = Any;
    type View = Any;
    type Catalogue = Any;
    type RefusalDetail = Any;
}

/// The messages of any ruleset, as their bytes: for those who pass them on, and read only what is around them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnyRuleset;

impl Messages for AnyRuleset {
    type Options = Opaque;
    type Action = Opaque;
    type Event = Opaque;
    type View = Opaque;
    type Catalogue = Opaque;
    type RefusalDetail = Opaque;
}

/// The prefix of the name of a packed message.
const PREFIX: &str = "type.googleapis.com/";

/// Packs the message of this name in this package.
pub fn packed(package: &str, name: &str, message: &impl Message) -> Any {
    Any {
        type_url: format!("{PREFIX}{package}.{name}"),
        value: message.encode_to_vec(),
    }
}

/// The message of this name in `packed`, whatever its prefix; `None`: it is another message.
pub fn unpacked<P: Package, T: Message + Default>(
    name: &str,
    packed: &Any,
) -> Option<Result<T, DecodeError>> {
    let (_, found) = packed.type_url.rsplit_once('/')?;
    let package = found.strip_suffix(name)?.strip_suffix('.')?;
    (package == P::NAME).then(|| T::decode(packed.value.as_slice()))
}

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated code"
)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/envelope.rs"));
}
pub use generated::*;
