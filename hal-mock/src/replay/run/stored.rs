//! Checks the contents of the flash as the board's [`FlashReader`](crate::flash::FlashReader)
//! describes them: read from the image, with or without power, and without changing it.

use super::Run;
use crate::flash::collapsed;
use crate::replay::failure::FailureCause;
use crate::replay::nearest::nearest;
use trace::Place;
use virtual_time::Instant;

impl Run<'_> {
    pub(super) fn expect_flash(&mut self, place: Place, at: Instant, text: &str, wanted: bool) {
        if let Err(error) = self.machine.read_flash() {
            return self.fail_with_text(place, at, FailureCause::FlashUnreadable(error));
        }
        let Some(lines) = self.board().flash_lines() else {
            return self.fail_with_text(place, at, FailureCause::FlashUnread);
        };
        let text = collapsed(text);
        let found = lines.iter().find(|line| line.contains(&text)).cloned();
        let cause = match (found, wanted) {
            (Some(_), true) | (None, false) => return,
            (Some(line), false) => FailureCause::FlashLineShown { text, line },
            (None, true) => {
                let near = nearest(&text, lines.iter().map(String::as_str)).map(|(_, near)| near);
                FailureCause::FlashLineMissing { text, lines, near }
            }
        };
        self.fail_with_text(place, at, cause);
    }
}
