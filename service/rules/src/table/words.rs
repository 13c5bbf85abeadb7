//! Building blocks for the sentences of all rulesets.

use std::fmt::{self, Display, Formatter};

use super::kind::Kind;
use super::names::Names;
use super::seat::{Seat, Viewer};

/// An event, described by one English sentence with the names of the players. Its kind is its name in lower snake
/// case, as the contract names the field of the event.
pub trait GameEvent: Kind {
    /// Returns the seat that caused it or that it happened to: the field `seat` of the event, if it has one.
    fn seat(&self) -> Option<Seat>;

    /// Writes the sentence.
    ///
    /// # Errors
    /// Fails if the formatter fails.
    fn write_sentence(&self, names: Names<'_>, f: &mut Formatter<'_>) -> fmt::Result;

    /// Returns whether the event reveals hidden information to anybody, luck aside. A seat may take back its last
    /// actions only until something is revealed.
    fn reveals(&self) -> bool;

    /// Returns whether the event may reveal anything to this viewer that they did not know before, luck aside.
    fn reveals_to(&self, _viewer: Viewer) -> bool {
        self.reveals()
    }

    /// Returns the event as this viewer may know it, or `None` if they may not even know that it happened.
    fn seen_by(&self, viewer: Viewer) -> Option<Self>
    where
        Self: Sized;

    /// Returns the sentence as a text.
    fn sentence(&self, names: Names<'_>) -> String {
        fmt::from_fn(|f| self.write_sentence(names, f)).to_string()
    }
}

/// Defines events, each with its sentence: a row has the variant with its fields, and the sentence as `format!` takes
/// it. In the sentence the fields are references, and the word after the name of the enum stands for the names of the
/// players. Three remarks may follow the fields:
///
/// * `known_to(seat)`: only this seat may know that the event happened;
/// * `secret(cards of seat)`: only this seat sees the field, which is `None` for all others;
/// * `reveals(..)`: the condition under which it reveals hidden information, such as cards of hands and decks;
///   `reveals(.., except seat)` if this seat knew all of it before, always or on a further condition.
#[doc(hidden)]
#[macro_export]
macro_rules! events {
    (@seat [seat $found:ident] $($others:tt)*) => {
        Option::<$crate::table::Seat>::from(*$found)
    };
    (@seat [$($other:ident)+] $($others:tt)*) => {
        $crate::table::events!(@seat $($others)*)
    };
    (@seat) => {
        None
    };
    ($(#[$meta:meta])* $event:ident, $names:ident {
        $(
            $(#[$doc:meta])*
            $variant:ident $({ $($field:ident: $type:ty),+ $(,)? })?
            $(known_to($insider:ident))? $(secret($secret:ident of $owner:ident))?
            $(reveals($when:expr $(, except $knower:ident $(if $knows:expr)?)?))?
            => $text:literal $(, $word:expr)*;
        )+
    }) => {
        $(#[$meta])*
        #[derive(
            Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize,
            strum::IntoStaticStr, strum::VariantNames,
        )]
        #[strum(serialize_all = "snake_case")]
        #[allow(missing_docs, reason = "the sentences say it")]
        pub enum $event {
            $($(#[$doc])* $variant $({ $($field: $type),+ })?,)+
        }

        impl $crate::table::GameEvent for $event {
            #[allow(unused_variables, reason = "only the seat matters")]
            fn seat(&self) -> Option<$crate::table::Seat> {
                match self {
                    $(Self::$variant $({ $($field),+ })? => {
                        $crate::table::events!(@seat $($([$field $field])+)?)
                    })+
                }
            }

            #[allow(unused_variables, reason = "most rows say it of every event of their kind")]
            fn reveals(&self) -> bool {
                match self {
                    $(Self::$variant $({ $($field),+ })? => false $(|| $when)?,)+
                }
            }

            #[allow(unused_variables, reason = "most rows say it of every event of their kind")]
            fn reveals_to(&self, viewer: $crate::table::Viewer) -> bool {
                match self {
                    $(Self::$variant $({ $($field),+ })? => false $(|| {
                        let knew = false $(|| viewer.sees(*$knower) $(&& $knows)?)?;
                        $when && !knew
                    })?,)+
                }
            }

            #[allow(unused_variables, reason = "some rulesets have no secrets")]
            fn seen_by(&self, viewer: $crate::table::Viewer) -> Option<Self> {
                match self {
                    $(Self::$variant $({ $($field),+ })? => {
                        $(if !viewer.sees(*$insider) { return None; })?
                        $(let $secret = if viewer.sees(*$owner) { $secret } else { &None };)?
                        Some(Self::$variant $({ $($field: $field.clone()),+ })?)
                    })+
                }
            }

            #[allow(unused_variables, reason = "a sentence need not tell all")]
            fn write_sentence(
                &self,
                $names: $crate::table::Names<'_>,
                f: &mut std::fmt::Formatter<'_>,
            ) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $text $(, $word)*),)+
                }
            }
        }
    };
}
pub use events;

/// A number of things with this name: `1 coin`, `2 coins`, `3 armies`.
#[derive(Clone, Copy)]
pub struct Count<N>(pub N, pub &'static str);

impl<N: Display + PartialEq + From<u8>> Display for Count<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(count, one) = self;
        match one.strip_suffix('y') {
            _ if *count == N::from(1) => write!(f, "{count} {one}"),
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => write!(f, "{count} {stem}ies"),
            Some(_) | None => write!(f, "{count} {one}s"),
        }
    }
}

/// Items separated by commas.
pub struct JoinCommas<I>(pub I);

impl<I: IntoIterator<Item: Display> + Clone> Display for JoinCommas<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, thing) in self.0.clone().into_iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{thing}")?;
        }
        Ok(())
    }
}

/// Items separated by commas, with an `and` before the last one.
pub struct JoinAnd<I>(pub I);

impl<I: IntoIterator<Item: Display> + Clone> Display for JoinAnd<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut things = self.0.clone().into_iter().peekable();
        let mut first = true;
        while let Some(thing) = things.next() {
            let joint = match things.peek() {
                _ if first => "",
                None => " and ",
                Some(_) => ", ",
            };
            write!(f, "{joint}{thing}")?;
            first = false;
        }
        Ok(())
    }
}
