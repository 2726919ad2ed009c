//! Every page on the LCD: all of the panel drawn, every word read back off the pixels, every
//! key above its button, and from any screen to any other with no pixel left behind, none
//! written twice, and few bytes for a small change.

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions as _, OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};
use firmware_core::agreement::{QUIET_MOVES, REPETITIONS};
use firmware_core::firmware::{BYTES_A_STEP, Canvas};
use firmware_core::history::Quiet;
use firmware_core::lcd::{PANEL, PIXEL_BYTES, WINDOW_BYTES};
use firmware_core::menu::{Entries, Menu};
use firmware_core::message::{BAR_STEPS, HoldDoes, Holding, Message};
use firmware_core::name::{LETTERS, Name};
use firmware_core::opponent::Players;
use firmware_core::page::{
    Agreement, FILE_ROWS, FileContent, FileRow, LOG_COLUMNS, LOG_ROWS, List, ListRow, LogText,
    Notice, Page, Question, TotalsAfter,
};
use firmware_core::places::Places;
use firmware_core::present::{Budget, Presenter};
use firmware_core::rules::{CUPS_A_SIDE, GameResult, PLACES, Player};
use firmware_core::screen::layout::{Layout, Table};
use firmware_core::screen::page::{Element, how_to_play, words};
use firmware_core::screen::style::Style;
use firmware_core::screen::{self, BoardView, Damage, PageView, View, theme};
use firmware_core::storage::files::FileKind;
use firmware_core::systems::{BOARD, Game, SYSTEMS, System};
use hal_mock::Frame;
use nudge_tests::dice::Dice;
use nudge_tests::glance::{Eye, cut_out, seen};
use nudge_tests::{legible, sheet};

/// A game in which the computer does not agree to abandon play, though nearly, and one in which it
/// does.
const QUIETS: [Quiet; 2] = [
    Quiet { moves_since_capture: QUIET_MOVES - 1, repetitions: REPETITIONS - 1 },
    Quiet { moves_since_capture: QUIET_MOVES, repetitions: 1 },
];

mod own_words;

/// The board's panel, and a larger one that another board may have.
const PANELS: [Size; 2] = [PANEL, Size::new(480, 320)];

/// A colour that no screen draws: a pixel that keeps it was never written.
const NEVER_DRAWN: u32 = 0x00FF_00FF;

/// A panel that counts the writes of each pixel and the bytes on the wire.
struct Paper {
    frame: Frame,
    writes: Vec<u8>,
    bytes: u32,
}

fn new_presenter() -> Presenter<Box<Canvas>, View> {
    Presenter::new(Box::new(Canvas::new()))
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
        paper.show(&mut new_presenter(), view);
        let left = paper.frame.pixels().iter().position(|pixel| *pixel == NEVER_DRAWN);
        assert_eq!(left, None, "a pixel of {view:?} is left out on {size}");
        paper
    }

    /// Lets `presenter` bring the panel to `view`; returns the bytes on the wire.
    fn show(&mut self, presenter: &mut Presenter<Box<Canvas>, View>, view: &View) -> u32 {
        let size = self.size();
        self.bytes = 0;
        self.writes.fill(0);
        for _ in 0..1_000 {
            let mut budget = Budget::new(BYTES_A_STEP);
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

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn entries(nth: impl IntoIterator<Item = usize>) -> Entries {
    nth.into_iter().fold(Entries::default(), Entries::with)
}

/// Every page, with its shortest and its longest text.
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
    for kind in [FileKind::Game, FileKind::Log] {
        for (name, letter) in [(Name::default(), 0), (short, 12), (long, 13), (short, 36)] {
            all.push(Page::Name { kind, name, letter });
        }
    }
    let games = [Game::TopBottom, Game::Board, Game::Wari].map(FileContent::Game);
    let logs = [255, 1, 20].map(FileContent::Log);
    let lists = [(List::LoadGame, games), (List::SaveGame, games), (List::Logs, logs)];
    for (list, [first, second, third]) in lists {
        for (count, cursor, above, below) in
            [(1, 0, false, false), (5, 4, false, false), (8, 3, true, true), (8, 7, true, false)]
        {
            let mut rows = [None; FILE_ROWS];
            for (nth, row) in rows.iter_mut().enumerate().take(count) {
                let content = [first, FileContent::Damaged, second, third][nth % 4];
                let name = if nth % 2 == 0 { long } else { short };
                *row = Some(ListRow::File(FileRow { name, content }));
            }
            if list == List::SaveGame && !above {
                rows[0] = Some(ListRow::NewName);
            }
            all.push(Page::Files { list, rows, cursor, above, below });
        }
    }
    for (top, below, per_cent) in [(0, false, 100), (0, true, 7), (99, true, 50), (99, false, 100)]
    {
        all.push(Page::Log { name: if below { long } else { short }, top, below, per_cent });
    }
    for system in SYSTEMS {
        let of = how_to_play::count(system.game);
        all.extend((0..of).map(|nth| Page::HowToPlay { game: system.game, nth, of }));
    }
    all.extend([0, 1, 42, 100].map(Page::Logging));
    for turn in Player::BOTH {
        all.extend([true, false].map(|holding| Page::Edit { turn, holding }));
    }
    all
}

fn questions() -> Vec<Question> {
    let mut all = vec![Question::Quit, Question::Restart, Question::Demo];
    all.extend([true, false].map(|waits| Question::LeaveDemo { waits, players: Players::Two }));
    all.push(Question::Introduction);
    all.extend([true, false].map(|in_progress| Question::NewBoard { in_progress }));
    all.extend([3, 4, 5].map(Question::Stones));
    all.extend(SYSTEMS.map(|system| Question::System(system.game)));
    let [far, near] = QUIETS;
    for other in [Agreement::Person, Agreement::Computer(far), Agreement::Computer(near)] {
        all.extend(Player::BOTH.map(|player| Question::Abandon(player, other)));
    }
    all.extend(Player::BOTH.map(Question::Resign));
    let totals = [TotalsAfter::Zero, TotalsAfter::Game([60, 60]), TotalsAfter::GameUncounted];
    all.extend(totals.map(Question::ResetScores));
    for name in [name("A"), name("WWWWWWWW")] {
        all.push(Question::Load(name));
        for kind in [FileKind::Game, FileKind::Log] {
            all.extend([Question::Overwrite(kind, name), Question::OverwriteOldest(kind, name)]);
            all.push(Question::Delete(kind, name));
        }
    }
    // A new question does not compile here: add it to the list above.
    for question in &all {
        match question {
            Question::Quit | Question::Restart | Question::Demo => {}
            Question::LeaveDemo { waits: true | false, .. } => {}
            Question::Introduction | Question::Delete(..) => {}
            Question::NewBoard { in_progress: true | false } => {}
            Question::Stones(_) | Question::System(_) | Question::Resign(_) => {}
            Question::Abandon(_, Agreement::Person | Agreement::Computer(_)) => {}
            Question::ResetScores(
                TotalsAfter::Zero | TotalsAfter::Game(_) | TotalsAfter::GameUncounted,
            ) => {}
            Question::Load(_) | Question::Overwrite(..) | Question::OverwriteOldest(..) => {}
        }
    }
    all
}

fn notices() -> Vec<Notice> {
    let mut all = vec![Notice::Demo, Notice::NoGames, Notice::SaveFailed, Notice::TooLong];
    all.extend([Notice::NothingToUndo, Notice::ScoresReset, Notice::GameOver, Notice::NoLogs]);
    all.extend([Notice::ComputersTurn, Notice::NotInDemo, Notice::Declined(QUIETS[0])]);
    for kind in [FileKind::Game, FileKind::Log] {
        all.extend([(1, 0), (24, 0), (24, 23)].map(|(files, older)| Notice::NoRoom {
            kind,
            files,
            older,
        }));
    }
    all.extend(SYSTEMS.map(|system| Notice::NotHere(system.game)));
    for result in
        [GameResult::Draw, GameResult::Winner(Player::Bottom), GameResult::Winner(Player::Top)]
    {
        let totals = [[0, 0], [25, 23], [4_000_000_000, 9]];
        all.extend(totals.map(|totals| Notice::Totals(result, totals)));
    }
    for name in [name("A"), name("WWWWWWWW")] {
        all.extend([Notice::CannotLoad(name), Notice::CannotRead(name), Notice::NotDeleted(name)]);
        all.extend([FileKind::Game, FileKind::Log].map(|kind| Notice::Saved(kind, name)));
    }
    // A new notice does not compile here: add it to the list above.
    for notice in &all {
        match notice {
            Notice::Demo | Notice::NoGames | Notice::CannotLoad(_) | Notice::Saved(..) => {}
            Notice::SaveFailed | Notice::TooLong | Notice::Declined(_) | Notice::NothingToUndo => {}
            Notice::ScoresReset | Notice::NotHere(_) | Notice::GameOver | Notice::Totals(..) => {}
            Notice::ComputersTurn | Notice::NotInDemo | Notice::NoRoom { .. } => {}
            Notice::NoLogs | Notice::CannotRead(_) | Notice::NotDeleted(_) => {}
        }
    }
    all
}

fn view(system: &System, page: Page) -> View {
    let mut log = LogText::EMPTY;
    if let Page::Log { .. } = page {
        for (nth, text) in LOG_LINES.iter().enumerate() {
            log.set(nth, if nth == 1 { 5 } else { 0 }, text.as_bytes());
        }
    }
    View::Page(PageView { style: system.style(), page, log, holding: None })
}

/// What is seen of a log: the longest rows, one that is indented, and one of nothing.
const LOG_LINES: [&str; LOG_ROWS] = [
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "WWWWWWWWWWWWWWWWWWWWWWWWW",
    "",
    "log of WWWWWWWW",
    "1 Player 1 #6, captures 48",
    "gggggggggggggggggggggggggggggg",
    "bottom row 4 4 4 4 4 4",
    "end of the log",
];
const _: () = assert!(LOG_LINES[0].len() == LOG_COLUMNS);

fn board(system: &System) -> View {
    View::Board(BoardView {
        style: system.style(),
        stones: [4; PLACES],
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message: Message::Turn(Player::Bottom),
        lit: None,
        began: None,
        ended: None,
        dots: 0,
        stuck: Places::NONE,
    })
}

/// The area of every element of `page` on a panel of `size`.
fn elements(view: &View, size: Size) -> Vec<(Element, Rectangle)> {
    let mut all = Vec::new();
    view.damage(None, size, |part| match part {
        Damage::Redraw(area, screen::Element::Page(element)) => all.push((element, area)),
        other => panic!("{other:?} is no part of a page"),
    });
    all
}

/// The expected text in `element` of `page`, its lines joined by a space.
fn expected(page: &Page, element: Element, style: &Style) -> String {
    match element {
        Element::Title(nth) => match page {
            Page::Menu { .. } => words::menu(Menu::ALL[usize::from(nth)]).to_owned(),
            Page::Name { .. } => words::arrow(nth == 1).to_owned(),
            _ => format!("{} {}", words::title(page), words::place(page)).trim_end().to_owned(),
        },
        Element::Row(nth) => row(page, usize::from(nth), style),
        Element::Aside => aside(page),
        Element::Key(nth) => page.keys()[usize::from(nth)]
            .map(|key| words::cap(page, key, style).in_one_line().as_str().to_owned())
            .unwrap_or_default(),
        Element::Left => words::RESET.join(" "),
        Element::Rest | Element::Right => String::new(),
    }
}

fn row(page: &Page, nth: usize, style: &Style) -> String {
    match page {
        Page::Menu { menu, .. } => words::entry(menu.entry(nth).expect("an entry")).to_owned(),
        Page::Notice(Notice::Totals(_, totals)) | Page::Scores { totals, .. } => match nth {
            0 => match page {
                Page::Notice(Notice::Totals(result, _)) => words::totals_after(*result, style),
                _ => words::totals(style),
            }
            .as_str()
            .to_owned(),
            3 => words::lead(*totals, style).as_str().to_owned(),
            _ => {
                let player = [Player::Top, Player::Bottom][nth - 1];
                format!("{} {}", words::player_name(style, player), totals[player.index()])
            }
        },
        Page::Question(question) => {
            let text = words::question(question, style);
            format!("{} {}", text.heading, text.detail)
        }
        Page::Notice(notice) => {
            let text = words::notice(notice, style);
            format!("{} {}", text.heading, text.detail)
        }
        Page::Name { name, letter, .. } => match nth {
            0 => words::title(page).as_str().to_owned(),
            1 => name.to_string(),
            5 => words::name_hint(name.len()).as_str().to_owned(),
            _ => {
                let row = LETTERS.chunks(13).nth(nth - 2).expect("three rows");
                // The reader takes a dash alone on its ground for a picture.
                let dash = LETTERS.len() - 1 == usize::from(*letter);
                let row = row.iter().filter(|letter| !dash || **letter != b'-');
                row.map(|letter| char::from(*letter).to_string()).collect::<Vec<_>>().join(" ")
            }
        },
        Page::Files { rows, .. } => match rows[nth] {
            None => String::new(),
            Some(ListRow::NewName) => words::NEW_NAME.to_owned(),
            Some(ListRow::File(FileRow { name, content })) => {
                format!("{name} {}", words::content(content))
            }
        },
        Page::Log { .. } => LOG_LINES[nth].to_owned(),
        Page::HowToPlay { game, nth: page, .. } => match nth {
            0 => how_to_play::lesson(*game, *page).text.to_owned(),
            _ => unreachable!("a drawing is looked at place by place"),
        },
        Page::Logging(per_cent) => match nth {
            0 => words::LOGGING.to_owned(),
            1 => String::new(),
            2 => format!("{per_cent}%"),
            _ => words::logging_detail().as_str().to_owned(),
        },
        Page::Edit { turn, holding } => match nth {
            0 => words::edit_heading(*holding, style).as_str().to_owned(),
            _ => match page.keys().into_iter().flatten().nth(nth - 1) {
                Some(key) => format!(
                    "{} {}",
                    words::cap(page, key, style).in_one_line(),
                    words::edit_explanation(key, *turn, *holding, style)
                ),
                None => format!("{} {}", words::edit_reset(), words::edit_reset_explanation(style)),
            },
        },
    }
}

fn aside(page: &Page) -> String {
    match page {
        Page::Menu { menu, cursor, checked, dim } => {
            let cursor = usize::from(*cursor);
            let entry = menu.entry(cursor).expect("an entry");
            let state = match (dim.contains(cursor), checked.contains(cursor)) {
                (true, _) => words::why_dim(entry),
                (false, true) => words::checked(entry),
                (false, false) => "",
            };
            format!("{} {state}", words::explanation(entry)).trim_end().to_owned()
        }
        Page::Files { list, rows, cursor, above, below } => {
            let hint = words::files_hint(*list, rows[usize::from(*cursor)]);
            let more = |there: bool| if there { words::MORE } else { "" };
            format!("{} {hint} {}", more(*above), more(*below)).trim().to_owned()
        }
        _ => String::new(),
    }
}

/// Draws `page` in every system's style on every panel and reads each of its elements.
#[track_caller]
fn check(page: Page) {
    let eye = Eye::default();
    for system in SYSTEMS {
        for size in PANELS {
            let view = view(system, page);
            let frame = Paper::drawn(&view, size).frame;
            for (element, area) in elements(&view, size) {
                if let (Page::HowToPlay { game, nth, .. }, Element::Row(1)) = (page, element) {
                    check_drawing(&eye, game, nth, &frame, area);
                    continue;
                }
                assert_eq!(
                    eye.words(&frame, &area),
                    expected(&page, element, system.style()),
                    "{element:?} of {page:?} on {size}"
                );
            }
        }
    }
}

/// Every cup and store of a drawing stands inside its area, beside the others, and shows its number.
#[track_caller]
fn check_drawing(eye: &Eye, game: Game, nth: u8, frame: &Frame, area: Rectangle) {
    let lesson = how_to_play::lesson(game, nth);
    let style = game.style();
    let places: Vec<_> = lesson.drawing.places(area, style).collect();
    assert!(places.len().is_multiple_of(PLACES) && !places.is_empty());
    for (nth, (place, stones)) in places.iter().enumerate() {
        assert_eq!(place.intersection(&area), *place, "{}: {place:?} is cut", lesson.title);
        assert!(
            places[..nth].iter().all(|(other, _)| other.intersection(place).is_zero_sized()),
            "{}: {place:?} lies on another",
            lesson.title
        );
        let two_digits =
            style.table == Table::StoresInTheMiddle && [6, 13].contains(&(nth % PLACES));
        let digits = if two_digits { format!("{stones:02}") } else { stones.to_string() };
        // Without its rim.
        let inside = Rectangle::new(place.top_left + Size::new(1, 1), place.size - Size::new(2, 2));
        assert_eq!(eye.words(frame, &inside), digits, "{}: {place:?}", lesson.title);
    }
}

#[test]
fn every_word_of_every_page_fits_and_reads_as_it_is_meant() {
    for page in pages() {
        check(page);
    }
}

#[test]
fn the_parts_of_every_page_cover_the_panel_without_overlapping() {
    for page in pages() {
        for size in PANELS {
            let mut covered = vec![0u8; (size.width * size.height) as usize];
            for (_, area) in elements(&view(&BOARD, page), size) {
                for Point { x, y } in area.points() {
                    covered[(y as u32 * size.width + x as u32) as usize] += 1;
                }
            }
            let wrong = covered.iter().position(|times| *times != 1);
            assert_eq!(wrong, None, "{page:?} on {size}");
        }
    }
}

#[test]
fn pages_use_only_characters_known_to_the_readers() {
    for page in pages() {
        for system in SYSTEMS {
            for (element, _) in elements(&view(system, page), PANEL) {
                if let (Page::HowToPlay { .. }, Element::Row(1)) = (page, element) {
                    continue;
                }
                let text = expected(&page, element, system.style());
                let foreign = text.chars().find(|letter| !theme::CHARACTERS.contains(*letter));
                assert_eq!(foreign, None, "in {text:?}");
            }
        }
    }
}

#[test]
fn every_key_has_a_word_and_a_cap_above_its_button_and_there_is_no_other() {
    let rim = seen(theme::KEY_RIM);
    for page in pages() {
        for size in PANELS {
            let layout = Layout::new(size);
            let view = view(&BOARD, page);
            let frame = Paper::drawn(&view, size).frame;
            for nth in 0..CUPS_A_SIDE {
                let found = elements(&view, size)
                    .into_iter()
                    .find(|(element, _)| *element == Element::Key(nth as u8));
                let (_, area) = found.expect("a key's place");
                let middle = area.top_left.x as u32 + area.size.width / 2;
                assert_eq!(middle, layout.button_column(nth), "key {nth} on {size}");
                assert_eq!(area.top_left.y as u32 + area.size.height, size.height);
                // A cap has its rim in the middle of its upper edge, beside its button's column.
                let top = area.top_left.y as usize;
                let is_key = (top..top + 3).any(|y| frame.pixel(middle as usize, y) == Some(rim));
                let key = page.keys()[nth];
                assert_eq!(is_key, key.is_some(), "key {nth} of {page:?} on {size}");
                if let Some(key) = key {
                    assert_ne!(words::cap(&page, key, BOARD.style()).in_one_line(), "", "{key:?}");
                }
            }
        }
    }
}

#[test]
fn the_row_under_the_cursor_is_recognised_by_lightness_alone() {
    for (menu, cursor) in [(Menu::File, 2), (Menu::Options, 7)] {
        for dim in [entries([]), entries([cursor])] {
            let checked = entries([0]);
            let page = Page::Menu { menu, cursor: cursor as u8, checked, dim };
            let view = view(&BOARD, page);
            let frame = Paper::drawn(&view, PANEL).frame;
            for (element, area) in elements(&view, PANEL) {
                if let Element::Row(nth) = element {
                    let light = lightness(&cut_out(&frame, &area)) > 0x80;
                    assert_eq!(light, usize::from(nth) == cursor, "{element:?} of {page:?}");
                }
            }
        }
    }
}

#[test]
fn every_word_of_every_page_is_large_and_bright_enough() {
    let eye = Eye::default();
    for page in pages() {
        for system in SYSTEMS {
            let view = view(system, page);
            let frame = Paper::drawn(&view, PANEL).frame;
            for (element, area) in elements(&view, PANEL) {
                // What cannot be chosen is not read to play.
                let off = match (page, element) {
                    (Page::Menu { dim, .. }, Element::Row(nth)) => dim.contains(nth.into()),
                    (Page::Files { rows, .. }, Element::Row(nth)) => {
                        rows[usize::from(nth)].is_some_and(ListRow::is_damaged)
                    }
                    _ => false,
                };
                let least = if off { legible::OTHER } else { legible::READ_TO_PLAY };
                let fault = legible::fault(eye.reader(), &cut_out(&frame, &area), least);
                assert_eq!(fault, None, "{element:?} of {page:?} in {}", system.name);
            }
        }
    }
}

#[test]
#[ignore = "writes sheets of pictures for a person to look at"]
fn gallery_of_pages() {
    let frames: Vec<Frame> = SYSTEMS
        .into_iter()
        .flat_map(|system| pages().into_iter().map(|page| view(system, page)))
        .map(|view| Paper::drawn(&view, PANEL).frame)
        .fold(Vec::new(), |mut all, frame| {
            if !all.contains(&frame) {
                all.push(frame);
            }
            all
        });
    sheet::write_sheets(env!("CARGO_TARGET_TMPDIR").as_ref(), "pages", &frames);
}

/// How light a picture is on average, 0 to 255 (Rec. 601 luma).
fn lightness(frame: &Frame) -> u32 {
    let luma = |pixel: &u32| {
        (299 * (pixel >> 16 & 0xFF) + 587 * (pixel >> 8 & 0xFF) + 114 * (pixel & 0xFF)) / 1_000
    };
    frame.pixels().iter().map(luma).sum::<u32>() / frame.pixels().len() as u32
}

#[test]
fn from_any_screen_to_any_other_the_panel_ends_as_if_drawn_whole() {
    const SEED: u64 = 11;
    let mut screens: Vec<View> = vec![View::Off];
    for system in SYSTEMS {
        screens.push(board(system));
        screens.extend(pages().into_iter().map(|page| view(system, page)));
    }
    for size in PANELS {
        let mut dice = Dice::new(SEED);
        let mut presenter = new_presenter();
        let mut paper = Paper::new(size);
        let mut before = View::Off;
        for change in 0..600 {
            // Every fourth change is to a neighbour in the list: mostly the same page, moved on.
            let next = if change % 4 == 0 {
                let at = screens.iter().position(|screen| *screen == before).unwrap_or_default();
                screens[(at + 1) % screens.len()]
            } else if dice.once_in(6) {
                [View::Off, board(SYSTEMS[change % 4])][change % 2]
            } else {
                dice.pick(&screens).expect("a screen")
            };
            paper.show(&mut presenter, &next);
            let whole = Paper::drawn(&next, size);
            assert!(
                paper.frame == whole.frame,
                "change {change} from {before:?} to {next:?} on {size}, seed {SEED}"
            );
            before = next;
        }
    }
}

/// The bytes on the wire from one screen to another on the board's panel.
fn cost(from: View, to: View) -> u32 {
    let mut presenter = new_presenter();
    let mut paper = Paper::new(PANEL);
    paper.show(&mut presenter, &from);
    paper.show(&mut presenter, &to)
}

#[track_caller]
fn check_cost(from: Page, to: Page, most: u32) {
    let bytes = cost(view(&BOARD, from), view(&BOARD, to));
    assert!(bytes <= most, "{bytes} bytes, at most {most}, from {from:?} to {to:?}");
}

#[test]
fn a_small_change_of_a_page_costs_few_bytes() {
    let menu =
        |menu, cursor| Page::Menu { menu, cursor, checked: entries([1]), dim: Entries::default() };
    check_cost(menu(Menu::File, 0), menu(Menu::File, 1), 24_000);
    check_cost(menu(Menu::Options, 3), menu(Menu::Options, 4), 20_000);
    let name = |letter| Page::Name { kind: FileKind::Game, name: name("AB"), letter };
    check_cost(name(3), name(4), 3_000);
    check_cost(name(12), name(13), 3_000);
    check_cost(Page::Logging(41), Page::Logging(42), 1_000);
}

#[test]
fn what_two_screens_have_in_common_is_not_sent_again() {
    let whole = PANEL.width * PANEL.height * PIXEL_BYTES;
    let menu = |menu| Page::Menu { menu, cursor: 0, checked: entries([1]), dim: entries([]) };
    let bytes = cost(board(&BOARD), view(&BOARD, menu(Menu::File)));
    assert!(bytes < whole * 7 / 8, "{bytes} bytes from the board to a menu");
    let bytes = cost(view(&BOARD, menu(Menu::File)), view(&BOARD, menu(Menu::Play)));
    assert!(bytes < whole / 4, "{bytes} bytes from a menu to the next");
    let page = Page::Notice(Notice::GameOver);
    assert_eq!(cost(view(&BOARD, page), view(&BOARD, page)), 0);
    assert_eq!(cost(View::Off, View::Off), 0);
}

#[test]
fn a_board_that_is_off_is_black() {
    let mut presenter = new_presenter();
    let mut paper = Paper::new(PANEL);
    paper.show(&mut presenter, &board(&BOARD));
    paper.show(&mut presenter, &View::Off);
    assert!(paper.frame.pixels().iter().all(|pixel| *pixel == 0));
}

#[test]
fn what_is_said_about_an_entry_is_short() {
    for entry in Menu::ALL.into_iter().flat_map(Menu::entries) {
        let text = words::explanation(entry);
        assert!((1..=44).contains(&text.len()), "{text:?} has {} characters", text.len());
    }
}

#[test]
fn the_presenter_keeps_two_views_so_they_are_small() {
    // Most of it is what is seen of a log.
    assert!(size_of::<View>() <= 360, "{} bytes", size_of::<View>());
}

#[test]
fn the_bar_of_reset_stands_in_the_title_and_a_step_of_it_is_cheap() {
    let holding = |steps| Some(Holding { does: HoldDoes::Menu, steps });
    for page in [Page::Question(Question::Quit), Page::Logging(7), Page::Notice(Notice::Demo)] {
        let shown = |holding| {
            let View::Page(view) = view(&BOARD, page) else { unreachable!() };
            View::Page(PageView { holding, ..view })
        };
        for size in PANELS {
            let mut paper = Paper::new(size);
            let mut presenter = new_presenter();
            paper.show(&mut presenter, &shown(None));
            for steps in 0..=BAR_STEPS {
                paper.show(&mut presenter, &shown(holding(steps)));
                let bytes = paper.bytes;
                assert!(steps == 0 || bytes <= 160, "{bytes} bytes for a step");
                let whole = Paper::drawn(&shown(holding(steps)), size);
                assert!(paper.frame == whole.frame, "step {steps} of {page:?} on {size}");
                let title = elements(&shown(holding(steps)), size)[0].1;
                assert_eq!(Eye::default().words(&paper.frame, &title), "Hold: menu");
            }
        }
    }
}
