mod lines;
mod plates;
mod spaced;
mod tight;

use core::convert::Infallible;

use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, MonoTextStyleBuilder, ascii};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Circle, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Baseline, Text};
use proptest::prelude::*;

use super::{Font, Reader, ScreenText, TextLine};
use ili9341_model::{Frame, Region};
use virtual_time::Random;

pub(super) const FONTS: [(&str, &MonoFont<'static>); 4] = [
    ("6x10", &ascii::FONT_6X10),
    ("6x13 bold", &ascii::FONT_6X13_BOLD),
    ("9x15", &ascii::FONT_9X15),
    ("10x20", &ascii::FONT_10X20),
];

pub(super) const GROUND: Rgb888 = Rgb888::new(24, 32, 40);
const INK: Rgb888 = Rgb888::new(240, 240, 224);

/// A panel in memory to draw on; `scale` magnifies the drawing.
pub(crate) struct Panel {
    pub(crate) frame: Frame,
    pub(crate) scale: usize,
}

impl Panel {
    pub(crate) fn new(ground: Rgb888) -> Self {
        let ground = RawU24::from(ground).into_inner();
        Self { frame: Frame::filled(320, 240, ground), scale: 1 }
    }

    pub(super) fn text(&mut self, font: &MonoFont<'_>, x: i32, y: i32, text: &str) {
        self.text_in(MonoTextStyle::new(font, INK), x, y, text);
    }

    fn text_in(&mut self, style: MonoTextStyle<'_, Rgb888>, x: i32, y: i32, text: &str) {
        let Ok(_) = Text::with_baseline(text, Point::new(x, y), style, Baseline::Top).draw(self);
    }

    /// Returns the background and the ink colour.
    pub(super) fn colours(&self) -> [u32; 2] {
        [GROUND, INK].map(|colour| RawU24::from(colour).into_inner())
    }

    fn read(&self) -> ScreenText {
        reader().read(&self.frame)
    }
}

use embedded_graphics::pixelcolor::raw::RawU24;

impl OriginDimensions for Panel {
    fn size(&self) -> Size {
        Size::new(320, 240)
    }
}

impl DrawTarget for Panel {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        let (width, scale) = (self.frame.width(), self.scale as i32);
        for Pixel(point, colour) in pixels {
            let square = Rectangle::new(point * scale, Size::new_equal(self.scale as u32));
            for point in square.intersection(&self.bounding_box()).points() {
                let at = point.y as usize * width + point.x as usize;
                self.frame.pixels_mut()[at] = RawU24::from(colour).into_inner();
            }
        }
        Ok(())
    }
}

fn printable() -> String {
    ('!'..='~').collect()
}

pub(super) fn reader() -> Reader {
    let mut fonts: Vec<Font> =
        FONTS.iter().map(|(name, font)| Font::from_mono(name, font, 1, &printable())).collect();
    fonts.push(Font::from_mono("6x10 doubled", &ascii::FONT_6X10, 2, &printable()));
    Reader::new(fonts)
}

/// Returns the texts in reading order, without their positions.
fn texts(screen: &ScreenText) -> Vec<&str> {
    screen.lines.iter().map(|line| line.text.as_str()).collect()
}

#[track_caller]
fn check(panel: &Panel, expected: &[&str]) {
    assert_eq!(texts(&panel.read()), expected);
}

#[test]
fn no_two_printable_characters_of_a_font_look_the_same() {
    for (name, font) in FONTS {
        assert_eq!(Font::from_mono(name, font, 1, &printable()).twins(), [], "{name}");
    }
}

#[test]
fn the_height_of_capitals_is_that_of_an_h_on_the_panel() {
    let height = |scale, characters: &str| {
        Font::from_mono("6x10", &ascii::FONT_6X10, scale, characters).capital_height()
    };
    assert_eq!(height(1, "gH"), Some(7));
    assert_eq!(height(2, "gH"), Some(14));
    assert_eq!(height(1, "gh"), None);
}

#[test]
fn a_character_drawn_like_an_earlier_one_is_named_as_its_twin() {
    let font = Font::from_mono("6x10", &ascii::FONT_6X10, 1, "?é");
    assert_eq!(font.twins(), [('?', 'é')], "the font draws what it does not have as '?'");
    // The twin itself is never read.
    let reader = Reader::new(vec![font]);
    assert_eq!(['?', 'é', 'ß', ' '].map(|letter| reader.reads(letter)), [true, false, false, true]);
}

#[test]
fn every_printable_character_of_every_font_is_read_at_its_place() {
    for (index, (name, font)) in FONTS.into_iter().enumerate() {
        let mut panel = Panel::new(GROUND);
        let size = font.character_size;
        let all: Vec<char> = printable().chars().collect();
        let mut expected = Vec::new();
        for (row, characters) in all.chunks(25).enumerate() {
            // A letter at both ends: strokes alone would count as a picture.
            let text = format!("A{}Z", characters.iter().collect::<String>());
            let y = 3 + row * (size.height as usize + 1);
            panel.text(font, 5, y as i32, &text);
            expected.push(TextLine {
                x: 5,
                y,
                width: text.len() * size.width as usize,
                height: size.height as usize,
                pitch: size.width as usize,
                places: Vec::new(),
                text,
                font: index,
            });
        }
        assert_eq!(panel.read().lines, expected, "{name}");
    }
}

#[test]
fn text_at_double_size_is_read_as_such() {
    let mut panel = Panel::new(GROUND);
    panel.scale = 2;
    panel.text(&ascii::FONT_6X10, 20, 30, "GAME OVER 1-0!");
    let text = "GAME OVER 1-0!".into();
    let line = TextLine {
        x: 40,
        y: 60,
        width: 168,
        height: 20,
        pitch: 12,
        places: Vec::new(),
        text,
        font: 4,
    };
    assert_eq!(panel.read().lines, [line]);
}

#[test]
fn text_in_any_colours_on_any_background_is_read() {
    let colours = [Rgb888::BLACK, Rgb888::WHITE, Rgb888::RED, Rgb888::new(0, 0, 8), Rgb888::CYAN];
    for ground in colours {
        for ink in colours {
            let mut panel = Panel::new(Rgb888::new(90, 90, 90));
            let style = MonoTextStyleBuilder::new()
                .font(&ascii::FONT_9X15)
                .text_color(ink)
                .background_color(ground)
                .build();
            panel.text_in(style, 100, 100, "Player 2 wins");
            check(&panel, if ink == ground { &[] } else { &["Player 2 wins"] });
        }
    }
}

#[test]
fn text_beside_and_on_pictures_is_read_and_pictures_are_not() {
    let mut panel = Panel::new(GROUND);
    let wood = PrimitiveStyle::with_fill(Rgb888::new(120, 80, 40));
    let stone = PrimitiveStyle::with_fill(Rgb888::new(200, 180, 90));
    let rim = PrimitiveStyle::with_stroke(Rgb888::new(220, 220, 220), 1);
    for cup in 0..6 {
        let left = 10 + cup * 50;
        let Ok(()) = Circle::new(Point::new(left, 40), 44).into_styled(wood).draw(&mut panel);
        let Ok(()) = Circle::new(Point::new(left, 40), 44).into_styled(rim).draw(&mut panel);
        for (x, y) in [(10, 50), (24, 50), (10, 64), (24, 64)] {
            let spot = Point::new(left + x, y);
            let Ok(()) = Circle::new(spot, 9).into_styled(stone).draw(&mut panel);
        }
        let Ok(()) = Rectangle::new(Point::new(left, 100), Size::new(44, 20))
            .into_styled(rim)
            .draw(&mut panel);
        panel.text(&ascii::FONT_6X10, left + 19, 105, &(cup + 1).to_string());
        panel.text(&ascii::FONT_6X10, left + 10, 28, &format!("#{}", 6 - cup));
    }
    let labels = ["#6", "#5", "#4", "#3", "#2", "#1", "1", "2", "3", "4", "5", "6"];
    check(&panel, &labels);
}

#[test]
fn touching_underscores_are_read_by_their_position_in_the_line() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_9X15, 8, 8, "a__b__");
    check(&panel, &["a__b__"]);
}

#[test]
fn three_spaces_stay_in_a_line_and_four_split_it() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 10, 10, "one   two    three");
    check(&panel, &["one   two", "three"]);
}

#[test]
fn strokes_and_dots_alone_count_as_a_picture() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 10, 10, "--");
    panel.text(&ascii::FONT_6X10, 10, 40, "|");
    panel.text(&ascii::FONT_6X10, 10, 60, "->");
    panel.text(&ascii::FONT_6X10, 10, 80, "1-0");
    check(&panel, &["->", "1-0"]);
}

#[test]
fn two_strokes_in_a_row_with_text_of_their_font_are_text() {
    let mut panel = Panel::new(GROUND);
    let yellow = MonoTextStyle::new(&ascii::FONT_9X15, Rgb888::YELLOW);
    panel.text(&ascii::FONT_9X15, 10, 200, "#6");
    panel.text_in(yellow, 60, 200, "--");
    panel.text(&ascii::FONT_9X15, 110, 200, "#4");
    // Strokes of another font, at another height, and a single one.
    panel.text(&ascii::FONT_9X15, 260, 200, "-");
    panel.text(&ascii::FONT_6X10, 160, 200, "--");
    panel.text(&ascii::FONT_9X15, 210, 201, "--");
    let screen = panel.read();
    assert_eq!(screen.to_string(), "#6  --  #4");
    assert!(screen.contains("--") && screen.contains("#6 -- #4"));
}

#[test]
fn a_text_is_found_across_lines_below_each_other() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 40, 50, "Player 1");
    panel.text(&ascii::FONT_6X10, 43, 62, "FREE TURN");
    panel.text(&ascii::FONT_6X10, 43, 120, "far below");
    let screen = panel.read();
    assert!(screen.contains("Player 1 FREE TURN"));
    assert!(screen.contains("  Player\t1\nFREE  TURN "));
    assert!(screen.contains("Player\t1\u{a0}FREE\nTURN"));
    assert!(screen.contains("1 FREE"));
    assert!(!screen.contains("Player 1 TURN"), "a line goes on at its beginning");
    assert!(!screen.contains("FREE TURN Player 1"), "never upwards");
    assert!(!screen.contains("FREE TURN far below"), "more than a line height apart");
    assert!(!screen.contains("player 1"), "case counts");
}

#[test]
fn a_text_over_several_lines_is_found_in_their_region() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 46, 50, "A B A B");
    panel.text(&ascii::FONT_6X10, 40, 62, "A B C");
    panel.text(&ascii::FONT_6X10, 43, 74, "de");
    let screen = panel.read();
    let region = |x, y, width, height| Some(Region { x, y, width, height });
    assert_eq!(screen.find("B A"), region(46, 50, 42, 10), "a part of a line");
    assert_eq!(screen.find("B A B C"), region(40, 50, 48, 22), "further to the left");
    // The text begins with the end of the first line, not with the whole line.
    assert_eq!(screen.find("A B A B C"), region(40, 50, 48, 22));
    assert!(screen.contains("A B A B A B C de"));
    assert!(!screen.contains("A B A B A B Cde") && !screen.contains("A B A BA B C"));
    assert_eq!(super::search::readings(&screen).len(), 3 + 2);
}

#[test]
fn two_columns_are_read_down_and_across_their_rows() {
    let mut panel = Panel::new(GROUND);
    for (x, y, word) in
        [(10, 10, "left"), (200, 10, "right"), (10, 22, "below"), (200, 22, "under")]
    {
        panel.text(&ascii::FONT_6X10, x, y, word);
    }
    panel.text(&ascii::FONT_6X10, 10, 34, "a line under both of the two columns here");
    let screen = panel.read();
    assert!(screen.contains("left below a line") && screen.contains("right under a line"));
    assert!(screen.contains("left right") && screen.contains("left   right under"));
    assert!(screen.contains("ft rig") && screen.contains("low under a li"));
    assert!(!screen.contains("left under"), "neither beside nor below");
    assert!(!screen.contains("right left"), "never to the left");
    assert!(!screen.contains("leftright"), "a gap is a blank");
    assert!(!screen.contains("left right below"), "a row goes on below its last line");
    assert_eq!(
        screen.to_string(),
        "left  right\nbelow  under\na line under both of the two columns here"
    );
}

#[test]
fn a_row_is_read_across_gaps_of_any_width() {
    let mut panel = Panel::new(GROUND);
    for (place, count) in ["4", "4", "0", "5"].into_iter().enumerate() {
        panel.text(&ascii::FONT_9X15, 10 + 47 * place as i32, 100, count);
    }
    let red = MonoTextStyle::new(&ascii::FONT_6X10, Rgb888::RED);
    panel.text_in(red, 300, 103, "P1");
    let screen = panel.read();
    assert_eq!(screen.to_string(), "4  4  0  5  P1");
    for row in ["4 4 0 5 P1", "4  4  0  5  P1", "4 4", "4 0 5", "5 P1", "5 P"] {
        assert!(screen.contains(row), "{row}");
    }
    for wrong in ["4 0 4", "4 5", "440", "4 4 0 5 P1 4"] {
        assert!(!screen.contains(wrong), "{wrong}");
    }
}

#[test]
fn ink_is_read_once_if_two_fonts_have_the_glyphs() {
    let font = |name| Font::from_mono(name, &ascii::FONT_6X10, 1, &printable());
    let reader = Reader::new(vec![font("6x10"), font("the same again")]);
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 10, 20, "Play 4");
    panel.text(&ascii::FONT_6X10, 10, 60, "File");
    assert_eq!(texts(&reader.read(&panel.frame)), ["Play 4", "File"]);
}

#[test]
fn a_region_contains_the_characters_entirely_inside_it() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_10X20, 100, 50, "GAME OVER");
    panel.text(&ascii::FONT_10X20, 100, 71, "Player 1");
    let screen = panel.read();
    let inside = |x, y, width, height| {
        screen.within(Region { x, y, width, height }).to_string().replace('\n', " / ")
    };
    assert_eq!(inside(0, 0, 320, 240), "GAME OVER / Player 1");
    assert_eq!(inside(100, 50, 90, 41), "GAME OVER / Player 1");
    assert_eq!(inside(101, 50, 88, 41), "AME OVE / layer 1");
    assert_eq!(inside(100, 50, 90, 40), "GAME OVER");
    assert_eq!(inside(100, 51, 90, 40), "Player 1");
    assert_eq!(inside(140, 50, 50, 20), "OVER", "without the blank before it");
    assert_eq!(inside(140, 50, 10, 20), "");
    let cut = screen.within(Region { x: 101, y: 50, width: 88, height: 41 });
    let place = Region { x: 110, y: 50, width: 70, height: 20 };
    assert_eq!(cut.find("AME OVE"), Some(place), "what is left stands where it stood");
    assert_eq!(inside(0, 120, 320, 120), "");
    let place = screen.find("OVER Player").unwrap();
    assert_eq!(place, Region { x: 100, y: 50, width: 90, height: 41 });
    assert!(screen.within(place).contains("OVER Player"));
}

#[test]
fn an_empty_or_tiny_frame_has_no_text() {
    for (width, height) in [(0, 0), (1, 1), (5, 300), (300, 5)] {
        assert!(reader().read(&Frame::filled(width, height, 7)).lines.is_empty());
    }
}

proptest! {
    #[test]
    fn any_words_anywhere_are_read_back(
        words in proptest::collection::vec("[!-~]{0,3}[A-Za-z0-9][!-~]{0,3}( [!-~]{1,4}){0,2}", 1..8),
        font in 0..FONTS.len(),
        x in 0..40_i32,
        y in 0..20_i32,
    ) {
        let mut panel = Panel::new(GROUND);
        let font = FONTS[font].1;
        for (row, text) in words.iter().enumerate() {
            panel.text(font, x, y + row as i32 * font.character_size.height as i32, text);
        }
        let screen = panel.read();
        prop_assert_eq!(texts(&screen), words.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert!(screen.contains(&words.join(" ")));
    }

    #[test]
    fn a_screens_printed_text_is_found_on_it_at_its_position(
        words in proptest::collection::vec(
            (0..FONTS.len(), 0..320_i32, 0..240_i32, "[!-~]{1,6}( {1,5}[!-~]{1,6}){0,3}"), 1..24,
        ),
    ) {
        let mut panel = Panel::new(GROUND);
        for (font, x, y, text) in &words {
            panel.text(FONTS[*font].1, *x, *y, text);
        }
        let screen = panel.read();
        let printed = screen.to_string();
        for row in printed.lines() {
            let place = screen.find(row);
            prop_assert!(place.is_some_and(|place| screen.within(place).contains(row)), "{}", row);
            prop_assert!(screen.within(Region::PANEL).contains(row), "{}", row);
        }
        for reading in screen.readings() {
            prop_assert!(screen.contains(&reading), "{}", reading);
        }
        prop_assert_eq!(screen.within(Region::PANEL), screen);
    }

    #[test]
    fn noise_does_not_panic_the_reader(colours in 1..6_u32, seed: u64) {
        let mut random = Random::new(seed);
        let mut frame = Frame::filled(64, 64, 0);
        for pixel in frame.pixels_mut() {
            *pixel = random.below(colours.into()) as u32;
        }
        let _ = reader().read(&frame).to_string();
    }
}
