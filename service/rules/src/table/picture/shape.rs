//! Outlines of pieces and signs, each defined once in a square of 24 units and referred to by each use. They take the
//! colors of the place of use, unless they have colors of their own.

use crate::table::Seat;

/// Defines shapes: a row for each, with its content in the square from 0 to 24.
macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident $content:literal,)+) => {
        /// The outline of a piece or sign.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Shape {
            $($(#[$doc])* $name,)+
        }

        impl Shape {
            /// Returns the number of its definition in the drawing.
            pub(super) const fn number(self) -> u8 {
                self as u8
            }

            pub(super) const fn content(self) -> &'static str {
                match self {
                    $(Self::$name => $content,)+
                }
            }
        }
    };
}

shapes! {
    /// The marks of the seats.
    Circle r#"<circle cx="12" cy="12" r="11"/>"#,
    Square r#"<rect x="2" y="2" width="20" height="20" rx="2"/>"#,
    Diamond r#"<path d="M12 0L24 12L12 24L0 12z"/>"#,
    Triangle r#"<path d="M12 1L24 22H0z"/>"#,
    Pentagon r#"<path d="M12 0L24 9L19 23H5L0 9z"/>"#,

    Star r#"<path d="M12 1L15 9L23 9L17 14L19 22L12 17L5 22L7 14L1 9L9 9z"/>"#,
    Coin r#"<circle cx="12" cy="12" r="10"/><circle cx="12" cy="12" r="7" fill="none"/>"#,
    Cube r#"<rect x="3" y="3" width="18" height="18" rx="3"/>"#,
    Plank r#"<rect x="1" y="7" width="22" height="10" rx="3"/><path d="M5 12H19" fill="none"/>"#,
    Rock r#"<path d="M2 20L6 7L13 4L20 9L22 20z"/>"#,
    Shield r#"<path d="M3 2H21V12Q21 19 12 23Q3 19 3 12z"/><path d="M12 6V17M8 10H16" fill="none"/>"#,
    House r#"<path d="M12 2L22 11V22H2V11z"/>"#,
    TradingHouse r#"<path d="M1 22V13L7 7L12 12V6L17 2L23 7V22z"/>"#,
    Round r#"<circle cx="12" cy="12" r="10"/><circle cx="12" cy="12" r="5" fill="none"/>"#,
    Castle r#"<path d="M2 22V4H6V8H10V4H14V8H18V4H22V22z"/>"#,
    Temple r#"<path d="M1 12L6 4H18L23 12L18 20H6z"/>"#,
    Worker r#"<path d="M5 5V19A7 4 0 0 0 19 19V5z"/><ellipse cx="12" cy="5" rx="7" ry="4"/>"#,
    Priest r#"<path d="M12 1L20 22H4z"/>"#,
    Eye r#"<path d="M1 12Q12 1 23 12Q12 23 1 12z"/><circle cx="12" cy="12" r="4"/>"#,
    Army r#"<path d="M4 22V13L12 9L20 13V22z"/><circle cx="12" cy="6" r="5"/>"#,
    Ship r#"<path d="M1 15H23L19 22H5zM11 2V13M11 3L20 12H11z"/>"#,
    Octagon r#"<path d="M7 1H17L23 7V17L17 23H7L1 17V7z"/>"#,
    Spade r#"<path d="M12 23Q5 18 5 11H11V4H8V1H16V4H13V11H19Q19 18 12 23z"/>"#,
    Leap r#"<path d="M2 21Q4 5 14 6V1L23 9L14 17V12Q7 11 2 21z"/>"#,
    Step r#"<path d="M12 1L22 12H16V23H8V12H2z"/>"#,
    Key r#"<path d="M12 9H23V14H20V12H18V15H15V13H12A5 5 0 1 1 12 9z"/>"#,
    Flag r#"<path d="M4 1V23M4 2H21L16 7L21 12H4z"/>"#,

    /// Signs of landscapes, drawn with lines.
    SignPlains r#"<path d="M4 7H20M4 12H20M4 17H20" fill="none"/>"#,
    SignSwamp r#"<path d="M6 5V19M11 8V19M16 5V19" fill="none"/>"#,
    SignLakes r#"<path d="M3 9Q7 5 12 9T21 9M3 16Q7 12 12 16T21 16" fill="none"/>"#,
    SignForest r#"<path d="M12 3L19 14H5zM12 14V21" fill="none"/>"#,
    SignMountains r#"<path d="M2 18L8 8L13 15L16 10L22 18" fill="none"/>"#,
    SignWasteland r#"<path d="M3 9L8 15L12 9L15 15L21 9" fill="none"/>"#,
    SignDesert r#"<path d="M5 8H7M13 6H15M18 12H20M8 14H10M14 18H16" fill="none"/>"#,

    Die1 r#"<rect x="1" y="1" width="22" height="22" rx="4"/><path stroke="currentColor" stroke-width="4" stroke-linecap="round" d="M12 12h0"/>"#,
    Die2 r#"<rect x="1" y="1" width="22" height="22" rx="4"/><path stroke="currentColor" stroke-width="4" stroke-linecap="round" d="M7 7h0M17 17h0"/>"#,
    Die3 r#"<rect x="1" y="1" width="22" height="22" rx="4"/><path stroke="currentColor" stroke-width="4" stroke-linecap="round" d="M7 7h0M12 12h0M17 17h0"/>"#,
    Die4 r#"<rect x="1" y="1" width="22" height="22" rx="4"/><path stroke="currentColor" stroke-width="4" stroke-linecap="round" d="M7 7h0M17 7h0M7 17h0M17 17h0"/>"#,
    Die5 r#"<rect x="1" y="1" width="22" height="22" rx="4"/><path stroke="currentColor" stroke-width="4" stroke-linecap="round" d="M7 7h0M17 7h0M12 12h0M7 17h0M17 17h0"/>"#,
    Die6 r#"<rect x="1" y="1" width="22" height="22" rx="4"/><path stroke="currentColor" stroke-width="4" stroke-linecap="round" d="M7 6h0M17 6h0M7 12h0M17 12h0M7 18h0M17 18h0"/>"#,
}

impl Shape {
    /// Returns the mark of a seat: together with its number it distinguishes seats without color.
    pub const fn of_seat(seat: Seat) -> Self {
        match seat.number() {
            1 => Self::Circle,
            2 => Self::Square,
            3 => Self::Diamond,
            4 => Self::Triangle,
            _ => Self::Pentagon,
        }
    }

    /// Returns a die that shows this face.
    pub const fn die(face: u8) -> Self {
        match face {
            1 => Self::Die1,
            2 => Self::Die2,
            3 => Self::Die3,
            4 => Self::Die4,
            5 => Self::Die5,
            _ => Self::Die6,
        }
    }
}
