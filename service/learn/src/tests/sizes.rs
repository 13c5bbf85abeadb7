//! Names and sizes.

use std::collections::BTreeSet;

use super::{begun, observed, sizes, step};
use crate::key_index::SEATS;
use crate::observation_schema::{OPERATOR_FIELDS, ORDERED_LISTS, SEAT_LISTS};
use crate::{Fault, policies_of, policy_of, space_of};
use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_wire::contract::pool;

#[test]
fn every_number_and_every_word_has_a_name_of_its_own() {
    for space in sizes() {
        for names in [space.cells(), space.words()] {
            let all: BTreeSet<_> = names.iter().collect();
            assert_eq!(all.len(), names.len(), "{}", space.ruleset());
            assert!(names.len() < usize::from(u16::MAX));
        }
    }
}

#[test]
fn versions_differ_wherever_meanings_do() {
    let all = sizes();
    let versions: BTreeSet<_> = all.iter().map(|space| space.version()).collect();
    assert_eq!(versions.len(), all.len());
    let again = space_of("dominion", 2).unwrap();
    assert!(versions.contains(&again.version()));
}

/// The lists contain names of fields, so a field that is renamed in the contract must be renamed in them.
#[test]
fn the_listed_fields_exist() {
    let messages = pool().all_messages();
    let fields: BTreeSet<String> = messages
        .flat_map(|message| {
            message
                .fields()
                .map(|field| field.name().to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    let listed = SEATS.iter().chain(SEAT_LISTS).chain(ORDERED_LISTS);
    for name in listed.chain(OPERATOR_FIELDS) {
        assert!(fields.contains(*name), "{name}");
    }
}

#[test]
fn what_is_not_there_is_refused() {
    assert!(
        matches!(space_of("chess", 2), Err(Fault::Unknown(name, known_rulesets)) if name == "chess" && known_rulesets.contains("caylus"))
    );
    let few = space_of("kingsburg", 1).unwrap_err();
    assert_eq!(few.to_string(), "kingsburg takes 2 to 5 players, not 1");
    assert!(matches!(
        policy_of("chess", "random"),
        Err(Fault::Unknown(..))
    ));
    let foreign = policy_of("kingsburg", "bm0").unwrap_err();
    let available = policies_of("kingsburg").unwrap().join(", ");
    assert_eq!(
        foreign.to_string(),
        format!("no policy \"bm0\" for kingsburg; there are {available}")
    );
    for name in policies_of("dominion").unwrap() {
        assert_eq!(policy_of("dominion", name).map(Policy::id), Ok(name));
    }
}

#[test]
fn all_cells_are_numbers_from_minus_one_to_one() {
    for space in sizes() {
        let (mut game, mut chance) = (begun(&space, 3), Chance::from_seed(&Seed::from_number(3)));
        for _ in 0..60 {
            for seat in 0..space.seats() {
                let cells = observed(&*game, seat);
                assert!(
                    cells.iter().all(|cell| (-1.0..=1.0).contains(cell)),
                    "{}",
                    space.ruleset()
                );
                assert!(cells.iter().any(|cell| *cell != 0.0));
            }
            if !step(&mut *game, &mut chance) {
                break;
            }
        }
    }
}
