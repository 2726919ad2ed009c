//! The firmware, as the machines of `boards` get it.

use std::error::Error;

use boards::header::HeaderError;
use boards::{ConsoleLinesError, LcdFirmware};
use firmware_core::SOURCE_HASH;
use firmware_core::app::game_in_progress;
use firmware_core::entropy::STREAM;
use firmware_core::storage::{self, ChanceSource, Scores, Settings, Stored, files};
use hal_mock::flash::FlashChip;
use hal_mock::{BoardConfig, Machine};
use host::heap::HeapMeter;
use trace::{HeaderEntry, Trace};

use crate::header;
use crate::native::Native;

/// The firmware of the LCD board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Firmware;

impl LcdFirmware for Firmware {
    fn sources(&self) -> &'static str {
        SOURCE_HASH
    }

    fn settings(&self) -> &'static [&'static str] {
        &header::SETTINGS
    }

    fn machine(&self, config: BoardConfig, meter: Option<HeapMeter>) -> Box<dyn Machine> {
        let mut native = Native::new(config);
        if let Some(meter) = meter {
            native.count_heap(meter);
        }
        Box::new(native)
    }

    fn board(&self, trace: &Trace, flash: Option<Vec<u8>>) -> Result<BoardConfig, HeaderError> {
        header::board(trace, flash)
    }

    fn console_lines(&self, trace: &Trace) -> Result<Vec<String>, ConsoleLinesError> {
        Ok(header::console_lines(trace)?)
    }

    /// As the console's `seed` stores it on a real board.
    fn store_seed(
        &self,
        flash: &mut FlashChip,
        seed: u64,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let Stored { settings, .. } = storage::start(flash);
        let seeded = Settings { chance: ChanceSource::Seeded, seed: seed ^ STREAM, ..settings };
        Ok(storage::save(flash, &seeded)?)
    }

    /// A new flash is that of a board at its first power-on, which offers the introduction.
    fn session_header(&self, image: Option<&[u8]>) -> Vec<HeaderEntry> {
        if is_introduced(image) {
            return Vec::new();
        }
        vec![HeaderEntry::new("introduction", "on")]
    }

    fn header_of_flash(&self, image: &[u8]) -> Option<Vec<HeaderEntry>> {
        let mut chip = FlashChip::from_image(image.to_vec()).ok()?;
        let Stored { settings, scores, damage } = storage::start(&mut chip);
        let files = files::list(&mut chip, None).ok()?;
        if damage.is_any()
            || scores != Scores::default()
            || !files.files.is_empty()
            || files.damaged > 0
            || game_in_progress(&mut chip).is_some()
        {
            return None;
        }
        header::of(&settings)
    }
}

/// Returns whether a board with this flash has offered the introduction, or will not because it is
/// damaged.
fn is_introduced(image: Option<&[u8]>) -> bool {
    let Some(image) = image else { return false };
    let Ok(mut chip) = FlashChip::from_image(image.to_vec()) else { return true };
    storage::start(&mut chip).settings.introduced
}

#[cfg(test)]
mod tests {
    use boards::identity;
    use firmware_core::SOURCE_MARK;
    use rp2040_emulator::image::Image;

    use super::*;

    #[test]
    fn a_program_is_identified_by_the_mark_of_its_sources() {
        let bytes = [b"abc".as_slice(), SOURCE_MARK.as_bytes(), &[0; 9]].concat();
        let image = Image::from_bin(&bytes).unwrap();
        assert_eq!(identity::sources(&image).as_deref(), Some(Firmware.sources()));
    }
}
