//! The names of players and things in sentences.

use gamekeeper_rules::table::{Names, Seat, TextContext};

#[test]
fn players_have_names_or_numbers() {
    let players = ["Ann".to_owned()];
    let names = Names::new(&players);
    assert_eq!(names.who(Seat::FIRST).to_string(), "Ann");
    assert_eq!(names.of(Seat::at(1)).to_string(), "seat 2");
    let players = [String::new(), "Ben".to_owned()];
    let names = Names::new(&players);
    assert_eq!(names.who(Seat::FIRST).to_string(), "Seat 1");
    assert_eq!(names.of(Seat::at(1)).to_string(), "Ben");
    assert_eq!(Names::NONE.who(Seat::FIRST).to_string(), "Seat 1");
}

#[test]
fn a_scene_knows_roles_and_places() {
    let mut context = TextContext::default();
    context.set_role(Seat::at(1), "Witches");
    context.set_object(2, "Farm");
    let players = ["Ann".to_owned(), "Bob".to_owned()];
    let names = Names::new(&players).in_context(&context);
    assert_eq!(names.who(Seat::FIRST).to_string(), "Ann");
    assert_eq!(names.of(Seat::at(1)).to_string(), "Bob (Witches)");
    let nobody = Names::NONE.in_context(&context);
    assert_eq!(nobody.of(Seat::at(1)).to_string(), "seat 2 (Witches)");
    let things = [1, 2, 3].map(|index| names.object_at(index));
    assert_eq!(things, [None, Some("Farm"), None]);
    assert_eq!(Names::NONE.object_at(2), None);
}

#[test]
fn forced_events_say_so() {
    let passes = || String::from("Ann passes.");
    assert_eq!(TextContext::remark(passes(), false), "Ann passes.");
    assert_eq!(
        TextContext::remark(passes(), true),
        "Ann passes (no choice)."
    );
}
