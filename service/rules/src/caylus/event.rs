//! What happened. Everything is public (CAY-13.1); the events alone give every player's account.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::action::Target;
use super::data::{Cubes, FavorLine, Goods, Resource, Section, Space, Tile};
use super::stage::SeatList;
use crate::table::{And, Commas, Count, Names, PerSeat, Seat, Sentence};

/// The final score of one seat (CAY-8.4): prestige points before final scoring, and what each gold,
/// 3 other cubes and 4 deniers add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FinalScore {
    pub before: u16,
    pub gold: u16,
    pub cubes: u16,
    pub deniers: u16,
}

impl FinalScore {
    /// The total.
    #[must_use]
    pub const fn total(self) -> u16 {
        self.before + self.gold + self.cubes + self.deniers
    }
}

/// What happened. Prices and gains are included: adding them up gives what everybody has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Event {
    /// The table is set (CAY-5).
    GameCreated {
        simplified_favors: bool,
        /// The neutral tiles on spaces 1 to 6.
        neutral_order: [Tile; 6],
        turn_order: SeatList,
    },
    /// A turn begins (CAY-6.3.1).
    TurnStarted { turn: u8 },
    /// The stables, or a new turn of 2 players, changed the order (CAY-6.5.5, CAY-9.2).
    TurnOrderChanged { turn_order: SeatList },
    /// A player gained income (CAY-6.3.2).
    Income { seat: Seat, deniers: u16 },
    /// A player placed a worker (CAY-6.4.4).
    WorkerPlaced {
        seat: Seat,
        target: Target,
        /// The price in deniers.
        price: u16,
        /// The other player who owns the building and gains 1 VP.
        owner: Option<Seat>,
    },
    /// A player passed (CAY-6.4.6).
    Passed {
        seat: Seat,
        /// Deniers for being the first.
        bonus: u16,
    },
    /// The gate's worker went elsewhere (CAY-6.5.1).
    GateMoved {
        seat: Seat,
        target: Target,
        /// The other player who owns the building and gains 1 VP.
        owner: Option<Seat>,
    },
    /// The gate's worker was taken back (CAY-6.5.1).
    GateRecalled { seat: Seat },
    /// The trading post gave deniers; its worker returned (CAY-6.5.2).
    TradingPostPaid { seat: Seat, deniers: u16 },
    /// The provost was moved, or left where he is (CAY-6.5.3, CAY-6.6.1).
    ProvostMoved {
        seat: Seat,
        from: Space,
        to: Space,
        paid: u16,
    },
    /// A player bought a favor at the joust field, or did not (CAY-6.5.4).
    Jousted {
        seat: Seat,
        /// What was paid; nothing: declined.
        paid: Option<Goods>,
    },
    /// The workers of the inn changed (CAY-6.5.6).
    InnChanged {
        /// Whose worker returned from the right circle.
        returned: Option<Seat>,
        /// Whose worker stands on the right circle.
        right: Option<Seat>,
    },
    /// The worker in a building goes to work (CAY-6.7.1).
    BuildingActivated {
        seat: Seat,
        space: Space,
        tile: Tile,
    },
    /// Cubes were produced (CAY-7.1).
    Produced { seat: Seat, cubes: Cubes },
    /// Goods were sold, bought or traded (CAY-7.2, CAY-7.3, CAY-7.7, CAY-7.8).
    Traded {
        seat: Seat,
        paid: Goods,
        gained: Goods,
    },
    /// A player did without the effect of a building (CAY-7.10).
    EffectDeclined { seat: Seat, space: Space },
    /// A wood or stone tile was built (CAY-7.4).
    TileBuilt {
        seat: Seat,
        tile: Tile,
        space: Space,
        paid: Cubes,
        vp: u16,
    },
    /// A transformation was paid (CAY-7.5).
    TransformPaid {
        seat: Seat,
        space: Space,
        paid: Goods,
        /// Whose worker must leave first.
        waits_for: Option<Seat>,
    },
    /// A transformation was carried out (CAY-7.5).
    TransformDone {
        seat: Seat,
        space: Space,
        /// The building that was there.
        replaced: Tile,
        vp: u16,
    },
    /// A prestige tile replaced a residence (CAY-7.6).
    PrestigeBuilt {
        seat: Seat,
        tile: Tile,
        space: Space,
        paid: Cubes,
        vp: u16,
    },
    /// The owner took a cube for another player's worker (CAY-7.1).
    OwnerBonus {
        seat: Seat,
        space: Space,
        resource: Resource,
    },
    /// A worker came home from the road (CAY-6.7.1, CAY-6.7.2).
    WorkerReturned { seat: Seat, space: Space },
    /// A part of the castle was built (CAY-6.8.4).
    CastleBatch {
        seat: Seat,
        section: Section,
        paid: Cubes,
        vp: u16,
    },
    /// A castle builder without a batch lost prestige points (CAY-6.8.6).
    CastlePenalty { seat: Seat, vp: u16 },
    /// A player built the most batches of this turn (CAY-6.8.7).
    MostBatches { seat: Seat, batches: u8 },
    /// The castle workers came home (CAY-6.8.7).
    CastleLeft { seats: SeatList },
    /// A player gained favors (CAY-6.10).
    FavorsGained { seat: Seat, count: u8 },
    /// Simplified favors gave prestige points at once (CAY-6.10.1).
    FavorsSimplified { seat: Seat, count: u8, vp: u16 },
    /// A favor was used (CAY-6.10.4). What it builds or transforms is told by further events.
    FavorTaken {
        seat: Seat,
        line: FavorLine,
        marker: u8,
        /// The column used; 0: none.
        column: u8,
        paid: Goods,
        gained: Goods,
    },
    /// Favors were lost, since all lines had been used in this phase (CAY-6.10.2).
    FavorsLost { seat: Seat, count: u8 },
    /// The bailiff went on, and the provost joined him (CAY-6.9.1).
    BailiffMoved { from: Space, to: Space },
    /// A section of the castle is being scored (CAY-6.9.2).
    SectionScoring { section: Section },
    /// A player without a part of the section lost prestige points (CAY-6.9.4).
    SectionPenalty {
        seat: Seat,
        section: Section,
        vp: u16,
    },
    /// The section is scored and closed (CAY-6.9.2).
    SectionScored { section: Section },
    /// The game is over (CAY-8).
    GameEnded {
        scores: PerSeat<FinalScore>,
        winners: SeatList,
    },
    /// A castle builder has done his part, or found no room, and loses nothing (CAY-6.8.6). The last
    /// variant, since logs know variants by their place.
    CastleFinished { seat: Seat, batches: u8 },
}

/// `, and seat 2 as owner gains 1 VP`, if there is such an owner.
fn owner_gains(owner: Option<Seat>, names: Names<'_>) -> String {
    owner.map_or_else(String::new, |owner| {
        format!(", and {} as owner gains 1 VP", names.of(owner))
    })
}

/// Seats one after the other.
fn list(seats: &SeatList, names: Names<'_>) -> impl fmt::Display {
    Commas(seats.iter().map(move |seat| names.of(*seat)))
}

fn deniers(count: u16) -> Count<u16> {
    Count(count, "denier")
}

impl Sentence for Event {
    #[expect(clippy::too_many_lines, reason = "one sentence for each event")]
    #[rustfmt::skip]
    fn say(&self, names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameCreated { simplified_favors, neutral_order, turn_order } => {
                let favors = if *simplified_favors { " Favors are simplified." } else { "" };
                let (road, order) = (Commas(neutral_order), list(turn_order, names));
                write!(f, "The road begins with {road}; the turn order is {order}.{favors}")
            }
            Self::TurnStarted { turn } => write!(f, "Turn {turn} begins."),
            Self::TurnOrderChanged { turn_order } => {
                write!(f, "The turn order is {}.", list(turn_order, names))
            }
            Self::Income { seat, deniers: count } => {
                write!(f, "{} gains an income of {}.", names.who(*seat), deniers(*count))
            }
            Self::WorkerPlaced { seat, target, price, owner } => {
                let (who, owner) = (names.who(*seat), owner_gains(*owner, names));
                write!(f, "{who} places a worker on {target} for {}{owner}.", deniers(*price))
            }
            Self::Passed { seat, bonus: 0 } => write!(f, "{} passes.", names.who(*seat)),
            Self::Passed { seat, bonus } => {
                write!(f, "{} passes first and gains {}.", names.who(*seat), deniers(*bonus))
            }
            Self::GateMoved { seat, target, owner } => {
                let owner = owner_gains(*owner, names);
                write!(f, "{} sends the worker at the Gate to {target}{owner}.", names.who(*seat))
            }
            Self::GateRecalled { seat } => {
                write!(f, "{} takes the worker back from the Gate.", names.who(*seat))
            }
            Self::TradingPostPaid { seat, deniers: count } => {
                write!(f, "{} gains {} at the Trading post.", names.who(*seat), deniers(*count))
            }
            Self::ProvostMoved { seat, from, to, .. } if from == to => {
                write!(f, "{} leaves the provost on {to}.", names.who(*seat))
            }
            Self::ProvostMoved { seat, from, to, paid: 0 } => {
                write!(f, "{} moves the provost from {from} to {to}.", names.who(*seat))
            }
            Self::ProvostMoved { seat, from, to, paid } => {
                let (who, paid) = (names.who(*seat), deniers(*paid));
                write!(f, "{who} bribes the provost with {paid} to go from {from} to {to}.")
            }
            Self::Jousted { seat, paid: Some(paid) } => {
                write!(f, "{} jousts for {paid}.", names.who(*seat))
            }
            Self::Jousted { seat, paid: None } => write!(f, "{} does not joust.", names.who(*seat)),
            Self::InnChanged { returned, right } => {
                if let Some(seat) = returned {
                    write!(f, "{} takes a worker back from the Inn.", names.who(*seat))?;
                }
                if let Some(seat) = right {
                    let space = if returned.is_some() { " " } else { "" };
                    write!(f, "{space}{} holds the right circle of the Inn.", names.who(*seat))?;
                }
                Ok(())
            }
            Self::BuildingActivated { seat, space, tile } => {
                write!(f, "{} uses the {tile} on {space}.", names.who(*seat))
            }
            Self::Produced { seat, cubes } => write!(f, "{} gains {cubes}.", names.who(*seat)),
            Self::Traded { seat, paid, gained } => {
                write!(f, "{} pays {paid} and gains {gained}.", names.who(*seat))
            }
            Self::EffectDeclined { seat, space } => {
                write!(f, "{} does without the building on {space}.", names.who(*seat))
            }
            Self::TileBuilt { seat, tile, space, paid, vp }
            | Self::PrestigeBuilt { seat, tile, space, paid, vp } => {
                let who = names.who(*seat);
                write!(f, "{who} builds the {tile} on {space} for {paid} and gains {vp} VP.")
            }
            Self::TransformPaid { seat, space, paid, waits_for: None } => {
                write!(f, "{} pays {paid} to transform {space}.", names.who(*seat))
            }
            Self::TransformPaid { seat, space, paid, waits_for: Some(worker) } => {
                let (who, worker) = (names.who(*seat), names.of(*worker));
                write!(f, "{who} pays {paid} to transform {space} once {worker} has left it.")
            }
            Self::TransformDone { seat, space, replaced, vp } => {
                let who = names.who(*seat);
                write!(f, "{who} turns the {replaced} on {space} into a Residence and gains {vp} VP.")
            }
            Self::OwnerBonus { seat, space, resource } => {
                write!(f, "{} gains 1 {resource} as owner of {space}.", names.who(*seat))
            }
            Self::WorkerReturned { seat, space } => {
                write!(f, "{} takes a worker back from {space}.", names.who(*seat))
            }
            Self::CastleBatch { seat, section, paid, vp } => {
                let who = names.who(*seat);
                write!(f, "{who} builds a part of the {section} with {paid} and gains {vp} VP.")
            }
            Self::CastlePenalty { seat, vp } => {
                write!(f, "{} built nothing in the castle and loses {vp} VP.", names.who(*seat))
            }
            Self::CastleFinished { seat, batches: 0 } => {
                write!(f, "{} finds no room in the castle.", names.who(*seat))
            }
            Self::CastleFinished { seat, batches } => {
                let parts = Count(*batches, "part");
                write!(f, "{} has built {parts} of the castle in this turn.", names.who(*seat))
            }
            Self::MostBatches { seat, batches } => {
                let batches = Count(*batches, "part");
                write!(f, "{} built the most in the castle: {batches}.", names.who(*seat))
            }
            Self::CastleLeft { seats } => {
                write!(f, "The workers of {} leave the castle.", And(seats.iter().map(|seat| names.of(*seat))))
            }
            Self::FavorsGained { seat, count } => {
                let favors = Count(*count, "royal favor");
                write!(f, "{} gains {favors}.", names.who(*seat))
            }
            Self::FavorsSimplified { seat, count, vp } => {
                let favors = Count(*count, "royal favor");
                write!(f, "{} gains {vp} VP for {favors}.", names.who(*seat))
            }
            Self::FavorTaken { seat, line, marker, column, paid, gained } => {
                let who = names.who(*seat);
                write!(f, "{who} uses a favor: {line}, marker on {marker}, ")?;
                match column {
                    0 => f.write_str("no column")?,
                    column => write!(f, "column {column}")?,
                }
                match (paid, gained) {
                    (paid, gained) if paid == gained => f.write_str("."),
                    (paid, gained) if *paid == Goods::NONE => write!(f, ", gains {gained}."),
                    (paid, gained) => write!(f, ", gives {paid} and gains {gained}."),
                }
            }
            Self::FavorsLost { seat, count } => {
                let favors = Count(*count, "royal favor");
                write!(f, "{} has used all lines and loses {favors}.", names.who(*seat))
            }
            Self::BailiffMoved { from, to } => {
                write!(f, "The bailiff goes from {from} to {to}, and the provost joins him.")
            }
            Self::SectionScoring { section } => {
                write!(f, "The scoring of the {section} begins.")
            },
            Self::SectionPenalty { seat, section, vp } => {
                write!(f, "{} built nothing of the {section} and loses {vp} VP.", names.who(*seat))
            }
            Self::SectionScored { section } => {
                write!(f, "The scoring of the {section} ends.")
            },
            Self::GameEnded { scores, winners } => {
                f.write_str("The game is over:")?;
                for (seat, score) in scores.entries() {
                    let comma = if seat == Seat::FIRST { "" } else { "," };
                    write!(f, "{comma} {} has {} VP", names.of(seat), score.total())?;
                }
                write!(f, ". First: {}.", list(winners, names))
            }
        }
    }
}
