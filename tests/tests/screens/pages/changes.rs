//! Tests changes from one screen to another: no old pixel remains, none is written twice, few
//! bytes.

use nudge_tests::part::Part;

use super::*;

#[test]
fn any_change_of_screen_equals_a_complete_redraw() {
    const SEED: u64 = 11;
    let mut screens: Vec<View> = vec![View::Off];
    for system in SYSTEMS {
        screens.push(board(system));
        screens.extend(pages().into_iter().map(|page| view(system, page)));
    }
    let part = Part::of_this_run();
    let seed = part.seed(SEED);
    for size in PANELS {
        let mut dice = Dice::new(seed);
        let mut presenter = new_presenter();
        let mut paper = Paper::new(size);
        let mut before = View::Off;
        for change in 0..part.share(600) as usize {
            // Every fourth change is to a neighbour in the list: usually the same page in another
            // state.
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
                "change {change} from {before:?} to {next:?} on {size}, seed {seed}"
            );
            before = next;
        }
    }
}

/// Returns the bytes on the wire from one screen to another on the board's panel.
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
    let menu = |menu, cursor| Page::Menu {
        menu,
        cursor,
        checked: entries([1]),
        dim: Entries::default(),
        volume: Volume::Loud,
    };
    check_cost(menu(Menu::File, 0), menu(Menu::File, 1), 24_000);
    check_cost(menu(Menu::Options, 3), menu(Menu::Options, 4), 20_000);
    let name = |letter| Page::Name { kind: FileKind::Game, name: name("AB"), letter };
    check_cost(name(3), name(4), 3_000);
    check_cost(name(12), name(13), 3_000);
    check_cost(Page::Logging(41), Page::Logging(42), 1_000);
}

#[test]
fn common_parts_of_two_screens_are_not_sent_again() {
    let whole = PANEL.width * PANEL.height * PIXEL_BYTES;
    let menu = |menu| Page::Menu {
        menu,
        cursor: 0,
        checked: entries([1]),
        dim: entries([]),
        volume: Volume::Loud,
    };
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
fn a_view_is_small_because_the_presenter_stores_two() {
    // Most of the size is the visible part of a log.
    assert!(size_of::<View>() <= 360, "{} bytes", size_of::<View>());
}

#[test]
fn the_reset_bar_is_in_the_title_and_its_steps_are_cheap() {
    let holding = |steps| Some(Holding { does: HoldAction::Menu, steps });
    for page in [
        Page::Question(Question::Quit { waits: true }),
        Page::Logging(7),
        Page::Notice(Notice::Demo),
    ] {
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
                assert_eq!(GameReader::default().words(&paper.frame, &title), "Hold: menu");
            }
        }
    }
}
