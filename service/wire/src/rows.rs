//! Rows: how values of the rules and values of the contract are paired, one row for each noun.
//!
//! * [`ToPb`] and [`FromPb`] are the two directions, field by field; numbers, seats, lists and
//!   options are done here, once for all rulesets.
//! * [`names!`] pairs closed sets of names: a row is `Good => pb::Good`.
//! * [`decisions!`] pairs decisions, which may hold values, by the names of their variants.
//! * [`message!`] pairs structs: a row names the fields, which both sides spell alike.
//! * [`oneof!`] pairs enums: a row is a variant with its fields, as both sides spell it.
//! * [`refusals!`] pairs refusals with the messages of their values, a row for each code that has any.
//!
//! A variant or field that one side lacks does not compile. What differs in shape is written by
//! hand, beside the rows. Rows tell what is malformed with the path of its field, such as
//! `action.use_cult_spades.transforms[2].target`.

use arrayvec::ArrayVec;
use enumset::{EnumSet, EnumSetType};
use gamekeeper_rules::table::{Id, PerSeat, Seat, Wish};
use heck::AsSnakeCase;

use crate::Malformed;
use crate::common::seat_number;

/// A value of the rules that has a value `P` in the contract.
pub(crate) trait ToPb<P> {
    /// The value on the wire.
    fn to_pb(&self) -> P;
}

/// A value of the rules that comes from a value `P` of the contract.
pub(crate) trait FromPb<P>: Sized {
    /// The value that was sent. A number that names nothing is no error where the rules take an
    /// option: it becomes `None`, and the rules refuse it.
    ///
    /// # Errors
    /// When the message is malformed; the path of the field begins below this value.
    fn from_pb(sent: P) -> Result<Self, Malformed>;
}

macro_rules! numbers {
    ($($rules:ty => $pb:ty),* $(,)?) => {
        $(impl ToPb<$pb> for $rules {
            fn to_pb(&self) -> $pb {
                (*self).into()
            }
        })*
    };
}

numbers! {
    bool => bool,
    u8 => u32,
    u16 => u32,
    u32 => u32,
    u64 => u64,
    i8 => i32,
    i16 => i32,
    i32 => i32,
}

macro_rules! as_sent {
    ($($kind:ty),* $(,)?) => {
        $(impl FromPb<$kind> for $kind {
            fn from_pb(sent: $kind) -> Result<Self, Malformed> {
                Ok(sent)
            }
        })*
    };
}

as_sent!(bool, u32, u64, i32, String);

/// A count. Nobody has that many things: a number that does not fit is refused like the largest.
impl FromPb<u32> for u16 {
    fn from_pb(sent: u32) -> Result<Self, Malformed> {
        Ok(Self::try_from(sent).unwrap_or(Self::MAX))
    }
}

/// A length. Nothing is too long to fit.
impl ToPb<u32> for usize {
    fn to_pb(&self) -> u32 {
        u32::try_from(*self).unwrap_or(u32::MAX)
    }
}

impl ToPb<u32> for Seat {
    fn to_pb(&self) -> u32 {
        seat_number(*self)
    }
}

/// 0 is nobody.
impl ToPb<u32> for Option<Seat> {
    fn to_pb(&self) -> u32 {
        self.map_or(0, seat_number)
    }
}

/// A number that is no seat of any table stays unnamed.
impl FromPb<u32> for Option<Seat> {
    fn from_pb(sent: u32) -> Result<Self, Malformed> {
        Ok(u8::try_from(sent).ok().and_then(Seat::new))
    }
}

impl ToPb<String> for String {
    fn to_pb(&self) -> String {
        self.clone()
    }
}

impl ToPb<String> for &'static str {
    fn to_pb(&self) -> String {
        (*self).to_owned()
    }
}

impl<T: ToPb<P>, P> ToPb<Option<P>> for Option<T> {
    fn to_pb(&self) -> Option<P> {
        self.as_ref().map(ToPb::to_pb)
    }
}

impl<T: FromPb<P>, P> FromPb<Option<P>> for Option<T> {
    fn from_pb(sent: Option<P>) -> Result<Self, Malformed> {
        sent.map(T::from_pb).transpose()
    }
}

/// 0 leaves the choice to the game; a number that names nothing is left to the rules.
impl<T: Id> FromPb<i32> for Wish<T> {
    fn from_pb(sent: i32) -> Result<Self, Malformed> {
        Ok(match sent {
            0 => Self::Unsaid,
            _ => named(sent).map_or(Self::Unknown, Self::Value),
        })
    }
}

impl<T: ToPb<P>, P> ToPb<Vec<P>> for [T] {
    fn to_pb(&self) -> Vec<P> {
        self.iter().map(ToPb::to_pb).collect()
    }
}

impl<T: ToPb<P>, P> ToPb<Vec<P>> for Vec<T> {
    fn to_pb(&self) -> Vec<P> {
        self.as_slice().to_pb()
    }
}

impl<T: ToPb<P>, P, const N: usize> ToPb<Vec<P>> for [T; N] {
    fn to_pb(&self) -> Vec<P> {
        self.as_slice().to_pb()
    }
}

impl<T: ToPb<P>, P, const N: usize> ToPb<Vec<P>> for ArrayVec<T, N> {
    fn to_pb(&self) -> Vec<P> {
        self.as_slice().to_pb()
    }
}

impl<T: ToPb<P>, P> ToPb<Vec<P>> for PerSeat<T> {
    fn to_pb(&self) -> Vec<P> {
        self.iter().map(ToPb::to_pb).collect()
    }
}

impl<T: EnumSetType + ToPb<P>, P> ToPb<Vec<P>> for EnumSet<T> {
    fn to_pb(&self) -> Vec<P> {
        self.iter().map(|one| one.to_pb()).collect()
    }
}

impl<T: FromPb<P>, P> FromPb<Vec<P>> for Vec<T> {
    fn from_pb(sent: Vec<P>) -> Result<Self, Malformed> {
        entries(sent).collect()
    }
}

/// A list that is longer than the rules can hold is malformed.
impl<T: FromPb<P>, P, const N: usize> FromPb<Vec<P>> for ArrayVec<T, N> {
    fn from_pb(sent: Vec<P>) -> Result<Self, Malformed> {
        if sent.len() > N {
            let problem = format!("has {} entries; at most {N} are allowed", sent.len());
            return Err(Malformed::new("", problem));
        }
        entries(sent).collect()
    }
}

fn entries<T: FromPb<P>, P>(sent: Vec<P>) -> impl Iterator<Item = Result<T, Malformed>> {
    let entry = |(index, one)| T::from_pb(one).map_err(|fault| fault.within(&format!("[{index}]")));
    sent.into_iter().enumerate().map(entry)
}

/// Reads a field of a message.
pub(crate) fn field<T: FromPb<P>, P>(name: &str, sent: P) -> Result<T, Malformed> {
    T::from_pb(sent).map_err(|fault| fault.within(name))
}

/// Reads the field of a oneof that belongs to a variant of this name.
pub(crate) fn variant<T>(
    name: &str,
    read: impl FnOnce() -> Result<T, Malformed>,
) -> Result<T, Malformed> {
    read().map_err(|fault| fault.within(&AsSnakeCase(name).to_string()))
}

/// Reads the action that is sent in the oneof `kind`.
pub(crate) fn action<T: FromPb<P>, P>(kind: Option<P>) -> Result<T, Malformed> {
    let action = kind
        .ok_or_else(|| Malformed::missing("kind"))
        .and_then(T::from_pb);
    action.map_err(|fault| fault.within("action"))
}

/// Pairs closed sets of names with their enums of the contract, which number them in the same order
/// from 1. On the wire 0 and every other number are no name.
///
/// The rows also make a test: both sides spell the same names in the same order.
macro_rules! names {
    ($($rules:ty => $pb:ty),+ $(,)?) => {
        $(
            impl $crate::rows::ToPb<i32> for $rules {
                fn to_pb(&self) -> i32 {
                    $crate::rows::number(*self)
                }
            }

            impl $crate::rows::ToPb<i32> for Option<$rules> {
                fn to_pb(&self) -> i32 {
                    self.map_or(0, $crate::rows::number)
                }
            }

            impl $crate::rows::FromPb<i32> for Option<$rules> {
                fn from_pb(sent: i32) -> Result<Self, $crate::Malformed> {
                    Ok($crate::rows::named(sent))
                }
            }
        )+

        #[cfg(test)]
        #[test]
        fn names_are_those_of_the_contract() {
            $($crate::rows::tests::check_names::<$rules>(|number| {
                <$pb>::try_from(number).ok().map(|name| name.as_str_name())
            });)+
        }
    };
}
pub(crate) use names;

/// The number of a name on the wire, from 1.
pub(crate) fn number<T: Id>(name: T) -> i32 {
    // No set has more than a few hundred names.
    i32::try_from(name.index()).unwrap_or(i32::MAX - 1) + 1
}

/// The name with this number on the wire.
pub(crate) fn named<T: Id>(number: i32) -> Option<T> {
    T::nth(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// Reads names as `how` says, where the rules take no `None`: `read! { required: Cult, Terrain }`.
macro_rules! read {
    ($how:ident: $($rules:ty),+ $(,)?) => {
        $(impl $crate::rows::FromPb<i32> for $rules {
            fn from_pb(sent: i32) -> Result<Self, $crate::Malformed> {
                $crate::rows::$how(sent)
            }
        })+
    };
}
pub(crate) use read;

/// The name with this number on the wire; a number that names nothing is malformed.
pub(crate) fn required<T: Id>(number: i32) -> Result<T, Malformed> {
    named(number).ok_or_else(|| Malformed::new("", format!("{number} names nothing")))
}

/// The same, where 0 leaves the choice to the game.
pub(crate) fn or_usual<T: Id + Default>(number: i32) -> Result<T, Malformed> {
    match number {
        0 => Ok(T::default()),
        _ => required(number),
    }
}

/// Pairs the decisions of a ruleset with the enum `Decision` of its package, by the names of the variants.
/// What a decision holds comes beside it.
macro_rules! decisions {
    ($rules:ident in $pb:ident: $($variant:ident),+ $(,)?) => {
        impl $crate::rows::ToPb<i32> for $rules {
            fn to_pb(&self) -> i32 {
                match self {
                    $($rules::$variant { .. } => $pb::Decision::$variant.into(),)+
                }
            }
        }

        #[cfg(test)]
        #[test]
        fn decisions_are_those_of_the_contract() {
            let mut number = 0;
            for name in <$rules as strum::VariantNames>::VARIANTS {
                number += 1;
                let decision = $pb::Decision::try_from(number).map(|name| name.as_str_name());
                assert_eq!(decision, Ok(format!("DECISION_{}", name.to_uppercase()).as_str()));
            }
            assert!($pb::Decision::try_from(number + 1).is_err());
        }
    };
}
pub(crate) use decisions;

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

#[cfg(test)]
pub(crate) mod tests {
    use arrayvec::ArrayVec;
    use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
    use gamekeeper_rules::kingsburg::{Color, InitialOrder};
    use gamekeeper_rules::table::{Id, Wish};

    use super::{FromPb, ToPb, action, named, number};
    use crate::Malformed;

    #[derive(Clone, Debug, PartialEq)]
    enum Kind {
        KeepRoll(pb::KeepRoll),
        RerollDie(pb::RerollDie),
        RecruitSoldier(pb::RecruitSoldier),
        Influence(pb::Influence),
        PassBuild(pb::PassBuild),
    }

    #[derive(Debug, PartialEq)]
    struct Payment {
        gold: u32,
        wood: u32,
        stone: u32,
    }

    message! { both Payment => pb::RecruitSoldier { gold, wood, stone } }

    /// A number below ten.
    #[derive(Debug, PartialEq)]
    struct Digit(u32);

    impl ToPb<u32> for Digit {
        fn to_pb(&self) -> u32 {
            self.0
        }
    }

    impl FromPb<u32> for Digit {
        fn from_pb(sent: u32) -> Result<Self, Malformed> {
            let digit = Some(sent).filter(|&sent| sent < 10).map(Self);
            digit.ok_or_else(|| Malformed::new("", format!("{sent} is no digit")))
        }
    }

    #[derive(Debug, PartialEq)]
    struct Dice {
        advisor: i32,
        dice: ArrayVec<Digit, 3>,
        plus2: Digit,
        market_offset: i32,
        use_envoy: bool,
    }

    message! { both Dice => pb::Influence { advisor, dice, plus2, market_offset, use_envoy } }

    #[derive(Debug, PartialEq)]
    enum Toy {
        KeepRoll,
        RerollDie { die: Digit },
        RecruitSoldier(Payment),
        Influence(Dice),
        Other,
    }

    oneof! {
        both Toy => Kind in pb;
        fields { KeepRoll {}, RerollDie { die } }
        inner { RecruitSoldier, Influence }
        by_hand {
            to { Toy::Other => Kind::PassBuild(pb::PassBuild {}) }
            from { PassBuild(_) => Toy::Other }
        }
    }

    #[test]
    fn malformed_fields_are_told_with_their_path() {
        let influence = |dice: &[u32], plus2| {
            Kind::Influence(pb::Influence {
                dice: dice.to_vec(),
                plus2,
                ..pb::Influence::default()
            })
        };
        let wrong = [
            (None, "action.kind: is missing"),
            (
                Some(Kind::RerollDie(pb::RerollDie { die: 11 })),
                "action.reroll_die.die: 11 is no digit",
            ),
            (
                Some(influence(&[1, 2, 12], 13)),
                "action.influence.dice[2]: 12 is no digit",
            ),
            (
                Some(influence(&[1], 13)),
                "action.influence.plus2: 13 is no digit",
            ),
            (
                Some(influence(&[1; 4], 0)),
                "action.influence.dice: has 4 entries; at most 3 are allowed",
            ),
        ];
        for (kind, text) in wrong {
            assert_eq!(action::<Toy, _>(kind).unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn rows_go_both_ways() {
        let payment = Payment {
            gold: 1,
            wood: 0,
            stone: u32::MAX,
        };
        let toys = [
            Toy::KeepRoll,
            Toy::RerollDie { die: Digit(4) },
            Toy::RecruitSoldier(payment),
            Toy::Other,
        ];
        for toy in toys {
            let sent: Kind = toy.to_pb();
            assert_eq!(Toy::from_pb(sent), Ok(toy));
        }
        let die = Kind::RerollDie(pb::RerollDie { die: 3 });
        assert_eq!(Toy::RerollDie { die: Digit(3) }.to_pb(), die);
    }

    /// Checks that the contract spells every name as the rules do, in the same order from 1, and
    /// that no other number names anything.
    pub(crate) fn check_names<T: Id>(spelled: fn(i32) -> Option<&'static str>) {
        for &name in T::ALL {
            let number = number(name);
            let contract = spelled(number).unwrap_or_default();
            // `ACTA` of a rule document is `ACT_A` in the contract.
            let joined = |text: &str| text.replace('_', "").to_uppercase();
            let ending = joined(name.id());
            assert!(joined(contract).ends_with(&ending), "{contract}, {ending}");
            assert_eq!(named::<T>(number), Some(name));
        }
        let beyond = i32::try_from(T::ALL.len() + 1).unwrap();
        assert_eq!(spelled(beyond), None);
        for number in [0, -1, beyond, i32::MIN, i32::MAX] {
            assert_eq!(named::<T>(number), None, "{number}");
        }
    }

    #[test]
    fn a_wish_may_be_unsaid_or_unknown() {
        for number in [-1, 6, i32::MAX] {
            assert_eq!(Wish::<Color>::from_pb(number), Ok(Wish::Unknown));
            assert_eq!(Wish::<InitialOrder>::from_pb(number), Ok(Wish::Unknown));
        }
        assert_eq!(Wish::from_pb(5), Ok(Wish::Value(Color::Black)));
        assert_eq!(Wish::<Color>::from_pb(0), Ok(Wish::Unsaid));
    }
}
