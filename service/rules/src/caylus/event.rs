//! Events, each with its sentence. Everything is public (CAY-13.1).

use std::fmt::Display;

use super::action::Target;
use super::data::{Cubes, FIXED_BUILDINGS, FavorLine, Goods, Resource, Section, Space, Tile};
use super::stage::SeatList;
use crate::table::{Count, JoinAnd, Names, Seat, TextContext, events};

events! {
    /// One event. Prices and gains are included, so that the sum of all events is what every player owns.
    Event, names {
        /// CAY-5. The neutral tiles stand on spaces 1 to 6.
        GameCreated { simplified_favors: bool, neutral_order: [Tile; 6], turn_order: SeatList } =>
            "The neutral buildings on spaces 1 to 6 are {}. The turn order is {}.{}", JoinAnd(neutral_order),
            JoinAnd(list(turn_order, names)),
            if *simplified_favors { " Royal favors are simplified." } else { "" };
        /// CAY-6.3.1.
        TurnStarted { turn: u8 } => "Turn {turn} begins.";
        /// Changed by the stables, or by a new turn of 2 players (CAY-6.5.5, CAY-9.2).
        TurnOrderChanged { turn_order: SeatList } =>
            "The turn order is now {}.", JoinAnd(list(turn_order, names));
        /// CAY-6.3.2.
        Income { seat: Seat, deniers: u16 } =>
            "{} receives an income of {}.", names.who(*seat), Count(*deniers, "denier");
        /// Another player who owns the building gains 1 VP (CAY-6.4.4).
        WorkerPlaced { seat: Seat, target: Target, price: u16, owner: Option<Seat> } =>
            "{} places a worker {} for {}{}.", names.who(*seat), at(*target, names),
            Count(*price, "denier"), owner_gains(*owner, names);
        /// The bonus is for the first player to pass (CAY-6.4.6).
        Passed { seat: Seat, bonus: u16 } => "{} passes{}.", names.who(*seat), match bonus {
            0 => String::new(),
            bonus => format!(" first and gains {}", Count(*bonus, "denier")),
        };
        /// Another player who owns the building gains 1 VP (CAY-6.5.1).
        GateMoved { seat: Seat, target: Target, owner: Option<Seat> } =>
            "{} moves the worker from the Gate to {}{}.", names.who(*seat), place(*target, names),
            owner_gains(*owner, names);
        /// CAY-6.5.1.
        GateRecalled { seat: Seat } => "{} takes the worker back from the Gate.", names.who(*seat);
        /// The worker returned (CAY-6.5.2).
        TradingPostPaid { seat: Seat, deniers: u16 } =>
            "{} gains {} at the Trading post.", names.who(*seat), Count(*deniers, "denier");
        /// The provost moves, or is left in place (CAY-6.5.3, CAY-6.6.1).
        ProvostMoved { seat: Seat, from_space: Space, to_space: Space, paid: u16 } =>
            "{} {}.", names.who(*seat), provost(*from_space, *to_space, *paid);
        /// The worker returned. `paid` is `None` if the player declined (CAY-6.5.4).
        Jousted { seat: Seat, paid: Option<Goods> } => "{} {}.", names.who(*seat), match paid {
            Some(paid) => format!("jousts and pays {paid} for a royal favor"),
            None => String::from("does not joust"),
        };
        /// The owner of the worker that returned from the right circle, and of the one there now (CAY-6.5.6).
        InnChanged { returned: Option<Seat>, right: Option<Seat> } =>
            "{}", inn(*returned, *right, names);
        /// The effect of a building with a worker begins (CAY-6.7.1).
        BuildingActivated { seat: Seat, space: Space, tile: Tile } =>
            "The {tile} on {space} is activated for {}.", names.of(*seat);
        /// CAY-7.1.
        Produced { seat: Seat, cubes: Cubes } => "{} gains {cubes}.", names.who(*seat);
        /// Cubes are sold, bought or traded (CAY-7.2, CAY-7.3, CAY-7.7, CAY-7.8).
        Traded { seat: Seat, paid: Goods, gained: Goods } =>
            "{} pays {paid} and gains {gained}.", names.who(*seat);
        /// CAY-7.10.
        EffectDeclined { seat: Seat, space: Space } =>
            "{} does not use {}.", names.who(*seat), building(*space, names);
        /// A wood or stone tile is built (CAY-7.4).
        TileBuilt { seat: Seat, tile: Tile, space: Space, paid: Cubes, vp: u16 } =>
            "{} builds the {tile} on {space} for {paid}{}.", names.who(*seat), gains(*vp);
        /// The worker on `space`, if there is one, must leave first (CAY-7.5).
        TransformPaid { seat: Seat, space: Space, paid: Goods, waits_for: Option<Seat> } =>
            "{} pays {paid} to transform {}{}.", names.who(*seat), building(*space, names),
            match waits_for {
                Some(worker) => format!(" once {}'s worker has left", names.of(*worker)),
                None => String::new(),
            };
        /// CAY-7.5.
        TransformDone { seat: Seat, space: Space, replaced: Tile, vp: u16 } =>
            "{} turns the {replaced} on {space} into a residence{}.", names.who(*seat), gains(*vp);
        /// A prestige tile replaces a residence (CAY-7.6).
        PrestigeBuilt { seat: Seat, tile: Tile, space: Space, paid: Cubes, vp: u16 } =>
            "{} builds the {tile} on {space} for {paid}{}.", names.who(*seat), gains(*vp);
        /// The owner takes a cube for another player's worker (CAY-7.1).
        OwnerBonus { seat: Seat, space: Space, resource: Resource } =>
            "{} gains 1 {resource} as the owner of {}.", names.who(*seat), building(*space, names);
        /// A worker beyond the provost returns without any effect (CAY-6.7.1, CAY-6.7.2).
        WorkerReturned { seat: Seat, space: Space, beyond_provost: bool } =>
            "{} takes a worker back from {}{}.", names.who(*seat), spot(*space, names),
            if *beyond_provost { ", which is beyond the provost" } else { "" };
        /// CAY-6.8.4.
        CastleBatch { seat: Seat, section: Section, paid: Cubes, vp: u16 } =>
            "{} builds a part of the {section} with {paid}{}.", names.who(*seat), gains(*vp);
        /// CAY-6.8.6.
        CastlePenalty { seat: Seat, vp: u16 } =>
            "{} builds no part of the castle and {}.", names.who(*seat), loses(*vp);
        /// Of several players with as many parts, the first builder counts (CAY-6.8.7).
        MostBatches { seat: Seat, batches: u8, is_tied: bool } =>
            "{} has built the most parts of the castle this turn ({batches}{}).", names.who(*seat),
            if *is_tied { ", before others with as many" } else { "" };
        /// CAY-6.8.7.
        CastleLeft { seats: SeatList } =>
            "{} back from the castle.", takes_back(seats, names);
        /// CAY-6.10.
        FavorsGained { seat: Seat, count: u8 } =>
            "{} gains {}.", names.who(*seat), Count(*count, "royal favor");
        /// CAY-6.10.1.
        FavorsSimplified { seat: Seat, count: u8, vp: u16 } =>
            "{} gains {vp} VP for {}.", names.who(*seat), Count(*count, "royal favor");
        /// A favor is used; column 0 has no effect (CAY-6.10.4). Further events report buildings and
        /// transformations.
        FavorTaken {
            seat: Seat, line: FavorLine, marker: u8, column: u8, paid: Goods, gained: Goods, marker_before: u8,
        } =>
            "{} {} and {}.",
            names.who(*seat), marker_moved(*line, *marker_before, *marker), match column {
                0 => String::from("uses no column"),
                column => format!("uses column {column}{}", exchange(*paid, *gained)),
            };
        /// All lines had been used in this phase (CAY-6.10.2).
        FavorsLost { seat: Seat, count: u8 } =>
            "{} has used every line of the favor table and loses {}.", names.who(*seat), Count(*count, "royal favor");
        /// CAY-6.9.1.
        BailiffMoved { from_space: Space, to_space: Space } =>
            "The bailiff moves from {from_space} to {to_space}, and the provost follows.";
        /// CAY-6.9.2.
        SectionScoring { section: Section } => "Scoring of the {section} begins.";
        /// CAY-6.9.4.
        SectionPenalty { seat: Seat, section: Section, vp: u16 } =>
            "{} has built no part of the {section} and {}.", names.who(*seat), loses(*vp);
        /// CAY-6.9.2.
        SectionScored { section: Section } => "Scoring of the {section} is complete.";
        /// The prestige points for a player's remaining goods (CAY-8.2).
        FinalScored { seat: Seat, gold: u16, cubes: u16, deniers: u16 } =>
            "{} scores {}.", names.who(*seat), last_points(*gold, *cubes, *deniers);
        /// A castle builder finishes without a loss, possibly because the castle had no room (CAY-6.8.6).
        CastleFinished { seat: Seat, batches: u8 } => "{} {}.", names.who(*seat), match batches {
            0 => String::from("finds no room to build in the castle"),
            parts => format!("has built {} of the castle this turn", Count(*parts, "part")),
        };
    }
}

impl Event {
    /// Updates the scene, so that later sentences name the space by this building.
    pub fn update_text_context(&self, scene: &mut TextContext) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "few events change the road")]
        match self {
            Self::GameCreated { neutral_order, .. } => {
                let neutral = Space::all().zip(neutral_order.iter().copied());
                for (space, tile) in neutral.chain(FIXED_BUILDINGS) {
                    scene.set_object(space.index(), tile.name());
                }
            }
            Self::TileBuilt { tile, space, .. } | Self::PrestigeBuilt { tile, space, .. } => {
                scene.set_object(space.index(), tile.name());
            }
            Self::TransformDone { space, .. } => {
                scene.set_object(space.index(), Tile::Residence.name());
            }
            _ => {}
        }
    }
}

/// `the Farm (space 1)`, or the space alone if the scene has no building there.
fn spot(space: Space, names: Names<'_>) -> String {
    match names.object_at(space.index()) {
        Some(tile) => standing(tile, space),
        None => space.to_string(),
    }
}

/// `the Farm (space 1)`, `the Farm (cloth, space 9)`.
pub fn standing(tile: &str, space: Space) -> String {
    match tile.strip_suffix(')') {
        Some(tile) => format!("the {tile}, {space})"),
        None => format!("the {tile} ({space})"),
    }
}

/// `the Farm (space 1)`; `the building on ...` if the scene has no building there, although every such space has one.
fn building(space: Space, names: Names<'_>) -> String {
    match names.object_at(space.index()) {
        Some(_) => spot(space, names),
        None => format!("the building on {space}"),
    }
}

/// The position of a worker: `in the castle`, `at the Gate`, `on the Farm (space 1)`.
fn at(target: Target, names: Names<'_>) -> String {
    match target {
        Target::Castle | Target::Special(_) => target.at(),
        Target::Road(space) => format!("on {}", spot(space, names)),
    }
}

/// The destination of a worker: `the castle`, `the Stables`, `the Farm (space 1)`.
fn place(target: Target, names: Names<'_>) -> String {
    match target {
        Target::Castle | Target::Special(_) => target.to_string(),
        Target::Road(space) => spot(space, names),
    }
}

/// A list of seats.
fn list(seats: &SeatList, names: Names<'_>) -> impl Iterator<Item = impl Display> + Clone {
    seats.iter().map(move |seat| names.of(*seat))
}

/// `, and seat 2 gains 1 VP as the owner`, if there is such an owner.
fn owner_gains(owner: Option<Seat>, names: Names<'_>) -> String {
    owner.map_or_else(String::new, |owner| {
        format!(", and {} gains 1 VP as the owner", names.of(owner))
    })
}

/// ` and gains 2 VP`, if there are any.
fn gains(vp: u16) -> String {
    match vp {
        0 => String::new(),
        _ => format!(" and gains {vp} VP"),
    }
}

/// The loss in words. A player never falls below 0 (CAY-6.1.4).
fn loses(vp: u16) -> String {
    match vp {
        0 => String::from("stays at 0 VP"),
        _ => format!("loses {vp} VP"),
    }
}

fn provost(from: Space, to: Space, paid: u16) -> String {
    match paid {
        _ if from == to => format!("leaves the provost on {to}"),
        0 => format!("moves the provost from {from} to {to}"),
        _ => {
            let paid = Count(paid, "denier");
            format!("pays {paid} to move the provost from {from} to {to}")
        }
    }
}

fn inn(returned: Option<Seat>, right: Option<Seat>, names: Names<'_>) -> String {
    let place = "is in the right circle of the Inn";
    match (returned, right) {
        (None, None) => String::from("The right circle of the Inn is empty."),
        (None, Some(right)) => format!("{}'s worker {place}.", names.who(right)),
        (Some(back), None) => format!("{} takes a worker back from the Inn.", names.who(back)),
        (Some(back), Some(right)) => {
            let (back, right) = (names.who(back), names.of(right));
            format!("{back} takes a worker back from the Inn; {right}'s worker {place}.")
        }
    }
}

/// `Seat 1 takes a worker`, `Seat 1 and seat 2 take their workers`.
fn takes_back(seats: &SeatList, names: Names<'_>) -> String {
    let Some((first, others)) = seats.split_first() else {
        return String::from("Nobody takes a worker");
    };
    if others.is_empty() {
        return format!("{} takes a worker", names.who(*first));
    }
    let others: Vec<String> = others
        .iter()
        .map(|seat| names.of(*seat).to_string())
        .collect();
    let all = [vec![names.who(*first).to_string()], others].concat();
    format!("{} take their workers", JoinAnd(&all))
}

/// The exchange that a favor makes at once; empty if it makes none.
fn exchange(paid: Goods, gained: Goods) -> String {
    if paid == gained {
        String::new()
    } else if paid == Goods::NONE {
        format!(" for {gained}")
    } else {
        format!(", paying {paid} for {gained}")
    }
}

/// `moves the marker of the Prestige line to column 2`, `leaves the marker of the Prestige line on column 2`.
fn marker_moved(line: FavorLine, before: u8, now: u8) -> String {
    match before == now {
        true => format!("leaves the marker of the {line} line on column {now}"),
        false => format!("moves the marker of the {line} line to column {now}"),
    }
}

/// `6 VP for gold and 1 VP for deniers`; `nothing for what is left`.
fn last_points(gold: u16, cubes: u16, deniers: u16) -> String {
    let sources = [(gold, "gold"), (cubes, "cubes"), (deniers, "deniers")];
    let scored = sources.into_iter().filter(|(vp, _)| *vp > 0);
    let scored: Vec<String> = scored
        .map(|(vp, source)| format!("{vp} VP for {source}"))
        .collect();
    if scored.is_empty() {
        return String::from("nothing for what is left");
    }
    JoinAnd(&scored).to_string()
}
