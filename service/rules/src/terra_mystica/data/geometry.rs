//! Neighborhoods, computed at compile time.

use super::land_set::{LandSet, union_of};
use super::map::{
    BRIDGE_SITES, GEOMETRY, LANDS, Land, MAX_LEAP, MAX_SHIPPING, Place, RIVERS, River, SITES,
};

const fn distance(one: Place, other: Place) -> u8 {
    let rows = one.row.abs_diff(other.row);
    let halves = one.x.abs_diff(other.x);
    rows + halves.saturating_sub(rows) / 2
}

/// `WITHIN[d][land]`: the lands at a hex distance of 1 to d.
static WITHIN: [[LandSet; LANDS]; MAX_LEAP + 1] = {
    let mut within = [[LandSet::EMPTY; LANDS]; MAX_LEAP + 1];
    let mut one = 0;
    while one < LANDS {
        let mut other = 0;
        while other < LANDS {
            let apart = distance(GEOMETRY.land[one], GEOMETRY.land[other]) as usize;
            let mut reach = apart;
            while apart > 0 && reach <= MAX_LEAP {
                within[reach][one] = within[reach][one].with(Land::at(other));
                reach += 1;
            }
            other += 1;
        }
        one += 1;
    }
    within
};

/// The rivers that touch each land, as bits.
const RIVERS_AT: [u64; LANDS] = {
    let mut rivers = [0; LANDS];
    let mut land = 0;
    while land < LANDS {
        rivers[land] = rivers_next_to(GEOMETRY.land[land]);
        land += 1;
    }
    rivers
};

/// The rivers that touch each river, as bits.
const RIVERS_NEXT: [u64; RIVERS] = {
    let mut rivers = [0; RIVERS];
    let mut river = 0;
    while river < RIVERS {
        rivers[river] = rivers_next_to(GEOMETRY.river[river]);
        river += 1;
    }
    rivers
};

const fn rivers_next_to(place: Place) -> u64 {
    let mut rivers = 0;
    let mut river = 0;
    while river < RIVERS {
        if distance(place, GEOMETRY.river[river]) == 1 {
            rivers |= 1 << river;
        }
        river += 1;
    }
    rivers
}

/// The lands that touch each river.
static LANDS_AT: [LandSet; RIVERS] = LANDS_AT_RIVER;

const LANDS_AT_RIVER: [LandSet; RIVERS] = {
    let mut lands = [LandSet::EMPTY; RIVERS];
    let mut land = 0;
    while land < LANDS {
        let mut river = 0;
        while river < RIVERS {
            if RIVERS_AT[land] & (1 << river) != 0 {
                lands[river] = lands[river].with(Land::at(land));
            }
            river += 1;
        }
        land += 1;
    }
    lands
};

/// `SHIPPING[k][land]`: the lands with a common edge, or over at most k river hexes.
static SHIPPING: [[LandSet; LANDS]; MAX_SHIPPING + 1] = {
    let mut reach = [[LandSet::EMPTY; LANDS]; MAX_SHIPPING + 1];
    let mut land = 0;
    while land < LANDS {
        let mut lands = neighbors(land);
        let mut rivers = RIVERS_AT[land];
        let mut level = 0;
        while level <= MAX_SHIPPING {
            reach[level][land] = lands.without(Land::at(land));
            lands = lands.or(union_of(&LANDS_AT_RIVER, rivers));
            rivers |= next_rivers(rivers);
            level += 1;
        }
        land += 1;
    }
    reach
};

const fn neighbors(land: usize) -> LandSet {
    let mut lands = LandSet::EMPTY;
    let mut other = 0;
    while other < LANDS {
        if distance(GEOMETRY.land[land], GEOMETRY.land[other]) == 1 {
            lands = lands.with(Land::at(other));
        }
        other += 1;
    }
    lands
}

const fn next_rivers(rivers: u64) -> u64 {
    let mut next = 0;
    let mut river = 0;
    while river < RIVERS {
        if rivers & (1 << river) != 0 {
            next |= RIVERS_NEXT[river];
        }
        river += 1;
    }
    next
}

/// The bridge sites at each land, as bits.
static SITES_AT: [u32; LANDS] = {
    let mut sites = [0; LANDS];
    let mut site = 0;
    while site < SITES {
        sites[BRIDGE_SITES[site].a.index()] |= 1 << site;
        sites[BRIDGE_SITES[site].b.index()] |= 1 << site;
        site += 1;
    }
    sites
};

/// The lands that share an edge with this one (TM-6.11, bridges apart).
#[must_use]
pub fn direct(land: Land) -> LandSet {
    WITHIN[1][land.index()]
}

/// The lands that share an edge with this one or are reached over at most `shipping` river hexes
/// (TM-6.11, TM-6.12).
#[must_use]
pub fn within_shipping(land: Land, shipping: u8) -> LandSet {
    SHIPPING[usize::from(shipping).min(MAX_SHIPPING)][land.index()]
}

/// The lands at a hex distance of 1 to `range` (TM-6.14, J36).
#[must_use]
pub fn within_leap(land: Land, range: u8) -> LandSet {
    WITHIN[usize::from(range).min(MAX_LEAP)][land.index()]
}

/// The lands that share an edge with a river hex (TM-6.53).
#[must_use]
pub fn lands_at_river(river: River) -> LandSet {
    LANDS_AT[river.index()]
}

/// The river hexes that share an edge with a land, as bits in reading order.
#[must_use]
pub fn rivers_at(land: Land) -> u64 {
    RIVERS_AT[land.index()]
}

/// The bridge sites at a land, as bits in the order of [`BRIDGE_SITES`].
#[must_use]
pub fn bridge_sites_at(land: Land) -> u32 {
    SITES_AT[land.index()]
}

/// The bridge site between two lands, in either order, as its index in [`BRIDGE_SITES`].
#[must_use]
pub fn site_between(one: Land, other: Land) -> Option<usize> {
    BRIDGE_SITES
        .iter()
        .position(|site| (site.a, site.b) == (one, other) || (site.b, site.a) == (one, other))
}

/// The hex distance of two lands (TM-3.2).
#[must_use]
pub fn hex_distance(one: Land, other: Land) -> u8 {
    distance(GEOMETRY.land[one.index()], GEOMETRY.land[other.index()])
}

/// The minimum number of river hexes in a chain between two lands, up to [`MAX_SHIPPING`]; 0 for neighbors.
#[must_use]
pub fn river_distance(one: Land, other: Land) -> Option<usize> {
    SHIPPING
        .iter()
        .position(|reach| reach[one.index()].contains(other))
}
