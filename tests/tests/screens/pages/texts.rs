//! Reads every word of every page from the pixels.

use nudge_tests::part::Part;

use super::*;

/// Returns the expected text in `element` of `page`, its lines joined by a space.
pub(super) fn expected(page: &Page, element: Element, style: &Style) -> String {
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
            Some(ListRow::Lost(1)) => format!("1 file {}", words::DAMAGED),
            Some(ListRow::Lost(count)) => format!("{count} files {}", words::DAMAGED),
        },
        Page::Log { .. } => LOG_LINES[nth].to_owned(),
        Page::Review { .. } => match nth {
            0..STEP_ROWS => LOG_LINES[nth].to_owned(),
            _ => unreachable!("a drawing is looked at place by place"),
        },
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
        Page::Menu { menu, cursor, checked, dim, volume } => {
            let cursor = usize::from(*cursor);
            let entry = menu.entry(cursor).expect("an entry");
            let state = match (dim.contains(cursor), checked.contains(cursor)) {
                (true, _) => words::why_dim(entry),
                (false, true) => words::checked(entry),
                (false, false) => "",
            };
            let state = if entry == Entry::Volume { volume.name() } else { state };
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
    let eye = GameReader::default();
    for system in SYSTEMS {
        for size in PANELS {
            let view = view(system, page);
            let frame = Paper::drawn(&view, size).frame;
            for (element, area) in elements(&view, size) {
                if let Some((drawing, style)) = drawing_of(&page, element) {
                    check_drawing(&eye, &drawing, style, &frame, area);
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

/// Returns the drawing in `element` of `page`, if it is one.
fn drawing_of(page: &Page, element: Element) -> Option<(how_to_play::Drawing, &'static Style)> {
    match (page, element) {
        (Page::HowToPlay { game, nth, .. }, Element::Row(1)) => {
            Some((how_to_play::lesson(*game, *nth).drawing, game.style()))
        }
        (Page::Review { game, stones, sown, .. }, Element::Row(nth))
            if usize::from(nth) == STEP_ROWS =>
        {
            Some((how_to_play::Drawing::Step { stones: *stones, sown: *sown }, game.style()))
        }
        _ => None,
    }
}

/// Checks that every cup and store of a drawing is inside the drawing's area, does not overlap
/// others, and shows its number.
#[track_caller]
fn check_drawing(
    eye: &GameReader,
    drawing: &how_to_play::Drawing,
    style: &'static Style,
    frame: &Frame,
    area: Rectangle,
) {
    let places: Vec<_> = drawing.places(area, style).collect();
    assert!(places.len().is_multiple_of(PLACES) && !places.is_empty());
    for (nth, (place, stones)) in places.iter().enumerate() {
        assert_eq!(place.intersection(&area), *place, "{drawing:?}: {place:?} is cut");
        assert!(
            places[..nth].iter().all(|(other, _)| other.intersection(place).is_zero_sized()),
            "{drawing:?}: {place:?} lies on another"
        );
        let two_digits =
            style.table == Table::StoresInTheMiddle && [6, 13].contains(&(nth % PLACES));
        let digits = if two_digits { format!("{stones:02}") } else { stones.to_string() };
        // Excludes the rim.
        let inside = Rectangle::new(place.top_left + Size::new(1, 1), place.size - Size::new(2, 2));
        assert_eq!(eye.words(frame, &inside), digits, "{drawing:?}: {place:?}");
    }
}

#[test]
fn every_word_of_every_page_fits_and_is_legible() {
    for page in Part::of_this_run().pick(pages()) {
        check(page);
    }
}

#[test]
fn the_document_names_the_entries_of_the_menus_in_their_order() {
    let document = include_str!("../../../../docs/playing.md");
    let (_, table) = document.split_once("| menu | entry |").expect("the table of the menus");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let named = rows.filter_map(|row| row.split('|').nth(2)).flat_map(|names| names.split(','));
    let named: Vec<&str> = named.map(str::trim).collect();
    let entries = Menu::ALL.into_iter().flat_map(Menu::entries).map(words::entry);
    assert_eq!(named, entries.collect::<Vec<_>>());
}

#[test]
fn pages_use_only_characters_known_to_the_readers() {
    for page in pages() {
        for system in SYSTEMS {
            for (element, _) in elements(&view(system, page), PANEL) {
                if drawing_of(&page, element).is_some() {
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
fn the_description_of_an_entry_is_short() {
    for entry in Menu::ALL.into_iter().flat_map(Menu::entries) {
        let text = words::explanation(entry);
        assert!((1..=44).contains(&text.len()), "{text:?} has {} characters", text.len());
    }
}
