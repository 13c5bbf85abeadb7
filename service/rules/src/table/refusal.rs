//! Refusals. A refusal is a value, not an error: it is a normal answer of the rules.

use std::fmt;

use strum::VariantNames;

use super::option::Field;
use super::seat::Seat;

/// A way to break a rule. Each ruleset has an enum with one variant per code, made by [`refusals!`]. Its sentence
/// comes from `thiserror` and its code from `strum`'s `IntoStaticStr` and `VariantNames`.
pub trait Refusal: CommonRefusals + Sized {
    /// All codes, each once, in the order of the rule document.
    const CODES: &'static [&'static str];

    /// Returns the stable wire name in `UPPER_SNAKE_CASE`, as the rule document spells it.
    fn code(&self) -> &'static str;

    /// Cites the paragraph of the rule document that refuses, such as `DOM-6.10`. The caller names it, because several
    /// paragraphs can refuse with one code.
    fn citing(self, rule: &'static str) -> Refused<Self> {
        Refused { rule, reason: self }
    }
}

impl<R> Refusal for R
where
    R: CommonRefusals + VariantNames,
    for<'a> &'a R: Into<&'static str>,
{
    const CODES: &'static [&'static str] = R::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}

/// The refusals that are possible in every game, with their values. The contract has one message for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonRefusal {
    /// No decision is open.
    GameOver,
    /// Another seat must act first.
    NotYourTurn {
        /// The seat that must act first.
        to_act: Seat,
        /// The decision that it owes.
        decision: &'static str,
    },
    /// The action does not answer the open decision.
    WrongDecision {
        /// The kind of the action.
        action: &'static str,
        /// The decision that is open.
        decision: &'static str,
    },
    /// A name is missing, or does not exist.
    UnknownId {
        /// The field of the action.
        field: &'static str,
    },
    /// Too few or too many players.
    InvalidPlayerCount {
        /// The number of players in the request.
        players: usize,
        /// The minimum.
        min: u8,
        /// The maximum.
        max: u8,
    },
}

/// The refusals of a ruleset, some of which are those of every game.
pub trait CommonRefusals: fmt::Display {
    /// The variants with values that only this ruleset has. The contract has a message for each.
    const WITH_VALUES: &'static [&'static str] = &[];

    /// Returns this refusal with its values, if every game has it and it has any.
    fn common(&self) -> Option<CommonRefusal> {
        None
    }
}

/// Defines the refusals of a ruleset, in the order of its rule document: `Refusal of "Kingsburg" { … }`. A row is a
/// variant with its sentence for `thiserror`. Rows that every game has are added before the others; one that has another
/// place in the rule document is named there: `common InvalidPlayerCount`.
#[doc(hidden)]
#[macro_export]
macro_rules! refusals {
    ($(#[$meta:meta])* $refusal:ident of $title:literal { $($rows:tt)* }) => {
        $crate::table::refusals! {
            @rows [$title $refusal $(#[$meta])*]
            [GameOver] [NotYourTurn] [WrongDecision] [UnknownId] [InvalidPlayerCount]
            [] [] $($rows)*
        }
    };
    // The five lists before the rows have the shared rows that are still missing.
    (@rows $head:tt [GameOver] $turn:tt $wrong:tt $id:tt $count:tt $valued:tt [$($done:tt)*] common GameOver, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows $head [] $turn $wrong $id $count $valued
            [$($done)* #[error("The game is over.")] GameOver,]
            $($rest)*
        }
    };
    (@rows $head:tt $over:tt [NotYourTurn] $wrong:tt $id:tt $count:tt $valued:tt [$($done:tt)*] common NotYourTurn, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows $head $over [] $wrong $id $count $valued
            [
                $($done)*
                #[error("It is not your turn: {to_act} must act first.")]
                NotYourTurn { to_act: $crate::table::Seat, decision: &'static str },
            ]
            $($rest)*
        }
    };
    (@rows $head:tt $over:tt $turn:tt [WrongDecision] $id:tt $count:tt $valued:tt [$($done:tt)*] common WrongDecision, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows $head $over $turn [] $id $count $valued
            [
                $($done)*
                #[error("`{action}` does not answer the open decision, `{decision}`.")]
                WrongDecision { action: &'static str, decision: &'static str },
            ]
            $($rest)*
        }
    };
    (@rows $head:tt $over:tt $turn:tt $wrong:tt [UnknownId] $count:tt $valued:tt [$($done:tt)*] common UnknownId, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows $head $over $turn $wrong [] $count $valued
            [
                $($done)*
                #[error("`{field}` is missing, or there is no such thing in this game.")]
                UnknownId { field: &'static str },
            ]
            $($rest)*
        }
    };
    (@rows [$title:literal $($head:tt)*] $over:tt $turn:tt $wrong:tt $id:tt [InvalidPlayerCount] $valued:tt [$($done:tt)*] common InvalidPlayerCount, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows [$title $($head)*] $over $turn $wrong $id [] $valued
            [
                $($done)*
                #[error("{} is for {min} to {max} players, not {players}.", $title)]
                InvalidPlayerCount { players: usize, min: u8, max: u8 },
            ]
            $($rest)*
        }
    };
    (@rows $head:tt $over:tt $turn:tt $wrong:tt $id:tt $count:tt [$($valued:tt)*] [$($done:tt)*] $(#[$row:meta])* $variant:ident { $($fields:tt)* }, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows $head $over $turn $wrong $id $count [$($valued)* $variant]
            [$($done)* $(#[$row])* $variant { $($fields)* },]
            $($rest)*
        }
    };
    (@rows $head:tt $over:tt $turn:tt $wrong:tt $id:tt $count:tt $valued:tt [$($done:tt)*] $(#[$row:meta])* $variant:ident, $($rest:tt)*) => {
        $crate::table::refusals! {
            @rows $head $over $turn $wrong $id $count $valued
            [$($done)* $(#[$row])* $variant,]
            $($rest)*
        }
    };
    (@rows $head:tt [] [] [] [] [] $valued:tt $done:tt) => {
        $crate::table::refusals! { @done $head $valued $done }
    };
    (@rows $head:tt [$($over:ident)?] [$($turn:ident)?] [$($wrong:ident)?] [$($id:ident)?] [$($count:ident)?] $valued:tt $done:tt) => {
        $crate::table::refusals! {
            @rows $head [$($over)?] [$($turn)?] [$($wrong)?] [$($id)?] [$($count)?] $valued []
            $(common $over,)? $(common $turn,)? $(common $wrong,)? $(common $id,)? $(common $count,)? before $done
        }
    };
    (@rows $head:tt $over:tt $turn:tt $wrong:tt $id:tt $count:tt $valued:tt [$($done:tt)*] before [$($others:tt)*]) => {
        $crate::table::refusals! {
            @rows $head $over $turn $wrong $id $count $valued [$($done)* $($others)*]
        }
    };
    (@done [$title:literal $refusal:ident $(#[$meta:meta])*] [$($valued:ident)*] [$($rows:tt)*]) => {
        $(#[$meta])*
        #[derive(
            Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr,
            strum::VariantNames,
        )]
        #[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
        #[allow(missing_docs, reason = "the sentences say it")]
        pub enum $refusal { $($rows)* }

        /// A refusal, and the paragraph of the rule document that it cites.
        #[allow(dead_code, unreachable_pub, reason = "the same for all rulesets")]
        pub type RefusedAction = $crate::table::Refused<$refusal>;

        impl $crate::table::CommonRefusals for $refusal {
            const WITH_VALUES: &'static [&'static str] = &[$(stringify!($valued)),*];

            fn common(&self) -> Option<$crate::table::CommonRefusal> {
                use $crate::table::CommonRefusal as Common;
                match *self {
                    Self::NotYourTurn { to_act, decision } => Some(Common::NotYourTurn { to_act, decision }),
                    Self::WrongDecision { action, decision } => Some(Common::WrongDecision { action, decision }),
                    Self::UnknownId { field } => Some(Common::UnknownId { field }),
                    Self::InvalidPlayerCount { players, min, max } => {
                        Some(Common::InvalidPlayerCount { players, min, max })
                    }
                    _ => None,
                }
            }
        }

        impl From<$crate::table::CommonRefusal> for $refusal {
            fn from(common: $crate::table::CommonRefusal) -> Self {
                use $crate::table::CommonRefusal as Common;
                match common {
                    Common::GameOver => Self::GameOver,
                    Common::NotYourTurn { to_act, decision } => Self::NotYourTurn { to_act, decision },
                    Common::WrongDecision { action, decision } => Self::WrongDecision { action, decision },
                    Common::UnknownId { field } => Self::UnknownId { field },
                    Common::InvalidPlayerCount { players, min, max } => {
                        Self::InvalidPlayerCount { players, min, max }
                    }
                }
            }
        }
    };
}
pub use refusals;

/// A refusal, and the paragraph that refuses. Displayed as the sentence of the refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused<R> {
    /// The id of the paragraph.
    pub rule: &'static str,
    /// The broken rule.
    pub reason: R,
}

impl<R: Refusal> Refused<R> {
    /// Attaches the refusal to a part of a request for a new game: `.for_field("vp_floor")`, or `.for_field(("colors",
    /// 1))` for an item of a list.
    pub fn for_field(self, field: impl Into<Field>) -> RefusedOption<R> {
        RefusedOption {
            field: field.into(),
            refused: self,
        }
    }

    /// Returns the code of the refusal.
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }
}

impl<R: fmt::Display> fmt::Display for Refused<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

/// A refusal of a request for a new game, and the part of the request that breaks the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedOption<R> {
    /// The part of the request.
    pub field: Field,
    /// The refusal.
    pub refused: Refused<R>,
}

impl<R: Refusal> RefusedOption<R> {
    /// Returns the code of the refusal.
    pub fn code(&self) -> &'static str {
        self.refused.code()
    }
}

impl<R: fmt::Display> fmt::Display for RefusedOption<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refused.fmt(f)
    }
}

/// A guarantee of the rules that did not hold. Only the conformance suite produces it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {text}")]
pub struct Fault {
    /// The id of the invariant, in the rule document or the suite.
    pub rule: &'static str,
    /// A description of the failure.
    pub text: String,
}

impl Fault {
    /// Returns `Ok` if `holds`, otherwise the fault.
    ///
    /// # Errors
    /// Returns the fault if the invariant does not hold.
    pub fn unless(
        holds: bool,
        rule: &'static str,
        text: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self { rule, text: text() })
        }
    }
}
