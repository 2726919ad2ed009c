//! Options of the user, beside those of the Wari program: the side against the computer, sowing at
//! the first press, the volume.

use core::ops::DerefMut;

use embedded_storage::nor_flash::NorFlash;

use super::choose::on_or_off;
use super::state::{App, Memory};
use crate::game::places::Cup;
use crate::pins::sound;
use crate::storage::SettingKey;
use crate::time::Instant;

impl<M: DerefMut<Target = Memory>> App<M> {
    /// Exchanges the rows of the user and the computer. A game in progress continues with them.
    pub(super) fn change_sides<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let settings = &mut self.stored.settings;
        settings.side = settings.side.opponent();
        let side = SettingKey::Side.value(settings).unwrap_or_default();
        self.memory.console.line(format_args!("option side={side}"));
        self.save_option(now, flash);
    }

    pub(super) fn switch_sowing_at_once<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let on = !self.stored.settings.sows_at_once;
        self.stored.settings.sows_at_once = on;
        self.memory.console.line(format_args!("option sow-at-once={}", on_or_off(on)));
        self.save_option(now, flash);
    }

    /// Selects the next volume, and lets it be heard.
    pub(super) fn change_volume<F: NorFlash>(&mut self, now: Instant, flash: &mut F) {
        let volume = self.stored.settings.volume.next();
        self.stored.settings.volume = volume;
        self.memory.console.line(format_args!("option volume={}", volume.name()));
        self.player.stop();
        self.sound(Some(sound::FREE_TURN), now);
        self.save_option(now, flash);
    }

    /// Returns whether a press of `cup` sows it although it has not been counted. The user may still
    /// count the cups that cannot be sown.
    pub(super) fn sows_at_once(&self, cup: Cup) -> bool {
        self.stored.settings.sows_at_once
            && !self.is_over()
            && self.rules().play(&self.position(), cup).is_ok()
    }
}
