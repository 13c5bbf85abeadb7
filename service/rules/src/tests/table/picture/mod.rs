//! The guarantees of every drawing, regardless of its ruleset.

mod letters;
mod theme;

use std::collections::BTreeSet;

use gamekeeper_rules::table::picture::{
    Area, Canvas, ColorScheme, Heading, Look, Outline, Paint, Point, Size, Theme,
};
use gamekeeper_rules::table::{Component, DecisionWords, Names, Pending, Seat, Viewer};

const DECISIONS: &[DecisionWords] = &[DecisionWords {
    id: "bid",
    title: "Bid a card",
    question: "Which card do you bid?",
}];

/// Draws one component, for one viewer.
fn drawn(viewer: Viewer, ground: ColorScheme, reach: &BTreeSet<Component>) -> String {
    drawn_in(Theme::PLAIN, (viewer, ground), reach)
}

/// Draws one component in a theme.
fn drawn_in(
    theme: &Theme,
    (viewer, ground): (Viewer, ColorScheme),
    reach: &BTreeSet<Component>,
) -> String {
    let players = ["<Ann> & \"Co\"\u{7}".to_owned(), "Ben".to_owned()];
    let pending = [Pending {
        seat: Seat::FIRST,
        decision: "bid",
    }];
    let look = Look {
        viewer,
        names: Names::new(&players),
        size: Size::Phone,
        color_scheme: ground,
        theme,
        pending: &pending,
        decisions: DECISIONS,
        ranking: None,
        interactive: reach,
        last: "",
    };
    let mut canvas = Canvas::new(&look);
    let prompt = canvas.heading(&Heading {
        title: "Toy",
        moment: "turn 1",
        unit: "points",
        paint: &Paint::of_seat,
    });
    let area = Area::new(10, 100, 50, 40);
    let card = Component::new("card", "ace");
    canvas.part(card, "the <Ace>", &Outline::Rect(area), |canvas| {
        canvas.rect(area, 4, Paint::Gold);
        canvas.text(
            Point::new(12, 120),
            "a much longer name",
            canvas.font(12),
            40,
        );
    });
    canvas.finish(200, &prompt)
}

#[test]
fn names_cannot_break_out_of_a_drawing() {
    let svg = drawn(Viewer::Spectator, ColorScheme::Either, &BTreeSet::new());
    assert!(svg.contains("&lt;Ann&gt; &amp; &quot;Co&quot;: bid a card"));
    assert!(svg.contains("<title>the &lt;Ace&gt;</title>"));
    assert!(!svg.contains("<Ann>") && !svg.contains('\u{7}'));
    assert!(svg.contains('…'), "{svg}");
}

#[test]
fn players_are_asked_and_others_are_told() {
    let prompted = drawn(
        Viewer::Seat(Seat::FIRST),
        ColorScheme::Light,
        &BTreeSet::new(),
    );
    assert!(prompted.contains("You: Which card do you bid?"));
    let drawing = drawn(
        Viewer::Seat(Seat::at(1)),
        ColorScheme::Light,
        &BTreeSet::new(),
    );
    assert!(drawing.contains(": bid a card") && drawing.contains("you are Ben"));
}

#[test]
fn what_can_be_chosen_has_a_ring() {
    let card = Component::new("card", "ace");
    let free = r#"<g data-component="card:ace" data-box="10 100 50 40" class="can">"#;
    let ringed = drawn(
        Viewer::Spectator,
        ColorScheme::Either,
        &BTreeSet::from([card]),
    );
    assert!(ringed.contains(free) && ringed.contains(r#"class="ring""#));
    let plain = drawn(Viewer::Spectator, ColorScheme::Either, &BTreeSet::new());
    assert!(!plain.contains(free) && !plain.contains(r#"class="ring""#));
}

#[test]
fn a_drawing_has_one_ground_or_both() {
    let both = drawn(Viewer::Spectator, ColorScheme::Either, &BTreeSet::new());
    assert!(both.contains("prefers-color-scheme:dark"));
    for (ground, class) in [
        (ColorScheme::Light, "gk-light"),
        (ColorScheme::Dark, "gk-dark"),
    ] {
        let one = drawn(Viewer::Spectator, ground, &BTreeSet::new());
        assert!(one.contains(class) && !one.contains("prefers-color-scheme"));
    }
}

/// A theme's colors and corners are in every drawing; plain schemes stay free of custom properties, for renderers that know none.
#[test]
fn a_theme_replaces_colors_and_corners() {
    let mut theme = Theme::new();
    theme.set_color("panel", "#1d2b38").unwrap();
    theme.set_color("gold", "#abcdef").unwrap();
    theme.set_corners(50).unwrap();
    let drawn = |theme, ground| drawn_in(theme, (Viewer::Spectator, ground), &BTreeSet::new());
    for ground in [ColorScheme::Light, ColorScheme::Dark] {
        let (plain, themed) = (drawn(Theme::PLAIN, ground), drawn(&theme, ground));
        for drawing in [&plain, &themed] {
            assert!(!drawing.contains("var(") && !drawing.contains("--"));
        }
        assert!(themed.contains("{fill:#abcdef}") && !plain.contains("#abcdef"));
        assert!(themed.contains(r#" rx="2" "#) && !themed.contains(r#" rx="4" "#));
    }
    let both = drawn(&theme, ColorScheme::Either);
    assert!(both.contains("var(--gk-gold,#abcdef)"), "{both}");
    assert!(both.contains("calc(4px*var(--gk-corners,0.50))"), "{both}");
    assert!(!both.contains("#1d2b38"), "the drawing has no panel");
}

/// Letters of a font that is wider than Helvetica keep to the places of Helvetica's.
#[test]
fn wide_letters_are_set_narrower_in_their_places() {
    let mut theme = Theme::new();
    theme.set_letters(125).unwrap();
    let drawn = |theme| {
        let seen = (Viewer::Spectator, ColorScheme::Light);
        drawn_in(theme, seen, &BTreeSet::new())
    };
    assert!(drawn(&theme).contains(r#" textLength="40" lengthAdjust="spacingAndGlyphs""#));
    assert!(!drawn(Theme::PLAIN).contains("textLength"));
}
