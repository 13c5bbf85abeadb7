//! The provinces: every building once, with price and points, and the seats that have it.

use crate::kingsburg::data::{Building, COLUMNS, Goods};
use crate::kingsburg::view::View;
use crate::table::text::{BOLD, DIM, pad, styled};

/// Columns of a name, and of the text of one building.
const NAME: usize = 17;
const CELL: usize = 19;

/// Five rows of four buildings where there is room, otherwise one building per line.
pub fn provinces(view: &View, columns: usize) -> String {
    let heading = styled(BOLD, "Provinces");
    if columns < 2 + COLUMNS * CELL {
        let line = |building: Building| {
            let name = pad(building.name(), NAME);
            format!("  {name}{}", facts(view, building))
        };
        let lines = Building::ALL.map(line).join("\n");
        return format!("{heading}\n{lines}\n{}", cranes(view));
    }
    let rows = Building::ALL.chunks(COLUMNS).map(|row| {
        let above = cells(row, |building| styled(BOLD, building));
        let below = cells(row, |building| facts(view, building));
        format!("  {above}\n  {below}")
    });
    let rows: Vec<String> = rows.collect();
    let legend = "(price in gold/wood/stone, points, seats that have it)";
    let (legend, rows) = (styled(DIM, legend), rows.join("\n"));
    format!("{heading}  {legend}\n{rows}\n{}", cranes(view))
}

/// The seats that pay less than the printed prices (KIN-6.63).
fn cranes(view: &View) -> String {
    let seats = owners(view, Building::Crane);
    if seats.is_empty() {
        return String::new();
    }
    let text = "1 gold less in columns 3 and 4 with the Crane: seat";
    format!("  {} {}\n", styled(DIM, text), seats.join(" "))
}

/// The seats that have a building.
fn owners(view: &View, building: Building) -> Vec<String> {
    let owners = view.players.iter();
    let owners = owners.filter(|player| player.buildings.contains(&building));
    owners
        .map(|player| player.seat.number().to_string())
        .collect()
}

fn cells(row: &[Building], cell: impl Fn(Building) -> String) -> String {
    let cells = row.iter().map(|building| pad(&cell(*building), CELL));
    cells.collect::<String>().trim_end().to_owned()
}

/// `1/2/0 2VP  1 3`.
fn facts(view: &View, building: Building) -> String {
    let Goods { gold, wood, stone } = building.cost();
    let printed = format!("{gold}/{wood}/{stone} {}VP", building.vp());
    format!(
        "{}  {}",
        styled(DIM, printed),
        owners(view, building).join(" ")
    )
}
