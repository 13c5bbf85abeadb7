//! Permissions of each role.

use uuid::Uuid;

use super::*;
use crate::metadata::Tags;

fn user(name: &str) -> Role {
    Role::User {
        tenant: String::from("red"),
        user: name.to_owned(),
        generation: None,
    }
}

/// The record discloses hidden information, so while a game is being played only operators can export it.
#[test]
fn players_get_the_record_once_the_game_is_over() {
    let id = Uuid::from_u128(1);
    let mut tags = Tags::default();
    tags.set_user(Seat::FIRST, "ada");
    let access = GameMetadata::default().with_tags(tags);
    let seat = Role::Seat {
        game: id,
        seat: Seat::FIRST,
        generation: 0,
        incarnation: None,
    };
    for over in [false, true] {
        let subject = AccessTarget {
            id,
            tenant: "red",
            incarnation: 7,
            metadata: &access,
            is_over: over,
        };
        let may = |role: &Role| Caller::new(role.clone()).authorize(subject, Permission::Export);
        for role in [Role::Tenant(String::from("red")), seat.clone(), user("ada")] {
            match may(&role) {
                Ok(()) => assert!(over, "{role:?}"),
                Err(ServiceError::GameNotOver) => assert!(!over, "{role:?}"),
                Err(problem) => panic!("{role:?}: {problem}"),
            }
        }
        assert!(may(&Role::Operator).is_ok());
        let stranger = may(&user("eve"));
        assert!(matches!(stranger, Err(ServiceError::NoSuchGame { .. })));
        let spectator = Role::Spectator {
            game: id,
            generation: 0,
            incarnation: None,
        };
        assert!(matches!(
            may(&spectator),
            Err(ServiceError::PermissionDenied(_))
        ));
    }
}
