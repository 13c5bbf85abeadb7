//! The record of a game, as `gamekeeper export` wrote it.

use gamekeeper_proto::gamekeeper::v1::{
    Draw, FirstName, ForkOrigin, GameInfo, PendingDecision, RecordSignature, SeedReveal,
};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{
    Action, AutomaticAction, ExportGameResponse, ExportVersion, LogEntry, Options, View,
};
use gamekeeper_wire::RecordDigest;
use prost::Message;
use prost_reflect::DynamicMessage;

use crate::contract::{message, parse_many};
use crate::failure::Failure;

/// A complete record.
pub(crate) struct Record {
    /// The public facts at the end of the record.
    pub(crate) game: GameInfo,
    pub(crate) options: Options,
    /// The games that this game was forked from.
    pub(crate) origins: Vec<ForkOrigin>,
    /// The names at creation, with their published commitments.
    pub(crate) first_names: Vec<FirstName>,
    /// The seed of the table on which the game began. Empty for the set-up.
    pub(crate) start_seed: Vec<u8>,
    /// Whether every version has its full table.
    pub(crate) with_states: bool,
    pub(crate) versions: Vec<Version>,
    /// The salt and the seed, once the game is over.
    pub(crate) reveal: Option<SeedReveal>,
    /// The signature, if the service signs records.
    pub(crate) signature: Option<RecordSignature>,
    /// The digest that a signature covers, without the secret seed.
    pub(crate) digest: RecordDigest,
}

/// The record of one version.
pub(crate) struct Version {
    pub(crate) entry: LogEntry,
    pub(crate) action: Option<Action>,
    pub(crate) automatic: Vec<AutomaticAction>,
    pub(crate) draws: Vec<Draw>,
    pub(crate) fingerprint: String,
    pub(crate) pending: Vec<PendingDecision>,
    pub(crate) state: Option<View>,
}

impl TryFrom<ExportVersion> for Version {
    type Error = Failure;

    fn try_from(version: ExportVersion) -> Result<Self, Failure> {
        Ok(Self {
            entry: version
                .entry
                .ok_or_else(|| wrong("a version without its entry"))?,
            action: version.action,
            automatic: version.automatic,
            draws: version.draws,
            fingerprint: version.fingerprint,
            pending: version.pending,
            state: version.state,
        })
    }
}

impl Record {
    /// Parses a record from JSON Lines.
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let part = |line: DynamicMessage| {
            let part = ExportGameResponse::decode(&*line.encode_to_vec())?.part;
            part.ok_or_else(|| wrong("this is not a record of a game"))
        };
        let lines = parse_many(&message("ExportGameResponse")?, text)?;
        let parts: Vec<Part> = lines
            .into_iter()
            .map(part)
            .collect::<Result<_, Failure>>()?;
        let mut parts = parts.into_iter();
        let Some(Part::Header(header)) = parts.next() else {
            return Err(wrong("the record does not begin with a header"));
        };
        let game = header.game.unwrap_or_default();
        let mut digest = RecordDigest::begin(&game.record_commitment);
        let (mut versions, mut end) = (Vec::new(), None);
        for part in parts {
            match part {
                Part::Version(version) if end.is_none() => {
                    digest = digest.update(&version)?;
                    versions.push(version.try_into()?);
                }
                Part::End(last) if end.is_none() => end = Some(last),
                Part::Header(_) => return Err(wrong("a header where none belongs")),
                Part::Version(_) => return Err(wrong("a version where none belongs")),
                Part::End(_) => return Err(wrong("an end where none belongs")),
            }
        }
        Ok(Self {
            game,
            options: header
                .options
                .ok_or_else(|| wrong("the options are missing"))?,
            origins: header.origins,
            first_names: header.first_names,
            start_seed: header.start_seed,
            with_states: header.with_states,
            versions,
            signature: end.as_mut().and_then(|end| end.signature.take()),
            reveal: end.and_then(|end| end.seed_reveal),
            digest,
        })
    }
}

fn wrong(text: &str) -> Failure {
    Failure::Invalid(text.to_owned())
}
