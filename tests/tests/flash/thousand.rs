//! Tests 1000 damaged flash images: the firmware starts on each, reports the damage, and loses
//! nothing that is whole; the same is true of the computer's side, [`FlashFiles`].
//!
//! Seeds are fixed. A failure names the command that repeats it.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;

use firmware_board::flash_files::{FileContent, FlashFiles, name};
use firmware_board::native;
use firmware_core::storage::files::{self, FileEntry, FileKind};
use firmware_core::storage::{
    Damage, RecordsDamage, Scores, Settings, StorageError, Stored, format, save, save_scores, start,
};
use firmware_core::systems::Game;
use hal_mock::{
    Machine,
    flash::{FlashChip, FlashOperation, SECTOR_SIZE},
};
use nudge_tests::part::Part;
use trace::Trace;
use virtual_time::Nanos;

use crate::random_damage;
use crate::stored_files::{File, content, file, game, write, write_instead_of};

/// Number of images, and of the tests that share them.
const IMAGES: u64 = 1000;
const TESTS: u64 = 4;

/// Offset of the files; records begin after the journal.
const AREA: usize = 16 * SECTOR_SIZE;

/// Time after which a board has reported its damage.
const STARTED: Nanos = Nanos::from_millis(400);

/// A board before its damage, with the ranges of its newest content in flash.
struct Board {
    image: Vec<u8>,
    settings: (Settings, Vec<Range<usize>>),
    scores: (Scores, Vec<Range<usize>>),
    files: Vec<(File, Vec<Range<usize>>)>,
}

/// Returns the ranges at or above `area` that `work` programs.
fn programmed(
    chip: &mut FlashChip,
    area: usize,
    work: impl FnOnce(&mut FlashChip),
) -> Vec<Range<usize>> {
    chip.start_recording();
    work(chip);
    let done = chip.take_recording();
    let places = done.iter().filter(|done| !done.is_erase());
    let places =
        places.map(|done: &FlashOperation| done.at() as usize..done.at() as usize + done.bytes());
    places.filter(|place| place.start >= area).collect()
}

/// Creates a board on which `saves` options were changed and `count` files were written.
fn board(saves: u64, count: u64) -> Board {
    let mut chip = FlashChip::factory_new();
    let mut scores = Scores::default();
    for seed in 0..saves {
        let settings = Settings { seed, introduced: true, ..Settings::default() };
        save(&mut chip, &settings).expect("powered");
        if seed % 5 == 0 {
            scores.add(Game::Wari, [31, 17]);
            save_scores(&mut chip, &scores).expect("powered");
        }
    }
    let mut files = Vec::new();
    for n in 0..count {
        let file = if n % 4 == 3 {
            file(FileKind::Log, &format!("LOG-{n}"), n, 6000)
        } else {
            game(&format!("GAME-{n}"), n)
        };
        let places = programmed(&mut chip, AREA, |chip| {
            write(chip, &file).expect("room");
        });
        files.insert(0, (file, places));
    }
    scores.add(Game::Wari, [24, 24]);
    let of_scores = programmed(&mut chip, SECTOR_SIZE, |chip| {
        save_scores(chip, &scores).expect("powered");
    });
    let settings =
        Settings { seed: saves, game: Game::Wari, introduced: true, ..Settings::default() };
    let of_settings = programmed(&mut chip, SECTOR_SIZE, |chip| {
        save(chip, &settings).expect("powered");
    });
    let image = chip.image().to_vec();
    Board { image, settings: (settings, of_settings), scores: (scores, of_scores), files }
}

/// Returns a new board, one in use, and one on which every sector of records was erased once.
fn boards() -> &'static [Board; 3] {
    static BOARDS: OnceLock<[Board; 3]> = OnceLock::new();
    BOARDS.get_or_init(|| [board(3, 2), board(150, 10), board(1700, 18)])
}

/// Returns whether one of `places` has different bytes in `after`.
fn hit(before: &[u8], after: &[u8], places: &[Range<usize>]) -> bool {
    places.iter().any(|place| before[place.clone()] != after[place.clone()])
}

fn check(seed: u64) {
    let board = &boards()[(seed % 3) as usize];
    let mut image = board.image.clone();
    let damage = random_damage::damage(&mut image, seed);
    println!("damage of image {seed}: {damage:?}");
    let hit = |places: &[Range<usize>]| hit(&board.image, &image, places);
    let journal_hit = hit(std::slice::from_ref(&(0..SECTOR_SIZE)));

    // Whole content must be found, and anything else must be reported. Without its journal a board
    // cannot know that a record was erased.
    let mut chip = FlashChip::from_image(image.clone()).expect("the right size");
    chip.tolerate_set_bits();
    let stored = start(&mut chip);
    assert_eq!(start(&mut chip), stored, "the second start differs");
    let Stored { settings, scores, damage } = stored;
    let (expected, places) = &board.settings;
    let same = settings == *expected;
    assert!(same || hit(places), "settings are lost: {stored:?}");
    assert!(same || damage.settings.is_some() || journal_hit, "lost in silence: {stored:?}");
    let (expected, places) = &board.scores;
    let same = scores == *expected;
    assert!(same || hit(places), "scores are lost: {stored:?}");
    assert!(same || damage.scores.is_some() || journal_hit, "lost in silence: {stored:?}");

    let whole = |chip: &mut FlashChip, file: &File| {
        let found = files::find(chip, file.kind, file.name).expect("powered")?;
        files::verify(chip, &found).ok()?;
        (content(chip, &found) == *file).then_some(found)
    };
    let listing = files::list(&mut chip, None).expect("powered");
    let unreadable = |chip: &mut FlashChip, entry: &FileEntry| files::verify(chip, entry).is_err();
    let said = usize::from(listing.damaged)
        + listing.files.iter().filter(|entry| unreadable(&mut chip, entry)).count();
    let mut lost = 0;
    for (file, places) in &board.files {
        if whole(&mut chip, file).is_none() {
            assert!(hit(places), "{file:?} is lost");
            // A file whose header was erased looks like one that was never finished.
            let header = places.iter().map(|place| place.start).min_by_key(|at| at % SECTOR_SIZE);
            let header = header.map_or(0, |at| at - at % SECTOR_SIZE);
            let marks = &image[header + 44..header + 52];
            let says_gone = marks[..4].iter().map(|byte| byte.count_zeros()).sum::<u32>() < 16
                || marks[4..].iter().map(|byte| byte.count_zeros()).sum::<u32>() >= 16;
            lost += usize::from(!says_gone);
        }
    }
    assert!(said >= lost, "{lost} files are lost, and {said} are said to be: {listing:?}");

    check_firmware_report(&image, damage);
    check_computer_listing(&image, damage, said);

    // The repair must lose nothing either, and it must be possible to write files.
    assert_eq!(format(&mut chip), Ok(()));
    let repaired = start(&mut chip);
    assert_eq!(repaired, Stored { damage: RecordsDamage::default(), ..stored });
    let next = Settings { seed: 4711, ..settings };
    assert_eq!(save(&mut chip, &next), Ok(()));
    assert_eq!(start(&mut chip), Stored { settings: next, ..repaired });
    let kept: Vec<&File> = board
        .files
        .iter()
        .map(|(file, _)| file)
        .filter(|file| whole(&mut chip, file).is_some())
        .collect();
    let new = game("NEW", 1);
    let mut oldest = None;
    let written = match write(&mut chip, &new) {
        Err(StorageError::Full) => {
            oldest = listing.files.last();
            write_instead_of(&mut chip, &new, oldest.expect("a full flash has files"))
        }
        written => written,
    };
    written.expect("the next game");
    for file in kept {
        let gone =
            oldest.is_some_and(|oldest| (oldest.kind, oldest.name) == (file.kind, file.name));
        assert!(gone || whole(&mut chip, file).is_some(), "the next game took {file:?} away");
    }
}

/// Starts a board with this flash; its console must report the damage of the records.
fn check_firmware_report(image: &[u8], damage: RecordsDamage) {
    let mut machine: Box<dyn Machine> =
        native::build(&Trace::default(), Some(image.to_vec())).expect("the image is right");
    machine.power_on().expect("the board starts");
    let until = machine.board().now().saturating_add(STARTED);
    machine.run_until(until).expect("the firmware goes on");
    let lines: Vec<String> =
        machine.board().console_lines().iter().map(|line| line.text.clone()).collect();
    assert!(lines.iter().any(|line| line.starts_with("boot nudge=")), "{lines:?}");
    for (record, damage) in [("settings", damage.settings), ("totals", damage.scores)] {
        let line = match damage {
            None => None,
            Some(Damage::Older) => {
                Some(format!("storage state=damaged record={record} used=older"))
            }
            Some(Damage::Lost(_)) => {
                Some(format!("storage state=damaged record={record} used=defaults"))
            }
        };
        let said = lines.iter().find(|line| line.contains(&format!("record={record}")));
        assert_eq!(said, line.as_ref(), "{lines:?}");
    }
}

/// Lists the flash on a computer: the same damage must be reported, and whole content can be read
/// and written.
fn check_computer_listing(image: &[u8], damage: RecordsDamage, files: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("flash.bin");
    std::fs::write(&path, image).expect("a file");
    let mut flash = FlashFiles::open(&path).expect("a flash").expect("a file");
    let listing = flash.listing().expect("a listing");
    match listing.damage() {
        None => assert_eq!((damage, files), (RecordsDamage::default(), 0)),
        Some(found) => {
            assert_eq!(found.records, damage);
            assert!(found.files.len() + usize::from(found.unnamed) >= files, "{found}");
        }
    }
    let log = FileContent::Log("log of X\n".to_owned());
    if flash.put(name("X").expect("a name"), &log).is_ok() {
        assert!(flash.has(FileKind::Log, name("X").expect("a name")).expect("a listing"));
    }
}

fn check_images(nth: u64) {
    let one: Option<u64> =
        std::env::var("FLASH_SEED").ok().map(|seed| seed.parse().expect("a number"));
    let all = (nth..IMAGES).step_by(TESTS as usize);
    let images: Vec<u64> = match one {
        Some(one) => all.filter(|seed| *seed == one).collect(),
        None => Part::of_this_run().pick(all).collect(),
    };
    for seed in images {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(seed))) {
            eprintln!(
                "image {seed} failed; again: FLASH_SEED={seed} cargo test -p nudge-tests --test \
                 flash thousand -- --nocapture"
            );
            resume_unwind(panic);
        }
    }
}

#[test]
fn a_thousand_damaged_images_first_quarter() {
    check_images(0);
}

#[test]
fn a_thousand_damaged_images_second_quarter() {
    check_images(1);
}

#[test]
fn a_thousand_damaged_images_third_quarter() {
    check_images(2);
}

#[test]
fn a_thousand_damaged_images_fourth_quarter() {
    check_images(3);
}
