//! The court and the King's Envoy of a described table.

use arrayvec::ArrayVec;

use super::{Judged, seated};
use crate::kingsburg::action::EnvoyUse;
use crate::kingsburg::data::{Building, DIE_FACES, DiceSet, DieId, PLUS2_VALUE};
use crate::kingsburg::state::{Envoy, Group, MAX_GROUPS, NeutralGroup, Player};
use crate::kingsburg::view::{EnvoyMode, GroupView, View};
use crate::table::{PerSeat, PositionError, Seat};

type Neutral = ArrayVec<NeutralGroup, 3>;
type Groups = ArrayVec<Group, MAX_GROUPS>;

/// Reads the groups in the order in which they were placed, neutral ones first, and takes their dice from the players.
///
/// # Rule KIN-INV-4 to KIN-INV-6
pub(super) fn court(view: &View, players: &mut PerSeat<Player>) -> Judged<(Neutral, Groups)> {
    let mut shown: Vec<(usize, &GroupView)> = view.court.iter().enumerate().collect();
    shown.sort_by_key(|(_, group)| (group.owner.is_some(), group.sequence));
    let (mut neutral, mut groups) = (Neutral::new(), Groups::new());
    for (index, group) in shown {
        let path = format!("court[{index}]");
        let occupied = neutral.iter().any(|other| other.advisor == group.advisor)
            || groups.iter().any(|other| other.advisor == group.advisor);
        let Some(owner) = group.owner else {
            let added = neutral_group(&path, group, occupied, neutral.is_empty())?;
            let too_many = |_| PositionError::new("KIN-6.25", path, 4, "3 neutral groups at most");
            neutral.try_push(added).map_err(too_many)?;
            continue;
        };
        seated(format!("{path}.owner"), owner, players.count())?;
        opened(&path, group, occupied, &groups)?;
        let added = placed(&path, owner, group, &players[owner])?;
        let again = |other: &Group| other.owner == owner && other.market_offset != 0;
        PositionError::unless(
            added.market_offset == 0 || !groups.iter().any(again),
            || {
                let path = format!("{path}.market_offset");
                PositionError::new(
                    "KIN-INV-6",
                    path,
                    added.market_offset,
                    "the Market once a season",
                )
            },
        )?;
        players[owner].dice.placed |= added.dice;
        let too_many = |_| PositionError::new("KIN-INV-6", path, MAX_GROUPS + 1, "fewer groups");
        groups.try_push(added).map_err(too_many)?;
    }
    Ok((neutral, groups))
}

/// Reads neutral dice: three together, then single ones.
///
/// # Rule KIN-6.25, KIN-16.7
fn neutral_group(
    path: &str,
    group: &GroupView,
    occupied: bool,
    is_first: bool,
) -> Judged<NeutralGroup> {
    let count = if is_first { 3 } else { 1 };
    let values = group.values.iter().copied().take(3).collect();
    let sum: u32 = group.values.iter().map(|&value| u32::from(value)).sum();
    let are_faces = group
        .values
        .iter()
        .all(|value| (1..=DIE_FACES).contains(value));
    let fits = group.values.len() == count
        && are_faces
        && sum == u32::from(group.advisor.number())
        && !occupied;
    PositionError::unless(fits, || {
        let allowed = match count {
            3 => "first three dice of the advisor's sum",
            _ => "then one die for each other advisor of its value",
        };
        let found = format!("{:?} on advisor {}", group.values, group.advisor.number());
        PositionError::new("KIN-6.25", format!("{path}.values"), found, allowed)
    })?;
    Ok(NeutralGroup {
        advisor: group.advisor,
        values,
    })
}

/// Checks that a group came to an advisor without a group, or by the envoy, who opens one advisor a year.
///
/// # Rule KIN-INV-5
fn opened(path: &str, group: &GroupView, occupied: bool, groups: &Groups) -> Judged {
    let used = groups.iter().any(|other| other.via_envoy);
    let fits = group.via_envoy == occupied && !(used && group.via_envoy);
    PositionError::unless(fits, || {
        let allowed = "one group in all, the second on its advisor";
        PositionError::new(
            "KIN-INV-5",
            format!("{path}.via_envoy"),
            group.via_envoy,
            allowed,
        )
    })
}

/// Reads a player's group.
///
/// # Rule KIN-INV-6
fn placed(path: &str, owner: Seat, group: &GroupView, player: &Player) -> Judged<Group> {
    let dice: DiceSet = group.dice.iter().copied().collect();
    let fits = dice.len() == group.dice.len()
        && dice.is_subset(player.dice.pool())
        && !dice.is_disjoint(DieId::OWN);
    PositionError::unless(fits, || {
        let numbers: Vec<u8> = group.dice.iter().map(|die| die.number()).collect();
        let allowed = "dice of the owner, each in one place, and an own one among them";
        PositionError::new(
            "KIN-INV-6",
            format!("{path}.dice"),
            format!("{numbers:?}"),
            allowed,
        )
    })?;
    let offset = format!("{path}.market_offset");
    let offsets = if player.has(Building::Market) {
        -1..=1
    } else {
        0..=0
    };
    PositionError::within("KIN-INV-6", offset, group.market_offset, offsets)?;
    let tokens = format!("{path}.plus2");
    PositionError::within(
        "KIN-INV-6",
        tokens,
        usize::from(group.plus2),
        0..=dice.len(),
    )?;
    let sum = i16::from(player.dice.sum(dice) + PLUS2_VALUE * group.plus2);
    let total = sum + i16::from(group.market_offset);
    PositionError::unless(total == i16::from(group.advisor.number()), || {
        let allowed = format!("advisor {total}, the total of the group");
        let found = group.advisor.number();
        PositionError::new("KIN-INV-6", format!("{path}.advisor"), found, allowed)
    })?;
    Ok(Group {
        owner,
        advisor: group.advisor,
        dice,
        plus2: group.plus2,
        market_offset: group.market_offset,
        via_envoy: group.via_envoy,
    })
}

/// Reads the King's Envoy.
///
/// # Rule KIN-16.1
pub(super) fn envoy(view: &View, seats: usize) -> Judged<Envoy> {
    let shown = view.envoy;
    let given = |field: &str, seat: Option<Seat>| {
        let path = format!("envoy.{field}");
        let Some(seat) = seat else {
            return Err(PositionError::new("KIN-16.1", path, "nobody", "a seat"));
        };
        seated(path, seat, seats)?;
        Ok(seat)
    };
    let declared = |purpose| {
        Ok(Envoy::Declared {
            by: given("declarer", shown.declarer)?,
            purpose,
            spent: purpose == EnvoyUse::Advisor && shown.spent,
        })
    };
    match shown.mode {
        EnvoyMode::None if shown.declarer.is_none() => Ok(Envoy::OnBoard),
        EnvoyMode::None => declared(EnvoyUse::Nothing),
        EnvoyMode::Undeclared => Ok(Envoy::Undeclared(given("holder", shown.holder)?)),
        EnvoyMode::Advisor => declared(EnvoyUse::Advisor),
        EnvoyMode::SecondBuilding => declared(EnvoyUse::SecondBuilding),
    }
}
