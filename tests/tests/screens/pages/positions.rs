//! Tests the positions of a page's parts, its keys, and which texts are bright and large enough.

use nudge_tests::part::Part;

use super::*;

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
fn every_key_has_a_word_and_a_cap_above_its_button() {
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
                // A key's cap has its rim in the middle of its upper edge, in the column of its
                // button.
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
fn the_row_under_the_cursor_is_visible_by_brightness_alone() {
    for (menu, cursor) in [(Menu::File, 2), (Menu::Options, 7)] {
        for dim in [entries([]), entries([cursor])] {
            let checked = entries([0]);
            let page =
                Page::Menu { menu, cursor: cursor as u8, checked, dim, volume: Volume::Loud };
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
    let eye = GameReader::default();
    for page in Part::of_this_run().pick(pages()) {
        for system in SYSTEMS {
            let view = view(system, page);
            let frame = Paper::drawn(&view, PANEL).frame;
            for (element, area) in elements(&view, PANEL) {
                // Entries that cannot be chosen need not be legible for play.
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

/// Returns the average brightness of a picture, 0 to 255 (Rec. 601 luma).
fn lightness(frame: &Frame) -> u32 {
    let luma = |pixel: &u32| {
        (299 * (pixel >> 16 & 0xFF) + 587 * (pixel >> 8 & 0xFF) + 114 * (pixel & 0xFF)) / 1_000
    };
    frame.pixels().iter().map(luma).sum::<u32>() / frame.pixels().len() as u32
}
