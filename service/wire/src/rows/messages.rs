//! Rows of structs, of enums, and of refusals with their values.

/// Writes a message field by field. A row that omits a field does not compile.
macro_rules! write_fields {
    ($pb:path { $($field:ident: $value:expr),* $(,)? } => $out:ident) => {
        $($crate::rows::write(&<$pb>::FIELDS.$field, &$value, $out);)*
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
/// `message! { Question => pb::Question, |asked| { seat: asked.seat, space: asked.space() } }`.
/// If the shapes differ, the message is built by hand:
/// `message! { Piece => pb::Piece, |piece| pb::Piece { … } }`. With `both`, the message can also be
/// read, and with `from` only read: `message! { both Payment => pb::Payment { gold, wood } }`. All lists of the rules
/// pair with a message that contains nothing else: `message! { lists => pb::CardList { cards: i32 } }`.
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
    ($rules:ident => $pb:path { $($field:ident),* $(,)? } and more) => {
        $crate::rows::message! { $rules => $pb, |$rules { $($field,)* .. }| { $($field: *$field),* } }
    };
    (from $rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        impl $crate::rows::FromPb<$pb> for $rules {
            fn from_pb(sent: $pb) -> Result<Self, $crate::Malformed> {
                let $pb { $($field),* } = sent;
                Ok(Self { $($field: $crate::rows::field(stringify!($field), $field)?),* })
            }
        }
    };
    (both $rules:ident => $pb:path { $($field:ident),* $(,)? }) => {
        $crate::rows::message! { $rules => $pb { $($field),* } }
        $crate::rows::message! { from $rules => $pb { $($field),* } }
    };
    (lists => $pb:path { $list:ident: $element:ty }) => {
        impl<T: $crate::rows::ToField<Vec<$element>>> $crate::rows::Value<$pb> for T {
            fn write(&self, out: &mut Vec<u8>) {
                $crate::rows::write(&<$pb>::FIELDS.$list, self, out);
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
        $(inner { $($whole:ident),* $(,)? })?
    ) => {
        impl $crate::rows::Value<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn write(&self, out: &mut Vec<u8>) {
                $(let _no_field_is_left_out = || $rules::$variant { $($field: $crate::rows::any()),* };)*
                match self {
                    $($rules::$variant { $($field),* } => {
                        $crate::rows::write_within(&$kind::FIELDS.$variant, out, |out| {
                            $crate::rows::write_fields! { $message { $($field: *$field),* } => out }
                        });
                    })*
                    $($($rules::$whole(inner) => {
                        $crate::rows::write_value(&$kind::FIELDS.$whole, inner, out);
                    })*)?
                }
            }

            /// The field number is not used: the fields of the oneof have numbers of their own.
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
        both $rules:ident => $kind:ident;
        fields { $($variant:ident = $message:path { $($field:ident),* $(,)? }),* $(,)? }
        $(inner { $($whole:ident),* $(,)? })?
    ) => {
        $crate::rows::oneof! {
            $rules => $kind;
            fields { $($variant = $message { $($field),* }),* }
            $(inner { $($whole),* })?
        }

        impl $crate::rows::FromPb<$kind> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn from_pb(sent: $kind) -> Result<Self, $crate::Malformed> {
                match sent {
                    $($kind::$variant($message { $($field),* }) => {
                        $crate::rows::variant(stringify!($variant), || Ok($rules::$variant {
                            $($field: $crate::rows::field(stringify!($field), $field)?),*
                        }))
                    })*
                    $($($kind::$whole(inner) => {
                        let read = || $crate::rows::FromPb::from_pb(inner).map($rules::$whole);
                        $crate::rows::variant(stringify!($whole), read)
                    })*)?
                }
            }
        }
    };
}
pub(crate) use oneof;

/// Pairs the refusals of a ruleset with its message `RefusalDetail`. A row is a variant with its values, as both sides
/// spell it. Refusals without values and refusals of every game have no row; a test compares.
macro_rules! refusals {
    (
        $rules:ident in $pb:ident;
        fields { $($variant:ident = $message:path { $($field:ident),* $(,)? }),* $(,)? }
    ) => {
        impl $crate::rows::Value<$pb::RefusalDetail> for $rules {
            #[allow(clippy::too_many_lines, reason = "a row for each variant")]
            fn write(&self, out: &mut Vec<u8>) {
                use $pb::refusal_detail::Refusal as Detail;
                $(let _no_field_is_left_out = || $rules::$variant { $($field: $crate::rows::any()),* };)*
                match self {
                    $($rules::$variant { $($field),* } => {
                        $crate::rows::write_within(&Detail::FIELDS.$variant, out, |out| {
                            $crate::rows::write_fields! { $message { $($field: *$field),* } => out }
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
        $(impl $crate::rows::FromPb<Option<$pb>> for $rules {
            fn from_pb(sent: Option<$pb>) -> Result<Self, $crate::Malformed> {
                $crate::rows::FromPb::from_pb(sent.ok_or_else(|| $crate::Malformed::missing(""))?)
            }
        })*
    };
}
pub(crate) use required;
