//! Images of a Pico's flash as files, and a chip that has booted one.

use std::path::Path;

use rp2040_emulator::chip::Chip;
use rp2040_emulator::image::{Image, Symbols};

/// Size of the flash of a Pico in bytes.
const FLASH_SIZE: usize = 2 << 20;

/// Returns a chip, before power-on, with the image `FOLDER/NAME.bin` of the tests in its flash and
/// `wires` between pins.
#[track_caller]
pub fn loaded(folder: &str, name: &str, wires: &[[usize; 2]]) -> Chip {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder).join(name);
    let image = Image::from_bin(&std::fs::read(path.with_extension("bin")).expect("it is there"));
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&image.expect("an image of a flash")).expect("it fits");
    assert!(wires.iter().all(|pins| chip.wire(*pins)), "they exist");
    chip
}

/// Checks that the program has accessed nothing that is not modelled, that no core has faulted, and that the
/// program has broken no rule of the chip.
#[track_caller]
pub fn all_is_modelled(chip: &Chip) {
    assert!(chip.fault().is_none(), "{:?}", chip.fault());
    let unknown: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    let errors = chip.findings().iter().filter(|finding| finding.is_error());
    let broken: Vec<_> = errors.map(|finding| finding.describe(&Symbols::default())).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}
