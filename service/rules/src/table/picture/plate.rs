//! What a catalogue says of a component, for those who draw tables themselves.

use super::{Area, Point};
use crate::table::Component;

/// A component as it is printed or always lies on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plate {
    /// The component.
    pub component: Component,
    /// Its name in English.
    pub title: String,
    /// Its color on light ground, as `#c8a951`; empty: none of its own.
    pub color: &'static str,
    /// The component on which it has its place.
    pub place: Option<Component>,
    /// Its corners in wide drawings; empty: it has no place of its own, or moves.
    pub outline: Vec<Point>,
    /// The components that it borders on by the rules.
    pub neighbors: Vec<Component>,
}

impl Plate {
    /// A component of which only the name is known.
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

    /// It has a color of its own.
    #[must_use]
    pub fn colored(self, color: &'static str) -> Self {
        Self { color, ..self }
    }

    /// It always lies on another component.
    #[must_use]
    pub fn on(self, place: Component) -> Self {
        let place = Some(place);
        Self { place, ..self }
    }

    /// It always has this place.
    #[must_use]
    pub fn at(self, area: Area) -> Self {
        self.within(area.corners().to_vec())
    }

    /// The same for a place that is no rectangle.
    #[must_use]
    pub fn within(self, outline: Vec<Point>) -> Self {
        Self { outline, ..self }
    }

    /// It borders on these.
    #[must_use]
    pub fn beside(self, neighbors: Vec<Component>) -> Self {
        Self { neighbors, ..self }
    }
}
