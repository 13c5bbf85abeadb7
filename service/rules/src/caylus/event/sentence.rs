//! Events as English sentences.

use std::fmt;

use super::Event;
use crate::caylus::action::Target;
use crate::table::{And, Commas, Count, Seat, Who};

/// `, and seat 2 as owner gains 1 VP`, if there is such an owner.
struct OwnerGains(Option<Seat>);

impl fmt::Display for OwnerGains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(owner) => write!(f, ", and {owner} as owner gains 1 VP"),
            None => Ok(()),
        }
    }
}

fn deniers(count: u16) -> Count<u16> {
    Count(count, "denier")
}

fn placed(f: &mut fmt::Formatter<'_>, seat: Seat, target: Target, price: u16) -> fmt::Result {
    let who = Who(seat);
    write!(
        f,
        "{who} places a worker on {target} for {}",
        deniers(price)
    )
}

impl fmt::Display for Event {
    #[expect(clippy::too_many_lines, reason = "one sentence for each event")]
    #[rustfmt::skip]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameCreated { simplified_favors, neutral_order, turn_order } => {
                let favors = if *simplified_favors { " Favors are simplified." } else { "" };
                let (road, order) = (Commas(neutral_order), Commas(turn_order));
                write!(f, "The road begins with {road}; the turn order is {order}.{favors}")
            }
            Self::TurnStarted { turn } => write!(f, "Turn {turn} begins."),
            Self::TurnOrderChanged { turn_order } => {
                write!(f, "The turn order is {}.", Commas(turn_order))
            }
            Self::Income { seat, deniers: count } => {
                write!(f, "{} gains an income of {}.", Who(*seat), deniers(*count))
            }
            Self::WorkerPlaced { seat, target, price, owner } => {
                placed(f, *seat, *target, *price)?;
                write!(f, "{}.", OwnerGains(*owner))
            }
            Self::Passed { seat, bonus: 0 } => write!(f, "{} passes.", Who(*seat)),
            Self::Passed { seat, bonus } => {
                write!(f, "{} passes first and gains {}.", Who(*seat), deniers(*bonus))
            }
            Self::GateMoved { seat, target, owner } => {
                let owner = OwnerGains(*owner);
                write!(f, "{} sends the worker at the Gate to {target}{owner}.", Who(*seat))
            }
            Self::GateRecalled { seat } => {
                write!(f, "{} takes the worker back from the Gate.", Who(*seat))
            }
            Self::TradingPostPaid { seat, deniers: count } => {
                write!(f, "{} gains {} at the Trading post.", Who(*seat), deniers(*count))
            }
            Self::ProvostMoved { seat, from, to, .. } if from == to => {
                write!(f, "{} leaves the provost on {to}.", Who(*seat))
            }
            Self::ProvostMoved { seat, from, to, paid: 0 } => {
                write!(f, "{} moves the provost from {from} to {to}.", Who(*seat))
            }
            Self::ProvostMoved { seat, from, to, paid } => {
                let (who, paid) = (Who(*seat), deniers(*paid));
                write!(f, "{who} bribes the provost with {paid} to go from {from} to {to}.")
            }
            Self::Jousted { seat, paid: Some(paid) } => {
                write!(f, "{} jousts for {paid}.", Who(*seat))
            }
            Self::Jousted { seat, paid: None } => write!(f, "{} does not joust.", Who(*seat)),
            Self::InnChanged { returned, right } => {
                if let Some(seat) = returned {
                    write!(f, "{} takes a worker back from the Inn.", Who(*seat))?;
                }
                if let Some(seat) = right {
                    let space = if returned.is_some() { " " } else { "" };
                    write!(f, "{space}{} holds the right circle of the Inn.", Who(*seat))?;
                }
                Ok(())
            }
            Self::BuildingActivated { seat, space, tile } => {
                write!(f, "{} uses the {tile} on {space}.", Who(*seat))
            }
            Self::Produced { seat, cubes } => write!(f, "{} gains {cubes}.", Who(*seat)),
            Self::Traded { seat, paid, gained } => {
                write!(f, "{} pays {paid} and gains {gained}.", Who(*seat))
            }
            Self::EffectDeclined { seat, space } => {
                write!(f, "{} does without the building on {space}.", Who(*seat))
            }
            Self::TileBuilt { seat, tile, space, paid, vp }
            | Self::PrestigeBuilt { seat, tile, space, paid, vp } => {
                let who = Who(*seat);
                write!(f, "{who} builds the {tile} on {space} for {paid} and gains {vp} VP.")
            }
            Self::TransformPaid { seat, space, paid, waits_for: None } => {
                write!(f, "{} pays {paid} to transform {space}.", Who(*seat))
            }
            Self::TransformPaid { seat, space, paid, waits_for: Some(worker) } => {
                let who = Who(*seat);
                write!(f, "{who} pays {paid} to transform {space} once {worker} has left it.")
            }
            Self::TransformDone { seat, space, replaced, vp } => {
                let who = Who(*seat);
                write!(f, "{who} turns the {replaced} on {space} into a Residence and gains {vp} VP.")
            }
            Self::OwnerBonus { seat, space, resource } => {
                write!(f, "{} gains 1 {resource} as owner of {space}.", Who(*seat))
            }
            Self::WorkerReturned { seat, space } => {
                write!(f, "{} takes a worker back from {space}.", Who(*seat))
            }
            Self::CastleBatch { seat, section, paid, vp } => {
                let who = Who(*seat);
                write!(f, "{who} builds a part of the {section} with {paid} and gains {vp} VP.")
            }
            Self::CastlePenalty { seat, vp } => {
                write!(f, "{} built nothing in the castle and loses {vp} VP.", Who(*seat))
            }
            Self::CastleFinished { seat, batches: 0 } => {
                write!(f, "{} finds no room in the castle.", Who(*seat))
            }
            Self::CastleFinished { seat, batches } => {
                let parts = Count(*batches, "part");
                write!(f, "{} has built {parts} of the castle in this turn.", Who(*seat))
            }
            Self::MostBatches { seat, batches } => {
                let batches = Count(*batches, "part");
                write!(f, "{} built the most in the castle: {batches}.", Who(*seat))
            }
            Self::CastleLeft { seats } => {
                write!(f, "The workers of {} leave the castle.", And(seats.iter()))
            }
            Self::FavorsGained { seat, count } => {
                let favors = Count(*count, "royal favor");
                write!(f, "{} gains {favors}.", Who(*seat))
            }
            Self::FavorsSimplified { seat, count, vp } => {
                let favors = Count(*count, "royal favor");
                write!(f, "{} gains {vp} VP for {favors}.", Who(*seat))
            }
            Self::FavorTaken { seat, line, marker, column, paid, gained } => {
                let who = Who(*seat);
                write!(f, "{who} uses a favor: {line}, marker on {marker}, ")?;
                match column {
                    0 => f.write_str("no column")?,
                    column => write!(f, "column {column}")?,
                }
                match (paid, gained) {
                    (paid, gained) if paid == gained => f.write_str("."),
                    (paid, gained) if *paid == super::Goods::NONE => write!(f, ", gains {gained}."),
                    (paid, gained) => write!(f, ", gives {paid} and gains {gained}."),
                }
            }
            Self::FavorsLost { seat, count } => {
                let favors = Count(*count, "royal favor");
                write!(f, "{} has used all lines and loses {favors}.", Who(*seat))
            }
            Self::BailiffMoved { from, to } => {
                write!(f, "The bailiff goes from {from} to {to}, and the provost joins him.")
            }
            Self::SectionScoring { section } => {
                write!(f, "The scoring of the {section} begins.")
            },
            Self::SectionPenalty { seat, section, vp } => {
                write!(f, "{} built nothing of the {section} and loses {vp} VP.", Who(*seat))
            }
            Self::SectionScored { section } => {
                write!(f, "The scoring of the {section} ends.")
            },
            Self::GameEnded { scores, winners } => {
                f.write_str("The game is over:")?;
                for (seat, score) in scores.entries() {
                    let comma = if seat == Seat::FIRST { "" } else { "," };
                    write!(f, "{comma} {seat} has {} VP", score.total())?;
                }
                write!(f, ". First: {}.", Commas(winners))
            }
        }
    }
}

impl crate::table::Sentence for Event {
    fn say(&self, _names: crate::table::Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
