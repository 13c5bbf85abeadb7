//! The requested options of a game.

use gamekeeper_rules::dominion::{Draft, KingdomDraft};

use super::pb::{self, options::Kingdom as PbKingdom};
use crate::Malformed;
use crate::mapping::FromPb;

impl FromPb<pb::Options> for Draft {
    fn from_pb(sent: pb::Options) -> Result<Self, Malformed> {
        let kingdom = match sent.kingdom {
            None => KingdomDraft::default(),
            Some(PbKingdom::Set(set)) => KingdomDraft::Set(FromPb::from_pb(set)?),
            Some(PbKingdom::Cards(list)) => KingdomDraft::Cards(FromPb::from_pb(list.cards)?),
            Some(PbKingdom::Random(pb::RandomKingdom {})) => KingdomDraft::Random,
        };
        Ok(Self {
            kingdom,
            first_player: sent.first_player,
            strict_secrecy: sent.strict_secrecy,
        })
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::data::{Card, KingdomSet};
    use gamekeeper_rules::dominion::{Dominion, Kingdom, OptionFlaw, Options, Refusal};
    use gamekeeper_rules::table::Seat;

    use super::*;
    use crate::mapping::ToPb;
    use crate::mapping::tests::options;

    fn checked(sent: pb::Options) -> Result<Options, Refusal> {
        options::<Dominion>(3, sent)
    }

    #[test]
    fn nothing_set_is_the_plain_game() {
        let plain: pb::Options = checked(pb::Options::default()).unwrap().to_pb();
        assert_eq!(
            plain,
            pb::Options {
                kingdom: Some(PbKingdom::Set(pb::KingdomSet::FirstGame as i32)),
                first_player: None,
                strict_secrecy: false,
            }
        );
    }

    #[test]
    fn options_come_back_from_their_message() {
        let set = KingdomSet::SizeDistortion;
        let kingdoms = [
            Kingdom::Set(set),
            Kingdom::Cards(set.cards()),
            Kingdom::Random,
        ];
        for kingdom in kingdoms {
            for first_player in [None, Seat::new(1), Seat::new(3)] {
                for strict_secrecy in [false, true] {
                    let options = Options {
                        seats: 3,
                        kingdom,
                        first_player,
                        strict_secrecy,
                    };
                    assert_eq!(checked(options.to_pb()), Ok(options));
                }
            }
        }
    }

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        let refusal = |kingdom, first_player| {
            let message = pb::Options {
                kingdom,
                first_player,
                strict_secrecy: false,
            };
            checked(message).unwrap_err()
        };
        let flaw = |field, flaw| Refusal::InvalidOption { field, flaw };
        for number in [0, 6, -1] {
            let unknown_set = PbKingdom::Set(number);
            assert_eq!(
                refusal(Some(unknown_set), None),
                flaw("set", OptionFlaw::UnknownSet)
            );
            let unknown_card = PbKingdom::Cards(pb::CardList {
                cards: vec![Card::Moat.to_pb(), number * 100],
            });
            assert_eq!(
                refusal(Some(unknown_card), None),
                flaw("cards", OptionFlaw::UnknownCard { place: 2 })
            );
        }
        let no_cards = PbKingdom::Cards(pb::CardList::default());
        assert_eq!(
            refusal(Some(no_cards), None),
            flaw(
                "cards",
                OptionFlaw::WrongNumber {
                    count: 0,
                    wanted: 10
                }
            )
        );
        for number in [0, 4, u32::MAX] {
            let invalid = OptionFlaw::NoSuchSeat { number, seats: 3 };
            assert_eq!(refusal(None, Some(number)), flaw("first_player", invalid));
        }
    }
}
