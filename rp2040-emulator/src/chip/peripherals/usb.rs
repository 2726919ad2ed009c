//! The USB controller as a device: its RAM, its registers, and its side of a transaction (datasheet
//! section 4.1).
//!
//! The controller receives what a [`Host`] sends over its [`Wire`]; without a host nothing happens.
//! A program accesses endpoint control, buffer control and buffers in the RAM. Not modelled: the
//! controller as a host, its pins as GPIO, bit errors, and the time that the controller takes to
//! see a change of buffer control.

use crate::cpu::bus::Width;
use crate::usb_host::{Host, Wire};

mod device;
mod registers;
#[cfg(test)]
mod tests;

use registers::*;

/// Time without activity after which the bus is suspended (USB 2.0 section 7.1.7.6).
const SUSPEND_NS: u64 = 3_000_000;
/// Time from the start of a frame after which a bulk IN buffer must not be made available (erratum
/// RP2040-E15).
const LATE_NS: u64 = 800_000;
/// Number of buffers: two directions for each of 16 endpoints.
const BUFFERS: usize = 32;

/// The controller and the host connected to it.
#[derive(Clone, Debug)]
pub(in crate::chip) struct Usb {
    controller: Controller,
    wire: Option<Box<Wire>>,
    /// Number of bulk IN buffers that were made available in the last 200 µs of a frame.
    late_buffers: u64,
}

/// Completed buffers of one endpoint and direction that the program has not handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Done {
    count: u8,
    /// Number of the buffer that was completed first.
    first: u8,
}

#[derive(Clone, Debug)]
struct Controller {
    ram: Box<[u8; RAM_SIZE]>,
    addresses: [u32; 16],
    main: u32,
    frame_to_send: u32,
    frame: u32,
    control: u32,
    /// Fields of SIE_STATUS that the program clears.
    status: u32,
    /// SIE_STATUS.CONNECTED.
    attached: bool,
    attached_changed: bool,
    host_endpoints: u32,
    done: [Done; BUFFERS],
    /// Next buffer of each endpoint and direction: bit n is that of index n.
    select: u32,
    abort: u32,
    abort_done: u32,
    stall_arm: u32,
    nak_poll: u32,
    stalled: u32,
    muxing: u32,
    power: u32,
    direct: u32,
    direct_override: u32,
    trim: u32,
    enabled: u32,
    forced: u32,
    frame_begun: bool,
    /// Time of the start of the current frame.
    frame_ns: u64,
    /// Whether the host drives a reset.
    in_reset: bool,
    /// Whether the program requests a remote wakeup.
    wakeup: bool,
    /// Whether the cable has power.
    powered: bool,
    /// Endpoint and direction whose packet is on the wire.
    busy: Option<usize>,
    /// Time since which nothing has happened on the bus.
    quiet_ns: u64,
    suspended: bool,
}

impl Default for Usb {
    fn default() -> Self {
        Self { controller: Controller::new(Box::new([0; RAM_SIZE])), wire: None, late_buffers: 0 }
    }
}

impl Usb {
    /// Returns the controller after its reset; the RAM's contents and the cable are retained.
    pub(in crate::chip) fn after_reset(mut self, ns: u64) -> Self {
        self.controller = Controller::new(self.controller.ram);
        self.rewire(ns);
        self
    }

    pub(in crate::chip) fn attach(&mut self, host: Host, ns: u64) {
        self.wire = Some(Box::new(Wire::new(host)));
        self.rewire(ns);
    }

    pub(in crate::chip) fn host(&self) -> Option<&Host> {
        self.wire.as_ref().map(|wire| &wire.host)
    }

    /// Returns the host, which checks the bus again.
    pub(in crate::chip) fn host_mut(&mut self, ns: u64) -> Option<&mut Host> {
        let wire = self.wire.as_mut()?;
        wire.wake(ns);
        Some(&mut wire.host)
    }

    /// Updates the wire after the device's pull-up or one of its requests has changed.
    fn rewire(&mut self, ns: u64) {
        if let Some(wire) = &mut self.wire {
            wire.wake(ns);
        }
        self.controller.quiet_ns = ns;
    }

    /// Returns the nanosecond of the next change without an access.
    pub(in crate::chip) fn next(&self) -> u64 {
        let wire = self.wire.as_ref().map_or(u64::MAX, |wire| wire.next());
        wire.min(self.controller.suspends_ns())
    }

    pub(in crate::chip) fn advance(&mut self, ns: u64) {
        if let Some(wire) = &mut self.wire {
            self.controller.powered = wire.host.is_plugged();
            wire.advance(&mut self.controller, ns);
        }
        if self.controller.suspends_ns() <= ns {
            self.controller.suspended = true;
            self.controller.status |= SIE_STATUS_SUSPENDED;
        }
    }

    pub(in crate::chip) fn interrupt(&self) -> bool {
        self.controller.interrupts() != 0
    }

    /// Reads the word of the RAM at `offset`.
    pub(in crate::chip) fn load(&mut self, offset: u32, ns: u64) -> u32 {
        self.advance(ns);
        self.controller.word(offset as usize)
    }

    /// Writes to the RAM; `value` is repeated over the word.
    pub(in crate::chip) fn store(&mut self, address: u32, width: Width, value: u32, ns: u64) {
        self.advance(ns);
        let at = address as usize % RAM_SIZE;
        let was_available = self.controller.is_bulk_in_available(at);
        for (lane, byte) in value.to_le_bytes().into_iter().enumerate() {
            let index = (at & !3) + lane;
            if (at..at + width.bytes() as usize).contains(&index) {
                self.controller.ram[index] = byte;
            }
        }
        let is_late = (LATE_NS..SUSPEND_NS).contains(&ns.saturating_sub(self.controller.frame_ns));
        if is_late && !was_available && self.controller.is_bulk_in_available(at) {
            self.late_buffers += 1;
        }
    }

    /// Returns the number of bulk IN buffers that were made available in the last 200 µs of a
    /// frame.
    pub(in crate::chip) fn late_buffers(&self) -> u64 {
        self.late_buffers
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, ns: u64) -> Option<u32> {
        self.advance(ns);
        let controller = &mut self.controller;
        Some(match offset {
            ADDR_ENDP..=ADDR_ENDP15 => controller.addresses[offset as usize / 4],
            MAIN_CTRL => controller.main,
            SOF_WR | UNUSED => 0,
            SOF_RD => {
                controller.frame_begun = false;
                controller.frame
            }
            SIE_CTRL => controller.control,
            SIE_STATUS => controller.sie_status(),
            INT_EP_CTRL => controller.host_endpoints,
            BUFF_STATUS => controller.mask(|done| done.count > 0),
            BUFF_CPU_SHOULD_HANDLE => controller.mask(|done| done.first == 1),
            EP_ABORT => controller.abort,
            EP_ABORT_DONE => controller.abort_done,
            EP_STALL_ARM => controller.stall_arm,
            NAK_POLL => controller.nak_poll,
            EP_STATUS_STALL_NAK => controller.stalled,
            USB_MUXING => controller.muxing,
            USB_PWR => controller.power,
            USBPHY_DIRECT => controller.direct,
            USBPHY_DIRECT_OVERRIDE => controller.direct_override,
            USBPHY_TRIM => controller.trim,
            INTR => controller.raised(),
            INTE => controller.enabled,
            INTF => controller.forced,
            INTS => controller.interrupts(),
            _ => return None,
        })
    }

    /// Writes through the alias of number `alias`: plain, flip, set, clear. A field that is cleared
    /// by writing 1 is cleared by a plain write and by the clear alias.
    pub(in crate::chip) fn write(
        &mut self,
        offset: u32,
        value: u32,
        alias: u32,
        ns: u64,
    ) -> Option<()> {
        self.advance(ns);
        let connected = self.controller.pulls_up();
        let cleared = if matches!(alias, 0 | 3) { value } else { 0 };
        let mut woken = false;
        let controller = &mut self.controller;
        match offset {
            SIE_STATUS => {
                if cleared & SIE_STATUS_CONNECTED != 0 {
                    controller.attached_changed = false;
                }
                controller.status &= !(cleared & SIE_STATUS_CLEARED);
            }
            BUFF_STATUS => controller.clear_done(cleared),
            EP_ABORT_DONE => controller.abort_done &= !cleared,
            EP_STATUS_STALL_NAK => controller.stalled &= !cleared,
            SOF_RD | BUFF_CPU_SHOULD_HANDLE | UNUSED | INTR | INTS => {}
            SOF_WR => controller.frame_to_send = value & SOF_BITS,
            _ => {
                let (register, bits) = controller.register(offset)?;
                let value = match alias {
                    0 => value,
                    1 => *register ^ value,
                    2 => *register | value,
                    _ => *register & !value,
                };
                *register = *register & !bits | value & bits;
                match offset {
                    SIE_CTRL if value & SIE_CTRL_RESUME != 0 => {
                        controller.wakeup = controller.suspended;
                        woken = controller.suspended;
                    }
                    EP_ABORT => controller.stop_aborted(),
                    MAIN_CTRL if value & MAIN_CTRL_HOST_NDEVICE != 0 => return None,
                    _ => {}
                }
            }
        }
        if self.controller.pulls_up() != connected || woken {
            if !self.controller.pulls_up() {
                self.controller.detach();
            }
            self.rewire(ns);
        }
        Some(())
    }
}

impl Controller {
    fn new(ram: Box<[u8; RAM_SIZE]>) -> Self {
        Self {
            ram,
            addresses: [0; 16],
            main: 0,
            frame_to_send: 0,
            frame: 0,
            control: 0,
            status: 0,
            attached: false,
            attached_changed: false,
            host_endpoints: 0,
            done: [Done::default(); BUFFERS],
            select: 0,
            abort: 0,
            abort_done: 0,
            stall_arm: 0,
            nak_poll: NAK_POLL_RESET,
            stalled: 0,
            muxing: 0,
            power: 0,
            direct: 0,
            direct_override: 0,
            trim: USBPHY_TRIM_RESET,
            enabled: 0,
            forced: 0,
            frame_begun: false,
            frame_ns: 0,
            in_reset: false,
            wakeup: false,
            powered: false,
            busy: None,
            quiet_ns: 0,
            suspended: false,
        }
    }

    /// Returns a register that stores what is written, and its bits.
    fn register(&mut self, offset: u32) -> Option<(&mut u32, u32)> {
        Some(match offset {
            ADDR_ENDP => (&mut self.addresses[0], ADDR_ENDP_BITS),
            ADDR_ENDP1..=ADDR_ENDP15 => (&mut self.addresses[offset as usize / 4], ADDR_ENDPN_BITS),
            MAIN_CTRL => (&mut self.main, MAIN_CTRL_BITS),
            SIE_CTRL => (&mut self.control, SIE_CTRL_BITS),
            INT_EP_CTRL => (&mut self.host_endpoints, INT_EP_CTRL_BITS),
            EP_ABORT => (&mut self.abort, u32::MAX),
            EP_STALL_ARM => (&mut self.stall_arm, EP_STALL_ARM_BITS),
            NAK_POLL => (&mut self.nak_poll, NAK_POLL_BITS),
            USB_MUXING => (&mut self.muxing, USB_MUXING_BITS),
            USB_PWR => (&mut self.power, USB_PWR_BITS),
            USBPHY_DIRECT => (&mut self.direct, USBPHY_DIRECT_BITS),
            USBPHY_DIRECT_OVERRIDE => (&mut self.direct_override, USBPHY_DIRECT_OVERRIDE_BITS),
            USBPHY_TRIM => (&mut self.trim, USBPHY_TRIM_RESET),
            INTE => (&mut self.enabled, INT_BITS),
            INTF => (&mut self.forced, INT_BITS),
            _ => return None,
        })
    }

    /// Returns whether the pull-up at D+ signals a device to the host.
    fn pulls_up(&self) -> bool {
        let device = self.main & (MAIN_CTRL_CONTROLLER_EN | MAIN_CTRL_HOST_NDEVICE);
        device == MAIN_CTRL_CONTROLLER_EN && self.control & SIE_CTRL_PULLUP_EN != 0
    }

    /// Detaches the device: the pull-up is off.
    fn detach(&mut self) {
        self.attached_changed |= std::mem::take(&mut self.attached);
        self.in_reset = false;
        self.suspended = false;
        self.busy = None;
    }

    /// Returns when the bus is suspended because nothing happens; a bus without a host is quiet
    /// too.
    fn suspends_ns(&self) -> u64 {
        if self.suspended || self.in_reset || !self.pulls_up() {
            return u64::MAX;
        }
        self.quiet_ns.saturating_add(SUSPEND_NS)
    }

    fn sie_status(&self) -> u32 {
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        self.status
            | bit(self.attached, SIE_STATUS_CONNECTED)
            | bit(self.pulls_up() && !self.in_reset, SIE_STATUS_LINE_STATE_J)
            | bit(self.has_vbus(), SIE_STATUS_VBUS_DETECTED)
    }

    fn has_vbus(&self) -> bool {
        if self.power & USB_PWR_VBUS_DETECT_OVERRIDE_EN != 0 {
            self.power & USB_PWR_VBUS_DETECT != 0
        } else {
            self.powered
        }
    }

    fn mask(&self, condition: impl Fn(Done) -> bool) -> u32 {
        let bits = self.done.iter().enumerate();
        bits.fold(0, |mask, (index, done)| mask | u32::from(condition(*done)) << index)
    }

    /// Clears one completed buffer of each endpoint of `mask`. If another buffer is completed, the
    /// bit is set again immediately.
    fn clear_done(&mut self, mask: u32) {
        for (index, done) in self.done.iter_mut().enumerate() {
            if mask >> index & 1 != 0 && done.count > 0 {
                done.count -= 1;
                done.first ^= u8::from(done.count > 0);
            }
        }
    }

    /// Marks endpoints of EP_ABORT without a packet on the wire as idle.
    fn stop_aborted(&mut self) {
        let busy = self.busy.map_or(0, |index| 1 << index);
        self.abort_done |= self.abort & !busy;
    }

    /// Returns INTR.
    fn raised(&self) -> u32 {
        const FROM_STATUS: [(u32, u32); 7] = [
            (SIE_STATUS_TRANS_COMPLETE, INT_TRANS_COMPLETE),
            (SIE_STATUS_DATA_SEQ_ERROR, INT_ERROR_DATA_SEQ),
            (SIE_STATUS_RX_OVERFLOW, INT_ERROR_RX_OVERFLOW),
            (SIE_STATUS_BUS_RESET, INT_BUS_RESET),
            (SIE_STATUS_SUSPENDED, INT_DEV_SUSPEND),
            (SIE_STATUS_RESUME, INT_DEV_RESUME_FROM_HOST),
            (SIE_STATUS_SETUP_REC, INT_SETUP_REQ),
        ];
        let bit = |condition: bool, bit: u32| if condition { bit } else { 0 };
        FROM_STATUS
            .iter()
            .fold(0, |mask, (field, raised)| mask | bit(self.status & field != 0, *raised))
            | bit(self.done.iter().any(|done| done.count > 0), INT_BUFF_STATUS)
            | bit(self.has_vbus(), INT_VBUS_DETECT)
            | bit(self.attached_changed, INT_DEV_CONN_DIS)
            | bit(self.frame_begun, INT_DEV_SOF)
            | bit(self.abort_done != 0, INT_ABORT_DONE)
            | bit(self.stalled != 0, INT_EP_STALL_NAK)
    }

    fn interrupts(&self) -> u32 {
        if self.enabled | self.forced == 0 {
            return 0;
        }
        self.raised() & self.enabled | self.forced
    }

    /// Returns the word of the RAM at `offset`, which is at most that of the last word. Returns
    /// whether `offset` is in the buffer control of a bulk IN endpoint that has an available
    /// buffer.
    fn is_bulk_in_available(&self, offset: usize) -> bool {
        let index = offset.wrapping_sub(BUFFER_CONTROL) / 4;
        let is_in = (2..BUFFERS).contains(&index) && index.is_multiple_of(2);
        let is_bulk = || self.word(EP_CONTROL + index * 4) >> EP_TYPE_LSB & 3 == EP_TYPE_BULK;
        let available = BUFFER_AVAILABLE | BUFFER_AVAILABLE << 16;
        is_in && is_bulk() && self.word(BUFFER_CONTROL + index * 4) & available != 0
    }

    fn word(&self, offset: usize) -> u32 {
        let bytes = self.ram.get(offset..).and_then(<[u8]>::first_chunk);
        u32::from_le_bytes(bytes.copied().unwrap_or_default())
    }

    fn set_word(&mut self, offset: usize, value: u32) {
        if let Some(bytes) = self.ram.get_mut(offset..offset + 4) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }
}
