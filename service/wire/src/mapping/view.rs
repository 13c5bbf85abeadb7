//! Reading of views: tables that somebody describes. A view is taken as it is spelled: a number that does not fit and a
//! name that does not exist are malformed. What is left out is zero, empty or none.

use arrayvec::ArrayVec;
use enumset::{EnumSet, EnumSetType};
use gamekeeper_rules::table::{PerSeat, Seat};

use super::entries;
use crate::{Malformed, common};

/// A value of a view that can be read from a value `P` of the contract.
#[diagnostic::on_unimplemented(
    message = "no row reads `{Self}` of a view from `{P}` of the contract",
    label = "needs a row that reads `{P}`",
    note = "rows of views stand in `service/wire/src/<ruleset>/`: what is written by hand is read by hand, with `view_message!`, `view_oneof!`, or an `impl FromView`"
)]
pub(crate) trait FromView<P>: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// Fails if the message is malformed; the path of the field begins below this value.
    fn from_view(sent: P) -> Result<Self, Malformed>;
}

macro_rules! numbers {
    ($($pb:ty => $($rules:ty),+);* $(;)?) => {
        $($(impl FromView<$pb> for $rules {
            fn from_view(sent: $pb) -> Result<Self, Malformed> {
                Self::try_from(sent).map_err(|_| {
                    let (min, max) = (<$rules>::MIN, <$rules>::MAX);
                    Malformed::new("", format!("is {sent}; {min} to {max} is allowed"))
                })
            }
        })+)*
    };
}

numbers! {
    u32 => u8, u16, u32, usize;
    u64 => u64;
    i32 => i8, i16, i32;
}

impl FromView<bool> for bool {
    fn from_view(sent: bool) -> Result<Self, Malformed> {
        Ok(sent)
    }
}

impl FromView<u32> for Seat {
    fn from_view(sent: u32) -> Result<Self, Malformed> {
        common::seat(sent, "")
    }
}

/// 0 means no seat.
impl FromView<u32> for Option<Seat> {
    fn from_view(sent: u32) -> Result<Self, Malformed> {
        (sent != 0).then(|| Seat::from_view(sent)).transpose()
    }
}

impl<T: FromView<P>, P> FromView<Option<P>> for Option<T> {
    fn from_view(sent: Option<P>) -> Result<Self, Malformed> {
        sent.map(T::from_view).transpose()
    }
}

impl<T: FromView<P>, P> FromView<Vec<P>> for Vec<T> {
    fn from_view(sent: Vec<P>) -> Result<Self, Malformed> {
        entries(sent, T::from_view).collect()
    }
}

impl<T: FromView<P>, P, const N: usize> FromView<Vec<P>> for ArrayVec<T, N> {
    fn from_view(sent: Vec<P>) -> Result<Self, Malformed> {
        at_most(sent.len(), N)?;
        entries(sent, T::from_view).collect()
    }
}

impl<T: FromView<P>, P> FromView<Vec<P>> for PerSeat<T> {
    fn from_view(sent: Vec<P>) -> Result<Self, Malformed> {
        ArrayVec::from_view(sent).map(Self::from)
    }
}

/// A list that is left out has the default of its entries in every place.
impl<T: FromView<P>, P: Default, const N: usize> FromView<Vec<P>> for [T; N] {
    fn from_view(sent: Vec<P>) -> Result<Self, Malformed> {
        let sent = if sent.is_empty() {
            std::iter::repeat_with(P::default).take(N).collect()
        } else {
            sent
        };
        let list = ArrayVec::<T, N>::from_view(sent)?;
        let count = list.len();
        let wrong = |_| Malformed::new("", format!("has {count} entries, not {N}"));
        list.into_inner().map_err(wrong)
    }
}

impl<T: EnumSetType + FromView<P>, P> FromView<Vec<P>> for EnumSet<T> {
    fn from_view(sent: Vec<P>) -> Result<Self, Malformed> {
        let mut set = Self::empty();
        for (index, one) in entries(sent, T::from_view).enumerate() {
            if !set.insert(one?) {
                return Err(Malformed::new(format!("[{index}]"), "is there twice"));
            }
        }
        Ok(set)
    }
}

fn at_most(count: usize, max: usize) -> Result<(), Malformed> {
    if count <= max {
        return Ok(());
    }
    let problem = format!("has {count} entries; at most {max} are allowed");
    Err(Malformed::new("", problem))
}

/// Reads a field of a view.
pub(crate) fn view_field<T: FromView<P>, P>(name: &str, sent: P) -> Result<T, Malformed> {
    T::from_view(sent).map_err(|fault| fault.with_prefix(name))
}

/// Reads the view of a ruleset. The options of the game and the pending decisions are not read: the request and the
/// rest of the table give them.
macro_rules! view {
    ($pb:path { $($field:ident),* $(,)? } $(given { $given:ident })?) => {
        fn view_from(sent: $pb, _options: &Options) -> Result<View, $crate::Malformed> {
            let $pb { $($field,)* $($given: _,)? } = sent;
            Ok(View {
                $($field: $crate::mapping::view_field(stringify!($field), $field)?,)*
                $($given: Clone::clone(_options),)?
                pending: Default::default(),
            })
        }
    };
}
pub(crate) use view;

/// Reads the message of a struct in a view, field by field: `view_message! { Goods => pb::Goods { gold, wood } }`.
/// A message that is left out is read like an empty one. `only` is for messages that contain one oneof, which is the
/// value; `list` for messages that contain one list.
macro_rules! view_message {
    ($rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        impl $crate::mapping::FromView<$pb> for $rules {
            fn from_view(sent: $pb) -> Result<Self, $crate::Malformed> {
                let $pb { $($field),* } = sent;
                Ok(Self { $($field: $crate::mapping::view_field(stringify!($field), $field)?),* })
            }
        }

        $crate::mapping::view_message! { omitted $rules => $pb }
    };
    (only $rules:ident => $pb:path { $oneof:ident }) => {
        impl $crate::mapping::FromView<$pb> for $rules {
            fn from_view(sent: $pb) -> Result<Self, $crate::Malformed> {
                $crate::mapping::view_field(stringify!($oneof), sent.$oneof)
            }
        }

        $crate::mapping::view_message! { omitted $rules => $pb }
    };
    (omitted $rules:ty => $pb:path) => {
        impl $crate::mapping::FromView<Option<$pb>> for $rules {
            fn from_view(sent: Option<$pb>) -> Result<Self, $crate::Malformed> {
                $crate::mapping::FromView::<$pb>::from_view(sent.unwrap_or_default())
            }
        }
    };
    (list $pb:path { $list:ident: $element:ty }) => {
        impl<T: $crate::mapping::FromView<Vec<$element>>> $crate::mapping::FromView<$pb> for T {
            fn from_view(sent: $pb) -> Result<Self, $crate::Malformed> {
                $crate::mapping::view_field(stringify!($list), sent.$list)
            }
        }
    };
}
pub(crate) use view_message;

/// Reads a oneof in a view, with the rows of [`oneof!`](super::oneof).
macro_rules! view_oneof {
    (
        $rules:ident => $kind:ident;
        fields { $($variant:ident = $message:path { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($newtype:ident),* $(,)? })?
    ) => {
        impl $crate::mapping::FromView<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn from_view(sent: $kind) -> Result<Self, $crate::Malformed> {
                match sent {
                    $($kind::$variant($message { $($field),* }) => {
                        $crate::mapping::variant(stringify!($variant), || Ok($rules::$variant {
                            $($field: $crate::mapping::view_field(stringify!($field), $field)?),*
                        }))
                    })*
                    $($($kind::$newtype(inner) => {
                        let read = || $crate::mapping::FromView::from_view(inner).map($rules::$newtype);
                        $crate::mapping::variant(stringify!($newtype), read)
                    })*)?
                }
            }
        }

        impl $crate::mapping::FromView<Option<$kind>> for $rules {
            fn from_view(sent: Option<$kind>) -> Result<Self, $crate::Malformed> {
                $crate::mapping::FromView::from_view(sent.ok_or_else(|| $crate::Malformed::missing(""))?)
            }
        }
    };
}
pub(crate) use view_oneof;
