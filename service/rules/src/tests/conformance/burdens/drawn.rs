//! The drawing, and what actions and events touch and move in it.

pub(super) mod components {
    use super::super::seen::view::View;
    use super::super::{Action, Card, Event};
    use gamekeeper_rules::table::{Component, Seat};

    pub(in super::super) const DECK: Component = Component::new("pile", "deck");

    pub(in super::super) fn card(card: Card) -> Component {
        Component::number("card", card)
    }

    /// The chips of a player, behind a screen.
    pub(in super::super) const fn chips(seat: Seat) -> Component {
        Component::only("chips", seat)
    }

    pub(in super::super) fn action(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
        match action {
            Action::Take => view.offered.map(card).into_iter().collect(),
            Action::Refuse { .. } => vec![chips(seat)],
        }
    }

    pub(in super::super) fn event(event: &Event) -> Vec<Component> {
        match *event {
            Event::TurnedUp { card } => vec![self::card(card)],
            Event::CardRefused { seat, .. } => vec![chips(seat)],
            Event::CardTaken { seat, card, .. } => vec![Component::seat(seat), self::card(card)],
        }
    }
}

pub(super) mod movements {
    use super::super::Event;
    use super::components::{DECK, card, chips};
    use gamekeeper_rules::table::{Component, Movement};

    pub(in super::super) fn event(event: &Event) -> Vec<Movement> {
        match *event {
            Event::TurnedUp { card } => {
                vec![Movement::of(self::card(card), 1_u8).leaving(DECK)]
            }
            Event::CardRefused { seat, chips: laid } => {
                vec![Movement::unnamed(laid.get()).leaving(chips(seat))]
            }
            Event::CardTaken {
                seat,
                card,
                chips: taken,
            } => {
                let card = Movement::of(self::card(card), 1_u8).reaching(Component::seat(seat));
                let chips = Movement::unnamed(taken).reaching(chips(seat));
                [card]
                    .into_iter()
                    .chain((taken > 0).then_some(chips))
                    .collect()
            }
        }
    }
}

pub(super) mod picture {
    use super::super::Card;
    use super::super::seen::view::{PlayerView, View};
    use super::components;
    use gamekeeper_rules::table::picture::{
        Area, Canvas, Heading, Look, Outline, Paint, Plate, PlayerRow,
    };
    use gamekeeper_rules::table::{Component, Count};

    /// The columns of the cards of a player: more cards stand in a second row.
    const COLUMNS: usize = 12;

    pub(in super::super) fn picture(view: &View, look: &Look<'_>) -> String {
        let mut canvas = Canvas::new(look);
        let moment = Count(view.chips, "chip").to_string();
        let prompt = canvas.heading(&Heading {
            title: "Burdens",
            moment: &moment,
            unit: "points",
            paint: &Paint::of_seat,
        });
        let width = canvas.width() - 12;
        let mut top = canvas.heading_height() + 6;
        let mut next_row = |height| {
            let area = Area::new(6, top, width, height);
            top += height + 6;
            area
        };
        offer(&mut canvas, view, next_row(84));
        for player in &view.players {
            self::player(&mut canvas, player, next_row(120));
        }
        canvas.finish(top, &format!("Burdens. {prompt}"))
    }

    /// The card that is turned up, and the deck.
    fn offer(canvas: &mut Canvas<'_>, view: &View, area: Area) {
        let inner = canvas.panel(area, &format!("{} on the card", Count(view.chips, "chip")));
        if let Some(card) = view.offered {
            let name = card.to_string();
            tile(
                canvas,
                (components::card(card), &name),
                inner.column(0, 2, 6),
                Paint::Gold,
            );
        }
        let deck = inner.column(1, 2, 6);
        tile(canvas, (components::DECK, "Deck"), deck, Paint::Gray);
    }

    fn player(canvas: &mut Canvas<'_>, player: &PlayerView, area: Area) {
        let row = PlayerRow {
            seat: player.seat,
            paint: Paint::of_seat(player.seat),
            points: None,
            unit: "points",
            leads: false,
            role: "",
            state: "",
        };
        canvas.player(area, &row, |canvas, inner| {
            let (screen, cards) = inner.cut_left(64);
            let chips = player.chips.map_or(String::from("Chips"), |chips| {
                Count(chips, "chip").to_string()
            });
            let component = components::chips(player.seat);
            tile(canvas, (component, &chips), screen, Paint::SoftSand);
            for (place, &card) in player.cards.iter().enumerate() {
                let cell = cards.cell(place, (COLUMNS, 2), 2);
                let name = card.to_string();
                tile(canvas, (components::card(card), &name), cell, Paint::Empty);
            }
        });
    }

    fn tile(
        canvas: &mut Canvas<'_>,
        (component, name): (Component, &str),
        area: Area,
        paint: Paint,
    ) {
        canvas.part(component, name, &Outline::Rect(area), |canvas| {
            canvas.bordered(area, 4, (paint, Some((Paint::Dark, 1))));
            let font = canvas.font(13).bold().middle().paint(paint.on());
            canvas.label(area.middle().by(0, 5), name, font);
        });
    }

    pub(in super::super) fn plates() -> Vec<Plate> {
        let card = |card: Card| Plate::new(components::card(card), card.to_string());
        Card::all().map(card).collect()
    }
}
