//! A **reader** of events: the table as the comments of the events tell it.

use crate::conformance::EventReader;
use crate::goofspiel::Goofspiel;
use crate::goofspiel::data::{Cards, suit};
use crate::goofspiel::event::Event;
use crate::goofspiel::options::Options;
use crate::goofspiel::view::{PlayerView, View};
use crate::table::{PendingList, Seat, Viewer};

#[derive(Clone)]
pub struct Reader {
    view: View,
}

impl EventReader<Goofspiel> for Reader {
    fn new(options: &Options, _viewer: Viewer) -> Self {
        let player = |seat| PlayerView {
            seat,
            hand: suit(options.cards),
            has_bid: false,
            bid: None,
            won: Cards::empty(),
            points: 0,
        };
        Self {
            view: View {
                options: *options,
                turn: 0,
                offered: Cards::empty(),
                to_come: suit(options.cards),
                order: Vec::new(),
                turned_up: Vec::new(),
                players: Seat::all(usize::from(options.seats)).map(player).collect(),
                pending: PendingList::default(),
            },
        }
    }

    fn read(&mut self, event: &Event) {
        let View {
            turn,
            offered,
            to_come,
            players,
            ..
        } = &mut self.view;
        match event {
            Event::PrizeTurnedUp { turn: now, prize } => {
                *turn = *now;
                to_come.remove(*prize);
                offered.insert(*prize);
            }
            Event::BidMade { seat, card } => {
                let player = &mut players[seat.index()];
                (player.has_bid, player.bid) = (true, *card);
            }
            Event::BidsRevealed { bids } => {
                for (player, card) in players.iter_mut().zip(bids.iter()) {
                    player.hand.remove(*card);
                    (player.has_bid, player.bid) = (false, None);
                }
            }
            Event::PrizesTaken {
                seat,
                prizes,
                points,
            } => {
                let player = &mut players[seat.index()];
                player.won |= *prizes;
                player.points += points;
                *offered -= *prizes;
            }
            Event::PrizesCarriedOver { .. } => {}
            Event::PrizesDiscarded { prizes } => *offered -= *prizes,
        }
    }

    fn view(&self, _actual: &View) -> View {
        self.view.clone()
    }
}
