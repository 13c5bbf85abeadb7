//! The row of a ruleset.

/// Implements [`Wire`](crate::Wire) for a ruleset by its rows, derived and by hand, and its module `catalogue`:
/// `wire! { Kingsburg in pb }`. A ruleset with positions also reads views: `wire! { Kingsburg in pb, with positions }`.
macro_rules! wire {
    ($rules:ident in $pb:ident, with positions) => {
        include!(concat!(env!("OUT_DIR"), "/", stringify!($rules), "View.rs"));

        $crate::mapping::wire! { $rules in $pb, reading view_from }
    };
    ($rules:ident in $pb:ident $(, reading $read:ident)?) => {
        include!(concat!(env!("OUT_DIR"), "/", stringify!($rules), ".rs"));

        impl $crate::Wire for $rules {
            const CATALOGUE_REVISION: u32 = catalogue::REVISION;

            const ONEOF_CODEC: $crate::OneofCodec = $crate::OneofCodec {
                options: ::gamekeeper_proto::raw::options::Ruleset::$rules,
                action: ::gamekeeper_proto::raw::action::Ruleset::$rules,
                event: ::gamekeeper_proto::raw::event::Ruleset::$rules,
                view: ::gamekeeper_proto::raw::view::Ruleset::$rules,
                catalogue: ::gamekeeper_proto::raw::catalogue::Ruleset::$rules,
                detail: ::gamekeeper_proto::raw::refusal_detail::Detail::$rules,
            };

            type PbOptions = $pb::Options;
            type PbAction = $pb::Action;
            type PbEvent = $pb::Event;
            type PbView = $pb::View;
            type PbCatalogue = $pb::Catalogue;
            type PbRefusalDetail = $pb::RefusalDetail;

            fn unwrap_options(
                message: ::gamekeeper_proto::raw::options::Ruleset,
            ) -> Option<::gamekeeper_proto::EncodedMessage> {
                if let ::gamekeeper_proto::raw::options::Ruleset::$rules(encoded) = message {
                    Some(encoded)
                } else {
                    None
                }
            }

            fn unwrap_action(
                message: ::gamekeeper_proto::raw::action::Ruleset,
            ) -> Option<::gamekeeper_proto::EncodedMessage> {
                if let ::gamekeeper_proto::raw::action::Ruleset::$rules(encoded) = message {
                    Some(encoded)
                } else {
                    None
                }
            }

            fn unwrap_view(
                message: ::gamekeeper_proto::raw::view::Ruleset,
            ) -> Option<::gamekeeper_proto::EncodedMessage> {
                if let ::gamekeeper_proto::raw::view::Ruleset::$rules(encoded) = message {
                    Some(encoded)
                } else {
                    None
                }
            }

            $(fn read_view(
                message: $pb::View,
                options: &Self::Options,
            ) -> Result<Self::View, $crate::Malformed> {
                $read(message, options)
            })?

            fn draft(message: $pb::Options) -> Result<Self::Draft, $crate::Malformed> {
                let draft = $crate::mapping::field("options", message);
                draft.map_err(|fault| {
                    fault.with_ruleset_prefix(
                        <Self as ::gamekeeper_rules::ruleset::Ruleset>::INFO.id,
                    )
                })
            }

            fn policies() -> ::std::vec::Vec<::gamekeeper_rules::bots::Policy> {
                ::gamekeeper_rules::bots::Policy::of::<Self>().collect()
            }

            fn bot_action(
                policy: ::gamekeeper_rules::bots::Policy,
                state: &Self::State,
                turn: $crate::Turn,
                game: &::gamekeeper_rules::table::Seed,
                budget: ::gamekeeper_rules::bots::Budget<'_>,
            ) -> Option<Self::Action> {
                policy.decide::<Self>(state, turn, game, budget)
            }

            fn encoded_options(options: &Self::Options) -> ::gamekeeper_proto::EncodedMessage {
                $crate::mapping::encoded::<$pb::Options>(options)
            }

            fn action(message: $pb::Action) -> Result<Self::Action, $crate::Malformed> {
                let action = $crate::mapping::action(message.kind);
                action.map_err(|fault| {
                    let name = $crate::contract::message_name::<Self>("Action");
                    let message = $crate::contract::pool().get_message_by_name(&name);
                    fault.without_oneofs(message).with_ruleset_prefix(
                        <Self as ::gamekeeper_rules::ruleset::Ruleset>::INFO.id,
                    )
                })
            }

            fn encoded_action(action: &Self::Action) -> ::gamekeeper_proto::EncodedMessage {
                $crate::mapping::encoded_kind(&$pb::Action::FIELDS.kind, action)
            }

            fn encoded_event(event: &Self::Event) -> ::gamekeeper_proto::EncodedMessage {
                $crate::mapping::encoded_kind(&$pb::Event::FIELDS.kind, event)
            }

            fn encoded_view(view: &Self::View) -> ::gamekeeper_proto::EncodedMessage {
                $crate::mapping::encoded_view::<$pb::View>(view)
            }

            fn encoded_detail(
                refusal: &Self::Refusal,
            ) -> Option<::gamekeeper_proto::EncodedMessage> {
                $crate::mapping::encoded_detail::<$pb::RefusalDetail>(refusal)
            }

            fn catalogue() -> $pb::Catalogue {
                catalogue::catalogue()
            }
        }
    };
}
pub(crate) use wire;
