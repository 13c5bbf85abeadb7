//! The record of a game, as `gamekeeper export` wrote it.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, SeedReveal};
use prost_reflect::DynamicMessage;

use crate::contract::{Contract, chosen, method, parse_many};
use crate::failure::Failure;
use crate::fields::{Fields, retype};

/// A whole record.
pub(in crate::commands) struct Record {
    /// The public facts at its end.
    pub(in crate::commands) game: GameInfo,
    /// The message `Options`.
    pub(in crate::commands) options: DynamicMessage,
    /// The messages `ExportVersion`.
    pub(in crate::commands) versions: Vec<DynamicMessage>,
    /// Salt and seed, if the game is over.
    pub(in crate::commands) reveal: Option<SeedReveal>,
}

impl Record {
    /// Reads JSON Lines.
    pub(in crate::commands) fn read(contract: &Contract, text: &str) -> Result<Self, Failure> {
        let service = contract.ruleset(&ruleset(text)?)?;
        let lines = parse_many(&method(&service, "ExportGame")?.output(), text)?;
        let mut parts = lines.iter().filter_map(chosen).peekable();
        let header = parts.next_if(|(kind, _)| kind == "header");
        let (_, header) = header.ok_or_else(|| wrong("the record does not begin with a header"))?;
        let mut versions = Vec::new();
        while let Some((_, version)) = parts.next_if(|(kind, _)| kind == "version") {
            versions.push(version);
        }
        let reveal = parts.next_if(|(kind, _)| kind == "seed_reveal");
        let reveal = reveal.map(|(_, reveal)| retype(&reveal)).transpose()?;
        if let Some((kind, _)) = parts.next() {
            return Err(wrong(&format!("a {} where none belongs", phrase(&kind))));
        }
        let options = header
            .child("options")
            .ok_or_else(|| wrong("the options are missing"))?;
        Ok(Self {
            game: header.typed("game")?,
            options,
            versions,
            reveal,
        })
    }
}

fn phrase(kind: &str) -> String {
    crate::phrase::words(kind)
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
