//! Number of colours of a terminal, and the nearest colour to a given one. This module knows no
//! terminal: the variables of the environment are arguments.

use ratatui_core::style::Color;

/// Number of colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// 24-bit colours.
    True,
    /// The 256 colours of xterm.
    Many,
    /// The 16 colours of ECMA-48 and its extension by terminals.
    Few,
    /// No colours, because `NO_COLOR` is set.
    None,
}

/// Values of TERM of terminals with 24-bit colours. `ssh` passes on TERM, but not COLORTERM.
const TRUE_TERMS: [&str; 8] =
    ["alacritty", "contour", "direct", "foot", "ghostty", "kitty", "rio", "wezterm"];

impl Depth {
    /// Returns the depth that the variables TERM, COLORTERM and NO_COLOR specify.
    pub fn of(term: &str, colorterm: &str, no_color: &str) -> Self {
        if !no_color.is_empty() {
            return Self::None;
        }
        let is_true = matches!(colorterm, "truecolor" | "24bit")
            || TRUE_TERMS.iter().any(|name| term.split('-').any(|word| word == *name));
        if is_true || cfg!(windows) {
            Self::True
        } else if term.contains("256") {
            Self::Many
        } else {
            Self::Few
        }
    }

    /// Returns the colour that is nearest to `rgb` (0xRRGGBB).
    pub fn colour(self, rgb: u32) -> Color {
        let [_, red, green, blue] = rgb.to_be_bytes();
        match self {
            Self::True => Color::Rgb(red, green, blue),
            Self::Many => Color::Indexed(nearest_of_256([red, green, blue])),
            Self::Few => FEW[nearest(&FEW_RGB, [red, green, blue])],
            Self::None => Color::Reset,
        }
    }
}

/// Levels of each channel in xterm's colour cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The 16 colours, each with its RGB value in xterm.
const FEW: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];
const FEW_RGB: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// Returns the square of the distance between two colours.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

fn nearest(palette: &[[u8; 3]], rgb: [u8; 3]) -> usize {
    (0..palette.len()).min_by_key(|at| distance(palette[*at], rgb)).unwrap_or(0)
}

/// Returns the nearest colour of the cube (16 to 231) and the greys (232 to 255). The first 16
/// colours look different in each terminal.
fn nearest_of_256(rgb: [u8; 3]) -> u8 {
    let level = |value: u8| (0..6).min_by_key(|at| LEVELS[*at].abs_diff(value)).unwrap_or(0);
    let [red, green, blue] = rgb.map(level);
    let cube = [red, green, blue].map(|at| LEVELS[at]);
    let mean = rgb.iter().map(|value| u32::from(*value)).sum::<u32>() / 3;
    let step = (mean.saturating_sub(3) / 10).min(23) as u8;
    let grey = [8 + 10 * step; 3];
    if distance(grey, rgb) < distance(cube, rgb) {
        232 + step
    } else {
        (16 + 36 * red + 6 * green + blue) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_number_of_colours() {
        let cases = [
            (("xterm-256color", "truecolor", ""), Depth::True),
            (("xterm-256color", "24bit", ""), Depth::True),
            (("xterm-kitty", "", ""), Depth::True),
            (("xterm-direct", "", ""), Depth::True),
            (("xterm-256color", "", ""), Depth::Many),
            (("xterm", "", ""), Depth::Few),
            (("linux", "", ""), Depth::Few),
            (("xterm-kitty", "truecolor", "1"), Depth::None),
        ];
        for ((term, colorterm, no_color), expected) in cases {
            if cfg!(not(windows)) || expected == Depth::None {
                assert_eq!(Depth::of(term, colorterm, no_color), expected, "{term} {colorterm}");
            }
        }
    }

    #[test]
    fn every_colour_of_a_palette_is_its_own_nearest() {
        for (at, [red, green, blue]) in FEW_RGB.into_iter().enumerate() {
            let rgb = u32::from_be_bytes([0, red, green, blue]);
            assert_eq!(Depth::Few.colour(rgb), FEW[at]);
        }
        for at in 16..=255_u8 {
            let shown = match at {
                232.. => [8 + 10 * (at - 232); 3],
                _ => [(at - 16) / 36, (at - 16) / 6 % 6, (at - 16) % 6]
                    .map(|level| LEVELS[usize::from(level)]),
            };
            let found = nearest_of_256(shown);
            // The greys of the cube are close to greys of the ramp, and vice versa.
            assert!(found == at || distance(shown, [shown[0]; 3]) == 0, "{at} {found}");
        }
        assert_eq!(Depth::Many.colour(0x08_0808), Color::Indexed(232));
        assert_eq!(Depth::True.colour(0x12_3456), Color::Rgb(0x12, 0x34, 0x56));
    }
}
