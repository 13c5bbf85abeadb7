//! Points and areas of a drawing, in whole units from the upper left corner.

use std::fmt;

use super::int;

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The distance from the left edge.
    pub x: i32,
    /// The distance from the upper edge.
    pub y: i32,
}

impl Point {
    /// Creates the point at these coordinates.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the point moved by this much.
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
    /// Creates the area with this upper left corner and this size.
    #[must_use]
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> Self {
        Self { x, y, w, h }
    }

    /// Creates the square around a point.
    #[must_use]
    pub const fn around(middle: Point, size: i32) -> Self {
        Self::new(middle.x - size / 2, middle.y - size / 2, size, size)
    }

    /// Creates the smallest area around points.
    #[must_use]
    pub fn around_all(points: &[Point]) -> Self {
        let edges = |of: fn(&Point) -> i32| {
            let least = points.iter().map(of).min().unwrap_or(0);
            (least, points.iter().map(of).max().unwrap_or(0) - least)
        };
        let ((x, w), (y, h)) = (edges(|point| point.x), edges(|point| point.y));
        Self::new(x, y, w, h)
    }

    /// Returns the right edge.
    #[must_use]
    pub const fn right(self) -> i32 {
        self.x + self.w
    }

    /// Returns the lower edge.
    #[must_use]
    pub const fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// Returns the middle.
    #[must_use]
    pub const fn middle(self) -> Point {
        Point::new(self.x + self.w / 2, self.y + self.h / 2)
    }

    /// Returns the upper left corner.
    #[must_use]
    pub const fn corner(self) -> Point {
        Point::new(self.x, self.y)
    }

    /// Returns the corners, clockwise from the upper left one.
    #[must_use]
    pub const fn corners(self) -> [Point; 4] {
        [
            self.corner(),
            Point::new(self.right(), self.y),
            Point::new(self.right(), self.bottom()),
            Point::new(self.x, self.bottom()),
        ]
    }

    /// Shrinks the area by this much on each side; grows it if negative.
    #[must_use]
    pub const fn inset(self, by: i32) -> Self {
        Self::new(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)
    }

    /// Returns the upper part of this height, and the rest.
    #[must_use]
    pub const fn cut_top(self, height: i32) -> (Self, Self) {
        let top = Self::new(self.x, self.y, self.w, height);
        let rest = Self::new(self.x, self.y + height, self.w, self.h - height);
        (top, rest)
    }

    /// Returns the left part of this width, and the rest.
    #[must_use]
    pub const fn cut_left(self, width: i32) -> (Self, Self) {
        let left = Self::new(self.x, self.y, width, self.h);
        let rest = Self::new(self.x + width, self.y, self.w - width, self.h);
        (left, rest)
    }

    /// Returns one of `count` equal columns with gaps between them.
    #[must_use]
    pub fn column(self, index: usize, count: usize, gap: i32) -> Self {
        let (start, end) = slice(self.w, (index, count), gap);
        Self::new(self.x + start, self.y, end - start, self.h)
    }

    /// Returns one of `count` equal rows with gaps between them.
    #[must_use]
    pub fn row(self, index: usize, count: usize, gap: i32) -> Self {
        let (start, end) = slice(self.h, (index, count), gap);
        Self::new(self.x, self.y + start, self.w, end - start)
    }

    /// Returns one of the cells of a table with this many columns and rows, counted row by row.
    #[must_use]
    pub fn cell(self, index: usize, (columns, rows): (usize, usize), gap: i32) -> Self {
        let columns = columns.max(1);
        self.row(index / columns, rows, gap)
            .column(index % columns, columns, gap)
    }
}

/// Written as the edges and the size: `8 54 838 510`.
impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, w, h } = self;
        write!(f, "{x} {y} {w} {h}")
    }
}

/// Returns the beginning and the end of a part of a length.
fn slice(length: i32, (index, count): (usize, usize), gap: i32) -> (i32, i32) {
    let (index, count) = (int(index), int(count.max(1)));
    let start = (length + gap) * index / count;
    let end = (length + gap) * (index + 1) / count - gap;
    (start, end)
}
