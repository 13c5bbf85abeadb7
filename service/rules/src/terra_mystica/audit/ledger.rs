//! **Ledger check**: the events report every change of VP and goods, and the use of spades (TM-13.3).

use crate::table::{Fault, PerSeat, Seat};
use crate::terra_mystica::data::Conversion;
use crate::terra_mystica::event::{Event, VpSource};
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::State;

/// VP, coins, workers, priests in hand, power tokens.
type Row = [i32; 5];

fn row(state: &State, seat: Seat) -> Row {
    let player = &state.players[seat];
    [
        i32::from(player.vp),
        i32::from(player.coins),
        i32::from(player.workers),
        i32::from(player.priests),
        player.bowls.iter().map(|&tokens| i32::from(tokens)).sum(),
    ]
}

/// The change by an event, and its seat.
fn change(event: &Event) -> Option<(Seat, Row)> {
    Some(match event {
        Event::Received { seat, goods, .. } => {
            let goods = [goods.coins, goods.workers, goods.priests].map(i32::from);
            (*seat, [0, goods[0], goods[1], goods[2], 0])
        }
        Event::Paid { seat, goods, .. } => {
            let goods = [goods.coins, goods.workers, goods.priests].map(i32::from);
            (*seat, [0, -goods[0], -goods[1], -goods[2], 0])
        }
        Event::VpScored { seat, vp, .. } => (*seat, [*vp, 0, 0, 0, 0]),
        Event::PriestPlaced { seat, .. } => (*seat, [0, 0, 0, -1, 0]),
        Event::PriestsOrdained { seat, count } => {
            let count = i32::from(*count);
            (*seat, [0, 0, -count, count, 0])
        }
        Event::PowerSacrificed { seat, tokens } => (*seat, [0, 0, 0, 0, -i32::from(*tokens)]),
        Event::Converted { seat, kind, times } => {
            let times = i32::from(*times);
            let one = match kind {
                Conversion::PowerToPriest => [0, 0, 0, 1, 0],
                Conversion::PowerToWorker => [0, 0, 1, 0, 0],
                Conversion::PowerToCoin => [0, 1, 0, 0, 0],
                Conversion::PriestToWorker => [0, 0, 1, -1, 0],
                Conversion::WorkerToCoin => [0, 1, -1, 0, 0],
                Conversion::AlchemyVpToCoin => [-1, 1, 0, 0, 0],
                Conversion::AlchemyCoinToVp => [1, -2, 0, 0, 0],
            };
            (*seat, one.map(|count| count * times))
        }
        _ => return None,
    })
}

pub fn balance(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    if before.players.count() == 0 {
        return Ok(());
    }
    let mut rows = PerSeat::new(before.seats(), |seat| row(before, seat));
    for (seat, changed) in events.iter().filter_map(change) {
        for (entry, more) in rows[seat].iter_mut().zip(changed) {
            *entry += more;
            let entry = *entry;
            Fault::unless(entry >= 0, "TM-11.3", || format!("{seat} goes below zero"))?;
        }
    }
    for (seat, computed) in rows.entries() {
        let actual = row(after, seat);
        Fault::unless(*computed == actual, "TM-13.3", || {
            format!("the events give {seat} {computed:?}, the table shows {actual:?}")
        })?;
    }
    power_prices(events)?;
    cult_spades(before, after, events)
}

/// TM-6.62: spades of a cult reward are used, reported as unused, or still there.
fn cult_spades(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    let queued = |state: &State| -> i32 {
        let spades = state.cult_spades.iter();
        spades.map(|queued| i32::from(queued.spades)).sum()
    };
    let granted = |event: &Event| matches!(event, Event::CultSpadesGranted { .. });
    if before.stage != Stage::Cult && !events.iter().any(granted) {
        return Ok(());
    }
    let from_events: i32 = events.iter().map(more_cult_spades).sum();
    let (expected, actual) = (queued(before) + from_events, queued(after));
    Fault::unless(expected == actual, "TM-6.62", || {
        format!("the events leave {expected} spades of the cults, the table has {actual}")
    })
}

fn more_cult_spades(event: &Event) -> i32 {
    match event {
        Event::CultSpadesGranted { spades, .. } => i32::from(*spades),
        Event::TerrainTransformed { spades, .. } | Event::SpadesUnused { spades, .. } => {
            -i32::from(*spades)
        }
        _ => 0,
    }
}

/// TM-11.17: taken power costs one VP less than its amount.
fn power_prices(events: &[Event]) -> Result<(), Fault> {
    for (at, event) in events.iter().enumerate() {
        let Event::PowerAccepted { seat, power } = event else {
            continue;
        };
        let paid = match events.get(at + 1) {
            Some(Event::VpScored {
                seat: payer,
                vp,
                source: VpSource::Power,
            }) if payer == seat => *vp,
            _ => 0,
        };
        Fault::unless(paid == 1 - i32::from(*power), "TM-11.17", || {
            format!("{seat} pays {paid} for {power} power")
        })?;
    }
    Ok(())
}
