//! Cards: names, prices, colours.

use anstyle::{AnsiColor, Style};
use gamekeeper_proto::gamekeeper::dominion::v1 as pb;

use crate::output::styled;
use crate::phrase;

/// The cards of the catalogue. What it does not tell, the names of the contract tell.
pub(super) struct Cards<'a> {
    catalogue: &'a pb::Catalogue,
}

impl<'a> Cards<'a> {
    /// The cards of this catalogue.
    pub(super) fn new(catalogue: &'a pb::Catalogue) -> Self {
        Self { catalogue }
    }

    fn sheet(&self, card: i32) -> Option<&'a pb::CardInfo> {
        self.catalogue.cards.iter().find(|sheet| sheet.card == card)
    }

    /// The price in coins, if the catalogue tells it.
    pub(super) fn cost(&self, card: i32) -> Option<u32> {
        self.sheet(card).map(|sheet| sheet.cost)
    }

    /// The name.
    pub(super) fn plain(&self, card: i32) -> String {
        if let Some(sheet) = self.sheet(card) {
            return sheet.name.clone();
        }
        let name = pb::Card::try_from(card).map(|card| card.as_str_name());
        phrase::title(name.unwrap_or("?").trim_start_matches("CARD_"))
    }

    /// The name in the colour of its type.
    pub(super) fn name(&self, card: i32) -> String {
        styled(self.style(card), self.plain(card))
    }

    /// Cards in their order, equal neighbours counted.
    pub(super) fn runs(&self, cards: &[i32]) -> String {
        self.run_words(cards).join(", ")
    }

    /// The same, each run a word of its own.
    pub(super) fn run_words(&self, cards: &[i32]) -> Vec<String> {
        let run = |run: &[i32]| match run {
            [card] => self.name(*card),
            [card, ..] => format!("{} x{}", self.name(*card), run.len()),
            [] => String::new(),
        };
        cards.chunk_by(|one, next| one == next).map(run).collect()
    }

    fn style(&self, card: i32) -> Style {
        let Some(sheet) = self.sheet(card) else {
            return Style::new();
        };
        let is = |wanted: pb::CardType| sheet.types().any(|found| found == wanted);
        let color = if is(pb::CardType::Attack) {
            AnsiColor::Red
        } else if is(pb::CardType::Reaction) {
            AnsiColor::Blue
        } else if is(pb::CardType::Curse) {
            AnsiColor::Magenta
        } else if is(pb::CardType::Treasure) {
            AnsiColor::Yellow
        } else if is(pb::CardType::Victory) {
            AnsiColor::Green
        } else {
            AnsiColor::Cyan
        };
        color.on_default()
    }
}
