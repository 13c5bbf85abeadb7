//! **Commitments** that bind the record of a game from its creation, and the proofs that names fit them.

use gamekeeper_proto::gamekeeper::v1::{self as pb, ForkOrigin};
use gamekeeper_proto::raw::RecordBasis;
use gamekeeper_rules::life::TableOptions;
use gamekeeper_rules::table::{Seat, Seed};
use gamekeeper_store::GameId;
use gamekeeper_wire::{
    Wire, joined_options, record_commitment, seat_number, table_options_message, timestamp,
};

use crate::heart::access::FirstNames;
use crate::heart::game::{BirthOf, Game};
use crate::heart::record::{Ancestor, Bound};

/// Computes the commitments that are published when a game is created.
pub(crate) fn bound<W: Wire>(id: GameId, birth: &BirthOf<W>, names: &FirstNames) -> Bound {
    let names = names.commitments();
    let fork = birth.fork.as_ref();
    let ancestors = fork.map_or(&[][..], |fork| &fork.ancestors).iter();
    let has_table = birth.table != TableOptions::default();
    let basis = RecordBasis {
        game_id: id.to_string(),
        ruleset: W::SHEET.id.to_owned(),
        rules_revision: W::SHEET.revision,
        options: Some(joined_options::<W>(&birth.options)),
        table: has_table.then(|| table_options_message(&birth.table)),
        create_time: Some(timestamp(birth.created_ms())),
        seed_commitment: Seed::new(birth.seed).commitment(&birth.salt).to_vec(),
        origins: ancestors
            .map(|ancestor| ancestor.origin(birth.time_ms))
            .collect(),
        name_commitments: names.iter().map(|name| name.to_vec()).collect(),
    };
    let commitment = record_commitment(&basis);
    Bound { names, commitment }
}

impl Ancestor {
    /// Encodes the ancestor for a record that begins at this time. The seed is left out, since it must not be disclosed
    /// yet.
    pub(crate) fn origin(&self, begun_ms: u64) -> ForkOrigin {
        ForkOrigin {
            forked_from: Some(self.message()),
            fork_time: Some(timestamp(begun_ms + self.branching.at_ms)),
            seed_commitment: self.commitment.to_vec(),
            seed_reveal: None,
        }
    }
}

impl<W: Wire> Game<W> {
    /// Returns the names at creation with their commitments, as the record shows them. Erased names are empty.
    pub(crate) fn first_names(&self) -> Vec<pb::FirstName> {
        let names = self.birth.bound.as_ref();
        let names = names.map_or(&[][..], |bound| &bound.names);
        let shown = |(seat, commitment): (Seat, &[u8; 32])| {
            let first = self.access.first_names();
            let proof = first.and_then(|first| first.proof(seat));
            let (name, salt) = proof.unwrap_or_default();
            pb::FirstName {
                seat: seat_number(seat),
                name: name.to_owned(),
                salt: salt.to_vec(),
                commitment: commitment.to_vec(),
            }
        };
        Seat::all(names.len()).zip(names).map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::life::Branching;
    use gamekeeper_wire::name_commitment;
    use uuid::Uuid;

    use super::*;
    use crate::heart::access::Caller;
    use crate::process::{Process, store};

    #[test]
    fn an_origin_was_left_so_long_after_the_first_game_was_created() {
        let ancestor = Ancestor {
            game: Uuid::from_u128(1),
            commitment: [7; 32],
            branching: Branching {
                version: 3,
                at_ms: 5_000,
            },
        };
        let origin = ancestor.origin(1_000);
        assert_eq!(origin.fork_time, Some(timestamp(6_000)));
        assert_eq!(origin.seed_commitment, [7; 32]);
        assert_eq!(origin.seed_reveal, None);
    }

    /// Anybody can compute the commitment in the log from the name and the salt.
    #[tokio::test]
    async fn first_names_fit_the_commitments_of_the_log() {
        let process = Process::<Dominion>::over(&store());
        let info = process.create_of(&Caller::OPEN, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&info.game_id).unwrap();
        let game = process.games.open(&Caller::OPEN, id).await.unwrap();
        let committed = game.birth.bound.as_ref().unwrap().names.clone();
        let first = game.first_names();
        let names: Vec<(u32, &str)> = first.iter().map(|of| (of.seat, of.name.as_str())).collect();
        assert_eq!(names, [(1, "ada"), (2, "bob")]);
        for (first, committed) in first.iter().zip(committed) {
            assert_eq!(first.commitment, committed);
            assert_eq!(name_commitment(&first.salt, &first.name), committed);
        }
    }
}
