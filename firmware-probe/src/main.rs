//! The probe's binary: a second Pico on the wires of a board. It presses the board's buttons, reads
//! the wires of its LCD and its buzzer, and bridges its console, for the `nudge` at the other end
//! of the USB cable.
//!
//! The protocol over USB is `probe-protocol`; the assignment of the pins is its `wiring`. The probe
//! knows no board's firmware, no LCD controller and no trace.
//!
//! | module | subject |
//! |---|---|
//! | [`board`] | clocks and pins, sleep |
//! | [`chip`] | the time, shared registers |
//! | [`sampler`] | PIO and DMA: the LCD's bytes, and the edges of the other wires |
//! | [`lcd`] | packs the bytes and bursts that the DMA has written |
//! | [`frames`] | the frames of the USB |
//! | [`vectors`] | the vector table in RAM |
//! | [`edges`] | RST, backlight and buzzer |
//! | [`tasks`] | timed actions: buttons, power, bytes to the console |
//! | [`console`] | the board's UART0, in both directions |
//! | [`swd`] | the board's debug port: SWCLK and SWDIO |
//! | [`outbox`] | observations that wait for USB |
//! | [`session`] | the host: its orders, and the reports to it |
//! | [`binary_info`] | name and version for picotool |
//! | [`serial_number`] | the number of the flash chip |
//! | [`stack_guard`] | makes a hard fault of a stack overflow |
//!
//! Three kinds of interrupt handlers run: the alarm that executes tasks, the UART, and two that
//! only wake the core. Everything else is one polling loop on one core. A state machine or the DMA
//! has recorded the time by then, so the loop's own timing does not affect any stamp. Core 1 is
//! idle: one core keeps up with the wire (docs/hil-probe.md), and one that waits for the other's
//! RAM would not.
//!
//! After a panic or a hard fault, or if the loop hangs or the USB controller is lost, the chip resets, which releases every button.
#![no_std]
#![no_main]

#[path = "../../firmware-pico/src/binary_info.rs"]
mod binary_info;
mod board;
mod chip;
mod console;
mod edges;
mod frames;
mod lcd;
mod outbox;
mod sampler;
mod serial_number;
mod session;
#[path = "../../firmware-pico/src/stack_guard.rs"]
mod stack_guard;
mod swd;
mod tasks;
mod vectors;

use core::panic::PanicInfo;

use probe_protocol::{USB_NAME, USB_PRODUCT, USB_VENDOR};
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{StringDescriptors, UsbDeviceBuilder, UsbDeviceState, UsbVidPid};
use usbd_serial::SerialPort;

use crate::board::Board;
use crate::edges::Edges;
use crate::lcd::Lcd;
use crate::outbox::Outbox;
use crate::session::Session;

/// Second boot stage, for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the bootrom looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// Size in bytes of the guard below the stack. No function but `main` has a frame larger than 88
/// bytes.
const STACK_GUARD_BYTES: usize = 512;

/// Current in mA that probe and board together take from the USB at most (docs/hil.md).
const MAX_POWER_MA: usize = 500;
/// Size in bytes of the buffer between the protocol and USB, in each direction.
const USB_BUFFER: usize = 1024;

#[cortex_m_rt::entry]
fn main() -> ! {
    // These are in `.bss` from the first instruction on, and are never moved.
    static mut OUTBOX: Outbox = Outbox::new();
    static mut LCD: Lcd = Lcd::new();
    static mut SESSION: Session = Session::new();
    static mut RECEIVED: [u8; USB_BUFFER] = [0; USB_BUFFER];
    static mut SENT: [u8; USB_BUFFER] = [0; USB_BUFFER];

    vectors::move_to_ram();
    stack_guard::install();
    let number = serial_number::read();
    let Board { mut rest, usb, mut sampler, console, mut swd } = board::take();
    let bus = UsbBusAllocator::new(usb);
    let mut port = SerialPort::new_with_store(&bus, &mut RECEIVED[..], &mut SENT[..]);
    let strings =
        StringDescriptors::default().manufacturer("nudge").product(USB_NAME).serial_number(&number);
    let builder = UsbDeviceBuilder::new(&bus, UsbVidPid(USB_VENDOR, USB_PRODUCT));
    let Ok(builder) = builder.strings(&[strings]).and_then(|it| it.max_power(MAX_POWER_MA)) else {
        unreachable!("there is room for one language, and a device may take 500 mA")
    };
    let mut device = builder.device_class(usbd_serial::USB_CLASS_CDC).build();

    frames::begin();
    tasks::begin();
    console.begin();
    let mut edges = Edges::new();
    SESSION.set_serial(&number);
    loop {
        let now = rest.now();
        let watched = SESSION.is_connected();
        let mut busy = LCD.poll(now, &sampler, OUTBOX, watched);
        busy |= edges.poll(now, &mut sampler, OUTBOX, watched);
        tasks::wait_until_no_task_is_imminent();
        busy |= console.poll(OUTBOX, watched);
        if watched {
            let known = LCD.known().min(edges.known(now)).min(now.before(chip::MARGIN_US));
            OUTBOX.mark(now, known, tasks::done());
        }
        busy |= swd.poll(OUTBOX);
        tasks::wait_until_no_task_is_imminent();
        if frames::is_safe() {
            device.poll(&mut [&mut port]);
            busy |= SESSION.poll(rest.now(), &mut port, OUTBOX, &mut swd);
        }
        let works = device.state() != UsbDeviceState::Configured || frames::come();
        rest.turn(busy, works);
    }
}

/// Resets the chip. No report is possible here: the host notices that the probe has restarted.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    rp2040_hal::reset()
}

/// Resets the chip after a hard fault.
extern "C" fn hard_fault(_: *const u32, _: *const u32) -> ! {
    rp2040_hal::reset()
}
