//! How a closed set of ids is written down: one line per id, in the order of the box.

/// An enum with `ALL`, `id()` as in the data file, and an English `name()`.
macro_rules! closed_ids {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$doc:meta])* $variant:ident = $id:literal, $english:literal; )+
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $( $(#[$doc])* $variant, )+
        }

        impl $name {
            /// All of them, in the order of the data file.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The id of the data file.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $( Self::$variant => $id, )+ }
            }

            /// The English name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $english, )+ }
            }

            /// The one with this id.
            #[must_use]
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.id() == id)
            }

            /// The place in [`ALL`](Self::ALL), from 0.
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(super) use closed_ids;
