//! The registers of the model, with their defaults (each command's "Default" table). The module
//! does not know how they are set.

use std::collections::BTreeMap;

use super::geometry::{COLUMNS, Mapping, PAGES, Window};
use super::pixel::{Expansion, PixelFormat};
use super::view::{DisplaySettings, Scroll};

/// Bits of MADCTL (8.2.29).
pub(super) const MY: u8 = 0x80;
pub(super) const MX: u8 = 0x40;
pub(super) const MV: u8 = 0x20;
pub(super) const ML: u8 = 0x10;
pub(super) const BGR: u8 = 0x08;

/// Registers; their state after a hardware reset is [`Registers::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Registers {
    pub(super) awake: bool,
    pub(super) display_on: bool,
    pub(super) inverted: bool,
    pub(super) idle: bool,
    pub(super) partial: bool,
    pub(super) scrolling: bool,
    pub(super) madctl: u8,
    pub(super) pixel_format: u8,
    pub(super) window: Window,
    pub(super) partial_area: (u16, u16),
    pub(super) scroll: Scroll,
    /// TEON's argument while the tearing effect line is on.
    pub(super) tearing: Option<u8>,
    pub(super) brightness: u8,
    pub(super) display_control: u8,
    pub(super) adaptive_brightness: u8,
    pub(super) least_brightness: u8,
    /// DISCTRL's second argument: REV, GS, SS, SM.
    pub(super) scan: u8,
    /// IFCTL's arguments: the bits to exclusive-or with MADCTL, and WEMODE; EPF; RGB interface.
    pub(super) interface: [u8; 3],
    /// Last arguments of the registers that the model does not implement (and of DISCTRL), by
    /// command.
    pub(super) others: BTreeMap<u8, Vec<u8>>,
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            awake: false,
            display_on: false,
            inverted: false,
            idle: false,
            partial: false,
            scrolling: false,
            madctl: 0,
            pixel_format: 0x06,
            window: Window { columns: (0, COLUMNS as u16 - 1), pages: (0, PAGES as u16 - 1) },
            partial_area: (0, PAGES as u16 - 1),
            scroll: Scroll { top_fixed: 0, height: PAGES as u16, start: 0 },
            tearing: None,
            brightness: 0,
            display_control: 0,
            adaptive_brightness: 0,
            least_brightness: 0,
            scan: 0x82,
            interface: [0x01, 0x00, 0x00],
            others: BTreeMap::new(),
        }
    }
}

impl Registers {
    /// Executes SWRESET: MADCTL and the pixel format are retained (8.2.29, 8.2.33); the window is
    /// the whole panel under the retained MV (8.2.20, 8.2.21).
    pub(super) fn software_reset(&mut self) {
        let fresh =
            Self { madctl: self.madctl, pixel_format: self.pixel_format, ..Self::default() };
        *self = fresh;
        let mapping = self.mapping();
        self.window = Window { columns: (0, mapping.width - 1), pages: (0, mapping.height - 1) };
    }

    /// Returns MADCTL as it takes effect: IFCTL's MY_EOR, MX_EOR, MV_EOR and BGR_EOR invert its
    /// bits.
    fn orientation(&self) -> u8 {
        self.madctl ^ (self.interface[0] & (MY | MX | MV | BGR))
    }

    pub(super) fn mapping(&self) -> Mapping {
        let set = |bit| self.orientation() & bit != 0;
        Mapping::new(set(MX), set(MY), set(MV))
    }

    /// Returns IFCTL's WEMODE.
    pub(super) fn window_wraps(&self) -> bool {
        self.interface[0] & 0x01 != 0
    }

    pub(super) fn pixel_format(&self) -> PixelFormat {
        match self.pixel_format & 0x07 {
            0b101 => PixelFormat::Bits16(Expansion::new(self.interface[1] >> 4 & 0x03)),
            _ => PixelFormat::Bits18,
        }
    }

    /// Returns the display settings; `None` while the panel is dark.
    pub(super) fn display_settings(&self, backlight_on: bool) -> Option<DisplaySettings> {
        (backlight_on && self.awake && self.display_on).then(|| DisplaySettings {
            bgr: self.orientation() & BGR != 0,
            // REV is 1 for this panel; 0 shows the negative.
            inverted: self.inverted != (self.scan & 0x80 == 0),
            idle: self.idle,
            lines_from_bottom: self.madctl & ML != 0,
            gates_reversed: self.scan & 0x40 != 0,
            sources_reversed: self.scan & 0x20 != 0,
            partial: self.partial.then_some(self.partial_area),
            scroll: self.scrolling.then_some(self.scroll),
        })
    }
}
