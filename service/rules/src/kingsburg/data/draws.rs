//! Labels of random draws (KIN-5.5).

use super::enemy::Enemy;
use crate::table::DrawValue;

impl DrawValue for Enemy {
    fn draw_value(self) -> u16 {
        self.number()
    }
}

/// Returns the label of a drawn value: the id of the data file, unless it is a number.
pub fn draw_label(draw: &str, value: u16) -> Option<&'static str> {
    let card = Enemy::from_number(value).filter(|_| draw.starts_with("enemy_year_"));
    card.map(Enemy::id)
}
