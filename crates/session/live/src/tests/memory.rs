//! Memory of a session that runs all day with firmware that never stops talking.

use embedded_hal::pwm::SetDutyCycle;
use embedded_io::Write as _;
use hal_mock::{BoardConfig, Heap, MachineError, VirtualBoard, board::UART_FIFO};
use host::heap::retained;

use super::*;

/// Firmware that fills its UART all the time, and changes its tone every 10 ms. It draws nothing.
struct Chatty {
    board: VirtualBoard,
    lines: u64,
    tone_at: Instant,
}

/// Time of a UART whose transmitter is full until it is empty.
const FULL: Nanos = Nanos(UART_FIFO as u64 * 10 * 1_000_000_000 / 115_200);

impl Machine for Chatty {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.board.power_on();
        let Ok(()) = self.board.buzzer().set_duty_cycle_percent(50);
        Ok(())
    }

    fn power_off(&mut self) {
        self.board.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        let now = self.board.now();
        if now >= self.tone_at {
            self.tone_at = now.saturating_add(Nanos::from_millis(10));
            self.board.buzzer().set_frequency(440 + (self.lines % 100) as u32);
        }
        // 31 digits and a newline fill the transmitter.
        let line = format!("{:031}\n", self.lines);
        self.lines += 1;
        let _ = self.board.uart().write(line.as_bytes()).expect("a UART without faults");
        self.board.advance_to(limit.min(now.saturating_add(FULL)));
        Ok(())
    }

    fn heap(&self) -> Heap {
        Heap::unwatched()
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        Some(Box::new(Self { board: self.board.fork(), ..*self }))
    }
}

fn chatty() -> Box<dyn Machine> {
    let board = VirtualBoard::new(BoardConfig::default());
    Box::new(Chatty { board, lines: 0, tone_at: Instant::START })
}

/// Most bytes of the session: 40 MB of them are the copies of the LCD's memory, the others the logs
/// and what each copy does not share. The aim is 150 MB for all of `nudge run`.
const CHATTY_MAX: i64 = 70_000_000;
/// Most bytes by which they grow in 40 minutes, once there are 96 copies.
const GROWTH_MAX: i64 = 5_000_000;
/// Virtual time between two measurements.
const SPAN: Duration = Duration::from_secs(600);

#[test]
fn a_full_rate_uart_fills_a_bounded_memory() {
    let mut session = None;
    let mut wall = Duration::ZERO;
    let (mut taken, mut lines) = (Vec::new(), 0..0);
    for _ in 0..6 {
        let more = retained(|| {
            let session = session.get_or_insert_with(|| {
                let session = Session::start(chatty(), None, Speed::REAL, ms(0));
                session.expect("nothing is recorded")
            });
            let end = wall + SPAN;
            while wall < end {
                wall += ms(200);
                session.advance(wall);
                let console = session.take_update().expect("lines").console;
                lines = console.first()..console.end();
            }
        });
        taken.push(taken.last().unwrap_or(&0) + more);
    }
    assert!(lines.end > 1_200_000 && lines.start > 1_000_000, "{lines:?}");
    assert!(taken.iter().all(|bytes| *bytes <= CHATTY_MAX), "{taken:?}");
    assert!(taken[5] - taken[1] <= GROWTH_MAX, "{taken:?}");
}
