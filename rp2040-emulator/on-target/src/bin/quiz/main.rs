//! The quiz: asks the chip questions whose answers documents leave open or that an emulator can get
//! wrong, and prints a line `question = answer` for each, on UART0 and over USB.
//!
//! It needs a bare Pico. All questions are asked once after power-on, with interrupts off; USB
//! prints the answers whenever a host opens the port, and again for each byte that it sends. A
//! question that begins with `varies` has another answer on each chip. `nudge quiz` runs the program on the
//! emulated chip and compares the answers; `docs/quiz.md` has the way for a real one.
//!
//! [`resets`] asks for values after reset, [`sequences`] for the cycles of instructions in RAM, [`buses`] for
//! those of accesses, the XIP cache and the DMA, [`interrupts`] for latencies, [`pio`], [`devices`]
//! and [`rom`] for what their names say.
#![no_std]
#![no_main]

mod answers;
mod buses;
mod code;
mod devices;
mod interrupts;
mod pio;
mod registers;
mod resets;
mod rom;
mod sequences;

use core::fmt::Write;

use answers::Answers;
use on_target::Board;
use rp2040_hal::usb::UsbBus;
use usb_device::bus::UsbBusAllocator;
use usb_device::device::{StringDescriptors, UsbDevice, UsbDeviceBuilder, UsbVidPid};
use usbd_serial::SerialPort;

/// The test IDs of pid.codes.
const NUMBERS: UsbVidPid = UsbVidPid(0x1209, 0x0001);

#[rp2040_hal::entry]
fn main() -> ! {
    cortex_m::interrupt::disable();
    let mut answers = Answers::new();
    resets::ask_before_clocks(&mut answers);
    let mut board = Board::take();
    resets::ask_with_clocks(&mut answers);
    registers::start_systick();
    sequences::ask(&mut answers);
    buses::ask(&mut answers);
    interrupts::ask(&mut answers);
    pio::ask(&mut answers);
    devices::ask(&mut answers);
    rom::ask(&mut answers);

    let mut report = on_target::report!(board);
    // Writing to the UART cannot fail.
    let _ = answers.print(&mut report.uart);

    let bus = UsbBusAllocator::new(UsbBus::new(
        board.rest.USBCTRL_REGS,
        board.rest.USBCTRL_DPRAM,
        board.clocks.usb_clock,
        true,
        &mut board.resets,
    ));
    let mut serial = SerialPort::new(&bus);
    let strings = StringDescriptors::default().manufacturer("nudge").product("quiz");
    let Ok(builder) = UsbDeviceBuilder::new(&bus, NUMBERS).strings(&[strings]) else {
        unreachable!("there is room for the strings")
    };
    let device = builder.device_class(usbd_serial::USB_CLASS_CDC).build();
    let mut port = Port { device, serial: &mut serial };
    let mut was_open = false;
    loop {
        port.poll();
        let mut byte = [0];
        let is_asked = port.serial.read(&mut byte).is_ok();
        let is_open = port.serial.dtr();
        if is_open && (is_asked || !was_open) {
            // A host that closes the port gets no more of this.
            let _ = answers.print(&mut port);
        }
        was_open = is_open;
    }
}

/// The serial port over USB.
struct Port<'a, 'b> {
    device: UsbDevice<'a, UsbBus>,
    serial: &'b mut SerialPort<'a, UsbBus>,
}

impl Port<'_, '_> {
    fn poll(&mut self) {
        self.device.poll(&mut [&mut *self.serial]);
    }
}

impl Write for Port<'_, '_> {
    /// Writes all of the text, and fails once the host has closed the port.
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let mut left = text.as_bytes();
        while !left.is_empty() {
            self.poll();
            if !self.serial.dtr() {
                return Err(core::fmt::Error);
            }
            if let Ok(count) = self.serial.write(left) {
                left = &left[count..];
            }
        }
        // What fills no packet is sent by the next poll.
        self.poll();
        Ok(())
    }
}
