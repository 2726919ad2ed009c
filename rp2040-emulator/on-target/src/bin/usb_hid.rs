//! A keyboard and a mouse over USB, on rp2040-hal's UsbBus with usbd-hid, driven by interrupts. The
//! USB host polls them and sets the keyboard's lights.
#![no_std]
#![no_main]

use core::cell::RefCell;

use critical_section::Mutex;
use on_target::{Board, Shared, holds, same, unmask};
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::timer::Timer;
use rp2040_hal::usb::UsbBus;
use usb_device::UsbError;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{UsbDevice, UsbDeviceBuilder, UsbDeviceState, UsbVidPid};
use usbd_hid::descriptor::{KeyboardReport, MouseReport, SerializedDescriptor};
use usbd_hid::hid_class::HIDClass;

/// Key code of the letter A.
const KEY_A: u8 = 4;

struct Devices {
    device: UsbDevice<'static, UsbBus>,
    keyboard: HIDClass<'static, UsbBus>,
    mouse: HIDClass<'static, UsbBus>,
    /// The lights that the host has set, and the number of bytes in its report.
    lights: Option<(u8, usize)>,
}

static DEVICES: Shared<Devices> = Shared::new();
static INTERRUPTS: Mutex<RefCell<u32>> = Mutex::new(RefCell::new(0));

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let bus = UsbBusAllocator::new(UsbBus::new(
        board.rest.USBCTRL_REGS,
        board.rest.USBCTRL_DPRAM,
        board.clocks.usb_clock,
        true,
        &mut board.resets,
    ));
    let Some(bus) = cortex_m::singleton!(: UsbBusAllocator<UsbBus> = bus) else {
        unreachable!("main runs once")
    };
    let keyboard = HIDClass::new(bus, KeyboardReport::desc(), 10);
    let mouse = HIDClass::new(bus, MouseReport::desc(), 1);
    let device = UsbDeviceBuilder::new(bus, UsbVidPid(0x1209, 0x0002)).build();
    DEVICES.put(Devices { device, keyboard, mouse, lights: None });
    unmask(pac::Interrupt::USBCTRL_IRQ);

    let ready = until(&timer, |it| it.device.state() == UsbDeviceState::Configured);
    report.record("a host configures it", holds("configured", ready));
    for keycodes in [[KEY_A, 0, 0, 0, 0, 0], [0; 6]] {
        let key = KeyboardReport { modifier: 2, reserved: 0, leds: 0, keycodes };
        let sent = until(&timer, |it| it.keyboard.push_input(&key) != Err(UsbError::WouldBlock));
        report.record("a key is reported", holds("sent", sent));
    }
    let moved = MouseReport { x: 5, y: -3, buttons: 1, wheel: 0, pan: 0 };
    let sent = until(&timer, |it| it.mouse.push_input(&moved) != Err(UsbError::WouldBlock));
    report.record("a motion is reported", holds("sent", sent));
    let mut set = None;
    let lit = until(&timer, |it| {
        set = it.lights;
        set.is_some()
    });
    let (lights, count) = set.unwrap_or_default();
    report.record("the lights are set", holds("set", lit));
    report.record("one byte for them", same("bytes", count as u32, 1u32));
    report.record("Caps Lock", same("the lights", lights, 2u8));
    let interrupts = critical_section::with(|section| *INTERRUPTS.borrow_ref(section));
    report.record("interrupts did it", holds("many", interrupts > 20));
    report.end()
}

#[interrupt]
fn USBCTRL_IRQ() {
    critical_section::with(|section| *INTERRUPTS.borrow_ref_mut(section) += 1);
    DEVICES.with(|it| {
        it.device.poll(&mut [&mut it.keyboard, &mut it.mouse]);
        // The interrupt stays active until the bytes from the host are read.
        let mut bytes = [0; 64];
        if let Ok(count) = it.keyboard.pull_raw_output(&mut bytes) {
            it.lights = Some((bytes[0], count));
        }
    });
}

/// Repeats until the condition holds, for a second at most.
fn until(timer: &Timer, mut condition: impl FnMut(&mut Devices) -> bool) -> bool {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < 1_000_000 {
        if DEVICES.with(&mut condition) == Some(true) {
            return true;
        }
    }
    false
}
