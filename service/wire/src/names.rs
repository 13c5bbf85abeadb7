//! Closed sets of names: an enum of the rules and its enum of the contract, value for value.

/// A name of the rules that has a number on the wire.
pub(crate) trait Name: Copy {
    /// The number on the wire; never 0.
    fn number(self) -> i32;

    /// The name with this number; `None` for 0 and for a number that names nothing.
    fn named(number: i32) -> Option<Self>;
}

/// Pairs an enum of the rules with its enum of the contract. Both have the same variants, the
/// contract's also `Unspecified`: a variant that one side lacks does not compile.
macro_rules! names {
    ($rules:ty => $pb:ty { $($variant:ident),* $(,)? }) => {
        impl $crate::names::Name for $rules {
            fn number(self) -> i32 {
                match self {
                    $(Self::$variant => <$pb>::$variant as i32,)*
                }
            }

            fn named(number: i32) -> Option<Self> {
                match <$pb>::try_from(number).ok()? {
                    <$pb>::Unspecified => None,
                    $(<$pb>::$variant => Some(Self::$variant),)*
                }
            }
        }
    };
}
pub(crate) use names;

/// The numbers of names, in the same order.
pub(crate) fn numbers<N: Name>(names: &[N]) -> Vec<i32> {
    names.iter().map(|name| name.number()).collect()
}

/// The names with these numbers, in the same order.
pub(crate) fn all_named<N: Name>(numbers: &[i32]) -> Vec<Option<N>> {
    numbers.iter().map(|&number| N::named(number)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fmt::Debug;

    use super::Name;

    /// Checks that every name comes back from its number, that the numbers count from 1 in the order
    /// of the list, and that no other number names anything.
    pub(crate) fn check_names<N: Name + PartialEq + Debug>(all: &[N]) {
        for (index, &name) in all.iter().enumerate() {
            assert_eq!(name.number(), i32::try_from(index + 1).unwrap(), "{name:?}");
            assert_eq!(N::named(name.number()), Some(name));
        }
        let beyond = i32::try_from(all.len() + 1).unwrap();
        for number in [0, -1, beyond, i32::MIN, i32::MAX] {
            assert_eq!(N::named(number), None, "{number}");
        }
    }
}
