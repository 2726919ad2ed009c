//! Look of the window when it was closed last. The caller stores it as text. This module knows no
//! SDL and no file.

use core::fmt;

use super::display::ScreenSize;

/// Look of the window when it was closed last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remembered {
    /// Width and height, in points.
    pub size: Option<(u32, u32)>,
    /// Place of the upper left corner.
    pub place: Option<(i32, i32)>,
    /// Whether the surroundings are light.
    pub light: bool,
    pub muted: bool,
    /// Volume in percent; `None` is full.
    pub volume: Option<u8>,
}

impl Remembered {
    /// Parses the text that its `Display` writes. Unknown lines are ignored: another version may
    /// have written them.
    pub fn parse(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default();
            let numbers: Vec<i64> = words.filter_map(|word| word.parse().ok()).collect();
            match (name, numbers.as_slice()) {
                ("size", [width, height]) => {
                    found.size = u32::try_from(*width).ok().zip(u32::try_from(*height).ok());
                }
                ("place", [x, y]) => {
                    found.place = i32::try_from(*x).ok().zip(i32::try_from(*y).ok());
                }
                ("light", _) => found.light = true,
                ("muted", _) => found.muted = true,
                ("volume", [percent]) => {
                    found.volume = u8::try_from(*percent).ok().filter(|percent| *percent <= 100);
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the size if a window of it fits on the screen.
    pub(super) fn size_on(
        &self,
        screen: Option<ScreenSize>,
        least: (u32, u32),
    ) -> Option<(u32, u32)> {
        let ((width, height), _) = screen?;
        let fits = |size: &(u32, u32)| {
            (least.0..=width).contains(&size.0) && (least.1..=height).contains(&size.1)
        };
        self.size.filter(fits)
    }
}

impl fmt::Display for Remembered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((width, height)) = self.size {
            writeln!(out, "size {width} {height}")?;
        }
        if let Some((x, y)) = self.place {
            writeln!(out, "place {x} {y}")?;
        }
        if self.light {
            writeln!(out, "light")?;
        }
        if self.muted {
            writeln!(out, "muted")?;
        }
        if let Some(volume) = self.volume {
            writeln!(out, "volume {volume}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let look = Remembered {
            size: Some((700, 900)),
            place: Some((-20, 40)),
            light: true,
            muted: true,
            volume: Some(40),
        };
        assert_eq!(Remembered::parse(&look.to_string()), look);
        assert_eq!(Remembered::parse(&Remembered::default().to_string()), Remembered::default());
        let damaged = "size 7\nsize -1 5\nplace x y\nvolume 900\n\0\nnew thing";
        assert_eq!(Remembered::parse(damaged), Remembered::default());
    }

    #[test]
    fn a_size_that_does_not_fit_on_the_screen_is_not_used() {
        let look = Remembered { size: Some((1_000, 900)), ..Remembered::default() };
        let on = |width, height| look.size_on(Some(((width, height), 96.0)), (300, 300));
        assert_eq!(on(1_920, 1_080), Some((1_000, 900)));
        assert_eq!((on(1_366, 768), on(800, 1_080)), (None, None));
        assert_eq!(look.size_on(None, (300, 300)), None);
        assert_eq!(look.size_on(Some(((1_920, 1_080), 96.0)), (1_001, 300)), None);
    }
}
