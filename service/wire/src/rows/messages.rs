//! Rows of structs, of enums, and of refusals with their values.

/// Writes a message field by field. A field that is left out does not compile.
macro_rules! write_fields {
    ($pb:path { $($field:ident: $value:expr),* $(,)? } => $out:ident) => {
        $($crate::rows::write(&<$pb>::FIELDS.$field, &$value, $out);)*
        // A message without fields writes nothing.
        let _: &mut Vec<u8> = $out;
        let _no_field_is_left_out = |$pb { $($field: _),* }| {};
    };
}
pub(crate) use write_fields;

/// Stands for a value in code that never runs: it lets the compiler name a field that a row lacks, where an incomplete
/// pattern would not.
pub(crate) fn any<T>() -> T {
    unreachable!("it is never called")
}

/// Pairs a struct with its message, field by field: `message! { Goods => pb::Goods { gold, wood } }`. Fields that
/// the message lacks follow: `message! { View => pb::View { phase, turn } without { pending } }`.
/// Where the fields differ, each gets its value, in the order of their numbers:
/// `message! { Question => pb::Question, |asked| { seat: asked.seat, space: asked.space() } }`.
/// Where shapes differ, the message is made by hand:
/// `message! { Piece => pb::Piece, |piece| pb::Piece { … } }`. With `both`, the message can also
/// be read: `message! { both Payment => pb::Payment { gold, wood } }`.
macro_rules! message {
    ($rules:ty => $pb:path, |$value:pat_param| { $($field:ident: $part:expr),* $(,)? }) => {
        impl $crate::rows::Value<$pb> for $rules {
            fn write(&self, out: &mut Vec<u8>) {
                let $value = self;
                $crate::rows::write_fields! { $pb { $($field: $part),* } => out }
            }
        }

        impl $crate::rows::ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                $crate::rows::message_of(self)
            }
        }

        $crate::rows::message! { always $rules => $pb }
    };
    ($rules:ty => $pb:path, |$value:ident| $make:expr) => {
        impl $crate::rows::ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                let $value = self;
                $make
            }
        }

        impl $crate::rows::Value<$pb> for $rules {
            fn write(&self, out: &mut Vec<u8>) {
                let message: $pb = $crate::rows::ToPb::to_pb(self);
                ::prost::Message::encode_raw(&message, out);
            }
        }

        $crate::rows::message! { always $rules => $pb }
    };
    (always $rules:ty => $pb:path) => {
        impl $crate::rows::ToField<Option<$pb>> for $rules {
            fn write_field(&self, number: u32, out: &mut Vec<u8>) {
                $crate::rows::Value::<$pb>::write_as(self, number, out);
            }
        }

        impl $crate::rows::ToPb<Option<$pb>> for $rules {
            fn to_pb(&self) -> Option<$pb> {
                Some($crate::rows::ToPb::<$pb>::to_pb(self))
            }
        }
    };
    ($rules:ident => $pb:path { $($field:ident),* $(,)? } $(without { $($unsent:ident),* })?) => {
        const _: fn() -> $rules = || $rules {
            $($field: $crate::rows::any(),)* $($($unsent: $crate::rows::any(),)*)?
        };

        $crate::rows::message! {
            $rules => $pb, |$rules { $($field,)* $($($unsent: _,)*)? }| { $($field: *$field),* }
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
/// * `by_hand`: arms of a match for what differs, each with the message and its fields in the order of their
///   numbers: `Action::DeclareEnvoy { purpose } => DeclareEnvoy { r#use: *purpose }`; with `both`, two lists of
///   arms, `to` and `from`. Arms of `from` begin with the field of the oneof: `Trade(sent) => …`.
macro_rules! oneof {
    (
        $rules:ident => $kind:ident in $pb:ident;
        fields { $($variant:ident { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($whole:ident),* $(,)? })?
        $(by_hand { $($pattern:pat => $other:ident { $($part:ident: $value:expr),* $(,)? }),* $(,)? })?
    ) => {
        impl $crate::rows::Value<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn write(&self, out: &mut Vec<u8>) {
                $(let _no_field_is_left_out = || $rules::$variant { $($field: $crate::rows::any()),* };)*
                match self {
                    $($rules::$variant { $($field),* } => {
                        $crate::rows::write_within(&$kind::FIELDS.$variant, out, |out| {
                            $crate::rows::write_fields! { $pb::$variant { $($field: *$field),* } => out }
                        });
                    })*
                    $($($rules::$whole(inner) => {
                        $crate::rows::write_value(&$kind::FIELDS.$whole, inner, out);
                    })*)?
                    $($($pattern => {
                        $crate::rows::write_within(&$kind::FIELDS.$other, out, |out| {
                            $crate::rows::write_fields! { $pb::$other { $($part: $value),* } => out }
                        });
                    })*)?
                }
            }

            /// The fields of the oneof have numbers of their own.
            fn write_as(&self, _number: u32, out: &mut Vec<u8>) {
                $crate::rows::Value::<$kind>::write(self, out);
            }
        }

        impl $crate::rows::ToField<Option<$kind>> for $rules {
            fn write_field(&self, _number: u32, out: &mut Vec<u8>) {
                $crate::rows::Value::<$kind>::write(self, out);
            }
        }
    };
    (
        both $rules:ident => $kind:ident in $pb:ident;
        fields { $($variant:ident { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($whole:ident),* $(,)? })?
        $(
            by_hand {
                to { $($pattern:pat => $other:ident { $($part:ident: $value:expr),* $(,)? }),* $(,)? }
                from { $($field_of:ident($sent:pat) => $read:expr),* $(,)? }
            }
        )?
    ) => {
        $crate::rows::oneof! {
            $rules => $kind in $pb;
            fields { $($variant { $($field),* }),* }
            $(inner { $($whole),* })?
            $(by_hand { $($pattern => $other { $($part: $value),* }),* })?
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
/// both sides spell it; `bare` names the variants without values. The refusals of every game stand in no row.
macro_rules! refusals {
    (
        $rules:ident in $pb:ident;
        $($variant:ident { $($field:ident),* $(,)? }),* $(,)?
        ; bare $($bare:ident),* $(,)?
    ) => {
        impl $crate::rows::Value<$pb::RefusalDetail> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn write(&self, out: &mut Vec<u8>) {
                use $pb::refusal_detail as detail;
                $(let _no_field_is_left_out = || $rules::$variant { $($field: $crate::rows::any()),* };)*
                match self {
                    $($rules::$variant { $($field),* } => {
                        $crate::rows::write_within(&detail::Refusal::FIELDS.$variant, out, |out| {
                            $crate::rows::write_fields! { detail::$variant { $($field: *$field),* } => out }
                        });
                    })*
                    // Those of every game have messages of their own.
                    $rules::NotYourTurn { .. }
                    | $rules::WrongDecision { .. }
                    | $rules::UnknownId { .. }
                    | $rules::InvalidPlayerCount { .. }
                    | $rules::GameOver
                    $(| $rules::$bare)* => {}
                }
            }
        }

        #[cfg(test)]
        #[test]
        fn refusals_are_those_of_the_contract() {
            $crate::contract::check_refusals::<super::Own>(&[$(stringify!($variant)),*]);
        }
    };
}
pub(crate) use refusals;
