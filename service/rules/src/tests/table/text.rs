//! Text in columns and lines.

use gamekeeper_rules::table::text::{BOLD, Columns, fit, plain, styled, width, wrap};

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let mut columns = Columns::plain();
    columns.row(["a".to_owned(), styled(BOLD, "bb"), "c".to_owned()]);
    columns.row(["aaa".to_owned(), "b".to_owned()]);
    let text = plain(&columns.to_string());
    assert_eq!(text, "a    bb  c\naaa  b");
}

#[test]
fn long_lines_are_broken() {
    assert_eq!(fit("  one two\nthree", 40), "  one two\nthree");
    let name = styled(BOLD, "Ann");
    let fitted = fit(&format!("  {name} has a very long hand"), 14);
    assert_eq!(plain(&fitted), "  Ann has a\n    very long\n    hand");
    assert!(
        fit("endless-word-without-any-space", 10)
            .lines()
            .all(|line| width(line) <= 10)
    );
}

#[test]
fn words_wrap_at_the_width() {
    let words: Vec<String> = ["one", "two", "three"].map(String::from).to_vec();
    assert_eq!(
        wrap(&words, ", ", "In: ", "    ", 13),
        "In: one, two,\n    three"
    );
    assert_eq!(wrap(&[], ", ", "In: ", "    ", 13), "In: ");
}
