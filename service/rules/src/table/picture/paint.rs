//! The **palette**. The hues of seats are those of Okabe and Ito, which color-blind people can tell apart; no drawing
//! conveys anything by color alone.

use enumset::EnumSetType;

use crate::table::Seat;

/// The background that a drawing is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScheme {
    /// Light or dark, as the reader prefers (`prefers-color-scheme`).
    Either,
    /// Light, regardless of the reader's preference.
    Light,
    /// Dark, regardless of the reader's preference.
    Dark,
}

/// Defines colors by their values on light and on dark ground. Each has a class of its own in the style sheet of a
/// drawing.
macro_rules! paints {
    ($($(#[$doc:meta])* $name:ident $light:literal $dark:literal,)+) => {
        /// A color of a drawing.
        #[derive(Debug, Hash, PartialOrd, Ord, EnumSetType, strum::EnumString, strum::IntoStaticStr)]
        #[strum(serialize_all = "kebab-case")]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Paint {
            $($(#[$doc])* $name,)+
        }

        impl Paint {
            /// Returns the color on light ground.
            pub const fn light(self) -> &'static str {
                match self {
                    $(Self::$name => $light,)+
                }
            }

            /// Returns the color on dark ground.
            pub const fn dark(self) -> &'static str {
                match self {
                    $(Self::$name => $dark,)+
                }
            }
        }
    };
}

paints! {
    /// The table.
    Paper "#ece9df" "#15171a",
    /// Surfaces on the table: boards, players' areas.
    Panel "#ffffff" "#24282d",
    /// Empty places.
    Empty "#f3f1ea" "#1b1e22",
    /// Thin lines.
    Line "#cfcabb" "#454b53",
    /// Text, outlines.
    Ink "#16181d" "#f1f1ee",
    /// Less important text.
    Faint "#565b63" "#adb4bd",
    /// The background of the current item.
    Glow "#fff2c4" "#453c14",
    /// The edge of the current item.
    Accent "#0b5a8a" "#7cc4ef",
    /// The edge of a dashed ring.
    Halo "#ffffff" "#000000",
    /// Text on light colors, edges of pieces.
    Dark "#16181d" "#16181d",
    /// Text on dark colors.
    Bright "#ffffff" "#ffffff",

    Blue "#0072b2" "#0072b2",
    Orange "#e69f00" "#e69f00",
    Green "#009e73" "#009e73",
    Pink "#cc79a7" "#cc79a7",
    Vermilion "#d55e00" "#d55e00",
    Yellow "#f0dc3c" "#f0dc3c",
    Sky "#56b4e9" "#56b4e9",
    Black "#2b2d33" "#2b2d33",
    Gray "#9aa1a9" "#9aa1a9",
    White "#fafaf7" "#fafaf7",
    Red "#c0362c" "#c0362c",
    Brown "#8a5a2b" "#9a6a38",
    Violet "#6a3fa0" "#7d55b3",

    Gold "#f2c318" "#f2c318",
    Silver "#c3c9d0" "#c3c9d0",
    Copper "#c98a55" "#c98a55",
    Stone "#aab0b8" "#aab0b8",

    /// Fills of cards and tiles, by kind.
    SoftRed "#f6c9bd" "#5c322a",
    SoftBrown "#dcb78d" "#5b452b",
    SoftGray "#c6cad1" "#464c55",
    SoftBlue "#a9cdf0" "#2b4766",
    SoftGreen "#c4e3c1" "#2c4f35",
    SoftViolet "#ece2f6" "#3e3350",
    SoftYellow "#f7e6a6" "#56491d",
    SoftSand "#ede1cd" "#413a2e",

    /// Landscapes.
    River "#d3e7f3" "#1d3140",
    Plains "#c99d6b" "#b58a5a",
    Swamp "#71757f" "#5d616b",
    Lakes "#8fc3ee" "#78aedb",
    Forest "#7fc092" "#63a578",
    Mountains "#d7dade" "#bcc1c7",
    Wasteland "#d95f42" "#d65e42",
    Desert "#f4de88" "#dfc76c",
}

impl Paint {
    /// Returns the color of a seat, for rulesets in which players choose none.
    pub const fn of_seat(seat: Seat) -> Self {
        match seat.number() {
            1 => Self::Blue,
            2 => Self::Orange,
            3 => Self::Green,
            4 => Self::Pink,
            _ => Self::Vermilion,
        }
    }

    /// Returns the color of text on this one.
    pub const fn on(self) -> Self {
        match self {
            Self::Blue | Self::Black | Self::Red | Self::Brown | Self::Violet | Self::Swamp => {
                Self::Bright
            }
            Self::Paper
            | Self::Panel
            | Self::Empty
            | Self::Line
            | Self::Faint
            | Self::Glow
            | Self::Halo
            | Self::SoftRed
            | Self::SoftBrown
            | Self::SoftGray
            | Self::SoftBlue
            | Self::SoftGreen
            | Self::SoftViolet
            | Self::SoftYellow
            | Self::SoftSand
            | Self::River => Self::Ink,
            Self::Ink | Self::Accent => Self::Panel,
            Self::Dark => Self::Bright,
            Self::Bright
            | Self::Orange
            | Self::Green
            | Self::Pink
            | Self::Vermilion
            | Self::Yellow
            | Self::Sky
            | Self::Gray
            | Self::White
            | Self::Gold
            | Self::Silver
            | Self::Copper
            | Self::Stone
            | Self::Plains
            | Self::Lakes
            | Self::Forest
            | Self::Mountains
            | Self::Wasteland
            | Self::Desert => Self::Dark,
        }
    }

    /// Returns the number of its class.
    pub(super) const fn class(self) -> u8 {
        self as u8
    }

    /// Returns the color whose class has this number.
    #[cfg(feature = "conformance")]
    pub fn of_class(class: u8) -> Option<Self> {
        let mut all = enumset::EnumSet::<Self>::all().iter();
        all.find(|paint| paint.class() == class)
    }

    /// Returns the value in a style sheet: a color, which a theme may have set, or a reference to its property if the
    /// reader's preference decides.
    pub(super) fn value(self, color_scheme: ColorScheme, themed: Option<String>) -> String {
        let own = match color_scheme {
            ColorScheme::Either => return format!("var(--p{})", self.class()),
            ColorScheme::Light => self.light(),
            ColorScheme::Dark => self.dark(),
        };
        themed.unwrap_or_else(|| own.to_owned())
    }

    /// Returns the declaration of its property: the color that the page has set, otherwise this one.
    pub(super) fn property(self, color: &str) -> String {
        format!("\n--p{}:var(--gk-{},{color});", self.class(), self.name())
    }

    /// Returns the name of the property that a page sets, without `--gk-`: `soft-green`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
