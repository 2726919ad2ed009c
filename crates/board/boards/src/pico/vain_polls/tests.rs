use rp2040_emulator::program::FLASH_SIZE;

use super::super::scripted::{ENABLE, POLLING, function, program_then};
use super::*;

#[test]
fn open_inputs_that_are_polled_are_named_with_what_is_often_there() {
    // On the LCD board GP8 is a button, and nothing is connected to GP26, an output, and to GP27.
    let script = [function(8, 5), function(26, 5), function(27, 5), (ENABLE, 1 << 26)];
    let program = program_then(&script, &POLLING);
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(program.image()).unwrap();
    chip.power_on().unwrap();
    let mut wiring = Wiring::lcd_board();
    chip.run(1_000_000);
    assert_eq!(remark(&chip, &wiring), None, "it may be about to read something else");
    chip.run(3_000_000_000);
    let expected = "polled in vain: GP27, which the board file does not mention; a button, TE of a \
                    display or an interrupt of a sensor is often there";
    assert_eq!(remark(&chip, &wiring).as_deref(), Some(expected));
    wiring.lcd.te = Gpio::new(27);
    assert_eq!(remark(&chip, &wiring), None);
    wiring.buttons.clear();
    assert!(remark(&chip, &wiring).unwrap().starts_with("polled in vain: GP8, which"));
}
