//! Scaling of numbers to cells.

use crate::row_buffer::RowBuffer;

/// The number of positions of a list whose order is kept. A cell has 24 bits.
const MAX_ORDERED: u32 = 24;

/// Writes a number in two cells: one distinguishes small numbers, the other large ones.
#[inline]
pub(crate) fn number(buffer: &mut RowBuffer, at: u32, value: i64) {
    if value != 0 {
        let value = float(value);
        buffer.add(at, value / (value.abs() + 3.0));
        buffer.add(at + 1, value / (value.abs() + 30.0));
    }
}

/// Writes the number of times that something happened, as count / (count + 2).
#[inline]
pub(crate) fn times(buffer: &mut RowBuffer, at: u32, count: u32) {
    if count > 0 {
        let count = float(count.into());
        buffer.add(at, count / (count + 2.0));
    }
}

/// Returns the value that an entry at this position of a list adds to its cell: 1/2, 1/4, 1/8 and so on. No two sets
/// of positions have the same sum.
#[inline]
pub(crate) fn position(nth: u32) -> f32 {
    if nth < MAX_ORDERED {
        f32::from_bits((126 - nth) << 23)
    } else {
        0.0
    }
}

fn float(value: i64) -> f32 {
    value as f32
}
