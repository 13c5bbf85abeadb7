//! Checks the initial facts of a game in its record (id, options, seats, time and names) against the **commitment**
//! that was published at its creation.

use gamekeeper_proto::gamekeeper::v1::{FirstName, ForkOrigin};
use gamekeeper_proto::raw::RecordBasis;
use gamekeeper_rules::table_life::TableOptions;

use super::RecordFault;
use super::differ::{difference, same, same_list};
use super::parts::{Record, forked_version, imported_versions, is_imported};
use crate::{
    StartTable, Wire, name_commitment, record_commitment, start_value, table_options_message,
};

/// Whether the initial facts of a game are bound by a commitment.
#[derive(Debug, PartialEq, Eq)]
pub enum Binding {
    /// The game was created by an earlier build, which published only the commitment to the seed.
    Nothing,
    /// The id, options, seats, time and first names match the commitment.
    Fits(Vec<Name>),
}

/// The state of a seat's name, compared with the name at creation.
#[derive(Debug, PartialEq, Eq)]
pub enum Name {
    /// The seat still has its first name.
    Kept,
    /// The seat's first name, which was this one, was changed. Nothing proves the current name.
    Changed(String),
    /// The first name was erased. Nothing proves the current name.
    Erased,
}

/// Checks the initial facts in a record against its commitment.
///
/// # Errors
/// The first difference.
pub(super) fn binding<W: Wire>(
    record: &Record,
    (table, start): (&TableOptions, Option<&StartTable>),
    seats: usize,
) -> Result<Binding, RecordFault> {
    let numbers: Vec<u32> = (1..).take(seats).collect();
    let players = &record.game.players;
    let seated: Vec<u32> = players.iter().map(|player| player.seat).collect();
    same_list("the seat of player", &numbers, &seated)?;
    if record.game.record_commitment.is_empty() {
        return match record.first_names.is_empty() {
            true => Ok(Binding::Nothing),
            false => difference("there are first names, but nothing binds them"),
        };
    }
    let named: Vec<u32> = record.first_names.iter().map(|name| name.seat).collect();
    same_list("the seat of first name", &numbers, &named)?;
    let basis = RecordBasis {
        game_id: record.game.game_id.clone(),
        ruleset: record.game.ruleset.clone(),
        rules_revision: W::INFO.revision,
        options: Some(record.options.clone()),
        table: (*table != TableOptions::default()).then(|| table_options_message(table)),
        create_time: record.game.create_time,
        seed_commitment: record.game.seed_commitment.clone(),
        origins: record.origins.iter().map(without_secret).collect(),
        name_commitments: record
            .first_names
            .iter()
            .map(|name| name.commitment.clone())
            .collect(),
        start: start_value(start).into(),
        start_commitment: start.map_or_else(Vec::new, |table| table.commitment().to_vec()),
    };
    let commitment = const_hex::encode(record_commitment(&basis));
    let published = const_hex::encode(&record.game.record_commitment);
    if commitment != published {
        return difference(
            "game id, ruleset, options, table, start, time of creation, seed, origins or names do not fit the commitment",
        );
    }
    imported(record)?;
    let names = record.first_names.iter().zip(players);
    let names = names.map(|(first, player)| name_of(first, &player.name));
    Ok(Binding::Fits(names.collect::<Result<_, RecordFault>>()?))
}

/// Checks the versions that come from another record against its digest. A fork of the game that has fewer of them
/// cannot prove it.
fn imported(record: &Record) -> Result<(), RecordFault> {
    let versions = imported_versions(&record.origins);
    let origin = record.origins.iter().rfind(|origin| is_imported(origin));
    let Some(origin) = origin.filter(|origin| forked_version(origin) == versions) else {
        return Ok(());
    };
    let count = usize::try_from(versions).unwrap_or(usize::MAX);
    let digest = record.versions_digest(&origin.record_commitment, count);
    same(
        "the digest of the imported versions",
        &const_hex::encode(digest),
        &const_hex::encode(&origin.versions_digest),
    )
}

fn without_secret(origin: &ForkOrigin) -> ForkOrigin {
    ForkOrigin {
        seed_reveal: None,
        ..origin.clone()
    }
}

/// Compares the current name of a seat with its first name, once that matches its published commitment.
fn name_of(first: &FirstName, now: &str) -> Result<Name, RecordFault> {
    let FirstName {
        seat,
        name,
        salt,
        commitment,
    } = first;
    if salt.is_empty() {
        same(
            &format!("the erased name of seat {seat}"),
            &String::new(),
            name,
        )?;
        return Ok(Name::Erased);
    }
    if name_commitment(salt, name)[..] != commitment[..] {
        return difference(&format!(
            "the first name of seat {seat} does not fit its commitment"
        ));
    }
    Ok(match name == now {
        true => Name::Kept,
        false => Name::Changed(name.clone()),
    })
}
