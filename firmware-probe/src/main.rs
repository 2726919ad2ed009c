//! The probe's binary: a second Pico on the wires of a board, which presses its buttons, reads its LCD's wires and
//! its buzzer's, and bridges its console, for the `nudge` at the other end of the USB cable.
//!
//! What is said over USB is `probe-protocol`; which pin is what, its `wiring`. It knows no board's firmware, no LCD
//! controller and no trace.
//!
//! | module | subject |
//! |---|---|
//! | [`board`] | clocks and pins, sleep |
//! | [`chip`] | the time, shared registers |
//! | [`sampler`] | PIO and DMA: the LCD's bytes, and the edges of the other wires |
//! | [`lcd`] | from what the DMA has written to packed bursts |
//! | [`edges`] | RST, backlight and buzzer |
//! | [`tasks`] | what is done at a microsecond: buttons, power, bytes to the console |
//! | [`console`] | the board's UART0, both ways |
//! | [`outbox`] | observations that wait for USB |
//! | [`session`] | the host: its orders, and what it is told |
//! | [`serial_number`] | the number of the flash chip |
//!
//! Three interrupt handlers run: the alarm that carries tasks out, the UART, and two that only wake the core. Everything
//! else is one loop on one core, which polls. A state machine or the DMA has noted the time by then, so the loop's own
//! time moves no stamp. Core 1 rests: one core keeps up with the wire (docs/hil-probe.md), and one that waits for
//! the other's RAM would not.
//!
//! After a panic, or when the loop hangs, the chip resets, which releases every button.
#![no_std]
#![no_main]

mod board;
mod chip;
mod console;
mod edges;
mod lcd;
mod outbox;
mod sampler;
mod serial_number;
mod session;
mod tasks;

use core::panic::PanicInfo;

use probe_protocol::{USB_NAME, USB_PRODUCT, USB_VENDOR};
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{StringDescriptors, UsbDeviceBuilder, UsbVidPid};
use usbd_serial::SerialPort;

use crate::board::Board;
use crate::edges::Edges;
use crate::lcd::Lcd;
use crate::outbox::Outbox;
use crate::session::Session;

/// The second stage of booting, for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the bootrom looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// Bytes between the protocol and USB, each way.
const USB_BUFFER: usize = 1024;

#[cortex_m_rt::entry]
fn main() -> ! {
    // They lie in `.bss` from the first instruction on, and are not moved.
    static mut OUTBOX: Outbox = Outbox::new();
    static mut LCD: Lcd = Lcd::new();
    static mut SESSION: Session = Session::new();
    static mut RECEIVED: [u8; USB_BUFFER] = [0; USB_BUFFER];
    static mut SENT: [u8; USB_BUFFER] = [0; USB_BUFFER];

    let number = serial_number::read();
    let Board { mut rest, usb, mut sampler, console } = board::take();
    let bus = UsbBusAllocator::new(usb);
    let mut port = SerialPort::new_with_store(&bus, &mut RECEIVED[..], &mut SENT[..]);
    let strings =
        StringDescriptors::default().manufacturer("nudge").product(USB_NAME).serial_number(&number);
    let Ok(builder) =
        UsbDeviceBuilder::new(&bus, UsbVidPid(USB_VENDOR, USB_PRODUCT)).strings(&[strings])
    else {
        unreachable!("there is room for one language")
    };
    let mut device = builder.device_class(usbd_serial::USB_CLASS_CDC).build();

    tasks::begin();
    console.begin();
    let mut edges = Edges::new();
    SESSION.set_serial(&number);
    loop {
        let now = rest.now();
        let watched = SESSION.is_told();
        let mut busy = LCD.poll(now, &sampler, OUTBOX, watched);
        busy |= edges.poll(now, &mut sampler, OUTBOX, watched);
        busy |= console.poll(OUTBOX, watched);
        if watched {
            let known = LCD.known().min(edges.known(now)).min(now.before(chip::MARGIN_US));
            OUTBOX.mark(now, known, tasks::done());
        }
        tasks::wait_for_a_quiet_moment();
        device.poll(&mut [&mut port]);
        busy |= SESSION.poll(rest.now(), &mut port, OUTBOX);
        rest.turn(busy);
    }
}

/// Nothing can be said here: the host sees that the probe has restarted.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    rp2040_hal::reset()
}
