//! The places of provinces and seas on a drawing.

use crate::mythotopia::data::{MapLayout, Province, Sea};
use crate::table::picture::{Area, Point};

/// A map in this area of a drawing.
#[derive(Clone, Copy)]
pub(super) struct Map {
    pub(super) layout: MapLayout,
    pub(super) area: Area,
}

impl Map {
    /// An area of this size around a place of the full map.
    fn around(self, (x, y): (i32, i32), (width, height): (i32, i32)) -> Area {
        let (area, (full_w, full_h)) = (self.area, self.layout.size());
        let (w, h) = (width * area.w / full_w, height * area.h / full_h);
        let middle = Point::new(area.x + x * area.w / full_w, area.y + y * area.h / full_h);
        Area::new(middle.x - w / 2, middle.y - h / 2, w, h)
    }

    /// The place of a province.
    pub(super) fn tile(self, province: Province) -> Area {
        let size = match self.layout {
            MapLayout::Broad => (92, 52),
            MapLayout::Upright => (58, 46),
        };
        self.around(province.middle(self.layout), size)
    }

    /// The place where the ships of a sea are.
    pub(super) fn waters(self, sea: Sea) -> Area {
        let size = match self.layout {
            MapLayout::Broad => (116, 54),
            MapLayout::Upright => (62, 36),
        };
        self.around(sea.middle(self.layout), size)
    }
}
