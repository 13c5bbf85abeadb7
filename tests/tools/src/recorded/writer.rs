//! Writes the **record** of a game that no server has kept, from its options and its actions.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_rules::ruleset::{Applied, RefusedBy, apply, create};
use gamekeeper_rules::table::{Chance, Seat, Seed, Viewer, fingerprint};
use gamekeeper_wire::{
    Wire, draw, ended, name_commitment, pending, record_commitment, seat_number, standings,
    timestamp, wrap_action, wrap_event, wrap_options,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The SHA-256 of a recorded game, from which everything follows that a server draws at random: the id of the game, its
/// seed, and the salts. None of it is a secret.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source([u8; 32]);

impl Source {
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }

    fn bytes(self, purpose: &str) -> [u8; 32] {
        let hash = Sha256::new().chain_update(self.0).chain_update(purpose);
        hash.finalize().into()
    }

    /// Returns an id of 16 bytes, which also serves as a salt.
    fn id(self, purpose: &str) -> Uuid {
        let mut id = [0; 16];
        id.copy_from_slice(&self.bytes(purpose)[..16]);
        Uuid::new_v8(id)
    }

    fn seed(self) -> Seed {
        Seed::new(self.bytes("seed"))
    }

    fn reveal(self) -> pb::SeedReveal {
        pb::SeedReveal {
            salt: self.bytes("salt").to_vec(),
            seed: self.seed().as_bytes().to_vec(),
        }
    }

    /// Returns the name of a seat with its commitment.
    fn first_name(self, seat: Seat, name: &str) -> pb::FirstName {
        let salt = self.id(&format!("name of {seat}"));
        let salt = salt.as_bytes();
        pb::FirstName {
            seat: seat_number(seat),
            name: name.to_owned(),
            salt: salt.to_vec(),
            commitment: name_commitment(salt, name).to_vec(),
        }
    }
}

/// The record of a game while it is played again.
pub(super) struct RecordWriter<W: Wire> {
    source: Source,
    names: Vec<String>,
    options: W::Options,
    /// The time of every version, in milliseconds since the Unix epoch: the recording has no times.
    time_ms: u64,
    now: Applied<W>,
    versions: Vec<raw::ExportVersion>,
}

impl<W: Wire> RecordWriter<W> {
    /// Begins the record with the set-up.
    pub(super) fn begin(
        source: Source,
        names: Vec<String>,
        options: W::Options,
        time_ms: u64,
    ) -> Self {
        let now = create::<W>(&options, Chance::from_seed(&source.seed()));
        let mut writer = Self {
            source,
            names,
            options,
            time_ms,
            now,
            versions: Vec::new(),
        };
        writer.push(0, None);
        writer
    }

    /// Plays an action, and adds its version.
    ///
    /// # Errors
    /// The refusal of the rules.
    pub(super) fn play(&mut self, seat: Seat, action: &W::Action) -> Result<(), RefusedBy<W>> {
        self.now = apply::<W>(&self.now.state, &self.now.chance, seat, action)?;
        self.push(seat_number(seat), Some(wrap_action::<W>(action)));
        Ok(())
    }

    /// Returns the table after the last version.
    pub(super) const fn now(&self) -> &Applied<W> {
        &self.now
    }

    fn push(&mut self, seat: u32, action: Option<raw::Action>) {
        let events = self.now.events_with_forced();
        let events = events.filter_map(|(event, is_forced)| {
            let visible = W::event_view(event, Viewer::Operator)?;
            Some(wrap_event::<W>(&visible, is_forced, None))
        });
        let automatic = self.now.automatic.iter();
        let automatic = automatic.map(|automatic| raw::AutomaticAction {
            seat: seat_number(automatic.seat),
            action: Some(wrap_action::<W>(&automatic.action)),
        });
        let left = W::pending(&self.now.state);
        let version = raw::ExportVersion {
            entry: Some(raw::LogEntry {
                version: self.number() + 1,
                play_time: Some(timestamp(self.time_ms)),
                seat,
                events: events.chain(end_of_game(left.is_empty())).collect(),
            }),
            action,
            automatic: automatic.collect(),
            draws: self.now.draws.iter().map(draw::<W>).collect(),
            fingerprint: const_hex::encode(fingerprint(&self.now.state).to_be_bytes()),
            pending: pending(&left),
            state: None,
        };
        self.versions.push(version);
    }

    fn number(&self) -> u64 {
        u64::try_from(self.versions.len()).unwrap_or(u64::MAX)
    }

    /// Returns the parts of the record, as `ExportGame` sends them.
    pub(super) fn finish(self) -> Vec<Part> {
        let first_names: Vec<pb::FirstName> = Seat::all(self.names.len())
            .zip(&self.names)
            .map(|(seat, name)| self.source.first_name(seat, name))
            .collect();
        let game = self.facts(&first_names);
        let end = (game.status() == pb::GameStatus::Finished).then(|| {
            Part::End(pb::ExportEnd {
                seed_reveal: Some(self.source.reveal()),
                signature: None,
            })
        });
        let header = raw::ExportHeader {
            game: Some(game),
            options: Some(wrap_options::<W>(&self.options)),
            first_names,
            ..raw::ExportHeader::default()
        };
        let versions = self.versions.into_iter().map(Part::Version);
        let parts = [Part::Header(header)].into_iter().chain(versions);
        parts.chain(end).collect()
    }

    /// Returns the public facts at the end of the record.
    fn facts(&self, first_names: &[pb::FirstName]) -> pb::GameInfo {
        let left = W::pending(&self.now.state);
        let (status, end_reason) = match left.is_empty() {
            true => (pb::GameStatus::Finished, pb::EndReason::Rules),
            false => (pb::GameStatus::Active, pb::EndReason::Unspecified),
        };
        let player = |first: &pb::FirstName| pb::Player {
            seat: first.seat,
            name: first.name.clone(),
            ..pb::Player::default()
        };
        let basis = self.basis(first_names);
        let ranking = W::ranking(&self.now.state);
        pb::GameInfo {
            record_commitment: record_commitment(&basis).to_vec(),
            game_id: basis.game_id,
            ruleset: basis.ruleset,
            rules_revision: basis.rules_revision,
            create_time: basis.create_time,
            update_time: basis.create_time,
            seed_commitment: basis.seed_commitment,
            version: self.number(),
            status: status.into(),
            end_reason: end_reason.into(),
            players: first_names.iter().map(player).collect(),
            pending: pending(&left),
            standings: ranking.map_or_else(Vec::new, |ranking| standings(&ranking)),
            ..pb::GameInfo::default()
        }
    }

    /// Returns the facts that the commitment of the record binds.
    fn basis(&self, first_names: &[pb::FirstName]) -> raw::RecordBasis {
        let salt = self.source.bytes("salt");
        raw::RecordBasis {
            game_id: self.source.id("game").to_string(),
            ruleset: W::INFO.id.to_owned(),
            rules_revision: W::INFO.revision,
            options: Some(wrap_options::<W>(&self.options)),
            create_time: Some(timestamp(self.time_ms)),
            seed_commitment: self.source.seed().commitment(&salt).to_vec(),
            name_commitments: first_names
                .iter()
                .map(|first| first.commitment.clone())
                .collect(),
            ..raw::RecordBasis::default()
        }
    }
}

/// Returns the event of the end, if the game is over.
fn end_of_game(is_over: bool) -> Option<raw::Event> {
    let kind = Some(pb::table_event::Kind::Ended(ended(None)));
    is_over.then(|| raw::Event {
        kind: "ended".to_owned(),
        table: Some(pb::TableEvent { kind }),
        ..raw::Event::default()
    })
}
