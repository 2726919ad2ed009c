//! Two cores: the launch, the FIFOs, spinlocks, critical sections. Needs no external device.
#![no_std]
#![no_main]

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};

use critical_section::Mutex;
use on_target::{Board, Verdict, holds, same};
use rp2040_hal::multicore::{Multicore, Stack};
use rp2040_hal::pac;
use rp2040_hal::sio::{Sio, SioFifo, Spinlock, Spinlock5, spinlock_state};

static STACK: Stack<4096> = Stack::new();
/// Counter to which both cores add, each in its own critical sections.
static COUNT: Mutex<Cell<u32>> = Mutex::new(Cell::new(0));
/// Number of times that the other core has seen spinlock 5 claimed.
static CLAIMS: AtomicU32 = AtomicU32::new(0);

const ROUNDS: u32 = 2_000;
/// Command of core 0 to core 1.
const DOUBLE: u32 = 1 << 24;
const COUNT_ON: u32 = 2 << 24;
const CLAIM: u32 = 3 << 24;
const NUMBER: u32 = 4 << 24;

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let mut fifo = board.fifo;
    let (mut power, mut bus) = (board.rest.PSM, board.rest.PPB);
    let mut cores = Multicore::new(&mut power, &mut bus, &mut fifo);
    let launched = match (cores.cores(), STACK.take()) {
        ([_, second], Some(stack)) => second.spawn(stack, serve).is_ok(),
        _ => false,
    };
    report.record("core 1 is launched", holds("spawning", launched));
    report.record("words go there and back", words(&mut fifo));
    report.record("each core has its number", number(&mut fifo));
    report.record("a full FIFO says so", full(&mut fifo));
    report.record("critical sections keep cores apart", count(&mut fifo));
    report.record("a spinlock is claimed by one", claim(&mut fifo));

    report.record("a stack is taken once", holds("taking", STACK.take().is_none()));
    report.end()
}

/// Runs on core 1 and answers words.
fn serve() {
    #[expect(unsafe_code, reason = "each core has a FIFO of its own behind the same type")]
    // SAFETY: this core uses only its own side of the FIFO.
    let mut sio = Sio::new(unsafe { pac::Peripherals::steal() }.SIO);
    loop {
        let word = sio.fifo.read_blocking();
        let answer = match word & 0xFF00_0000 {
            DOUBLE => 2 * (word & 0x00FF_FFFF),
            COUNT_ON => {
                count_on();
                word
            }
            CLAIM => {
                CLAIMS.store(Spinlock5::try_claim().is_some().into(), Ordering::SeqCst);
                word
            }
            NUMBER => Sio::core() as u32,
            _ => word,
        };
        sio.fifo.write_blocking(answer);
    }
}

fn words(fifo: &mut SioFifo) -> Verdict {
    for n in 0..100 {
        fifo.write_blocking(DOUBLE | n);
        same("the answer", fifo.read_blocking(), 2 * n)?;
    }
    same("nothing more", fifo.read().unwrap_or(0), 0u32)
}

fn number(fifo: &mut SioFifo) -> Verdict {
    fifo.write_blocking(NUMBER);
    same("core 1", fifo.read_blocking(), 1u32)?;
    same("core 0", Sio::core() as u32, 0u32)
}

/// Checks that core 1 stops accepting words when its answers are not read: eight words wait in each
/// FIFO, and core 1 has one.
fn full(fifo: &mut SioFifo) -> Verdict {
    let mut sent = 0u32;
    for _ in 0..10_000 {
        if fifo.is_write_ready() {
            sent += 1;
            fifo.write(sent);
        }
    }
    same("words on their way", sent, 17u32)?;
    for n in 1..=sent {
        same("the answer", fifo.read_blocking(), n)?;
    }
    fifo.drain();
    holds("empty", !fifo.is_read_ready())
}

fn count_on() {
    for _ in 0..ROUNDS {
        critical_section::with(|section| {
            let count = COUNT.borrow(section);
            count.set(count.get() + 1);
        });
    }
}

fn count(fifo: &mut SioFifo) -> Verdict {
    fifo.write_blocking(COUNT_ON);
    count_on();
    fifo.read_blocking();
    let count = critical_section::with(|section| COUNT.borrow(section).get());
    same("the count", count, 2 * ROUNDS)
}

fn claim(fifo: &mut SioFifo) -> Verdict {
    let lock = Spinlock::<5>::claim();
    holds("the state", spinlock_state()[5])?;
    fifo.write_blocking(CLAIM);
    fifo.read_blocking();
    same("while it is claimed", CLAIMS.load(Ordering::SeqCst), 0u32)?;
    drop(lock);
    fifo.write_blocking(CLAIM);
    fifo.read_blocking();
    same("when it is free", CLAIMS.load(Ordering::SeqCst), 1u32)?;
    holds("free again", Spinlock5::try_claim().is_some())
}
