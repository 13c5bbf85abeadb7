//! Entries of the catalogue about components, for clients that draw tables themselves.

use super::{Area, Point};
use crate::table::Component;

/// A component that is printed, or always lies on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plate {
    /// The component.
    pub component: Component,
    /// The English name.
    pub title: String,
    /// The color on light ground, such as `#c8a951`. Empty if it has none of its own.
    pub color: &'static str,
    /// The component that it always lies on.
    pub place: Option<Component>,
    /// The corners in wide drawings. Empty if it has no place of its own, or moves.
    pub outline: Vec<Point>,
    /// The components that are adjacent to it by the rules.
    pub neighbors: Vec<Component>,
}

impl Plate {
    /// Creates an entry with nothing but the name.
    #[must_use]
    pub fn new(component: Component, title: impl Into<String>) -> Self {
        Self {
            component,
            title: title.into(),
            color: "",
            place: None,
            outline: Vec::new(),
            neighbors: Vec::new(),
        }
    }

    /// Sets the color.
    #[must_use]
    pub fn colored(self, color: &'static str) -> Self {
        Self { color, ..self }
    }

    /// Sets the component that it always lies on.
    #[must_use]
    pub fn on(self, place: Component) -> Self {
        let place = Some(place);
        Self { place, ..self }
    }

    /// Sets a rectangle as its fixed place.
    #[must_use]
    pub fn at(self, area: Area) -> Self {
        self.within(area.corners().to_vec())
    }

    /// Sets a polygon as its fixed place.
    #[must_use]
    pub fn within(self, outline: Vec<Point>) -> Self {
        Self { outline, ..self }
    }

    /// Sets the adjacent components.
    #[must_use]
    pub fn beside(self, neighbors: Vec<Component>) -> Self {
        Self { neighbors, ..self }
    }
}
