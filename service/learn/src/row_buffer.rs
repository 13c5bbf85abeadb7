//! **Sparse rows** of cells: numbers from -1 to 1, most of which are 0.

/// The type of a cell in the caller's arrays.
pub trait Element: Copy + Default + Send + Sync {
    /// Converts a number to a cell, cut at -1 and 1. 0 becomes the default.
    fn from_f32(value: f32) -> Self;
}

impl Element for f32 {
    #[inline]
    fn from_f32(value: f32) -> Self {
        value.clamp(-1.0, 1.0)
    }
}

/// **Quantized** cells in steps of 1/127, which take a quarter of the memory. Large numbers that are close to each
/// other become equal.
impl Element for i8 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "from -127.5 to 127.5 after the clamp, and casts cut the fraction off"
    )]
    #[inline]
    fn from_f32(value: f32) -> Self {
        let scaled = value.clamp(-1.0, 1.0) * 127.0;
        // Rounds to the nearest number: `f32::round` calls a function on processors without an instruction for it.
        let rounded = (scaled + 0.5_f32.copysign(scaled)) as Self;
        // A small number other than 0 must not become 0, since that would hide that the thing is there.
        match rounded {
            0 if value > 0.0 => 1,
            0 if value < 0.0 => -1,
            _ => rounded,
        }
    }
}

/// A buffer in which a row is written. One page serves many rows, one after the other.
#[derive(Clone, Debug)]
pub struct RowBuffer {
    values: Vec<f32>,
    dirty: Vec<u32>,
}

impl RowBuffer {
    /// Creates an empty page for rows of this many cells.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self {
            values: vec![0.0; size],
            dirty: Vec::new(),
        }
    }

    /// Adds to a cell.
    #[inline]
    pub(crate) fn add(&mut self, at: u32, value: f32) {
        if let Some(cell) = self.values.get_mut(at as usize) {
            if *cell == 0.0 {
                self.dirty.push(at);
            }
            *cell += value;
        }
    }

    /// Adds one to the count of a cell with the value count / (count + half).
    #[inline]
    pub(crate) fn count_up(&mut self, at: u32, half: f32) {
        let Some(cell) = self.values.get(at as usize) else {
            return;
        };
        let count = (half * cell / (1.0 - cell)).round() + 1.0;
        self.add(at, count / (count + half) - cell);
    }

    /// Moves the written cells into a row of the caller, and empties the page. The row must contain zeros and the
    /// values last written through `dirty`.
    pub fn flush_into<C: Element>(&mut self, cells: &mut [C], dirty: &mut DirtyCells) {
        for at in dirty.indices.drain(..) {
            if let Some(cell) = cells.get_mut(at as usize) {
                *cell = C::default();
            }
        }
        for &at in &self.dirty {
            let value = std::mem::take(&mut self.values[at as usize]);
            // A cell that was 0 in between is listed twice; its value is taken the first time.
            if value != 0.0
                && let Some(cell) = cells.get_mut(at as usize)
            {
                *cell = C::from_f32(value);
            }
        }
        std::mem::swap(&mut self.dirty, &mut dirty.indices);
    }

    /// Moves the written cells out, in the order in which they were written, and empties the page.
    pub(crate) fn take_cells(&mut self) -> SparseRow {
        let mut cells = Vec::with_capacity(self.dirty.len());
        for at in self.dirty.drain(..) {
            let value = std::mem::take(&mut self.values[at as usize]);
            // As in `flush_into`, a cell that is listed twice is taken once.
            if value != 0.0 {
                cells.push((at, value));
            }
        }
        cells
    }
}

/// The cells of a row that are other than 0, with their numbers.
pub(crate) type SparseRow = Vec<(u32, f32)>;

/// The cells of a row of the caller that may be other than 0.
#[derive(Clone, Debug, Default)]
pub struct DirtyCells {
    indices: Vec<u32>,
}

impl DirtyCells {
    /// Sets a cell of a row of the caller.
    pub(crate) fn set<C: Element>(&mut self, cells: &mut [C], at: u32, value: f32) {
        if let Some(cell) = cells.get_mut(at as usize) {
            *cell = C::from_f32(value);
            self.indices.push(at);
        }
    }

    /// Replaces the contents of a row of the caller, which contains zeros and the values last written through this.
    pub(crate) fn replace<C: Element>(&mut self, cells: &mut [C], row: &[(u32, f32)]) {
        for at in self.indices.drain(..) {
            if let Some(cell) = cells.get_mut(at as usize) {
                *cell = C::default();
            }
        }
        for (at, value) in row {
            self.set(cells, *at, *value);
        }
    }
}
