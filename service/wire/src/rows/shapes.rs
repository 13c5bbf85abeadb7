//! Rows of structs, of enums, and of refusals with their values.

/// Pairs a struct with its message, field by field: `message! { Goods => pb::Goods { gold, wood } }`.
/// Where shapes differ, the message is made by hand:
/// `message! { DieView => pb::DieView, |die| pb::DieView { … } }`. With `both`, the message can also
/// be read: `message! { both Payment => pb::Payment { gold, wood } }`.
macro_rules! message {
    ($rules:ty => $pb:path, |$value:ident| $make:expr) => {
        impl $crate::rows::ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                let $value = self;
                $make
            }
        }

        impl $crate::rows::ToPb<Option<$pb>> for $rules {
            fn to_pb(&self) -> Option<$pb> {
                Some($crate::rows::ToPb::<$pb>::to_pb(self))
            }
        }
    };
    ($rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        $crate::rows::message! {
            $rules => $pb,
            |value| {
                let $rules { $($field),* } = value;
                $pb { $($field: $crate::rows::ToPb::to_pb($field)),* }
            }
        }
    };
    (both $rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        $crate::rows::message! { $rules => $pb { $($field),* } }

        impl $crate::rows::FromPb<$pb> for $rules {
            fn from_pb(sent: $pb) -> Result<Self, $crate::Malformed> {
                let $pb { $($field),* } = sent;
                Ok(Self { $($field: $crate::rows::field(stringify!($field), $field)?),* })
            }
        }
    };
}
pub(crate) use message;

/// Pairs an enum with a oneof whose fields are messages.
///
/// * `fields`: variants whose message has the same name and the same fields; a variant without
///   fields is written `KeepRoll {}`;
/// * `inner`: variants that hold one struct, which is the message;
/// * `by_hand`: arms of a match for what differs; with `both`, two lists of arms, `to` and `from`.
///   Arms of `from` begin with the field of the oneof: `Trade(sent) => …`.
macro_rules! oneof {
    (
        $rules:ident => $kind:ident in $pb:ident;
        fields { $($variant:ident { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($whole:ident),* $(,)? })?
        $(by_hand { $($pattern:pat => $make:expr),* $(,)? })?
    ) => {
        impl $crate::rows::ToPb<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn to_pb(&self) -> $kind {
                match self {
                    $($rules::$variant { $($field),* } => $kind::$variant($pb::$variant {
                        $($field: $crate::rows::ToPb::to_pb($field)),*
                    }),)*
                    $($($rules::$whole(inner) => {
                        $kind::$whole($crate::rows::ToPb::to_pb(inner))
                    })*)?
                    $($($pattern => $make,)*)?
                }
            }
        }
    };
    (
        both $rules:ident => $kind:ident in $pb:ident;
        fields { $($variant:ident { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($whole:ident),* $(,)? })?
        $(
            by_hand {
                to { $($pattern:pat => $make:expr),* $(,)? }
                from { $($field_of:ident($sent:pat) => $read:expr),* $(,)? }
            }
        )?
    ) => {
        $crate::rows::oneof! {
            $rules => $kind in $pb;
            fields { $($variant { $($field),* }),* }
            $(inner { $($whole),* })?
            $(by_hand { $($pattern => $make),* })?
        }

        impl $crate::rows::FromPb<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn from_pb(sent: $kind) -> Result<Self, $crate::Malformed> {
                match sent {
                    $($kind::$variant($pb::$variant { $($field),* }) => {
                        $crate::rows::variant(stringify!($variant), || Ok($rules::$variant {
                            $($field: $crate::rows::field(stringify!($field), $field)?),*
                        }))
                    })*
                    $($($kind::$whole(inner) => {
                        let read = || $crate::rows::FromPb::from_pb(inner).map($rules::$whole);
                        $crate::rows::variant(stringify!($whole), read)
                    })*)?
                    $($($kind::$field_of($sent) => {
                        $crate::rows::variant(stringify!($field_of), || Ok($read))
                    })*)?
                }
            }
        }
    };
}
pub(crate) use oneof;

/// Pairs the refusals of a ruleset with its message `RefusalDetail`. A row is a variant with its values, as
/// both sides spell it; `bare` names the variants without values.
macro_rules! refusals {
    (
        $rules:ident in $pb:ident;
        $($variant:ident { $($field:ident),* $(,)? }),* $(,)?
        ; bare $($bare:ident),* $(,)?
    ) => {
        impl $crate::rows::ToPb<Option<$pb::RefusalDetail>> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn to_pb(&self) -> Option<$pb::RefusalDetail> {
                use $pb::refusal_detail as detail;
                let refusal = match self {
                    $($rules::$variant { $($field),* } => {
                        detail::Refusal::$variant(detail::$variant {
                            $($field: $crate::rows::ToPb::to_pb($field)),*
                        })
                    })*
                    $($rules::$bare)|* => return None,
                };
                Some($pb::RefusalDetail { refusal: Some(refusal) })
            }
        }

        #[cfg(test)]
        #[test]
        fn refusals_are_those_of_the_contract() {
            $crate::contract::check_refusals::<$rules>(
                <$pb::Messages as gamekeeper_proto::envelope::Messages>::PACKAGE,
                &[$(stringify!($variant)),*],
            );
        }
    };
}
pub(crate) use refusals;
