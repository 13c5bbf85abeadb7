//! Rows of structs, of enums, and of refusals with their values.

/// Writes a message field by field. A row that omits a field does not compile.
macro_rules! write_fields {
    ($pb:path { $($field:ident: $value:expr),* $(,)? } => $out:ident) => {
        $($crate::mapping::write(&<$pb>::FIELDS.$field, &$value, $out);)*
        // A message without fields writes nothing.
        let _: &mut Vec<u8> = $out;
        let _no_field_is_left_out = |$pb { $($field: _),* }| {};
    };
}
pub(crate) use write_fields;

/// Returns a value in code that never runs: it makes the compiler name the field that a row lacks, which the error of
/// an incomplete pattern would not.
pub(crate) fn any<T>() -> T {
    unreachable!("it is never called")
}

/// Pairs a struct with its message, field by field: `message! { Goods => pb::Goods { gold, wood } }`. Fields that the
/// message lacks follow: `message! { View => pb::View { phase, turn } without { pending } }`; or they are not checked:
/// `message! { Options => pb::Options { colors } and more }`.
/// If the fields differ, each gets its value, in the order of their numbers:
/// `message! { Question => pb::Question, |question| { seat: question.seat, space: question.space() } }`.
/// If the shapes differ, the message is built by hand:
/// `message! { Piece => pb::Piece, |piece| pb::Piece { … } }`. With `both`, the message can also be
/// read, and with `from` only read: `message! { both Payment => pb::Payment { gold, wood } }`. All lists of the rules
/// pair with a message that contains nothing else: `message! { lists => pb::CardList { cards: i32 } }`.
macro_rules! message {
    ($rules:ty => $pb:path, |$value:pat_param| { $($field:ident: $part:expr),* $(,)? }) => {
        impl $crate::mapping::Value<$pb> for $rules {
            fn write(&self, out: &mut Vec<u8>) {
                let $value = self;
                $crate::mapping::write_fields! { $pb { $($field: $part),* } => out }
            }
        }

        impl $crate::mapping::ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                $crate::mapping::message_of(self)
            }
        }

        $crate::mapping::message! { always $rules => $pb }
    };
    ($rules:ty => $pb:path, |$value:ident| $make:expr) => {
        impl $crate::mapping::ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                let $value = self;
                $make
            }
        }

        impl $crate::mapping::Value<$pb> for $rules {
            fn write(&self, out: &mut Vec<u8>) {
                let message: $pb = $crate::mapping::ToPb::to_pb(self);
                ::prost::Message::encode_raw(&message, out);
            }
        }

        $crate::mapping::message! { always $rules => $pb }
    };
    (always $rules:ty => $pb:path) => {
        impl $crate::mapping::ToField<Option<$pb>> for $rules {
            fn write_field(&self, number: u32, out: &mut Vec<u8>) {
                $crate::mapping::Value::<$pb>::write_as(self, number, out);
            }
        }

        impl $crate::mapping::ToPb<Option<$pb>> for $rules {
            fn to_pb(&self) -> Option<$pb> {
                Some($crate::mapping::ToPb::<$pb>::to_pb(self))
            }
        }
    };
    ($rules:ident => $pb:path { $($field:ident),* $(,)? } $(without { $($unsent:ident),* })?) => {
        const _: fn() -> $rules = || $rules {
            $($field: $crate::mapping::any(),)* $($($unsent: $crate::mapping::any(),)*)?
        };

        $crate::mapping::message! {
            $rules => $pb, |$rules { $($field,)* $($($unsent: _,)*)? }| { $($field: *$field),* }
        }
    };
    ($rules:ident => $pb:path { $($field:ident),* $(,)? } and more) => {
        $crate::mapping::message! { $rules => $pb, |$rules { $($field,)* .. }| { $($field: *$field),* } }
    };
    (from $rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        impl $crate::mapping::FromPb<$pb> for $rules {
            fn from_pb(sent: $pb) -> Result<Self, $crate::Malformed> {
                let $pb { $($field),* } = sent;
                Ok(Self { $($field: $crate::mapping::field(stringify!($field), $field)?),* })
            }
        }
    };
    (both $rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        $crate::mapping::message! { $rules => $pb { $($field),* } }
        $crate::mapping::message! { from $rules => $pb { $($field),* } }
    };
    (lists => $pb:path { $list:ident: $element:ty }) => {
        impl<T: $crate::mapping::ToField<Vec<$element>>> $crate::mapping::Value<$pb> for T {
            fn write(&self, out: &mut Vec<u8>) {
                $crate::mapping::write(&<$pb>::FIELDS.$list, self, out);
            }
        }
    };
}
pub(crate) use message;

/// Pairs an enum with a oneof.
///
/// * `fields`: variants whose message has the same fields; a variant without fields is written
///   `KeepRoll = pb::KeepRoll {}`;
/// * `inner`: variants that contain one value, which is the value of the field.
///
/// With `both`, the oneof can also be read.
macro_rules! oneof {
    (
        $rules:ident => $kind:ident;
        fields { $($variant:ident = $message:path { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($newtype:ident),* $(,)? })?
    ) => {
        impl $crate::mapping::Value<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn write(&self, out: &mut Vec<u8>) {
                $(let _no_field_is_left_out = || $rules::$variant { $($field: $crate::mapping::any()),* };)*
                match self {
                    $($rules::$variant { $($field),* } => {
                        $crate::mapping::write_within(&$kind::FIELDS.$variant, out, |out| {
                            $crate::mapping::write_fields! { $message { $($field: *$field),* } => out }
                        });
                    })*
                    $($($rules::$newtype(inner) => {
                        $crate::mapping::write_value(&$kind::FIELDS.$newtype, inner, out);
                    })*)?
                }
            }

            /// The field number is not used: the fields of the oneof have numbers of their own.
            fn write_as(&self, _number: u32, out: &mut Vec<u8>) {
                $crate::mapping::Value::<$kind>::write(self, out);
            }
        }

        impl $crate::mapping::ToField<Option<$kind>> for $rules {
            fn write_field(&self, _number: u32, out: &mut Vec<u8>) {
                $crate::mapping::Value::<$kind>::write(self, out);
            }
        }
    };
    (
        both $rules:ident => $kind:ident;
        fields { $($variant:ident = $message:path { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($newtype:ident),* $(,)? })?
    ) => {
        $crate::mapping::oneof! {
            $rules => $kind;
            fields { $($variant = $message { $($field),* }),* }
            $(inner { $($newtype),* })?
        }

        impl $crate::mapping::FromPb<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn from_pb(sent: $kind) -> Result<Self, $crate::Malformed> {
                match sent {
                    $($kind::$variant($message { $($field),* }) => {
                        $crate::mapping::variant(stringify!($variant), || Ok($rules::$variant {
                            $($field: $crate::mapping::field(stringify!($field), $field)?),*
                        }))
                    })*
                    $($($kind::$newtype(inner) => {
                        let read = || $crate::mapping::FromPb::from_pb(inner).map($rules::$newtype);
                        $crate::mapping::variant(stringify!($newtype), read)
                    })*)?
                }
            }
        }
    };
}
pub(crate) use oneof;

/// Pairs the refusals of a ruleset with its message `RefusalDetail`. A row is a variant with its values, as both sides
/// spell it. Refusals without values and refusals of every game have no row; a test compares. A ruleset whose own refusals
/// have no values has no rows at all, and its message has no fields.
macro_rules! refusals {
    ($rules:ident in $pb:ident;) => {
        impl $crate::mapping::Value<$pb::RefusalDetail> for $rules {
            fn write(&self, _out: &mut Vec<u8>) {
                let $pb::RefusalDetail {} = $pb::RefusalDetail::default();
            }
        }
    };
    (
        $rules:ident in $pb:ident;
        fields { $($variant:ident = $message:path { $($field:ident),* $(,)? }),* $(,)? }
    ) => {
        impl $crate::mapping::Value<$pb::RefusalDetail> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn write(&self, out: &mut Vec<u8>) {
                use $pb::refusal_detail::Refusal as Detail;
                $(let _no_field_is_left_out = || $rules::$variant { $($field: $crate::mapping::any()),* };)*
                match self {
                    $($rules::$variant { $($field),* } => {
                        $crate::mapping::write_within(&Detail::FIELDS.$variant, out, |out| {
                            $crate::mapping::write_fields! { $message { $($field: *$field),* } => out }
                        });
                    })*
                    _ => {}
                }
            }
        }
    };
}
pub(crate) use refusals;

/// Reads messages and oneofs that must not be missing: `required! { Span from pb::Span }`.
macro_rules! required {
    ($($rules:ident from $pb:ty),* $(,)?) => {
        $(impl $crate::mapping::FromPb<Option<$pb>> for $rules {
            fn from_pb(sent: Option<$pb>) -> Result<Self, $crate::Malformed> {
                $crate::mapping::FromPb::from_pb(sent.ok_or_else(|| $crate::Malformed::missing(""))?)
            }
        })*
    };
}
pub(crate) use required;
