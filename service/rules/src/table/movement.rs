//! Movements: a component goes from one place to another.

use super::component::Component;

/// One component that changes its place, or several that are alike. Pieces without names of their own, such as goods, go
/// by the place where their player keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The component that changes its place. Is `None` if the viewer does not know it, or it has no name.
    pub component: Option<Component>,
    /// The place that it leaves. Is `None` if that is beside the table, such as a general supply, or the event does not
    /// know it.
    pub from: Option<Component>,
    /// The place that it reaches, with `None` as in `from`.
    pub to: Option<Component>,
    /// The number of pieces. 0: the event does not know it.
    pub count: u32,
}

impl Movement {
    /// Moves this number of pieces of a kind.
    #[must_use]
    pub fn of(component: Component, count: impl Into<u32>) -> Self {
        Self {
            component: Some(component),
            ..Self::unnamed(count)
        }
    }

    /// Moves this number of pieces that the viewer does not know, or that have no name.
    #[must_use]
    pub fn unnamed(count: impl Into<u32>) -> Self {
        Self {
            component: None,
            from: None,
            to: None,
            count: count.into(),
        }
    }

    /// Sets the place that it leaves.
    #[must_use]
    pub const fn leaving(mut self, place: Component) -> Self {
        self.from = Some(place);
        self
    }

    /// Sets the place that it reaches.
    #[must_use]
    pub const fn reaching(mut self, place: Component) -> Self {
        self.to = Some(place);
        self
    }

    /// Lists the components that it names.
    pub fn names(self) -> impl Iterator<Item = Component> {
        [self.component, self.from, self.to].into_iter().flatten()
    }
}
