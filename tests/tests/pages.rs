//! Every page on the LCD: all of the panel drawn, every word read back off the pixels, every
//! key above its button, and from any screen to any other with no pixel left behind, none
//! written twice, and few bytes for a small change.

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};
use firmware_core::firmware::BYTES_A_STEP;
use firmware_core::lcd::{PANEL, PIXEL_BYTES, WINDOW_BYTES};
use firmware_core::menu::{Entries, Entry, Menu};
use firmware_core::message::Message;
use firmware_core::name::{LETTERS, Name};
use firmware_core::page::{FILE_ROWS, FileRow, Key, Kind, Notice, Page, Question};
use firmware_core::places::Places;
use firmware_core::present::{ByteBudget, Presenter};
use firmware_core::rules::{CUPS_A_SIDE, PLACES, Player};
use firmware_core::screen::layout::Layout;
use firmware_core::screen::page::words::{self, Sentences};
use firmware_core::screen::{BoardView, Damage, PageView, View, theme};
use firmware_core::systems::{BOARD, Game, SYSTEMS, System};
use hal_mock::Frame;
use nudge_tests::dice::Dice;
use nudge_tests::glance::{Eye, cut_out, seen};

/// The board's panel, and one that somebody may take instead.
const PANELS: [Size; 2] = [PANEL, Size::new(480, 320)];

/// What no screen ever draws: what is left of it was never written.
const NEVER_DRAWN: u32 = 0x00FF_00FF;

/// A panel that counts how often each pixel is written, and what that costs on the wire.
struct Paper {
    frame: Frame,
    writes: Vec<u8>,
    bytes: u32,
}

impl Paper {
    fn new(size: Size) -> Self {
        let (width, height) = (size.width as usize, size.height as usize);
        let frame = Frame::filled(width, height, NEVER_DRAWN);
        Self { frame, writes: vec![0; width * height], bytes: 0 }
    }

    /// Everything that `view` shows on a panel of `size`.
    fn drawn(view: &View, size: Size) -> Self {
        let mut paper = Self::new(size);
        paper.show(&mut Presenter::new(), view);
        let left = paper.frame.pixels().iter().position(|pixel| *pixel == NEVER_DRAWN);
        assert_eq!(left, None, "a pixel of {view:?} is left out on {size}");
        paper
    }

    /// Lets `presenter` bring the panel to `view`; the bytes that this took.
    fn show(&mut self, presenter: &mut Presenter, view: &View) -> u32 {
        let size = self.size();
        self.bytes = 0;
        self.writes.fill(0);
        for _ in 0..1_000 {
            let mut budget = ByteBudget(BYTES_A_STEP);
            let Ok(done) = presenter.step(view, size, self, &mut budget);
            if done {
                assert!(self.writes.iter().all(|writes| *writes <= 1), "{view:?} on {size}");
                return self.bytes;
            }
        }
        panic!("{view:?} is never done on {size}");
    }
}

impl OriginDimensions for Paper {
    fn size(&self) -> Size {
        Size::new(self.frame.width() as u32, self.frame.height() as u32)
    }
}

impl DrawTarget for Paper {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        self.bytes += WINDOW_BYTES;
        let width = self.frame.width();
        for Pixel(point, colour) in pixels {
            assert!(self.bounding_box().contains(point), "{point} is beside the panel");
            let at = point.y as usize * width + point.x as usize;
            self.frame.pixels_mut()[at] = seen(colour);
            self.writes[at] += 1;
            self.bytes += PIXEL_BYTES;
        }
        Ok(())
    }
}

use embedded_graphics::geometry::Dimensions as _;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn entries(nth: impl IntoIterator<Item = usize>) -> Entries {
    nth.into_iter().fold(Entries::default(), Entries::with)
}

/// Every page that there is, with the shortest and the longest that it can say.
fn pages() -> Vec<Page> {
    let (short, long) = (name("A"), name("WWWWWWWW"));
    let mut all = Vec::new();
    for menu in Menu::ALL {
        for cursor in 0..menu.len() {
            let (checked, dim) = (entries((0..menu.len()).step_by(2)), entries([]));
            all.push(Page::Menu { menu, cursor: cursor as u8, checked, dim });
            let (checked, dim) = (entries([]), entries(0..menu.len()));
            all.push(Page::Menu { menu, cursor: cursor as u8, checked, dim });
        }
    }
    all.extend(questions().into_iter().map(Page::Question));
    all.extend(notices().into_iter().map(Page::Notice));
    for system in SYSTEMS {
        for totals in [[0, 0], [48, 7], [12_345, 4_000_000_000]] {
            all.push(Page::Scores { game: system.game, totals });
        }
    }
    for kind in [Kind::Game, Kind::Log] {
        for (name, letter) in [(Name::default(), 0), (short, 12), (long, 13), (short, 36)] {
            all.push(Page::Name { kind, name, letter });
        }
    }
    for (rows, cursor, above, below) in
        [(1, 0, false, false), (5, 4, false, false), (8, 3, true, true), (8, 7, true, false)]
    {
        let mut names = [None; FILE_ROWS];
        for (nth, row) in names.iter_mut().enumerate().take(rows) {
            let game = [Some(Game::TopBottom), None, Some(Game::Board), Some(Game::Wari)][nth % 4];
            *row = Some(FileRow { name: if nth % 2 == 0 { long } else { short }, game });
        }
        all.push(Page::Files { names, cursor, above, below });
    }
    all.extend([0, 1, 42, 100].map(Page::Logging));
    for turn in Player::BOTH {
        all.extend([true, false].map(|holding| Page::Edit { turn, holding }));
    }
    all
}

fn questions() -> Vec<Question> {
    let mut all = vec![Question::Quit, Question::NewBoard, Question::Restart, Question::LeaveDemo];
    all.extend([3, 4, 5].map(Question::Stones));
    all.extend(SYSTEMS.map(|system| Question::System(system.game)));
    all.extend(Player::BOTH.map(Question::Abandon));
    for name in [name("A"), name("WWWWWWWW")] {
        all.push(Question::Load(name));
        for kind in [Kind::Game, Kind::Log] {
            all.extend([Question::Overwrite(kind, name), Question::OverwriteOldest(kind, name)]);
        }
    }
    // A new question does not compile here: it belongs into the list above.
    for question in &all {
        match question {
            Question::Quit | Question::NewBoard | Question::Restart | Question::LeaveDemo => {}
            Question::Stones(_) | Question::System(_) | Question::Abandon(_) => {}
            Question::Load(_) | Question::Overwrite(..) | Question::OverwriteOldest(..) => {}
        }
    }
    all
}

fn notices() -> Vec<Notice> {
    let mut all = vec![Notice::Demo, Notice::NoGames, Notice::SaveFailed, Notice::TooLong];
    all.extend([Notice::Declined, Notice::NothingToUndo, Notice::ScoresReset, Notice::GameOver]);
    all.extend(SYSTEMS.map(|system| Notice::NotHere(system.game)));
    all.extend([[0, 0], [25, 23], [4_000_000_000, 9]].map(Notice::Totals));
    for name in [name("A"), name("WWWWWWWW")] {
        all.push(Notice::CannotLoad(name));
        all.extend([Kind::Game, Kind::Log].map(|kind| Notice::Saved(kind, name)));
    }
    // A new notice does not compile here: it belongs into the list above.
    for notice in &all {
        match notice {
            Notice::Demo | Notice::NoGames | Notice::CannotLoad(_) | Notice::Saved(..) => {}
            Notice::SaveFailed | Notice::TooLong | Notice::Declined | Notice::NothingToUndo => {}
            Notice::ScoresReset | Notice::NotHere(_) | Notice::GameOver | Notice::Totals(_) => {}
        }
    }
    all
}

fn view(system: &System, page: Page) -> View {
    View::Page(PageView { style: system.style, page })
}

fn board(system: &System) -> View {
    View::Board(BoardView {
        style: system.style,
        stones: [4; PLACES],
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message: Message::Turn(Player::Bottom),
        lit: None,
        stuck: Places::NONE,
    })
}

#[test]
fn scratch_render() {
    for (nth, page) in pages().into_iter().enumerate() {
        let frame = Paper::drawn(&view(SYSTEMS[2], page), PANEL).frame;
        hal_mock::golden::write_png(format!("/tmp/pages-png/{nth:03}.png"), &frame).unwrap();
    }
}
