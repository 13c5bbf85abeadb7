//! The **first table** of a game: its set-up, or the table on which it begins instead.

use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::starts::{StartPoint, WarmStart};
use gamekeeper_rules::table::Chance;
use gamekeeper_wire::{PositionFault, StartTable, Wire};

use crate::timing::yielder::Yielder;

/// Makes version 1 of a game with this luck. A start that is made from a seed plays a whole game for it, and yields to
/// other calls meanwhile.
///
/// # Errors
/// If no game can begin on a described table.
pub(crate) async fn first_table<W: Wire>(
    options: &W::Options,
    start: Option<&StartTable>,
    chance: Chance,
) -> Result<Applied<W>, PositionFault> {
    Ok(match start {
        None => create::<W>(options, chance),
        // Boxed: rare, and must not enlarge the future of every call.
        Some(StartTable::Made(point)) => Box::pin(warm_start::<W>(options, point, chance)).await,
        Some(StartTable::Described(position)) => position.first_version::<W>(options, chance)?,
    })
}

async fn warm_start<W: Wire>(
    options: &W::Options,
    StartPoint { start, seed }: &StartPoint,
    chance: Chance,
) -> Applied<W> {
    let mut opening = WarmStart::<W>::new(options, *start, seed);
    let mut yielder = Yielder::new();
    while opening.step(options, seed) {
        yielder.yield_if_due().await;
    }
    opening.into_first_version(chance)
}
