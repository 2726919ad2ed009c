//! The serial console.

use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use hal_mock::board::{Uart, UartOverrun};

use crate::context;

/// The console: what the firmware writes is the console of traces, and what is typed arrives here. A
/// byte takes 87 µs.
#[derive(Debug)]
pub struct Console;

/// Calls `reach` with the wire, and lets the time pass that it has taken.
fn on_wire<T>(reach: impl FnOnce(&mut Uart) -> T) -> T {
    let result = context::with(|context| reach(&mut context.board.uart()));
    context::suspend_at_limit();
    result
}

impl ErrorType for Console {
    type Error = UartOverrun;
}

impl Read for Console {
    /// Waits for a byte, and returns those that have arrived.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, UartOverrun> {
        loop {
            match on_wire(|uart| uart.read(buffer))? {
                0 if !buffer.is_empty() => {
                    context::sleep(virtual_time::Instant::NEVER, context::Inputs::Wake);
                }
                count => return Ok(count),
            }
        }
    }
}

impl ReadReady for Console {
    fn read_ready(&mut self) -> Result<bool, UartOverrun> {
        let is_ready = on_wire(ReadReady::read_ready);
        context::spend(context::READ);
        is_ready
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, UartOverrun> {
        on_wire(|uart| uart.write(bytes))
    }

    fn flush(&mut self) -> Result<(), UartOverrun> {
        on_wire(Write::flush)
    }
}

impl WriteReady for Console {
    fn write_ready(&mut self) -> Result<bool, UartOverrun> {
        let is_ready = on_wire(WriteReady::write_ready);
        context::spend(context::READ);
        is_ready
    }
}

/// Lets `write!` print on the console: `core::fmt::Write`.
impl core::fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.write_all(text.as_bytes()).map_err(|_| core::fmt::Error)
    }
}
