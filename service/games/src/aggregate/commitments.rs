//! **Commitments** that bind the record of a game from its creation, and the proofs that names fit them.

use gamekeeper_proto::gamekeeper::v1::{self as pb, ForkOrigin};
use gamekeeper_proto::raw::{RecordBasis, View};
use gamekeeper_rules::table::{Seat, Seed};
use gamekeeper_rules::table_life::TableOptions;
use gamekeeper_store::GameId;
use gamekeeper_wire::{
    Position, StartTable, Wire, record_commitment, seat_number, start_value, table_options_message,
    timestamp, wrap_options,
};

use crate::aggregate::game::{Game, GenesisOf};
use crate::log::{Ancestor, AncestorRecord, CreationCommitments};
use crate::metadata::InitialNames;

/// Computes the commitments that are published when a game is created.
pub(crate) fn creation_commitments<W: Wire>(
    id: GameId,
    genesis: &GenesisOf<W>,
    initial_names: &InitialNames,
) -> CreationCommitments {
    let name_commitments = initial_names.commitments();
    let fork = genesis.fork.as_ref();
    let ancestors = fork.map_or(&[][..], |fork| &fork.ancestors).iter();
    let has_table = genesis.table_options != TableOptions::default();
    let commitment_input = RecordBasis {
        game_id: id.to_string(),
        ruleset: W::INFO.id.to_owned(),
        rules_revision: W::INFO.revision,
        options: Some(wrap_options::<W>(&genesis.options)),
        table: has_table.then(|| table_options_message(&genesis.table_options)),
        create_time: Some(timestamp(genesis.created_ms())),
        seed_commitment: Seed::new(genesis.seed).commitment(&genesis.salt).to_vec(),
        origins: ancestors
            .map(|ancestor| ancestor.fork_origin(genesis.time_ms))
            .collect(),
        name_commitments: name_commitments.iter().map(|name| name.to_vec()).collect(),
        start: start_value(genesis.start.as_ref()).into(),
        start_commitment: genesis
            .start
            .as_ref()
            .map_or_else(Vec::new, |table| table.commitment().to_vec()),
    };
    let record_commitment = record_commitment(&commitment_input);
    CreationCommitments {
        name_commitments,
        record_commitment,
    }
}

impl Ancestor {
    /// Encodes the ancestor for a record that begins at this time. The seed is left out, since it must not be disclosed
    /// yet, or is no part of what a commitment binds.
    pub(crate) fn fork_origin(&self, log_start_ms: u64) -> ForkOrigin {
        let AncestorRecord {
            commitment,
            versions_digest,
            reveal: _,
        } = self.record;
        let bytes = |bytes: Option<[u8; 32]>| bytes.map_or_else(Vec::new, |bytes| bytes.to_vec());
        ForkOrigin {
            forked_from: Some(self.message()),
            fork_time: Some(timestamp(log_start_ms + self.fork_point.at_ms)),
            seed_commitment: self.commitment.to_vec(),
            seed_reveal: None,
            record_commitment: bytes(commitment),
            versions_digest: bytes(versions_digest),
        }
    }

    /// Returns the salt and seed that the record of an imported game revealed.
    pub(crate) fn revealed_by_record(&self) -> Option<pb::SeedReveal> {
        let (salt, seed) = self.record.reveal.as_ref()?.split_at(32);
        Some(pb::SeedReveal {
            salt: salt.to_vec(),
            seed: seed.to_vec(),
        })
    }
}

impl<W: Wire> Game<W> {
    /// Returns the seed of the table on which the game began, as the record shows it; empty for the set-up and for a
    /// described table.
    pub(crate) fn start_seed(&self) -> Vec<u8> {
        match &self.genesis.start {
            Some(StartTable::Made(point)) => point.seed.as_bytes().to_vec(),
            Some(StartTable::Described(_)) | None => Vec::new(),
        }
    }

    /// Returns the described table on which the game began, and the salt of its commitment.
    pub(crate) fn start_position(&self) -> Option<(View, Vec<u8>)> {
        let Some(StartTable::Described(Position { view, salt, .. })) = &self.genesis.start else {
            return None;
        };
        let ruleset = Some((W::ONEOF_CODEC.view)(view.clone()));
        Some((View { ruleset }, salt.to_vec()))
    }

    /// Returns the names at creation with their commitments, as the record shows them. Erased names are empty.
    pub(crate) fn initial_names(&self) -> Vec<pb::FirstName> {
        let name_commitments = self.genesis.commitments.as_ref();
        let name_commitments =
            name_commitments.map_or(&[][..], |commitments| &commitments.name_commitments);
        let to_message = |(seat, commitment): (Seat, &[u8; 32])| {
            let initial_names = self.metadata.initial_names();
            let opening = initial_names.and_then(|initial_names| initial_names.opening(seat));
            let (name, salt) = opening.unwrap_or_default();
            pb::FirstName {
                seat: seat_number(seat),
                name: name.to_owned(),
                salt: salt.to_vec(),
                commitment: commitment.to_vec(),
            }
        };
        Seat::all(name_commitments.len())
            .zip(name_commitments)
            .map(to_message)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table_life::ForkPoint;
    use gamekeeper_wire::name_commitment;
    use uuid::Uuid;

    use super::*;
    use crate::authz::Caller;
    use crate::test_server::{TestServer, store};

    #[test]
    fn an_origin_was_left_so_long_after_the_first_game_was_created() {
        let ancestor = Ancestor {
            game: Uuid::from_u128(1),
            commitment: [7; 32],
            fork_point: ForkPoint {
                version: 3,
                at_ms: 5_000,
            },
            record: AncestorRecord::default(),
        };
        let origin = ancestor.fork_origin(1_000);
        assert_eq!(origin.fork_time, Some(timestamp(6_000)));
        assert_eq!(origin.seed_commitment, [7; 32]);
        assert_eq!(origin.seed_reveal, None);
    }

    /// Anybody can compute the commitment in the log from the name and the salt.
    #[tokio::test]
    async fn first_names_fit_the_commitments_of_the_log() {
        let process = TestServer::<Dominion>::new(&store());
        let info = process
            .create_with_users(&Caller::UNAUTHENTICATED, &["ada", "bob"])
            .await;
        let id = Uuid::try_parse(&info.game_id).unwrap();
        let game = process
            .games
            .lock_cached(&Caller::UNAUTHENTICATED, id)
            .await
            .unwrap();
        let commitments = game
            .genesis
            .commitments
            .as_ref()
            .unwrap()
            .name_commitments
            .clone();
        let first = game.initial_names();
        let names: Vec<(u32, &str)> = first.iter().map(|of| (of.seat, of.name.as_str())).collect();
        assert_eq!(names, [(1, "ada"), (2, "bob")]);
        for (first, committed) in first.iter().zip(commitments) {
            assert_eq!(first.commitment, committed);
            assert_eq!(name_commitment(&first.salt, &first.name), committed);
        }
    }
}
