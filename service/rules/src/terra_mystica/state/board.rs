//! The current map: terrain, structures, bridges.

use std::iter;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::table::{MAX_SEATS, Seat};
use crate::terra_mystica::data::{
    BRIDGE_SITES, BRIDGES, LANDS, Land, LandSet, SITES, Structure, Terrain, bridge_sites_at, direct,
};

/// The maximum number of bridges on the map.
const MAX_BRIDGES: usize = MAX_SEATS * BRIDGES as usize;

/// A structure and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub seat: Seat,
    pub structure: Structure,
}

/// The current map. `owned`, `counts` and `spanned` follow from the rest and are not stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Packed", into = "Packed")]
pub struct Board {
    terrain: [Terrain; LANDS],
    pieces: [Option<Piece>; LANDS],
    bridges: [Option<Seat>; SITES],
    owned: [LandSet; MAX_SEATS],
    counts: [[u8; Structure::COUNT]; MAX_SEATS],
    /// The sites with a bridge, as bits.
    spanned: u32,
}

impl Board {
    /// The printed map, empty.
    pub fn printed() -> Self {
        Self {
            terrain: std::array::from_fn(|land| Land::at(land).printed()),
            pieces: [None; LANDS],
            bridges: [None; SITES],
            owned: [LandSet::EMPTY; MAX_SEATS],
            counts: [[0; Structure::COUNT]; MAX_SEATS],
            spanned: 0,
        }
    }

    pub const fn terrain(&self, land: Land) -> Terrain {
        self.terrain[land.index()]
    }

    pub const fn set_terrain(&mut self, land: Land, terrain: Terrain) {
        self.terrain[land.index()] = terrain;
    }

    pub const fn piece(&self, land: Land) -> Option<Piece> {
        self.pieces[land.index()]
    }

    /// Puts a structure on a space; a previous one goes back.
    pub fn put(&mut self, land: Land, seat: Seat, structure: Structure) {
        if let Some(old) = self.pieces[land.index()] {
            self.counts[old.seat.index()][old.structure.index()] -= 1;
            self.owned[old.seat.index()] = self.owned[old.seat.index()].without(land);
        }
        self.pieces[land.index()] = Some(Piece { seat, structure });
        self.counts[seat.index()][structure.index()] += 1;
        self.owned[seat.index()] = self.owned[seat.index()].with(land);
    }

    /// The spaces with a player's structures.
    pub const fn owned(&self, seat: Seat) -> LandSet {
        self.owned[seat.index()]
    }

    /// The spaces with a structure.
    pub fn occupied(&self) -> LandSet {
        let owned = self.owned.iter();
        owned.fold(LandSet::EMPTY, |all, &lands| all.or(lands))
    }

    /// The number of structures of a kind that a player has on the map.
    pub const fn count(&self, seat: Seat, structure: Structure) -> u8 {
        self.counts[seat.index()][structure.index()]
    }

    /// The number of structures of a kind that a player has left.
    pub const fn left(&self, seat: Seat, structure: Structure) -> u8 {
        structure.stock() - self.count(seat, structure)
    }

    /// All dwellings on the map.
    pub fn dwellings(&self) -> usize {
        let counts = self.counts.iter();
        counts
            .map(|of| usize::from(of[Structure::Dwelling.index()]))
            .sum()
    }

    /// The power value of a player's structures on these spaces.
    pub fn power_value(&self, seat: Seat, lands: LandSet) -> u8 {
        let own = lands.and(self.owned(seat));
        own.iter()
            .filter_map(|land| self.piece(land))
            .map(|piece| piece.structure.power())
            .sum()
    }

    /// The owner of the bridge on a site.
    pub const fn bridge(&self, site: usize) -> Option<Seat> {
        self.bridges[site]
    }

    pub const fn put_bridge(&mut self, site: usize, seat: Seat) {
        self.bridges[site] = Some(seat);
        self.spanned |= 1 << site;
    }

    /// All bridges: site and owner.
    pub fn bridges(&self) -> impl Iterator<Item = (usize, Seat)> {
        sites(self.spanned).filter_map(|site| Some((site, self.bridges[site]?)))
    }

    pub fn bridges_left(&self, seat: Seat) -> u8 {
        let own = self.bridges().filter(|&(_, owner)| owner == seat);
        own.fold(BRIDGES, |left, _| left - 1)
    }

    /// The spaces at the other ends of bridges, regardless of who built them (J16).
    pub fn bridged(&self, land: Land) -> LandSet {
        sites(bridge_sites_at(land) & self.spanned).fold(LandSet::EMPTY, |lands, site| {
            lands.with(BRIDGE_SITES[site].across(land))
        })
    }

    /// The directly adjacent spaces (TM-6.11).
    pub fn direct(&self, land: Land) -> LandSet {
        direct(land).or(self.bridged(land))
    }
}

/// The bridge sites whose bits are set, in ascending order.
fn sites(mut bits: u32) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let site = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(site)
    })
}

const TERRAINS: u8 = 7;
const STRUCTURES: u8 = 5;

/// One byte per space: the terrain, plus 7 times one more than the index of the piece among all pieces.
#[derive(Clone, Serialize, Deserialize)]
struct Packed {
    spaces: ArrayVec<u8, LANDS>,
    bridges: ArrayVec<(u8, Seat), MAX_BRIDGES>,
}

impl From<Board> for Packed {
    fn from(board: Board) -> Self {
        let space = |land: Land| {
            let piece = board.piece(land).map_or(0, |piece| {
                let first = 1 + (piece.seat.number() - 1) * STRUCTURES;
                first + piece.structure as u8
            });
            board.terrain(land) as u8 + TERRAINS * piece
        };
        let sites = (0..).zip(&board.bridges);
        Self {
            spaces: Land::all().map(space).collect(),
            bridges: sites
                .filter_map(|(site, seat)| seat.map(|seat| (site, seat)))
                .collect(),
        }
    }
}

impl TryFrom<Packed> for Board {
    type Error = String;

    fn try_from(packed: Packed) -> Result<Self, Self::Error> {
        if packed.spaces.len() != LANDS {
            return Err(format!(
                "a map has {LANDS} lands, not {}",
                packed.spaces.len()
            ));
        }
        let mut board = Self::printed();
        for (land, &space) in Land::all().zip(&packed.spaces) {
            let (terrain, piece) = (usize::from(space % TERRAINS), space / TERRAINS);
            board.set_terrain(land, Terrain::ALL[terrain]);
            if let Some(piece) = piece.checked_sub(1) {
                let structure = Structure::ALL[usize::from(piece % STRUCTURES)];
                let seat = Seat::new(1 + piece / STRUCTURES)
                    .ok_or_else(|| format!("{land} carries no known structure"))?;
                board.put(land, seat, structure);
            }
        }
        for (site, seat) in packed.bridges {
            let site = usize::from(site);
            if site >= SITES || board.bridge(site).is_some() {
                return Err(format!("bridge site {site} cannot carry this bridge"));
            }
            board.put_bridge(site, seat);
        }
        Ok(board)
    }
}
