//! The record of a game, as `ExportGame` sends it.

use gamekeeper_proto::gamekeeper::v1::{
    self as pb, Draw, FirstName, ForkOrigin, GameInfo, PendingDecision, RecordSignature, SeedReveal,
};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{
    Action, AutomaticAction, ExportHeader, ExportVersion, LogEntry, Options, View,
};
use prost::Message;
use sha2::{Digest, Sha256};

use super::RecordFault;
use crate::{Commitment, RecordDigest};

/// A complete record.
#[derive(Debug)]
pub struct Record {
    /// The public facts at the end of the record.
    pub game: GameInfo,
    /// The options, with all defaults filled in.
    pub options: Options,
    /// The games that this game was forked from.
    pub origins: Vec<ForkOrigin>,
    /// The names at creation, with their published commitments.
    pub first_names: Vec<FirstName>,
    /// The seed of the table on which the game began. Empty for the set-up.
    pub start_seed: Vec<u8>,
    /// The described table on which the game began. `None` for games that began otherwise.
    pub start_position: Option<View>,
    /// The salt of the commitment to that table.
    pub start_salt: Vec<u8>,
    /// Whether every version has its full table.
    pub with_states: bool,
    /// The versions, the first one first.
    pub versions: Vec<Version>,
    /// The salt and the seed, once the game is over.
    pub reveal: Option<SeedReveal>,
    /// The signature, if the service signs records.
    pub signature: Option<RecordSignature>,
    /// The digest that a signature covers, without the secret seed.
    pub digest: RecordDigest,
}

/// The record of one version.
#[derive(Debug)]
pub struct Version {
    /// The events, the time and the seat that acted.
    pub entry: LogEntry,
    /// The action of the seat. `None` for the set-up and for entries beside the rules.
    pub action: Option<Action>,
    /// The automatic actions, in order.
    pub automatic: Vec<AutomaticAction>,
    /// The draws, in order.
    pub draws: Vec<Draw>,
    /// The hash of the state, in hexadecimal.
    pub fingerprint: String,
    /// The pending decisions after it.
    pub pending: Vec<PendingDecision>,
    /// The full table after it, if the record has it.
    pub state: Option<View>,
    /// SHA-256 of the version without table and pending decisions, which follow from the rest.
    pub hash: Commitment,
}

impl TryFrom<ExportVersion> for Version {
    type Error = RecordFault;

    fn try_from(version: ExportVersion) -> Result<Self, RecordFault> {
        Ok(Self {
            hash: hash_of(&version)?,
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

/// A record that is read part by part.
#[derive(Debug, Default)]
pub struct RecordReader {
    header: Option<(ExportHeader, RecordDigest)>,
    versions: Vec<Version>,
    end: Option<pb::ExportEnd>,
    /// The versions that the signature does not cover.
    imported: u64,
}

impl RecordReader {
    /// Returns the facts in the header, once it was read.
    #[must_use]
    pub fn game(&self) -> Option<&GameInfo> {
        self.header.as_ref()?.0.game.as_ref()
    }

    /// Adds the next part.
    ///
    /// # Errors
    /// Fails if the part does not belong there.
    pub fn push(&mut self, part: Part) -> Result<(), RecordFault> {
        match part {
            Part::Header(header) if self.header.is_none() => {
                let commitment = header.game.as_ref().map(|game| &game.record_commitment[..]);
                let digest = RecordDigest::begin(commitment.unwrap_or_default());
                self.imported = imported_versions(&header.origins);
                self.header = Some((header, digest));
            }
            Part::Version(version) if self.end.is_none() => {
                let Some((_, digest)) = &mut self.header else {
                    return Err(wrong("the record does not begin with a header"));
                };
                let number = u64::try_from(self.versions.len()).unwrap_or(u64::MAX);
                if number >= self.imported {
                    *digest = digest.update(&version)?;
                }
                self.versions.push(version.try_into()?);
            }
            Part::End(last) if self.end.is_none() && self.header.is_some() => self.end = Some(last),
            Part::Header(_) => return Err(wrong("a header where none belongs")),
            Part::Version(_) => return Err(wrong("a version where none belongs")),
            Part::End(_) => return Err(wrong("an end where none belongs")),
        }
        Ok(())
    }

    /// Returns the record.
    ///
    /// # Errors
    /// Fails if the header or its options are missing.
    pub fn finish(mut self) -> Result<Record, RecordFault> {
        let Some((header, digest)) = self.header else {
            return Err(wrong("the record does not begin with a header"));
        };
        Ok(Record {
            game: header.game.unwrap_or_default(),
            options: header
                .options
                .ok_or_else(|| wrong("the options are missing"))?,
            origins: header.origins,
            first_names: header.first_names,
            start_seed: header.start_seed,
            start_position: header.start_position,
            start_salt: header.start_salt,
            with_states: header.with_states,
            versions: self.versions,
            signature: self.end.as_mut().and_then(|end| end.signature.take()),
            reveal: self.end.and_then(|end| end.seed_reveal),
            digest,
        })
    }
}

impl Record {
    /// Returns the digest of the first versions, as a game that is made of them publishes it: a **hash chain** that begins
    /// with the commitment of this record.
    #[must_use]
    pub fn versions_digest(&self, commitment: &[u8], versions: usize) -> Commitment {
        let begin: Commitment = Sha256::new()
            .chain_update(DOMAIN_TAG)
            .chain_update(commitment)
            .finalize()
            .into();
        let first = self.versions.iter().take(versions);
        first.fold(begin, |before, version| {
            let hash = Sha256::new()
                .chain_update(before)
                .chain_update(version.hash);
            hash.finalize().into()
        })
    }
}

/// The domain separator of digests of imported versions: no other digest begins with it.
const DOMAIN_TAG: &str = "gamekeeper import";

/// Returns the number of versions of a game that come from records, and not from games that this service has kept.
#[must_use]
pub fn imported_versions(origins: &[ForkOrigin]) -> u64 {
    let Some(last) = origins.iter().rposition(is_imported) else {
        return 0;
    };
    let left = origins[last..].iter().map(forked_version);
    left.min().unwrap_or_default()
}

/// Returns whether the game was known by its record alone.
pub(super) fn is_imported(origin: &ForkOrigin) -> bool {
    !origin.versions_digest.is_empty()
}

/// Returns the last version that an origin shares with the next game in the line.
pub(super) fn forked_version(origin: &ForkOrigin) -> u64 {
    origin.forked_from.as_ref().map_or(0, |left| left.version)
}

fn hash_of(version: &ExportVersion) -> Result<Commitment, RecordFault> {
    // Decode and encode again, so that the hash does not depend on the encoder of the parts.
    let version = pb::ExportVersion {
        state: None,
        pending: Vec::new(),
        ..pb::ExportVersion::decode(&*version.encode_to_vec())?
    };
    Ok(Sha256::digest(version.encode_to_vec()).into())
}

fn wrong(text: &str) -> RecordFault {
    RecordFault::Malformed(text.to_owned())
}
