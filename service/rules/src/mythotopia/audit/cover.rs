//! Equality of moves: kind and target (MYT-6.12, 14.16).

use crate::mythotopia::action::{Action, RoadMove};
use crate::mythotopia::data::Card;
use crate::table::MaybeKnown;

/// Returns whether the accepted action is a way to make the listed move. Payments and the order of cards do not matter.
/// A listed subset or march covers all that contain it.
pub fn same_move(listed: &Action, accepted: &Action) -> bool {
    use Action as A;
    match (listed, accepted) {
        (A::SetupDiscardProvinces { cards: a }, A::SetupDiscardProvinces { cards: b }) => {
            a.len() == b.len() && contains(b, a)
        }
        (A::Invade(a), A::Invade(b)) => a.target == b.target,
        (A::PlaceArmies { province: a, .. }, A::PlaceArmies { province: b, .. })
        | (A::RemoveArmies { province: a, .. }, A::RemoveArmies { province: b, .. })
        | (A::EndWar { province: a, .. }, A::EndWar { province: b, .. })
        | (A::BuildCity { province: a, .. }, A::BuildCity { province: b, .. })
        | (A::BuildCastle { province: a, .. }, A::BuildCastle { province: b, .. })
        | (A::UseDiplomat { province: a, .. }, A::UseDiplomat { province: b, .. })
        | (A::UseMercenary { province: a, .. }, A::UseMercenary { province: b, .. }) => a == b,
        (A::PlaceShips { sea: a, .. }, A::PlaceShips { sea: b, .. })
        | (A::RemoveShips { sea: a, .. }, A::RemoveShips { sea: b, .. }) => a == b,
        (
            A::BuyUnits { armies, ships, .. },
            A::BuyUnits {
                armies: other,
                ships: others,
                ..
            },
        ) => (armies, ships) == (other, others),
        (A::DraftCard { card: a, .. }, A::DraftCard { card: b, .. })
        | (A::UseMystic { take: a, .. }, A::UseMystic { take: b, .. }) => a == b,
        (A::ReserveCards { cards: a }, A::ReserveCards { cards: b })
        | (A::DiscardCards { cards: a }, A::DiscardCards { cards: b })
        | (A::RemoveCards { cards: a }, A::RemoveCards { cards: b })
        | (A::UseCounsellor { hand: a, .. }, A::UseCounsellor { hand: b, .. }) => contains(b, a),
        (
            A::BuildRoad { a, b, .. },
            A::BuildRoad {
                a: other,
                b: others,
                ..
            },
        ) => (a, b) == (other, others) || (a, b) == (others, other),
        (A::Patronage { .. }, A::Patronage { .. }) => true,
        (A::MoveArmiesByRoad { moves: a }, A::MoveArmiesByRoad { moves: b }) => {
            let ends = |step: &RoadMove| (step.from_province, step.to_province);
            a.iter()
                .all(|step| b.iter().any(|other| ends(other) == ends(step)))
        }
        (listed, accepted) => listed == accepted,
    }
}

fn contains(all: &[MaybeKnown<Card>], some: &[MaybeKnown<Card>]) -> bool {
    some.iter().all(|card| all.contains(card))
}
