//! Enemies and calendar, and the table of points and dice.

use super::{in_turn_order, paint};
use crate::kingsburg::components;
use crate::kingsburg::data::{Phase, YEARS};
use crate::kingsburg::event::Outcome;
use crate::kingsburg::view::{DiePlace, DieView, EnemyView, PlayerView, View};
use crate::table::Component;
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};

/// The number of points at which a bar is full.
const FULL: i32 = 40;

/// The height of rows above which there is room for more.
const HIGH_ROW: i32 = 60;

/// The enemies of the five years, and the phases of this one.
pub(super) fn calendar(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "");
    let (enemies, phases) = inner.cut_top(inner.h - 28);
    for (index, foe) in view.enemies.iter().enumerate() {
        let cell = enemies.column(index, YEARS.into(), 4);
        enemy(
            canvas,
            view,
            foe,
            Area {
                h: cell.h - 6,
                ..cell
            },
        );
    }
    for (index, phase) in Phase::ALL.into_iter().enumerate() {
        let cell = phases.column(index, Phase::COUNT, 1);
        let now = phase == view.phase;
        let outline = Outline::Rect(cell);
        canvas.part(components::phase(phase), phase.name(), &outline, |canvas| {
            let (fill, ink) = if now {
                (Paint::Accent, Paint::Panel)
            } else {
                (Paint::Empty, Paint::Faint)
            };
            canvas.rect(cell, 3, fill);
            let font = canvas.font(11).middle().paint(ink);
            canvas.text(cell.middle().by(0, 4), short(phase), font, cell.w);
        });
    }
}

/// The word of a phase that the other phases do not have.
const fn short(phase: Phase) -> &'static str {
    match phase {
        Phase::KingsAid => "Aid",
        Phase::Spring => "Spring",
        Phase::KingsReward => "Reward",
        Phase::Summer => "Summer",
        Phase::KingsEnvoy => "Envoy",
        Phase::Autumn => "Autumn",
        Phase::Recruit => "Recruit",
        Phase::Winter => "Winter",
    }
}

fn enemy(canvas: &mut Canvas<'_>, view: &View, foe: &EnemyView, area: Area) {
    let now = foe.year == view.year;
    let (name, strength) = match foe.card {
        Some(card) => (card.name(), card.card().strength.to_string()),
        None => (
            "unknown",
            format!("{}–{}", foe.min_strength, foe.max_strength),
        ),
    };
    let title = format!("Enemy of year {}: {name}, strength {strength}", foe.year);
    let outline = Outline::Rect(area);
    canvas.part(components::enemy(foe.year), title, &outline, |canvas| {
        let look = if now {
            (Paint::Glow, Some((Paint::Accent, 2)))
        } else {
            (Paint::Empty, Some((Paint::Line, 1)))
        };
        canvas.bordered(area, 4, look);
        let left = area.corner().by(6, 16);
        canvas.label(
            left,
            format_args!("Year {}", foe.year),
            canvas.font(11).faint(),
        );
        let right = Point::new(area.right() - 6, area.y + 19);
        let size = if area.w < 80 { 13 } else { 17 };
        canvas.label(right, &strength, canvas.font(size).bold().end());
        canvas.name(area.corner().by(6, 34), name, canvas.font(12), area.w - 10);
        let note = won(view, foe);
        canvas.text(
            area.corner().by(6, 49),
            note,
            canvas.font(11).faint(),
            area.w - 10,
        );
    });
}

/// The number of winners of the battle, or the seats that have seen the card.
fn won(view: &View, foe: &EnemyView) -> String {
    let current = view.battle.iter().filter(|_| foe.year == view.year);
    let battle = view.history.iter().chain(current);
    let mut battle = battle.filter(|battle| foe.card == Some(battle.card));
    if let Some(battle) = battle.next() {
        let fighters = battle.fighters.len();
        let won = battle.fighters.iter();
        let won = won.filter(|one| one.outcome == Outcome::Victory).count();
        return format!("{won} of {fighters} won");
    }
    if foe.year != view.year || view.peeked_by.is_empty() {
        return String::new();
    }
    // All numbers have no room.
    if view.peeked_by.len() > 2 {
        return format!("{} saw it", view.peeked_by.len());
    }
    let seats = view.peeked_by.iter().map(|seat| seat.number().to_string());
    format!("seen by {}", seats.collect::<Vec<_>>().join(" "))
}

/// Draws players in turn order: free dice, points as bars, strength without the extra strength against single kinds of
/// enemies.
pub(super) fn standings(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "");
    let (head, rows) = inner.cut_top(14);
    let font = canvas.font(11).faint().bold();
    let bars = area.x + area.w * 9 / 20;
    canvas.label(head.corner().by(0, 9), "Turn order and dice", font);
    let is_broad = area.w > 400;
    if is_broad {
        canvas.label(Point::new(bars, head.y + 9), "Victory points", font);
    }
    canvas.label(Point::new(head.right(), head.y + 9), "Defense", font.end());
    // Rows of a high panel stay together, and those of a low one have room for dice.
    let room = usize::try_from(rows.h / HIGH_ROW).unwrap_or_default();
    let count = view.players.len().max(room);
    for (index, player) in in_turn_order(view).enumerate() {
        standing(canvas, view, player, rows.row(index, count, 2));
    }
    let left = if is_broad { bars + 116 } else { bars };
    envoy(canvas, view, Point::new(left, head.y + 3));
}

/// Returns whether no other player has more points.
pub(super) fn leads(view: &View, player: &PlayerView) -> bool {
    view.players.iter().all(|other| other.vp <= player.vp)
}

fn standing(canvas: &mut Canvas<'_>, view: &View, player: &PlayerView, row: Area) {
    let (seat, fill) = (player.seat, paint(player));
    if canvas.look.acts(seat) {
        canvas.bordered(row, 5, (Paint::Glow, Some((Paint::Accent, 2))));
    }
    let middle = row.middle().y;
    canvas.seat_marker(seat, Point::new(row.x + 16, middle), 22, fill);
    let name = canvas.look.names.who(seat).to_string();
    let bars = row.x + row.w * 9 / 20 - 4;
    let left = row.x + 32;
    let width = bars - left - 8;
    let font = canvas.font(14).bold().down_to(11, &name, width);
    let below = dice(canvas, player, Point::new(left + 9, middle + 10));
    let base = if below { middle - 5 } else { middle + 5 };
    canvas.name(Point::new(left, base), name, font, width);
    let width = row.w / 3;
    let vp = i32::from(player.vp);
    let bar = Area::new(bars, middle - 9, width, 18);
    canvas.bordered(bar, 3, (Paint::Empty, Some((Paint::Line, 1))));
    let full = Area {
        w: (width * vp.clamp(0, FULL) / FULL).max(2),
        ..bar
    };
    canvas.bordered(full, 3, (fill, Some((Paint::Dark, 1))));
    let points = canvas.font(17).bold();
    let at = Point::new(full.right() + 6, middle + 6);
    canvas.label(at, vp, points);
    if leads(view, player) {
        let star = at.by(points.label_width(&vp.to_string()) + 13, -6);
        canvas.shape(Shape::Star, star, 18, Paint::Gold);
    }
    let built: i32 = player
        .buildings
        .iter()
        .map(|one| i32::from(one.strength()))
        .sum();
    let strength = built + i32::from(player.soldiers);
    let at = Point::new(row.right() - 6, middle + 6);
    canvas.label(at, strength, canvas.font(17).bold().end());
    canvas.shape(Shape::Shield, at.by(-30, -6), 16, Paint::Silver);
}

/// The dice that are not placed, side by side below the name. Returns whether there are any.
fn dice(canvas: &mut Canvas<'_>, player: &PlayerView, mut at: Point) -> bool {
    let mut any = false;
    let free = |die: &&DieView| !matches!(die.place, DiePlace::Court(_));
    for die in player.dice.iter().filter(free) {
        any = true;
        let fill = if die.die.is_white() {
            Paint::White
        } else {
            paint(player)
        };
        let component: Component = components::die(player.seat, die.die);
        let outline = Outline::Rect(Area::around(at, 20));
        let draw = |canvas: &mut Canvas<'_>| canvas.die(die.value, at, 18, fill);
        canvas.part(
            component,
            format_args!("die showing {}", die.value),
            &outline,
            |canvas| match die.place {
                DiePlace::SetAside => canvas.faded(draw),
                DiePlace::Pool | DiePlace::Court(_) => draw(canvas),
            },
        );
        at = at.by(21, 0);
    }
    any
}

/// The King's Envoy and its holder.
fn envoy(canvas: &mut Canvas<'_>, view: &View, at: Point) {
    let text = view.envoy.holder.map_or_else(
        || String::from("Envoy: free"),
        |holder| format!("Envoy: {}", canvas.look.names.of(holder)),
    );
    let font = canvas.font(11);
    let width = font.width(&text).min(104);
    let area = Area::new(at.x - 4, at.y - 8, width + 10, 17);
    canvas.part(
        components::envoy(),
        "The King's Envoy",
        &Outline::Rect(area),
        |canvas| {
            canvas.rect(area, 4, Paint::SoftYellow);
            canvas.name(at.by(1, 5), text, font, width);
        },
    );
}
