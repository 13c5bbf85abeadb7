//! The record of a game, as `gamekeeper export` wrote it.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::envelope;
use gamekeeper_proto::envelope::AnyRuleset;
use gamekeeper_proto::envelope::export_game_response::Part;
use gamekeeper_proto::gamekeeper::v1::{ForkOrigin, GameInfo, SeedReveal};
use prost_reflect::MessageDescriptor;

use crate::contract::{Contract, field_message, method, parse_many};
use crate::failure::Failure;
use crate::game_client::ExportGameResponse;

pub(crate) type ExportVersion = envelope::ExportVersion<AnyRuleset>;

/// A whole record.
pub(crate) struct Record {
    /// The public facts at its end.
    pub(crate) game: GameInfo,
    pub(crate) options: Opaque,
    /// The games that its past comes from.
    pub(crate) origins: Vec<ForkOrigin>,
    pub(crate) versions: Vec<ExportVersion>,
    /// Salt and seed, if the game is over.
    pub(crate) reveal: Option<SeedReveal>,
    pub(crate) kinds: Kinds,
}

/// The messages of the ruleset, to name differences.
pub(crate) struct Kinds {
    pub(crate) options: MessageDescriptor,
    pub(crate) action: MessageDescriptor,
    pub(crate) event: MessageDescriptor,
    pub(crate) view: MessageDescriptor,
}

impl Record {
    /// Reads JSON Lines.
    pub(crate) fn read(contract: &Contract, text: &str) -> Result<Self, Failure> {
        let service = contract.ruleset(&ruleset(text)?)?;
        let line = method(&service, "ExportGame")?.output();
        let parts = parse_many(&line, text)?;
        let part = |part| Ok(Opaque::of(&part).typed::<ExportGameResponse>()?.part);
        let parts: Vec<Option<Part<AnyRuleset>>> = parts
            .into_iter()
            .map(part)
            .collect::<Result<_, Failure>>()?;
        let mut parts = parts.into_iter().flatten();
        let Some(Part::Header(header)) = parts.next() else {
            return Err(wrong("the record does not begin with a header"));
        };
        let (mut versions, mut reveal) = (Vec::new(), None);
        for part in parts {
            match part {
                Part::Version(version) if reveal.is_none() => versions.push(version),
                Part::SeedReveal(last) if reveal.is_none() => reveal = Some(last),
                Part::Header(_) => return Err(wrong("a header where none belongs")),
                Part::Version(_) => return Err(wrong("a version where none belongs")),
                Part::SeedReveal(_) => return Err(wrong("a seed reveal where none belongs")),
            }
        }
        let version = field_message(&line, "version")?;
        Ok(Self {
            game: header.game.unwrap_or_default(),
            options: header
                .options
                .ok_or_else(|| wrong("the options are missing"))?,
            origins: header.origins,
            versions,
            reveal,
            kinds: Kinds {
                options: field_message(&field_message(&line, "header")?, "options")?,
                action: field_message(&version, "action")?,
                event: field_message(&version, "events")?,
                view: field_message(&version, "state")?,
            },
        })
    }
}

/// The ruleset that the first line names.
fn ruleset(text: &str) -> Result<String, Failure> {
    let first = serde_json::Deserializer::from_str(text)
        .into_iter::<serde_json::Value>()
        .next();
    let first = first.and_then(Result::ok).unwrap_or_default();
    let ruleset = first
        .pointer("/header/game/ruleset")
        .and_then(serde_json::Value::as_str);
    ruleset
        .map(str::to_owned)
        .ok_or_else(|| wrong("this is not a record of a game"))
}

fn wrong(text: &str) -> Failure {
    Failure::Invalid(text.to_owned())
}
