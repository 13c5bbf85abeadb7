//! Terms: words of the contract with titles for people.

/// A word of the contract with its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word in lower snake case: `place_worker`.
    pub id: &'static str,
    /// The title: `Place a worker`.
    pub title: &'static str,
    /// The documentation, which cites the rules that describe it.
    pub doc: &'static str,
}

/// Combines words with their titles and their documentation, in order.
pub const fn titled<const N: usize>(
    ids: &[&'static str],
    titles: [&'static str; N],
    docs: [&'static str; N],
) -> [Term; N] {
    let mut terms = [Term {
        id: "",
        title: "",
        doc: "",
    }; N];
    let mut index = 0;
    while index < N {
        terms[index] = Term {
            id: ids[index],
            title: titles[index],
            doc: docs[index],
        };
        index += 1;
    }
    terms
}

/// Defines everything that a player can send: an enum, in the order of the contract. A row has the variant with its
/// parameters, and the title of its kind; its documentation cites the rules that describe it.
#[doc(hidden)]
#[macro_export]
macro_rules! actions {
    ($(#[$meta:meta])* $action:ident {
        $(
            $(#[doc = $doc:literal])*
            $variant:ident
                $(($inner:ty))?
                $({ $($(#[$note:meta])* $field:ident: $type:ty),+ $(,)? })?
                $title:literal,
        )+
    }) => {
        $(#[$meta])*
        #[derive(
            Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize,
            strum::IntoStaticStr, strum::VariantNames,
        )]
        #[strum(serialize_all = "snake_case")]
        #[allow(missing_docs, reason = "the titles say it")]
        pub enum $action {
            $(
                $(#[doc = $doc])*
                $variant $(($inner))? $({ $($(#[$note])* $field: $type),+ })?,
            )+
        }

        impl $action {
            /// The kinds with their titles, in the order of the contract.
            pub const TERMS: &'static [$crate::table::Term] = &$crate::table::titled(
                <Self as strum::VariantNames>::VARIANTS,
                [$($title),+],
                [$(concat!($($doc),*)),+],
            );
        }
    };
}
pub use actions;
