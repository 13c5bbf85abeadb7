//! Lookups in a rule document, and its players' edition, tested with a small document of its own.

use gamekeeper_rules::rulebook::{Documents, Rulebook, look_up, nearest, title};

const CHESS: Documents = Documents {
    prefix: "CHE",
    texts: &[
        "# Chess\n\nA document.\n\n\
         ## 1. Sources\n\n| id | question | ruling |\n|---|---|---|\n| ADJ-01 | Who castles? | the king, with a rook |\n\n\
         ## 3. Components\n\n### 3a Pieces\n\n\
         - **CHE-3.1** **Rook.** Moves straight. See CHE-14.2.\n\
         - **CHE-3.2 Castle wall** It is no rook.\n\n\
         ### 3b Board (CHE-3.9)\n\n| square | name |\n|---|---|\n| a1 | white corner |\n\n\
         ## 4. State (for implementers)\n\n- CHE-4.1 A rook is a number.\n\n\
         ## 6. Flow\n\n### 6.1 Turn\n\n- CHE-6.1.1 You move a rook or another piece.\n\n\
         ### 6.2 Checks (for implementers)\n\n#### Order\n\n- CHE-6.2.1 NO_ROOK. See CHE-14.3.\n\n\
         - CHE-6.9.1 One.\n- CHE-6.9.2 Two.\n\n\
         ### 6.3 End\n\n- CHE-6.3.1 Mate.\n  1. Of the king.\n  2. Of nobody else.\n\n\
         ## 12. Cases\n\n- CHE-12.1 The rook of a rook.\n  2. Twice.\n\n\
         ## 14. Clarifications\n\n\
         - **CHE-14.1** (chapter 6) Turns alternate.\n\
         - **CHE-14.2** (3.1) Not over pieces.\n\
         - **CHE-14.3** (6.2.1) First the square.\n",
        "# Chess: fairy pieces\n\n**CHE-P.1** **Archbishop.** A bishop and a knight.\n",
    ],
};

fn ids(query: &str) -> Vec<String> {
    let book = Rulebook::read(CHESS);
    let found = look_up(&[&book], query).into_iter();
    let name = |text: &str| text.trim().to_owned();
    found
        .map(|found| match found.rule.id.is_empty() {
            true => name(found.rule.text),
            false => found.rule.id,
        })
        .collect()
}

#[test]
fn numbers_are_found_with_and_without_their_prefix() {
    for typed in ["CHE-ADJ-01", "che-adj-1", "ADJ-01", "adj1"] {
        assert_eq!(ids(typed), ["CHE-ADJ-01"], "{typed}");
    }
    assert_eq!(ids("6.1"), ["CHE-6.1"]);
    assert_eq!(ids("3b"), ["CHE-3b"]);
    assert_eq!(ids("3.9"), ["CHE-3.9"]);
    assert_eq!(ids("6.3.1.2"), ["CHE-6.3.1.2"]);
    assert_eq!(ids("P.1"), ["CHE-P.1"]);
    // The number of an item belongs to its paragraph, not to its chapter.
    assert_eq!(ids("CHE-6.2"), ["CHE-6.2"]);
    assert!(ids("CHE-3.3").is_empty() && ids("CHE-12.2").is_empty() && ids("CHE-6.1.2").is_empty());
    assert_eq!(ids("CHE-6.2.1"), ["CHE-6.2.1"]);
    assert_eq!(ids("12"), ["CHE-12"]);
    // No rule has this number, so those below it are found.
    assert_eq!(ids("6.9"), ["CHE-6.9.1", "CHE-6.9.2"]);
}

#[test]
fn names_come_before_words_and_players_before_implementers() {
    assert_eq!(
        ids("ROOKS"),
        [
            "CHE-3.1",
            "CHE-3.2",
            "CHE-6.1.1",
            "CHE-ADJ-01",
            "CHE-4.1",
            "CHE-6.2.1",
            "CHE-12.1"
        ]
    );
    assert_eq!(ids("castle wall"), ["CHE-3.2"]);
    assert_eq!(ids("wall castle"), ["CHE-3.2"]);
    assert_eq!(ids("bish"), ["CHE-P.1"]);
    assert_eq!(ids("white corner"), ["| a1 | white corner |"]);
    assert_eq!(ids("turn"), ["CHE-6.1", "CHE-14.1"]);
    assert_eq!(ids("rook queen"), Vec::<String>::new());
}

#[test]
fn a_row_has_the_titles_of_its_columns() {
    let book = Rulebook::read(CHESS);
    for (query, titles) in [
        ("ADJ-1", &["id", "question", "ruling"][..]),
        ("white corner", &["square", "name"]),
    ] {
        let found = look_up(&[&book], query);
        assert_eq!(found[0].rule.columns, titles);
    }
}

#[test]
fn what_is_nearest_shares_the_chapter_or_most_letters() {
    let book = Rulebook::read(CHESS);
    let near = |query| nearest(&[&book], query);
    assert_eq!(near("CHE-3.5"), ["CHE-3.2", "CHE-3.1", "CHE-3.9"]);
    assert_eq!(near("6.3.9"), ["CHE-6.3.1", "CHE-6.3", "CHE-6.2.1"]);
    assert_eq!(near("ADJ-9"), ["CHE-ADJ-01"]);
    assert_eq!(near("rok"), ["CHE-3.1"]);
    assert_eq!(near("Archbischop"), ["CHE-P.1"]);
    assert!(near("queen").is_empty() && near("99.1").is_empty() && near("").is_empty());
}

#[test]
fn players_read_the_game_with_its_clarifications() {
    let book = Rulebook::read(CHESS);
    let edition = book.for_players().iter();
    let ids: Vec<_> = edition
        .map(|(chapter, rule)| (chapter.number, rule.id.as_str()))
        .collect();
    let ids: Vec<_> = ids.into_iter().filter(|(_, id)| !id.is_empty()).collect();
    let expected = [
        ("3", "CHE-3.1"),
        ("3", "CHE-14.2"),
        ("3", "CHE-3.2"),
        ("6", "CHE-6.1.1"),
        ("6", "CHE-6.3.1"),
        ("P", "CHE-P.1"),
        ("14", "CHE-14.1"),
    ];
    assert_eq!(ids, expected);
    let text: String = book
        .for_players()
        .iter()
        .map(|(_, rule)| rule.text)
        .collect();
    for absent in ["implementers", "Order", "NO_ROOK", "Sources", "A document"] {
        assert!(!text.contains(absent), "{absent}");
    }
    assert!(text.contains("white corner"));
    let state = book.rule("CHE-4").map(|rule| rule.chapter.title);
    assert_eq!(state, Some("State"));
}

#[test]
fn a_title_is_bold_after_the_id_or_beside_it() {
    for (text, expected) in [
        ("- **X-1** **Rook.** Moves.", Some("Rook")),
        ("- X-1 **Rook** (white). Moves.", Some("Rook")),
        ("**X-1 Rook** moves.", Some("Rook")),
        ("**X-1** A **rook** moves.", None),
        ("White (**X-1**): a **rook**.", None),
        ("| X-1 | **rook** |", None),
        ("nothing", None),
    ] {
        assert_eq!(title(text, "X-1"), expected, "{text}");
    }
}
