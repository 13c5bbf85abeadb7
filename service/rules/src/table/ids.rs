//! Closed sets of names (**enumerations**): printed things, choices, sources of points. One row for each name.

use std::fmt;

/// A name of a closed set.
pub trait ClosedSet: Copy + Eq + fmt::Debug + 'static {
    /// All names, in the order of the data file. The contract numbers them in this order, from 1.
    const ALL: &'static [Self];

    /// The English names, in the order of [`ALL`](Self::ALL).
    const NAMES: &'static [&'static str];

    /// Returns the stable id in lower snake case, as the data file spells it.
    fn id(self) -> &'static str;

    /// Returns the index in [`ALL`](Self::ALL).
    fn index(self) -> usize;

    /// Returns the name at this index of [`ALL`](Self::ALL).
    #[must_use]
    fn nth(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// Returns the name with this id.
    #[must_use]
    fn by_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.id() == id)
    }
}

/// Defines an enum that is an [`ClosedSet`]: each row has the variant, the id, and the English name if it differs from the
/// id. Attributes pass through; for sets of these names derive `enumset::EnumSetType` with
/// `#[enumset(no_super_impls, serialize_repr = "...")]`.
#[doc(hidden)]
#[macro_export]
macro_rules! ids {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$doc:meta])* $variant:ident $id:literal $($title:literal)?,)+
    }) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        #[repr(u8)]
        #[allow(missing_docs, reason = "each row says the English name")]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        #[allow(dead_code, unreachable_pub, reason = "the same for all closed sets")]
        impl $name {
            /// The number of names.
            pub const COUNT: usize = [$($id),+].len();

            /// All names, in the order of the data file.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];

            /// The ids of all names.
            pub const ALL_IDS: [&'static str; Self::COUNT] = [$($id),+];

            /// The English names.
            pub const NAMES: [&'static str; Self::COUNT] =
                [$($crate::table::last(&[$id $(, $title)?])),+];

            /// Returns the stable id, as the data file spells it.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// Returns the English name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// Returns the index in [`ALL`](Self::ALL).
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl $crate::table::ClosedSet for $name {
            const ALL: &'static [Self] = &Self::ALL;

            const NAMES: &'static [&'static str] = &Self::NAMES;

            fn id(self) -> &'static str {
                self.id()
            }

            fn index(self) -> usize {
                self.index()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
pub use ids;

/// Returns the last of these words.
pub const fn last(words: &'static [&'static str]) -> &'static str {
    words[words.len() - 1]
}
