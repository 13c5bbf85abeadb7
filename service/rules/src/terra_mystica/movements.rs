//! The movements of events: structures, cards, tiles, markers and goods. Points and power that changes its bowl are no pieces
//! that change their place.

use super::components::{
    COINS, POWER, PRIESTS, WORKERS, bonus, bridge, cult, faction, favor, giver, land, marker,
    priest_space, purse, structure, town,
};
use super::data::{Cult, Goods, Land, PriestSlot};
use super::event::Event;
use crate::table::{Component, Movement, Seat};

/// Lists what an event moves, in the order of its sentence.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Movement> {
    let player = Component::seat;
    match event {
        Event::FactionChosen {
            seat,
            faction: chosen,
        } => {
            vec![Movement::of(faction(*chosen), 1_u8).reaching(player(*seat))]
        }
        Event::DwellingPlaced { seat, space } | Event::StructureBuilt { seat, space } => {
            vec![built(*seat, *space)]
        }
        Event::StructureUpgraded { seat, space, .. } => vec![
            Movement::unnamed(1_u8)
                .leaving(land(*space))
                .reaching(player(*seat)),
            built(*seat, *space),
        ],
        Event::BonusCardTaken { seat, card, coins } => {
            let taken = Movement::of(bonus(*card), 1_u8).reaching(player(*seat));
            let coins = gained(*seat, of_coins(*coins), Some(bonus(*card)));
            [taken].into_iter().chain(coins).collect()
        }
        Event::BonusCardReturned { seat, card } => {
            vec![Movement::of(bonus(*card), 1_u8).leaving(player(*seat))]
        }
        Event::CoinsLaid { cards } => {
            let laid = |card| Movement::unnamed(1_u8).reaching(bonus(card));
            cards.iter().copied().map(laid).collect()
        }
        Event::Received {
            seat,
            goods,
            source,
        } => gained(*seat, *goods, giver(*source)),
        Event::Paid { seat, goods, .. } => paid(*seat, *goods),
        Event::BridgeBuilt { seat, a, b } => {
            let bridge = bridge(*a, *b);
            let built = bridge.map(|bridge| Movement::of(bridge, 1_u8).reaching(bridge));
            built
                .map(|built| built.leaving(player(*seat)))
                .into_iter()
                .collect()
        }
        Event::CultAdvanced { seat, cult, .. } => {
            let track = self::cult(*cult);
            let marker = Movement::of(marker(*seat, *cult), 1_u8);
            vec![marker.leaving(track).reaching(track)]
        }
        Event::PriestPlaced { seat, cult, slot } => {
            let priests = purse(*seat, PRIESTS);
            let sent = Movement::of(priests, 1_u8).leaving(priests);
            vec![Movement {
                to: goal(*cult, *slot),
                ..sent
            }]
        }
        Event::FavorTileTaken { seat, tile } => vec![taken(*seat, favor(*tile))],
        Event::TownTileTaken { seat, tile } => vec![taken(*seat, town(*tile))],
        Event::Converted { seat, kind, times } => {
            let (takes, gives) = kind.goods();
            [paid(*seat, takes), gained(*seat, gives, None)]
                .concat()
                .into_iter()
                .map(|one| Movement {
                    count: one.count * u32::from(*times),
                    ..one
                })
                .collect()
        }
        Event::PowerSacrificed { seat, tokens } => {
            let power = purse(*seat, POWER);
            vec![Movement::of(power, *tokens).leaving(power)]
        }
        Event::PriestsOrdained { seat, count } if *count > 0 => {
            let (workers, priests) = (purse(*seat, WORKERS), purse(*seat, PRIESTS));
            vec![
                Movement::of(workers, *count).leaving(workers),
                Movement::of(priests, *count).reaching(priests),
            ]
        }
        Event::TableSet { .. }
        | Event::RoundBegan { .. }
        | Event::TurnBegan { .. }
        | Event::TurnEnded { .. }
        | Event::VpScored { .. }
        | Event::Leapt { .. }
        | Event::TerrainTransformed { .. }
        | Event::PowerOffered { .. }
        | Event::PowerAccepted { .. }
        | Event::PowerRefused { .. }
        | Event::ShippingAdvanced { .. }
        | Event::TerraformingAdvanced { .. }
        | Event::TownFounded { .. }
        | Event::TownExtended { .. }
        | Event::PowerActionTaken { .. }
        | Event::SpecialActionTaken { .. }
        | Event::PriestsOrdained { .. }
        | Event::CultSpadesGranted { .. }
        | Event::Passed { .. }
        | Event::RoundEnded { .. }
        | Event::AreaMeasured { .. }
        | Event::SpadesUnused { .. } => Vec::new(),
    }
}

/// A structure leaves its player's board.
fn built(seat: Seat, space: Land) -> Movement {
    let structure = Movement::of(structure(space), 1_u8);
    structure
        .leaving(Component::seat(seat))
        .reaching(land(space))
}

/// A tile leaves its supply, which goes by its name.
fn taken(seat: Seat, tile: Component) -> Movement {
    Movement::of(tile, 1_u8)
        .leaving(tile)
        .reaching(Component::seat(seat))
}

/// The place of a priest on a cult track. Returns the track where the event does not say which of several it is, and `None`
/// for the supply.
fn goal(cult: Cult, slot: PriestSlot) -> Option<Component> {
    match slot {
        PriestSlot::Three => Some(priest_space(cult, 1)),
        PriestSlot::Two => Some(self::cult(cult)),
        PriestSlot::Supply => None,
    }
}

const fn of_coins(coins: u16) -> Goods {
    Goods {
        coins,
        ..Goods::NONE
    }
}

/// Power only changes its bowl.
fn by_kind(seat: Seat, goods: Goods) -> impl Iterator<Item = (Component, u16)> {
    let kinds = [
        (COINS, goods.coins),
        (WORKERS, goods.workers),
        (PRIESTS, goods.priests),
    ];
    let kinds = kinds.into_iter().filter(|(_, count)| *count > 0);
    kinds.map(move |(what, count)| (purse(seat, what), count))
}

fn gained(seat: Seat, goods: Goods, from: Option<Component>) -> Vec<Movement> {
    let kinds = by_kind(seat, goods);
    let kinds = kinds.map(|(kept, count)| Movement::of(kept, count).reaching(kept));
    kinds.map(|goods| Movement { from, ..goods }).collect()
}

fn paid(seat: Seat, goods: Goods) -> Vec<Movement> {
    let kinds = by_kind(seat, goods);
    kinds
        .map(|(kept, count)| Movement::of(kept, count).leaving(kept))
        .collect()
}
