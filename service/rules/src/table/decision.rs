//! Decisions that a game waits for, with words for people.

/// A kind of decision, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionWords {
    /// The stable id in lower snake case, as pending decisions give it.
    pub id: &'static str,
    /// A short title, such as `Choose an advisor`.
    pub title: &'static str,
    /// The question for the player: `Which advisor do you influence?`
    pub question: &'static str,
}

/// Defines the decisions of a ruleset: an enum, in the order of the contract. A row has the variant with its values,
/// the id, the title, and the question for the player.
#[doc(hidden)]
#[macro_export]
macro_rules! decisions {
    ($(#[$meta:meta])* $decision:ident {
        $(
            $(#[$doc:meta])*
            $variant:ident $({ $($(#[$note:meta])* $field:ident: $type:ty),+ $(,)? })?
            $id:literal $title:literal $question:literal,
        )+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[allow(missing_docs, reason = "each row says what is asked")]
        pub enum $decision {
            $($(#[$doc])* $variant $({ $($(#[$note])* $field: $type),+ })?,)+
        }

        impl $decision {
            /// All decisions in words, in the order of the contract.
            pub const WORDS: &'static [$crate::table::DecisionWords] = &[
                $($crate::table::DecisionWords { id: $id, title: $title, question: $question },)+
            ];

            /// Returns the stable id, as pending decisions give it.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $id,)+
                }
            }
        }
    };
}
pub use decisions;
