//! The flash chip's physics.

use super::*;

/// Checks that the chip contains `expected` at `offset`.
#[track_caller]
fn check(chip: &FlashChip, offset: u32, expected: &[u8]) {
    let mut held = vec![0; expected.len()];
    chip.read(offset, &mut held).expect("within the flash, and powered");
    assert_eq!(held, expected, "at {offset:#x}");
}

fn written(offset: u32, bytes: &[u8]) -> FlashChip {
    let mut chip = FlashChip::factory_new();
    chip.program(offset, bytes).expect("a factory-new chip takes anything");
    chip
}

#[test]
fn a_factory_new_chip_is_all_ones() {
    assert!(FlashChip::factory_new().image().iter().all(|&byte| byte == 0xFF));
}

#[test]
fn a_program_clears_bits_and_touches_nothing_beside_it() {
    let mut chip = written(8, &[1, 2, 3, 4]);
    check(&chip, 4, &[0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 0xFF]);
    chip.program(8, &[1, 0, 2, 4]).expect("only clears bits");
    check(&chip, 8, &[1, 0, 2, 4]);
}

#[test]
fn a_program_that_would_set_a_bit_is_an_error_without_effect() {
    let mut chip = written(0, &[0, 0, 0x0F, 0]);
    let error = chip.program(0, &[0, 0, 0x1F, 0]).unwrap_err();
    assert_eq!(error, FlashError::WouldSetBits { at: 2, holds: 0x0F, wanted: 0x1F });
    assert_eq!(
        error.to_string(),
        "flash 0x00002 holds 0x0f and cannot become 0x1f: programming only clears bits; erase its sector first"
    );
    check(&chip, 0, &[0, 0, 0x0F, 0]);
}

#[test]
fn a_tolerant_chip_leaves_the_zero_like_the_real_one() {
    let mut chip = written(0, &[0, 0, 0x0F, 0]);
    chip.tolerate_set_bits();
    chip.program(0, &[0, 0, 0xFE, 0]).expect("tolerant");
    check(&chip, 0, &[0, 0, 0x0E, 0]);
}

#[test]
fn an_erase_sets_whole_sectors_and_counts_their_wear() {
    let mut chip = written(0x0FFC, &[0; 8]);
    assert_eq!(chip.erase(0x1000, 0x3000), Ok(Nanos::from_millis(90)));
    check(&chip, 0x0FFC, &[0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    let wear: Vec<_> = (0..5).map(|sector| chip.wear(sector)).collect();
    assert_eq!(wear, [Some(0), Some(1), Some(1), Some(0), Some(0)]);
    assert_eq!(chip.wear(SECTORS), None);
}

#[test]
fn a_program_takes_the_time_of_each_page_that_it_touches() {
    let mut chip = FlashChip::factory_new();
    assert_eq!(chip.program(0, &[0; 4]), Ok(Nanos::from_micros(400)));
    assert_eq!(chip.program(252, &[0; 8]), Ok(Nanos::from_micros(800)));
    assert_eq!(chip.program(1024, &[0; 1024]), Ok(Nanos::from_micros(1600)));
    assert_eq!(chip.program(0, &[]), Ok(Nanos::ZERO));
    assert_eq!(chip.operations(), 3);
}

#[test]
fn arguments_outside_or_across_a_unit_are_named_errors() {
    let mut chip = FlashChip::factory_new();
    let end = FLASH_SIZE as u32;
    let kind = |result: Result<Nanos, FlashError>| result.unwrap_err().kind();
    assert_eq!(kind(chip.program(end, &[0; 4])), NorFlashErrorKind::OutOfBounds);
    assert_eq!(kind(chip.program(u32::MAX - 3, &[0; 8])), NorFlashErrorKind::OutOfBounds);
    assert_eq!(kind(chip.program(2, &[0; 4])), NorFlashErrorKind::NotAligned);
    assert_eq!(kind(chip.program(0, &[0; 3])), NorFlashErrorKind::NotAligned);
    assert_eq!(kind(chip.erase(0x1000, 0)), NorFlashErrorKind::OutOfBounds);
    assert_eq!(kind(chip.erase(0, end + 4096)), NorFlashErrorKind::OutOfBounds);
    assert_eq!(kind(chip.erase(0, 100)), NorFlashErrorKind::NotAligned);
    assert!(chip.read(end - 1, &mut [0; 2]).is_err());
    assert_eq!(chip.operations(), 0);
}

#[test]
fn a_power_cut_stops_a_program_after_that_byte() {
    let mut chip = FlashChip::factory_new();
    chip.cut_after(6);
    chip.program(0, &[1, 2, 3, 4]).expect("four of six");
    assert_eq!(chip.program(4, &[5, 6, 7, 8]), Err(FlashError::PowerLost { at: 6 }));
    assert!(!chip.is_powered());
    assert_eq!(chip.read(0, &mut [0]), Err(FlashError::PowerLost { at: 0 }));
    assert_eq!(chip.erase(0, 4096), Err(FlashError::PowerLost { at: 0 }));
    chip.restore_power();
    check(&chip, 0, &[1, 2, 3, 4, 5, 6, 0xFF, 0xFF]);
    chip.program(8, &[0; 4]).expect("no cut is planned any more");
}

#[test]
fn a_cut_at_the_very_end_of_an_operation_lets_it_finish() {
    let mut chip = FlashChip::factory_new();
    chip.cut_after(4);
    chip.program(0, &[0; 4]).expect("four of four");
    assert_eq!(chip.program(4, &[0; 4]), Err(FlashError::PowerLost { at: 4 }));
    assert_eq!(chip.bytes_changed(), 4);
}

#[test]
fn a_power_cut_stops_an_erase_in_the_middle_of_a_sector() {
    let mut chip = written(0, &[0; 8192]);
    chip.cut_after(4096 + 10);
    assert_eq!(chip.erase(0, 8192), Err(FlashError::PowerLost { at: 4106 }));
    chip.restore_power();
    check(&chip, 4104, &[0xFF, 0xFF, 0, 0]);
}

#[test]
fn a_ragged_program_clears_only_bits_that_it_should() {
    for seed in 0..50 {
        for cut in 0..16 {
            let (before, wanted) = ([0xF0_u8; 16], [0x90_u8; 16]);
            let mut chip = written(0, &before);
            chip.set_tear(Tear::Ragged { seed });
            chip.cut_after(cut);
            assert!(chip.program(0, &wanted).is_err());
            for (i, &byte) in chip.image()[..16].iter().enumerate() {
                assert_eq!(byte & !0xF0, 0, "seed {seed}, cut {cut}: set a bit");
                assert_eq!(byte & 0x90, 0x90, "seed {seed}, cut {cut}: cleared too much");
                assert!(i >= cut as usize || byte == 0x90, "byte {i} comes before the cut");
            }
            assert!(chip.image()[16..].iter().all(|&byte| byte == 0xFF));
        }
    }
}

#[test]
fn a_ragged_erase_clears_the_sector_before_it_raises_bits() {
    let ones = |cut: u64| {
        let mut chip = written(0, &[0x55; SECTOR_SIZE]);
        chip.set_tear(Tear::Ragged { seed: 7 });
        chip.cut_after(cut);
        assert!(chip.erase(0, 4096).is_err());
        chip.image()[..SECTOR_SIZE].iter().map(|byte| byte.count_ones()).sum::<u32>()
    };
    assert_eq!(ones(0), 4 * 4096);
    assert!(ones(512) < 3 * 4096);
    assert_eq!(ones(1024), 0);
    assert!((3 * 4096..5 * 4096).contains(&ones(2560)));
    assert!((8 * 4096 - 60..8 * 4096).contains(&ones(4095)));
}

#[test]
fn an_image_comes_back_as_it_was_and_another_size_is_refused() {
    let chip = written(512, b"scores12");
    let again = FlashChip::from_image(chip.image().to_vec()).expect("the right size");
    assert_eq!(again.image(), chip.image());
    let error = FlashChip::from_image(vec![0; 4096]).unwrap_err();
    assert!(error.to_string().starts_with("a flash image of 4096 bytes; "), "{error}");
}
