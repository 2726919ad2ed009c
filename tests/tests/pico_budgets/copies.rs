//! Copies of a running Pico: a copy continues exactly as its origin, actions on it do not affect
//! the origin, and it takes little memory.

use std::sync::Arc;

use boards::pico::{Pico, firmware};
use firmware_board::header;
use hal_mock::{Machine, board::Tone};
use host::heap::HEAP_METER;
use ili9341_model::{BusStats, Frame};
use trace::Button;
use virtual_time::{Instant, Nanos, Random};

use super::{recorded, say};

/// The trace whose header the session uses.
const HEADER: &str = "wari/game-1";
/// Addresses of the chip's RAM.
const RAM: std::ops::Range<u32> = 0x2000_0000..0x2000_0000 + 264 * 1024;
/// The end of the session.
const END: Instant = Instant::from_secs(7);
/// Number of times at which a copy is made.
const COPIES: usize = 4;
/// Maximum size of a new copy in bytes. RAM 264 KiB, the LCD's memory 300 KiB, its content two
/// frames ago at most 600 KiB; the rest are queues, pointers and the console's text.
const COPY_BYTES: u64 = 1_300 * 1024;

/// Creates a Pico with power, and all future presses.
fn playing(random: &mut Random) -> Pico {
    let program = Arc::new(firmware::built().unwrap_or_else(|error| panic!("{error}")));
    let config = header::board(&recorded(HEADER), None).expect("the header is right");
    let mut pico = Pico::new(program, config);
    let mut at = Instant::from_millis(600);
    while at < END {
        let button = Button::LCD_BOARD[random.below(12) as usize];
        pico.board().press(at, button);
        pico.board().release(at.saturating_add(Nanos::from_millis(60)), button);
        at = at.saturating_add(Nanos::from_millis(150 + random.below(500)));
    }
    pico.power_on().unwrap();
    pico
}

/// The observable state of a Pico, and the state of its chip.
#[derive(PartialEq)]
struct Seen {
    now: Instant,
    frame: Frame,
    frames: u64,
    console: Vec<u8>,
    tones: Vec<Tone>,
    bus: BusStats,
    storage: Vec<u8>,
    wear: Vec<Option<u32>>,
    cores: [Vec<u64>; 2],
    ram: Vec<Option<u32>>,
}

fn look(pico: &mut Pico) -> Seen {
    let (cores, ram) = pico
        .with_chip(|chip| {
            let cores = [0, 1].map(|number| {
                let core = chip.core(number);
                let registers = (0..16).map(|register| core.register(register));
                let registers = registers.chain([core.xpsr()]).map(u64::from);
                registers.chain([core.cycles(), core.instructions(), core.slept()]).collect()
            });
            (cores, RAM.step_by(4).map(|address| chip.memory().word(address)).collect())
        })
        .expect("it has power");
    let board = pico.board();
    Seen {
        now: board.now(),
        frame: board.frame(),
        frames: board.frame_count_at(board.now()),
        console: board.console_bytes(),
        tones: board.tones(),
        bus: board.bus(),
        storage: board.with_flash(|flash| flash.image().to_vec()),
        wear: board.with_flash(|flash| (0..64).map(|sector| flash.wear(sector)).collect()),
        cores,
        ram,
    }
}

#[track_caller]
fn check(copy: &mut Pico, expected: &Seen, of: &str) {
    let seen = look(copy);
    let lines = |seen: &Seen| String::from_utf8_lossy(&seen.console).into_owned();
    assert_eq!(lines(&seen), lines(expected), "{of}: the console");
    assert!(seen == *expected, "{of}: the console is equal, and something else is not");
}

#[test]
fn copies_continue_as_their_origin_without_affecting_it() {
    let mut random = Random::new(7);
    let mut moments: Vec<Instant> = (0..COPIES)
        .map(|_| Instant(Instant::from_millis(400).0 + random.below(END.0 - 1_000_000_000)))
        .collect();
    moments.sort_unstable();
    let presses = random.clone();
    let [mut origin, mut alone] = [(); 2].map(|()| playing(&mut presses.clone()));
    let mut copies: Vec<Pico> = Vec::new();
    for until in moments.iter().copied().chain([END]) {
        for pico in copies.iter_mut().chain([&mut origin, &mut alone]) {
            pico.run_until(until).unwrap();
        }
        // The copy gets a press that the origin does not.
        let mut disturbed = origin.copy();
        disturbed.board().press(until, Button::Reset);
        disturbed.run_until(until.saturating_add(Nanos::from_millis(300))).unwrap();
        let mut copy = None;
        let taken = (HEAP_METER.measure)(&mut || copy = Some(origin.copy()));
        assert!(taken.bytes < COPY_BYTES, "a copy takes {} bytes", taken.bytes);
        say(&format!("a copy at {until}: {} bytes in {} pieces", taken.bytes, taken.allocations));
        copies.extend(copy);
    }
    let expected = look(&mut origin);
    assert!(expected.tones.len() > 9 && expected.frames > 9, "the session does something");
    check(&mut alone, &expected, "one that was never copied");
    for (copy, since) in copies.iter_mut().zip(&moments) {
        check(copy, &expected, &format!("the copy of {since}"));
    }
}
