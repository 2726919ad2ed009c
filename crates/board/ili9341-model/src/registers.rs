//! The registers of the model, with the reset values of the table. The module does not know how
//! they are set.

use std::collections::BTreeMap;

use panel_tables::{Effect, Family, Format, Module, Table};

use super::geometry::{Layout, Mapping, Window};
use super::one_bit::OneBit;
use super::pixel::{Expansion, PixelFormat};
use super::view::{DisplaySettings, Scroll};

/// Bits of MADCTL (8.2.29).
pub(super) const MY: u8 = 0x80;
pub(super) const MX: u8 = 0x40;
pub(super) const MV: u8 = 0x20;
pub(super) const ML: u8 = 0x10;
pub(super) const BGR: u8 = 0x08;

/// Bits of the second argument of DISCTRL: REV, GS, SS.
const REV: u8 = 0x80;
pub(super) const GS: u8 = 0x40;
pub(super) const SS: u8 = 0x20;
/// IFCTL of a controller without that register: a full window continues at its start.
const INTERFACE: [u8; 3] = [0x01, 0x00, 0x00];

/// Registers; [`Registers::new`] is their state after a hardware reset.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    pub(super) table: &'static Table,
    pub(super) layout: Layout,
    pub(super) awake: bool,
    pub(super) display_on: bool,
    pub(super) inverted: bool,
    /// Number of INVON and INVOFF since the reset, at most 255.
    pub(super) inversions: u8,
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
    /// Registers of the one-bit family.
    pub(super) one_bit: OneBit,
    /// Last arguments of the registers that the model does not implement (and of DISCTRL), by
    /// command.
    pub(super) others: BTreeMap<u8, Vec<u8>>,
}

impl Registers {
    pub(super) fn new(table: &'static Table, module: Module) -> Self {
        let layout = Layout::new(table, module);
        let (columns, pages) = (table.columns, table.lines);
        let reset = |effect| {
            let command = table.commands.iter().find(|command| command.effect == effect);
            command.map_or(&[][..], |command| &command.reset[..])
        };
        let first = |effect| reset(effect).first().copied().unwrap_or(0);
        let mut interface = INTERFACE;
        for (place, byte) in interface.iter_mut().zip(reset(Effect::InterfaceControl)) {
            *place = *byte;
        }
        Self {
            table,
            layout,
            // The one-bit family has no sleep mode of its own.
            awake: table.family == Family::Pages,
            display_on: false,
            inverted: false,
            inversions: 0,
            idle: false,
            partial: false,
            scrolling: false,
            madctl: first(Effect::MemoryAccess),
            pixel_format: first(Effect::PixelFormat),
            window: Window { columns: (0, columns - 1), pages: (0, pages - 1) },
            partial_area: (0, pages - 1),
            scroll: Scroll { top_fixed: 0, height: pages, start: 0 },
            tearing: None,
            brightness: first(Effect::Brightness),
            display_control: first(Effect::DisplayControl),
            adaptive_brightness: first(Effect::AdaptiveBrightness),
            least_brightness: first(Effect::LeastBrightness),
            scan: reset(Effect::ScanControl).get(1).copied().unwrap_or(REV),
            interface,
            one_bit: OneBit::new(table),
            others: BTreeMap::new(),
        }
    }

    /// Returns the registers after a hardware reset.
    pub(super) fn fresh(&self) -> Self {
        Self::new(self.table, self.layout.module)
    }

    /// Executes SWRESET: a register that the table marks as retained stays (of the ILI9341 MADCTL
    /// and the pixel format, 8.2.29, 8.2.33); the window is the whole memory under the resulting MV
    /// (8.2.20, 8.2.21).
    pub(super) fn software_reset(&mut self) {
        let retains = |effect| {
            let mut commands = self.table.commands.iter();
            commands.any(|command| command.effect == effect && command.is_retained)
        };
        let mut fresh = self.fresh();
        if retains(Effect::MemoryAccess) {
            fresh.madctl = self.madctl;
        }
        if retains(Effect::PixelFormat) {
            fresh.pixel_format = self.pixel_format;
        }
        *self = fresh;
        let mapping = self.mapping();
        self.window = Window { columns: (0, mapping.width - 1), pages: (0, mapping.height - 1) };
    }

    /// Returns MADCTL as it takes effect: IFCTL's MY_EOR, MX_EOR, MV_EOR and BGR_EOR invert its
    /// bits.
    pub(super) fn orientation(&self) -> u8 {
        self.madctl ^ (self.interface[0] & (MY | MX | MV | BGR))
    }

    pub(super) fn mapping(&self) -> Mapping {
        let set = |bit| self.orientation() & bit != 0;
        Mapping::new(&self.layout, set(MX), set(MY), set(MV))
    }

    /// Returns IFCTL's WEMODE.
    pub(super) fn window_wraps(&self) -> bool {
        self.interface[0] & 0x01 != 0
    }

    /// Returns the format of PIXSET's lowest three bits; 18 bits if there is no such format.
    pub(super) fn pixel_format(&self) -> PixelFormat {
        match self.table.formats[usize::from(self.pixel_format & 0x07)] {
            Some(Format::Bits16) => {
                PixelFormat::Bits16(Expansion::new(self.interface[1] >> 4 & 0x03))
            }
            Some(Format::Bits12) => PixelFormat::Bits12,
            Some(Format::Bits18) | None => PixelFormat::Bits18,
        }
    }

    /// Returns the display settings; `None` while the panel is dark.
    pub(super) fn display_settings(&self, backlight_on: bool) -> Option<DisplaySettings> {
        let module = &self.layout.module;
        (backlight_on && self.awake && self.display_on).then(|| DisplaySettings {
            colours_match: (self.orientation() & BGR != 0) == module.is_bgr,
            // REV is 1 for this panel; 0 shows the negative.
            inverted: (self.inverted != (self.scan & REV == 0)) != module.is_inverted,
            idle: self.idle,
            lines_from_bottom: self.madctl & ML != 0,
            gates_reversed: self.scan & GS != 0,
            sources_reversed: self.scan & SS != 0,
            partial: self.partial.then_some(self.partial_area),
            scroll: self.scrolling.then_some(self.scroll),
            all_on: self.one_bit.all_on,
            rows: self.one_bit.rows(self.table),
        })
    }
}
