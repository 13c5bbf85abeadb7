//! The row of a ruleset.

/// Implements [`Wire`](crate::Wire) for a ruleset by its rows, derived and by hand, and its module `catalogue`:
/// `wire! { Kingsburg in pb }`.
macro_rules! wire {
    ($rules:ident in $pb:ident) => {
        include!(concat!(env!("OUT_DIR"), "/", stringify!($rules), ".rs"));

        impl $crate::Wire for $rules {
            const CATALOGUE_REVISION: u32 = catalogue::REVISION;

            const JOIN: $crate::Join = $crate::Join {
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

            fn own_options(
                joined: ::gamekeeper_proto::raw::options::Ruleset,
            ) -> Option<::gamekeeper_proto::Opaque> {
                if let ::gamekeeper_proto::raw::options::Ruleset::$rules(own) = joined {
                    Some(own)
                } else {
                    None
                }
            }

            fn own_action(
                joined: ::gamekeeper_proto::raw::action::Ruleset,
            ) -> Option<::gamekeeper_proto::Opaque> {
                if let ::gamekeeper_proto::raw::action::Ruleset::$rules(own) = joined {
                    Some(own)
                } else {
                    None
                }
            }

            fn draft(message: $pb::Options) -> Result<Self::Draft, $crate::Malformed> {
                let draft = $crate::rows::field("options", message);
                draft.map_err(|fault| {
                    fault.of_ruleset(<Self as ::gamekeeper_rules::ruleset::Ruleset>::SHEET.id)
                })
            }

            fn policies() -> ::std::vec::Vec<::gamekeeper_rules::bots::Policy> {
                ::gamekeeper_rules::bots::Policy::of::<Self>().collect()
            }

            fn bot_action(
                policy: ::gamekeeper_rules::bots::Policy,
                seat: ::gamekeeper_rules::table::Seat,
                state: &Self::State,
                (spent, chance): $crate::Thinking<'_>,
            ) -> Option<Self::Action> {
                let mut worlds = |chance: &mut ::gamekeeper_rules::table::Chance| {
                    <Self as ::gamekeeper_rules::ruleset::Ruleset>::sample(state, seat, chance)
                };
                policy.choose::<Self>(seat, &mut worlds, spent, chance)
            }

            fn encoded_options(options: &Self::Options) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded::<$pb::Options>(options)
            }

            fn action(message: $pb::Action) -> Result<Self::Action, $crate::Malformed> {
                let action = $crate::rows::action(message.kind);
                action.map_err(|fault| {
                    fault.of_ruleset(<Self as ::gamekeeper_rules::ruleset::Ruleset>::SHEET.id)
                })
            }

            fn encoded_action(action: &Self::Action) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded_kind(&$pb::Action::FIELDS.kind, action)
            }

            fn encoded_event(event: &Self::Event) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded_kind(&$pb::Event::FIELDS.kind, event)
            }

            fn encoded_view(view: &Self::View) -> ::gamekeeper_proto::Opaque {
                $crate::rows::encoded_view::<$pb::View>(view)
            }

            fn encoded_detail(refusal: &Self::Refusal) -> Option<::gamekeeper_proto::Opaque> {
                $crate::rows::encoded_detail::<$pb::RefusalDetail>(refusal)
            }

            fn catalogue() -> $pb::Catalogue {
                catalogue::catalogue()
            }
        }
    };
}
pub(crate) use wire;
