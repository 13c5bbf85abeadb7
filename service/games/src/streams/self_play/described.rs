//! Tables that a plan describes, on which its games begin in turn.

use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::Seed;
use gamekeeper_wire::{MAX_POSITIONS, Malformed, PositionFault, StartPositions, Wire};

use crate::errors::ServiceError;
use crate::requests::ruleset_message::extract_position;
use crate::timing::yielder::Yielder;

/// The field of a plan that describes tables.
const FIELD: &str = "plan.positions";

/// The tables of a plan, at least one. All were judged.
pub(super) struct DescribedTables<W: Wire>(StartPositions<W>);

impl<W: Wire> DescribedTables<W> {
    /// Judges the tables of a plan, and yields to other calls meanwhile.
    ///
    /// # Errors
    /// If there are too many tables, or no game with these options can begin on one of them.
    pub(super) async fn judge(
        views: &[raw::View],
        options: &W::Options,
    ) -> Result<Self, ServiceError> {
        let count = views.len();
        if count > MAX_POSITIONS {
            let text = format!("has {count} tables; at most {MAX_POSITIONS} are allowed");
            return Err(Malformed::new(FIELD, text).into());
        }
        let mut positions = StartPositions::default();
        let mut yielder = Yielder::new();
        for (index, view) in views.iter().enumerate() {
            let field = field_of(index);
            let encoded = extract_position::<W>(view, &field)?;
            let judged = positions.push(encoded, options);
            judged.map_err(|fault| fault.within::<W>(&field))?;
            yielder.yield_if_due().await;
        }
        Ok(Self(positions))
    }

    /// Makes the first version of the game `number` on its table.
    ///
    /// # Errors
    /// If luck deals something that contradicts what the table gives.
    pub(super) fn first_version(
        &self,
        options: &W::Options,
        (number, seed): (u64, &Seed),
    ) -> Result<Applied<W>, PositionFault> {
        let first = self.0.first_version(number, options, seed);
        first.map_err(|fault| fault.within::<W>(&field_of(self.0.index_of(number))))
    }
}

/// Returns the path of a table in the plan.
fn field_of(index: usize) -> String {
    format!("{FIELD}[{index}]")
}
