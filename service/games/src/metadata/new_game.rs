//! The metadata record of a game that a request creates.

use std::collections::BTreeMap;

use gamekeeper_policies::PolicyLibrary;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Malformed, Wire};

use super::{Bot, GameMetadata, Tags};

impl GameMetadata {
    /// Builds the metadata record of a new game from the users, bots and labels of the request. `learned` are the learned
    /// policies that bots can have here.
    pub(crate) fn of_new_game<W: Wire>(
        players: &[pb::Player],
        labels: &BTreeMap<String, String>,
        learned: &PolicyLibrary,
    ) -> Result<Self, Malformed> {
        let users = players.iter().map(|player| player.user.as_str());
        let tags = Tags::from_request(users, labels)?;
        let mut metadata = Self::default().with_tags(tags);
        for (index, player) in players.iter().enumerate() {
            if let Some(bot) = &player.bot {
                let bot = Bot::from_request::<W>(
                    bot,
                    (players.len(), learned),
                    &format!("players[{index}].bot"),
                )?;
                metadata = metadata.with_bot(Seat::at(index), Some(bot));
            }
        }
        Ok(metadata)
    }
}
