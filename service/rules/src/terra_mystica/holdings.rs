//! The **holdings** of a seat: its countable resources.

use super::data::Cult;
use super::event::Event;
use super::state::{Player, State};
use crate::table::{Flow, Holdings, Resource, Seat};

const COIN: usize = 0;
const WORKER: usize = 1;
const PRIEST: usize = 2;
const POWER: usize = 3;
const TOKEN: usize = 4;
const CULTS: usize = 5;
const FAVOR: usize = CULTS + Cult::COUNT;
const TOWN: usize = FAVOR + 1;
const KEY: usize = TOWN + 1;
const POINT: usize = KEY + 1;

/// All countable resources; cults in their order. A token that is spent falls by two bowls, from III to I; power that
/// is gained lifts a token by one. So the two stand side by side in a price: `costs 4 power; brings 2 power`.
pub const RESOURCES: &[Resource] = &[
    Resource::new("coin", "coin"),
    Resource::new("worker", "worker"),
    Resource::new("priest", "priest"),
    Resource::mass("power", "power").with_weight(2),
    Resource::new("power_token", "power token"),
    Resource::many("fire", "step on the fire track", "steps on the fire track"),
    Resource::many(
        "water",
        "step on the water track",
        "steps on the water track",
    ),
    Resource::many(
        "earth",
        "step on the earth track",
        "steps on the earth track",
    ),
    Resource::many("air", "step on the air track", "steps on the air track"),
    Resource::new("favor_tile", "favor tile").without_cost_text(),
    Resource::new("town", "town"),
    Resource::new("key", "key"),
    Resource::mass("victory_point", "VP"),
];

/// Counts the resources of a seat. The goods at the start of a chosen faction count as soon as it is chosen.
pub fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
    if let Some(choosing) = state.choosing() {
        let chosen = choosing.chosen[seat].map(Player::new);
        chosen
            .iter()
            .for_each(|player| count_board(player, holdings));
        return;
    }
    let player = &state.players[seat];
    count_board(player, holdings);
    holdings.add(FAVOR, i32::try_from(player.favors.len()).unwrap_or(0));
    if state.turn.seat == seat {
        holdings.add(FAVOR, state.turn.follow_ups.favor_tiles);
    }
    let towns = state.towns.iter().filter(|town| town.seat == seat);
    holdings.add(TOWN, i32::try_from(towns.count()).unwrap_or(0));
}

/// Power is paid in tokens from bowl III, and gained in steps of tokens from one bowl to the next.
#[expect(clippy::wildcard_enum_match_arm, reason = "few events move power")]
pub fn flow(event: &Event, seat: Seat, flow: &mut Flow) {
    let (of, paid, gained) = match event {
        Event::FactionChosen { seat, faction } => {
            let [_, second, third] = faction.sheet().bowls.map(u16::from);
            (seat, 0, second + 2 * third)
        }
        Event::PowerActionTaken { seat, action } => (seat, u16::from(action.power()), 0),
        Event::Converted { seat, kind, times } => (seat, u16::from(kind.power()) * times, 0),
        Event::Received { seat, goods, .. } => (seat, 0, goods.power),
        Event::PowerAccepted { seat, power } => (seat, 0, u16::from(*power)),
        _ => return,
    };
    if *of == seat {
        flow.pay(POWER, paid);
        flow.gain(POWER, gained);
    }
}

fn count_board(player: &Player, holdings: &mut Holdings) {
    let [first, second, third] = player.bowls.map(i32::from);
    holdings.add(COIN, player.coins);
    holdings.add(WORKER, player.workers);
    holdings.add(PRIEST, player.priests);
    holdings.add(POWER, second + 2 * third);
    holdings.add(TOKEN, first + second + third);
    for cult in Cult::ALL {
        holdings.add(CULTS + cult.index(), player.cults[cult.index()]);
    }
    holdings.add(KEY, player.keys);
    holdings.add(POINT, player.vp);
}
