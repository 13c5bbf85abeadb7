//! Two patterns that every table of this ruleset shares: closed sets of ids, and sets of them.

/// A closed enum with the id of the data file and the English name of each member.
macro_rules! ids {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $id:literal $title:literal,)* }) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = $title] $variant,)*
        }

        impl $name {
            /// All members, in the order of the rule document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The stable id.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The English name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// The member with this id.
            #[must_use]
            pub fn by_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|member| member.id() == id)
            }

            /// The place in [`ALL`](Self::ALL).
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The member at this place of [`ALL`](Self::ALL).
            #[must_use]
            pub fn nth(index: usize) -> Option<Self> {
                Self::ALL.get(index).copied()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

/// Members that know how many they are, so that a list of them takes its place at once.
#[derive(Clone)]
pub(crate) struct Counted<I> {
    pub(crate) members: I,
    pub(crate) left: usize,
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.saturating_sub(1);
        self.members.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// A set of ids as the bits of one number.
macro_rules! bit_set {
    ($(#[$meta:meta])* $set:ident of $item:ident in $bits:ident) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        pub struct $set($bits);

        impl $set {
            /// The empty set.
            pub const EMPTY: Self = Self(0);

            /// The set of one member.
            #[must_use]
            pub const fn only(item: $item) -> Self {
                Self(1 << item.index())
            }

            /// This set with one member more.
            #[must_use]
            pub const fn with(self, item: $item) -> Self {
                Self(self.0 | 1 << item.index())
            }

            /// Is this a member?
            #[must_use]
            pub const fn contains(self, item: $item) -> bool {
                self.0 & 1 << item.index() != 0
            }

            /// Puts a member in.
            pub const fn insert(&mut self, item: $item) {
                self.0 |= 1 << item.index();
            }

            /// Takes a member out.
            pub const fn remove(&mut self, item: $item) {
                self.0 &= !(1 << item.index());
            }

            /// The number of members.
            #[must_use]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Has it no member?
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The members in ascending order.
            pub fn iter(self) -> impl Iterator<Item = $item> + Clone {
                let mut bits = self.0;
                let members = std::iter::from_fn(move || {
                    if bits == 0 {
                        return None;
                    }
                    let item = $item::nth(bits.trailing_zeros() as usize)?;
                    bits &= bits - 1;
                    Some(item)
                });
                $crate::mythotopia::ids::Counted {
                    members,
                    left: self.len(),
                }
            }
        }

        impl std::ops::BitOr for $set {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::BitAnd for $set {
            type Output = Self;
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl std::ops::Sub for $set {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                items.into_iter().fold(Self::EMPTY, Self::with)
            }
        }

        impl std::fmt::Debug for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }

        impl std::fmt::Display for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                for (place, item) in self.iter().enumerate() {
                    let comma = if place == 0 { "" } else { ", " };
                    write!(f, "{comma}{item}")?;
                }
                Ok(())
            }
        }
    };
}

pub(crate) use {bit_set, ids};
