//! The widths of text, and what becomes of text that is too wide.

use gamekeeper_rules::table::picture::{Fitted, Measure};

const PLAIN: Measure = Measure {
    size: 10,
    bold: false,
    stretch: 100,
};

#[test]
fn text_is_cut_to_its_width() {
    assert_eq!(PLAIN.width("aa a"), 20);
    assert_eq!(PLAIN.cut("aaaa", 23), "aaaa");
    assert_eq!(PLAIN.cut("aaaa", 18), "aa…");
    assert_eq!(PLAIN.cut("aaaa", 0), "");
    let bold = Measure {
        bold: true,
        ..PLAIN
    };
    assert!(bold.width("aaaa") > PLAIN.width("aaaa"));
}

#[test]
fn wide_letters_are_set_narrower_where_they_have_no_room() {
    let wide = Measure {
        stretch: 120,
        ..PLAIN
    };
    assert_eq!(wide.width("aaaa"), 27);
    let fitted = |width| {
        let Fitted { text, length } = wide.fitted("aaaa", width);
        (text, length)
    };
    assert_eq!(fitted(27), (String::from("aaaa"), None));
    assert_eq!(fitted(24), (String::from("aaaa"), Some(24)));
    assert_eq!(fitted(18), (String::from("aa…"), Some(18)));
    let lines = wide.fitted_lines("one two three", 36, 2);
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| (line.text, line.length))
        .collect();
    let [one, two] = ["one two", "three"].map(String::from);
    assert_eq!(lines, [(one, Some(36)), (two, None)]);
}

#[test]
fn words_go_to_the_next_line() {
    assert_eq!(PLAIN.lines("one two three", 40, 3), ["one two", "three"]);
    assert_eq!(PLAIN.lines("one two three", 40, 1), ["one tw…"]);
    assert_eq!(PLAIN.lines("", 40, 1), Vec::<String>::new());
}
