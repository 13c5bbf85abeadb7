//! Scaling of numbers to cells.

use crate::cells::Page;

/// The number of places of a list whose order is kept. A cell has 24 bits.
const KEPT: u32 = 24;

/// Writes a number in two cells: one distinguishes small numbers, the other large ones.
#[inline]
pub(crate) fn number(page: &mut Page, at: u32, value: i64) {
    if value != 0 {
        let value = float(value);
        page.add(at, value / (value.abs() + 3.0));
        page.add(at + 1, value / (value.abs() + 30.0));
    }
}

/// Writes the number of times that something happened, as count / (count + 2).
#[inline]
pub(crate) fn times(page: &mut Page, at: u32, count: u32) {
    if count > 0 {
        let count = float(count.into());
        page.add(at, count / (count + 2.0));
    }
}

/// Returns the value that an entry at this position of a list adds to its cell: 1/2, 1/4, 1/8 and so on. No two sets
/// of positions have the same sum.
#[inline]
pub(crate) fn position(nth: u32) -> f32 {
    if nth < KEPT {
        f32::from_bits((126 - nth) << 23)
    } else {
        0.0
    }
}

fn float(value: i64) -> f32 {
    value as f32
}
