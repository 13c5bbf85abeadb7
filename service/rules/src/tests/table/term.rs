//! Actions with the titles of their kinds.

use gamekeeper_rules::table::{Kind, actions};

actions! {
    #[allow(unreachable_pub, reason = "an action is part of a ruleset's interface")]
    Action {
        /// Pays gold (TOY-1).
        Pay(u8) "Pay gold",
        PassTurn "Pass",
        BuyCards { cards: Vec<u8>, price: u8 } "Buy cards",
    }
}

#[test]
fn a_kind_has_its_title() {
    assert_eq!(Action::TERMS[0].doc.trim(), "Pays gold (TOY-1).");
    let terms = Action::TERMS.iter().map(|term| (term.id, term.title));
    let terms: Vec<_> = terms.collect();
    assert_eq!(
        terms,
        [
            ("pay", "Pay gold"),
            ("pass_turn", "Pass"),
            ("buy_cards", "Buy cards")
        ]
    );
    let (cards, price) = (vec![7], 2);
    let actions = [
        Action::Pay(1),
        Action::PassTurn,
        Action::BuyCards { cards, price },
    ];
    let kinds = actions.iter().map(Kind::kind);
    assert!(kinds.eq(terms.iter().map(|(id, _)| *id)));
}
