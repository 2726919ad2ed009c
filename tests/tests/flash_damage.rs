//! Flash that holds something else than the firmware wrote: the store says so and lives on.

use firmware_core::rules::Player;
use firmware_core::storage::{Settings, StorageError, format, load, save};
use firmware_core::systems::Game;
use hal_mock::flash::{FLASH_SIZE, FlashChip, SECTOR_SIZE};

const SOME: Settings = Settings {
    seed: 7,
    sound: false,
    first: Some(Player::Bottom),
    game: Game::Family,
    ..Settings::FACTORY_NEW
};

/// Whatever `image` is: nothing panics, an error is an error at each start, and erasing
/// everything always helps.
#[track_caller]
fn check(image: Vec<u8>) -> Result<Settings, StorageError> {
    let mut chip = FlashChip::from_image(image).expect("the right size");
    // An item that lies over damage clears other bits than it should; the store has to notice.
    chip.tolerate_set_bits();
    let found = load(&mut chip);
    assert_eq!(load(&mut chip), found, "the second start differs");
    if save(&mut chip, &SOME) == Ok(()) {
        assert_eq!(load(&mut chip), Ok(SOME), "after a save over {found:?}");
    }
    assert_eq!(format(&mut chip), Ok(()));
    assert_eq!(load(&mut chip), Ok(Settings::default()));
    assert_eq!(save(&mut chip, &SOME), Ok(()));
    assert_eq!(load(&mut chip), Ok(SOME));
    found
}

/// A small source of noise, the same for the same seed.
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

fn saved(saves: u64) -> Vec<u8> {
    let mut chip = FlashChip::factory_new();
    for seed in 1..=saves {
        save(&mut chip, &Settings { seed, ..SOME }).expect("powered");
    }
    chip.image().to_vec()
}

#[test]
fn a_factory_new_flash_gives_the_defaults_and_is_not_written() {
    let mut chip = FlashChip::factory_new();
    assert_eq!(load(&mut chip), Ok(Settings::default()));
    assert_eq!(chip.operations(), 0);
}

#[test]
fn the_same_settings_again_are_not_written_again() {
    let mut chip = FlashChip::from_image(saved(3)).expect("the right size");
    save(&mut chip, &Settings { seed: 3, ..SOME }).expect("powered");
    assert_eq!(chip.operations(), 0);
}

#[test]
fn settings_survive_in_the_image() {
    assert_eq!(check(saved(3)), Ok(Settings { seed: 3, ..SOME }));
}

#[test]
fn a_flash_of_zeros_is_damaged() {
    assert_eq!(check(vec![0; FLASH_SIZE]), Err(StorageError::Damaged));
}

#[test]
fn a_flash_full_of_something_else_is_damaged() {
    for seed in 1..60 {
        let image = noise(seed).map(|n| n as u8).take(FLASH_SIZE).collect();
        assert_eq!(check(image), Err(StorageError::Damaged), "noise of seed {seed}");
    }
}

#[test]
fn the_only_settings_with_any_bit_flipped_are_damaged_and_not_the_defaults() {
    let image = saved(1);
    let used = image[SECTOR_SIZE..].iter().rposition(|&byte| byte != 0xFF).expect("one save") + 1;
    // The sector's mark is a word of zeros that stands a few flipped bits; the key and the
    // twelve bytes of the settings leave three bytes of their last word over, which say nothing.
    let says_nothing = |bit| bit < 32 || bit >= (used - 3) * 8;
    for bit in 0..used * 8 {
        let mut image = image.clone();
        image[SECTOR_SIZE + bit / 8] ^= 1 << (bit % 8);
        let found = check(image);
        let expected = Settings { seed: 1, ..SOME };
        assert!(
            found == Err(StorageError::Damaged) || (says_nothing(bit) && found == Ok(expected)),
            "bit {bit}: {found:?}"
        );
    }
}

#[test]
fn erased_records_are_damaged_and_not_the_defaults() {
    let mut image = saved(5);
    image[SECTOR_SIZE..16 * SECTOR_SIZE].fill(0xFF);
    assert_eq!(check(image), Err(StorageError::Damaged));
}

#[test]
fn random_damage_to_a_used_flash_never_gives_settings_that_were_never_saved() {
    let image = saved(400);
    for seed in 1..300 {
        let mut image = image.clone();
        let mut random = noise(seed);
        for _ in 0..1 + seed % 64 {
            let at = random.next().unwrap_or(0) as usize % (16 * SECTOR_SIZE);
            image[at % (3 * SECTOR_SIZE)] = random.next().unwrap_or(0) as u8;
        }
        if let Ok(found) = check(image) {
            let known =
                (1..=400).contains(&found.seed) && found == Settings { seed: found.seed, ..SOME };
            assert!(known, "noise of seed {seed}: {found:?}");
        }
    }
}
