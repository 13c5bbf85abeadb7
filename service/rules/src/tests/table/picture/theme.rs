//! Themes: colors and measures that clients set.

use enumset::EnumSet;
use gamekeeper_rules::table::picture::{Paint, Theme, ThemeFault};
use proptest::prelude::*;

#[test]
fn every_color_has_a_name_of_its_own() {
    for paint in EnumSet::<Paint>::all() {
        let mut theme = Theme::new();
        theme.set_color(paint.name(), "#0A0b0c").unwrap();
        assert_eq!(theme.color(paint).unwrap(), "#0a0b0c");
        let is_set = |paint: &Paint| theme.color(*paint).is_some();
        assert_eq!(EnumSet::<Paint>::all().iter().filter(is_set).count(), 1);
    }
}

#[test]
fn measures_have_limits() {
    let mut theme = Theme::new();
    assert_eq!(theme.set_corners(301), Err(ThemeFault::Corners));
    for width in [0, 99, 126, u32::MAX] {
        assert_eq!(theme.set_letters(width), Err(ThemeFault::Letters));
    }
    assert_eq!(theme, Theme::new());
    theme.set_corners(0).unwrap();
    theme.set_letters(125).unwrap();
    assert_eq!((theme.corners(), theme.letters()), (Some(0), 125));
}

proptest! {
    /// A color is accepted exactly if it is six digits, and only those digits come out again.
    #[test]
    fn only_digits_get_into_a_style_sheet(name in "paper|soft-red|Paper|--gk-ink|ink;|", value in "#?[0-9a-fA-Fé;}+ ]{0,8}") {
        let mut theme = Theme::new();
        let accepted = theme.set_color(&name, &value);
        let paint = match name.as_str() {
            "paper" => Some(Paint::Paper),
            "soft-red" => Some(Paint::SoftRed),
            _ => None,
        };
        let is_color = value.len() == 7 && value.chars().enumerate().all(|(index, letter)| match index {
            0 => letter == '#',
            _ => letter.is_ascii_hexdigit(),
        });
        match (paint, is_color) {
            (None, _) => prop_assert_eq!(accepted, Err(ThemeFault::UnknownColor)),
            (_, false) => prop_assert_eq!(accepted, Err(ThemeFault::NoColor)),
            (Some(paint), true) => {
                prop_assert_eq!(accepted, Ok(()));
                prop_assert_eq!(theme.color(paint), Some(value.to_lowercase()));
            }
        }
    }
}
