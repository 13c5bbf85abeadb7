//! Points and areas of a drawing, in whole units from the upper left corner.

use super::int;

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

impl Point {
    /// The point at these coordinates.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The point this far away.
    #[must_use]
    pub const fn by(self, x: i32, y: i32) -> Self {
        Self::new(self.x + x, self.y + y)
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The left edge.
    pub x: i32,
    /// The upper edge.
    pub y: i32,
    /// The width.
    pub w: i32,
    /// The height.
    pub h: i32,
}

impl Area {
    /// The area with this corner and this size.
    #[must_use]
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> Self {
        Self { x, y, w, h }
    }

    /// The square around a point.
    #[must_use]
    pub const fn around(middle: Point, size: i32) -> Self {
        Self::new(middle.x - size / 2, middle.y - size / 2, size, size)
    }

    /// The right edge.
    #[must_use]
    pub const fn right(self) -> i32 {
        self.x + self.w
    }

    /// The lower edge.
    #[must_use]
    pub const fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// The middle.
    #[must_use]
    pub const fn middle(self) -> Point {
        Point::new(self.x + self.w / 2, self.y + self.h / 2)
    }

    /// The upper left corner.
    #[must_use]
    pub const fn corner(self) -> Point {
        Point::new(self.x, self.y)
    }

    /// The corners, clockwise from the upper left one.
    #[must_use]
    pub const fn corners(self) -> [Point; 4] {
        [
            self.corner(),
            Point::new(self.right(), self.y),
            Point::new(self.right(), self.bottom()),
            Point::new(self.x, self.bottom()),
        ]
    }

    /// Smaller by this much on each side; larger if it is negative.
    #[must_use]
    pub const fn inset(self, by: i32) -> Self {
        Self::new(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)
    }

    /// The upper part of this height, and the rest.
    #[must_use]
    pub const fn cut_top(self, height: i32) -> (Self, Self) {
        let top = Self::new(self.x, self.y, self.w, height);
        let rest = Self::new(self.x, self.y + height, self.w, self.h - height);
        (top, rest)
    }

    /// The left part of this width, and the rest.
    #[must_use]
    pub const fn cut_left(self, width: i32) -> (Self, Self) {
        let left = Self::new(self.x, self.y, width, self.h);
        let rest = Self::new(self.x + width, self.y, self.w - width, self.h);
        (left, rest)
    }

    /// One of `count` equal columns with gaps between them.
    #[must_use]
    pub fn column(self, index: usize, count: usize, gap: i32) -> Self {
        let (start, end) = slice(self.w, (index, count), gap);
        Self::new(self.x + start, self.y, end - start, self.h)
    }

    /// One of `count` equal rows with gaps between them.
    #[must_use]
    pub fn row(self, index: usize, count: usize, gap: i32) -> Self {
        let (start, end) = slice(self.h, (index, count), gap);
        Self::new(self.x, self.y + start, self.w, end - start)
    }

    /// One of the cells of a table with this many columns and rows, row by row.
    #[must_use]
    pub fn cell(self, index: usize, (columns, rows): (usize, usize), gap: i32) -> Self {
        let columns = columns.max(1);
        self.row(index / columns, rows, gap)
            .column(index % columns, columns, gap)
    }
}

/// Where a part of a length begins and ends.
fn slice(length: i32, (index, count): (usize, usize), gap: i32) -> (i32, i32) {
    let (index, count) = (int(index), int(count.max(1)));
    let start = (length + gap) * index / count;
    let end = (length + gap) * (index + 1) / count - gap;
    (start, end)
}
