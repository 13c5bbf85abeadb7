//! The provinces: every building once, with price and points, and the seats that have it.

use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;

use super::names::Names;
use crate::output::{BOLD, DIM, pad, styled};

/// Buildings of a row.
const COLUMNS: usize = 4;
/// Columns of one building.
const CELL: usize = 19;

/// Five rows of four buildings where there is room, else a building a line.
pub(super) fn provinces(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let heading = styled(BOLD, "Provinces");
    let legend = styled(
        DIM,
        "(price in gold/wood/stone, points, seats that have it)",
    );
    let buildings: Vec<i32> = (1..=20).collect();
    let rows = buildings.chunks(COLUMNS);
    let rows = rows.map(|row| {
        if width < 2 + COLUMNS * CELL {
            return narrow(view, names, row);
        }
        let cells = |cell: &dyn Fn(i32) -> String| -> String {
            let cells = row.iter().map(|building| pad(&cell(*building), CELL));
            cells.collect::<String>().trim_end().to_owned()
        };
        let above = cells(&|building| styled(BOLD, names.building(building)));
        let below = cells(&|building| facts(view, names, building));
        format!("  {above}\n  {below}")
    });
    let rows: Vec<String> = rows.collect();
    if width < 2 + COLUMNS * CELL {
        return format!("{heading}\n{}\n", rows.join("\n"));
    }
    format!("{heading}  {legend}\n{}\n", rows.join("\n"))
}

fn narrow(view: &pb::View, names: &Names<'_>, row: &[i32]) -> String {
    let line = |building: &i32| {
        let name = pad(&names.building(*building), CELL);
        format!("  {name}{}", facts(view, names, *building))
    };
    row.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `1/2/0 2VP  1 3`.
fn facts(view: &pb::View, names: &Names<'_>, building: i32) -> String {
    let owners: Vec<String> = view
        .players
        .iter()
        .filter(|player| player.buildings.contains(&building))
        .map(|player| player.seat.to_string())
        .collect();
    let printed = names
        .building_info(building)
        .map_or_else(String::new, |info| {
            let cost = info.cost.unwrap_or_default();
            format!("{}/{}/{} {}VP", cost.gold, cost.wood, cost.stone, info.vp)
        });
    format!("{}  {}", styled(DIM, printed), owners.join(" "))
}
