//! PIO and DMA: changes on the wires are in RAM, with their times, before the loop polls.
//!
//! **Bytes** (PIO0, machine 0). MOSI is shifted in at each rising edge of SCK, in three cycles of
//! the 6.4 that a bit takes at 31.25 MHz; each eight bits are a byte, which DMA channel [`BYTES`]
//! writes to a ring of [`RING`] bytes.
//!
//! **Bursts** (PIO0, machine 1). Bytes have no time of their own: those of a burst follow each
//! other evenly. The machine counts rounds of three cycles (15 ns) and samples SCK in each. The
//! first high ends an idle time; [`IDLE_ROUNDS`] lows in a row end the burst. The machine then
//! pushes two words: when the burst began, and when it ended with the levels of CS, SCK, MOSI and
//! DC. Channel [`BURSTS`] writes these words to a ring, [`PLACES`] adds the number of bytes so far,
//! [`SNAPS`] reads machine 2's count, and [`RESETS`] clears machine 0's shift register: bits of an
//! incomplete byte do not become part of the next byte. The four channels start each other. Stamping the burst instead of the edges
//! of CS and DC gives the time of the bytes instead of that of the surrounding signals, and DC at
//! the last bit without another ring.
//!
//! Twelve samples span 165 ns, so a low of 165 to 180 ns may contain eleven or twelve, and a longer
//! one contains twelve: SCK of less than 3.03 MHz may be cut into bits, and of less than 2.8 MHz
//! always is. Between a byte and a change of DC a board's processor needs longer than that: it must
//! wait until its SPI is idle.
//!
//! **Clocks** (PIO0, machine 2). The machine counts the rising edges of SCK. [`SNAPS`] makes it push
//! the count at the end of each burst, and channel [`CLOCKS`] writes it to a ring. A burst whose
//! count is not eight for each of its bytes has lost bits: SCK rested between two bytes for just as
//! long as the end of a burst takes (170 to 320 ns), so that machine 0's shift register was cleared
//! within a byte, or SCK is too slow, too fast, or has a poor contact.
//!
//! **Edges** (PIO1, machines 0 to 2: RST, backlight, buzzer). The same rounds; each edge pushes the
//! count and the level. The buzzer's edges go to a ring of [`EDGES`] words; the others, which are
//! rare, wait in the FIFO.
//!
//! The number of transfers shows whether a ring was overtaken: channel [`BYTES`] counts down from
//! 2³¹ (and is then restarted by [`REARM`]), and so does [`CLOCKS`]. The sniffer sums the transfers of [`RESETS`].
//!
//! Everything that the DMA reads is a register or in RAM, and so is the whole program (`memory.x`): a
//! read of the flash that misses the XIP cache takes 56 cycles (2.6.3: a line of 8 bytes, 28 clocks
//! of the flash's at half of the system's) in which no other channel reads, and the order to clear a
//! shift register would reach machine 0 within the next byte.
//!
//! Sources: RP2040 datasheet 3.5 (PIO), 2.5 (DMA: 2.5.2.2 chaining, 2.5.4.1 DREQs, 2.5.5.2 the sniffer's sum).
#![expect(unsafe_code, reason = "the DMA writes to rings that the loop reads")]

use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{Ordering, compiler_fence};

use pio::pio_asm;
use probe_protocol::bursts::STAMP_NS;
use probe_protocol::message::Wire;
use probe_protocol::wiring;
use rp2040_hal::pac::{self, DMA, PIO0, PIO1, RESETS as ResetsBlock};
use rp2040_hal::pio::{Buffers, PIOBuilder, PIOExt, Rx, SM0, SM1, SM2, ShiftDirection};

use crate::chip::{set_started, started_us, store, timer_registers};
use crate::swd::Swd;

/// Size of the byte ring: 8 ms at 31.25 MHz.
pub const RING: usize = 1 << RING_BITS;
const RING_BITS: u8 = 15;
/// Number of bursts in their rings. The shortest ones, with the idle time after them, take 0.5 µs
/// each.
pub const BURSTS_KEPT: usize = 1 << BURSTS_BITS;
const BURSTS_BITS: u8 = 10;
/// Number of edges in the buzzer's ring: 32 ms at 4 kHz.
pub const EDGES: usize = 1 << EDGES_BITS;
const EDGES_BITS: u8 = 8;

/// Number of consecutive lows of SCK that end a burst.
const IDLE_ROUNDS: u32 = 12;
/// Number of rounds from the last high to the one that is stamped.
const END_ROUNDS: u32 = IDLE_ROUNDS + 2;

/// DMA channels.
const BYTES: usize = 0;
const BURSTS: usize = 1;
const PLACES: usize = 2;
const RESETS: usize = 3;
const REARM: usize = 4;
const BUZZER: usize = 5;
const SNAPS: usize = 6;
const CLOCKS: usize = 7;
const REARM_CLOCKS: usize = 8;

/// Initial count of channel [`BYTES`]. A power of two, so that the ring's positions follow from the
/// count.
const COUNT: u32 = 1 << 31;
/// `mov isr, null`: empties the shift register and resets its count.
const CLEAR: u32 = 0xA0C3;
/// `in x, 32`: pushes machine 2's count of edges.
const SNAP: u32 = 0x4020;
/// Inverse of [`CLEAR`] modulo 2³².
const OF_CLEAR: u32 = inverse(CLEAR);

// CTRL of a channel: datasheet 2.5.7.
const ENABLED: u32 = 1;
const HIGH_PRIORITY: u32 = 1 << 1;
const WORDS: u32 = 2 << 2;
const INCREMENTS_WRITE: u32 = 1 << 5;
const RING_SIZE_LSB: u32 = 6;
const RINGS_WRITE: u32 = 1 << 10;
const CHAIN_LSB: u32 = 11;
const TREQ_LSB: u32 = 15;
const QUIET: u32 = 1 << 21;
const SNIFFED: u32 = 1 << 23;
/// TREQ for transfers without pacing.
const PERMANENT: u32 = 0x3F;
// SNIFF_CTRL.
const SNIFF_ENABLED: u32 = 1;
const SNIFF_SUM: u32 = 0xF << 5;

/// Nanoseconds from the edge of a wire to the sample that sees it: two cycles of the synchronisers,
/// and half a round on average.
const SEEN_NS: u64 = 10 + STAMP_NS / 2;
/// Half a clock of SCK in nanoseconds: the time between the beginning of a byte's first bit and its
/// rising edge.
const HALF_CLOCK_NS: u64 = 16;
/// Nanoseconds from the start of a machine to the sample of its first round, minus one round,
/// because that round is counted as 1.
const FIRST_LOOK_NS: u64 = 5;
/// Nanoseconds from the timer's tick to the start of the machines: reading it, and the writes. All
/// stamps have the same offset, so no interval between two of them contains it. With 0, an edge of
/// a button comes 525 ns after its time by the clock of the stamps
/// (crates/board/firmware-board/tests/emulated_probe.rs), part of which is the time of the timer's interrupt.
const START_NS: u64 = 0;
/// Rounds from the last sample of a high to the end of its bit, plus those from the beginning of
/// the first bit to its first sample.
const AROUND_ROUNDS: u32 = 2;

const fn inverse(odd: u32) -> u32 {
    // Each step doubles the number of correct bits, of which an odd number has three.
    let mut inverse = odd;
    let mut step = 0;
    while step < 4 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

const _: () = assert!(CLEAR.wrapping_mul(OF_CLEAR) == 1);

/// Memory that the DMA writes.
struct Shared<T>(UnsafeCell<T>);

// SAFETY: the processor only reads it, element by element and volatile.
unsafe impl<T> Sync for Shared<T> {}

#[repr(C, align(32768))]
struct ByteRing([u8; RING]);
#[repr(C, align(8192))]
struct BurstRing([[u32; 2]; BURSTS_KEPT]);
#[repr(C, align(4096))]
struct PlaceRing([u32; BURSTS_KEPT]);
#[repr(C, align(4096))]
struct ClockRing([u32; BURSTS_KEPT]);
#[repr(C, align(1024))]
struct EdgeRing([u32; EDGES]);

// The rings are at the beginning of the RAM, in the order of their sizes, so that their alignment
// leaves no gap. They are not cleared at the start: an element is read only after the DMA wrote it.
#[unsafe(link_section = ".bss.rings.1")]
static BYTE_RING: Shared<ByteRing> = Shared(UnsafeCell::new(ByteRing([0; RING])));
#[unsafe(link_section = ".bss.rings.2")]
static BURST_RING: Shared<BurstRing> = Shared(UnsafeCell::new(BurstRing([[0; 2]; BURSTS_KEPT])));
#[unsafe(link_section = ".bss.rings.3")]
static PLACE_RING: Shared<PlaceRing> = Shared(UnsafeCell::new(PlaceRing([0; BURSTS_KEPT])));
#[unsafe(link_section = ".bss.rings.4")]
static CLOCK_RING: Shared<ClockRing> = Shared(UnsafeCell::new(ClockRing([0; BURSTS_KEPT])));
#[unsafe(link_section = ".bss.rings.5")]
static EDGE_RING: Shared<EdgeRing> = Shared(UnsafeCell::new(EdgeRing([0; EDGES])));
/// Words that [`RESETS`], [`SNAPS`] and [`REARM`] write. They are variables, so that the compiler
/// places them in RAM.
static CLEAR_WORD: Shared<u32> = Shared(UnsafeCell::new(CLEAR));
static SNAP_WORD: Shared<u32> = Shared(UnsafeCell::new(SNAP));
static COUNT_WORD: Shared<u32> = Shared(UnsafeCell::new(COUNT));

/// Returns the time in nanoseconds of an edge that a sample of this round has seen.
pub fn edge_ns(units: u64) -> u64 {
    let started = started_us() * 1000 + START_NS + FIRST_LOOK_NS;
    (started + units * STAMP_NS).saturating_sub(STAMP_NS + SEEN_NS)
}

/// Returns the time in nanoseconds at which the first bit began whose rising edge a sample of this
/// round has seen.
pub fn burst_ns(units: u64) -> u64 {
    edge_ns(units).saturating_sub(HALF_CLOCK_NS)
}

#[derive(Clone, Copy)]
pub struct Burst {
    /// Lower 32 bits of the count of its first sample.
    pub begin: u32,
    /// Number of rounds from the beginning of its first bit to the end of its last.
    pub took: u32,
    /// Number of bytes since the start, at the end of the burst; modulo 2³¹.
    pub bytes: u32,
    /// Number of rising edges of SCK since the start, at the end of the burst; modulo 2³².
    pub clocks: u32,
    /// Whether CS was low at its end.
    pub selected: bool,
    /// Level of DC at its end.
    pub dc: bool,
}

#[derive(Clone, Copy)]
pub struct Edge {
    /// Lower 31 bits of its count.
    pub count: u32,
    /// Level after the edge.
    pub high: bool,
}

/// The machines and the channels, which run continuously.
pub struct Sampler {
    dma: DMA,
    reset: Rx<(PIO1, SM0)>,
    backlight: Rx<(PIO1, SM1)>,
    stalls: (pac::PIO0, pac::PIO1),
}

impl Sampler {
    /// Starts the machines and the channels, and the machine of the debug port.
    pub fn start(pio0: PIO0, pio1: PIO1, dma: DMA, resets: &mut ResetsBlock) -> (Self, Swd) {
        // SAFETY: used for FDEBUG alone, to which rp2040-hal writes nothing here.
        let stalls = unsafe { (ptr::read(&pio0), ptr::read(&pio1)) };
        let (mut first, sm0, sm1, sm2, _) = pio0.split(resets);
        let (mut second, sm3, sm4, sm5, sm6) = pio1.split(resets);
        let sck = wiring::of(Wire::Sck).probe;
        let bytes =
            pio_asm!(".wrap_target", "wait 1 gpio 18", "in pins, 1", "wait 0 gpio 18", ".wrap",);
        let clocks = pio_asm!(
            ".wrap_target",
            "wait 1 gpio 18",
            "jmp x-- counted",
            "counted:",
            "wait 0 gpio 18",
            ".wrap",
        );
        let bursts = pio_asm!(
            ".wrap_target",
            "rest:",
            "    jmp x-- rest_look",
            "rest_look:",
            "    jmp pin begins",
            "    jmp rest",
            "begins:",
            "    mov osr, x",
            "    jmp x-- begun",
            "begun:",
            "    nop",
            "high:",
            "    set y, 11",
            "low:",
            "    jmp x-- look",
            "look:",
            "    jmp pin high",
            "    jmp y-- low",
            "    jmp x-- first",
            "first:",
            "    mov isr, osr",
            "    push noblock",
            "    jmp x-- second",
            "second:",
            "    in x, 28",
            "    in pins, 4",
            ".wrap",
        );
        let edges = pio_asm!(
            ".wrap_target",
            "low:",
            "    jmp x-- low_look",
            "low_look:",
            "    jmp pin rises",
            "    jmp low",
            "rises:",
            "    in x, 31",
            "    jmp x-- risen",
            "risen:",
            "    in y, 1",
            "    push noblock",
            "high:",
            "    jmp x-- high_look",
            "high_look:",
            "    jmp pin stays",
            "    in x, 31",
            "    jmp x-- fallen",
            "fallen:",
            "    in null, 1",
            "    push noblock",
            ".wrap",
            "stays:",
            "    jmp high",
        );
        const _: () = assert!(wiring::of(Wire::Sck).probe == 18 && IDLE_ROUNDS == 11 + 1);
        let (Ok(bytes), Ok(bursts), Ok(clocks)) = (
            first.install(&bytes.program),
            first.install(&bursts.program),
            first.install(&clocks.program),
        ) else {
            unreachable!("3, 17 and 3 of 32 instructions")
        };
        let Ok(edges) = second.install(&edges.program) else {
            unreachable!("15 of 32 instructions")
        };
        let (bytes, bytes_rx, _) = PIOBuilder::from_installed_program(bytes)
            .in_pin_base(wiring::of(Wire::Mosi).probe)
            .in_shift_direction(ShiftDirection::Left)
            .autopush(true)
            .push_threshold(8)
            .buffers(Buffers::OnlyRx)
            .build(sm0);
        let (mut bursts, bursts_rx, _) = PIOBuilder::from_installed_program(bursts)
            .in_pin_base(wiring::of(Wire::Cs).probe)
            .jmp_pin(sck)
            .in_shift_direction(ShiftDirection::Left)
            .autopush(true)
            .push_threshold(32)
            .buffers(Buffers::OnlyRx)
            .build(sm1);
        let (mut clocks, clocks_rx, _) = PIOBuilder::from_installed_program(clocks)
            .in_shift_direction(ShiftDirection::Left)
            .autopush(true)
            .push_threshold(32)
            .buffers(Buffers::OnlyRx)
            .build(sm2);
        let of_edges = |wire: Wire| {
            // SAFETY: the program is never uninstalled.
            PIOBuilder::from_installed_program(unsafe { edges.share() })
                .jmp_pin(wiring::of(wire).probe)
                .in_shift_direction(ShiftDirection::Left)
                .push_threshold(32)
                .buffers(Buffers::OnlyRx)
        };
        let (mut reset, reset_rx, _) = of_edges(Wire::Reset).build(sm3);
        let (mut backlight, backlight_rx, _) = of_edges(Wire::Backlight).build(sm4);
        let (mut buzzer, buzzer_rx, _) = of_edges(Wire::Buzzer).build(sm5);
        // x counts down from the largest number: 2³² − 1 − x rounds have passed. y is 1.
        let x = pio::InstructionOperands::MOV {
            destination: pio::MovDestination::X,
            op: pio::MovOperation::Invert,
            source: pio::MovSource::NULL,
        };
        let y = pio::InstructionOperands::SET { destination: pio::SetDestination::Y, data: 1 };
        let instruction = |operands: pio::InstructionOperands| pio::Instruction {
            operands,
            delay: 0,
            side_set: None,
        };
        bursts.exec_instruction(instruction(x));
        clocks.exec_instruction(instruction(x));
        reset.exec_instruction(instruction(x));
        reset.exec_instruction(instruction(y));
        backlight.exec_instruction(instruction(x));
        backlight.exec_instruction(instruction(y));
        buzzer.exec_instruction(instruction(x));
        buzzer.exec_instruction(instruction(y));

        start_dma(&dma, resets, (&bytes_rx, &bursts_rx, &clocks_rx, &buzzer_rx));

        let group_0 = bytes.with(bursts).with(clocks).sync();
        let group_1 = reset.with(backlight).with(buzzer).sync();
        cortex_m::interrupt::free(|_| {
            let timer = timer_registers();
            let before = timer.timerawl().read().bits();
            let mut now = before;
            while now == before {
                now = timer.timerawl().read().bits();
            }
            let _running = (group_0.start(), group_1.start());
            set_started(now);
        });
        let swd = Swd::start(&mut second, sm6);
        (Self { dma, reset: reset_rx, backlight: backlight_rx, stalls }, swd)
    }

    /// Returns the number of bytes since the start, modulo 2³¹.
    pub fn bytes(&self) -> u32 {
        of_count(self.dma.ch(BYTES).ch_trans_count().read().bits())
    }

    /// Returns the number of ended bursts since the start, modulo 2³².
    pub fn bursts(&self) -> u32 {
        let sum = self.dma.sniff_data().read().bits();
        let counted = of_count(self.dma.ch(CLOCKS).ch_trans_count().read().bits());
        compiler_fence(Ordering::Acquire);
        let ended = sum.wrapping_mul(OF_CLEAR);
        // The last burst's count of edges may still be in the FIFO.
        let late = ended.wrapping_sub(counted) & (COUNT - 1);
        ended.wrapping_sub(u32::from(late == 1))
    }

    /// Returns burst number `number`, which must be one of the last [`BURSTS_KEPT`].
    pub fn burst(&self, number: u32) -> Burst {
        let place = number as usize % BURSTS_KEPT;
        // SAFETY: the position is in the ring; the DMA wrote it before it counted the burst.
        let ([begin, end], count, clocks) = unsafe {
            let burst = BURST_RING.0.get().cast::<[u32; 2]>().add(place).read_volatile();
            let count = PLACE_RING.0.get().cast::<u32>().add(place).read_volatile();
            (burst, count, CLOCK_RING.0.get().cast::<u32>().add(place).read_volatile())
        };
        let rounds = ((begin << 4).wrapping_sub(end & !0xF) >> 4).saturating_sub(END_ROUNDS);
        Burst {
            begin: !begin,
            took: rounds + AROUND_ROUNDS,
            bytes: of_count(count),
            clocks: !clocks,
            selected: end & 1 == 0,
            dc: end & 8 != 0,
        }
    }

    /// Returns bytes `from` to `from` + `length` since the start, up to the ring's end: at least
    /// one.
    pub fn ring(&self, from: u32, length: usize) -> &[u8] {
        let place = from as usize % RING;
        let length = length.min(RING - place);
        // SAFETY: the range is in the ring. The DMA writes elsewhere unless it overtakes, which the
        // caller detects by the count; any byte is valid.
        unsafe { core::slice::from_raw_parts(BYTE_RING.0.get().cast::<u8>().add(place), length) }
    }

    /// Returns whether CS is low now, and the level of DC.
    pub fn selected_and_dc(&self) -> (bool, bool) {
        let levels = levels();
        let is_high = |wire: Wire| levels >> wiring::of(wire).probe & 1 != 0;
        (!is_high(Wire::Cs), is_high(Wire::Dc))
    }

    /// Returns the number of buzzer edges since the start, modulo 2³¹.
    pub fn buzzer_edges(&self) -> u32 {
        let count = of_count(self.dma.ch(BUZZER).ch_trans_count().read().bits());
        compiler_fence(Ordering::Acquire);
        count
    }

    /// Returns edge number `number`, which must be one of the last [`EDGES`].
    pub fn buzzer_edge(&self, number: u32) -> Edge {
        let place = number as usize % EDGES;
        // SAFETY: as in `burst`.
        of_edge(unsafe { EDGE_RING.0.get().cast::<u32>().add(place).read_volatile() })
    }

    /// Returns the next edge of RST or of the backlight.
    pub fn slow_edge(&mut self, wire: Wire) -> Option<Edge> {
        let word = match wire {
            Wire::Reset => self.reset.read(),
            _ => self.backlight.read(),
        };
        word.map(of_edge)
    }

    /// Returns for RST and the backlight whether the FIFO has overflowed since the last call.
    pub fn slow_edges_lost(&self) -> [bool; 2] {
        let debug = self.stalls.1.fdebug();
        let stalled = debug.read().rxstall().bits();
        if stalled != 0 {
            store(debug.as_ptr(), u32::from(stalled));
        }
        [stalled & 1 != 0, stalled & 2 != 0]
    }

    /// Returns whether a byte, a burst or a count could not be written in time since the last call: the DMA was too
    /// slow.
    pub fn bursts_stalled(&self) -> bool {
        let debug = self.stalls.0.fdebug();
        let stalled = debug.read().rxstall().bits() & 7;
        if stalled != 0 {
            store(debug.as_ptr(), u32::from(stalled));
        }
        stalled != 0
    }
}

/// Returns the levels of all pins: bit n is GPIO n.
pub fn levels() -> u32 {
    // SAFETY: the register is only read.
    unsafe { (*pac::SIO::ptr()).gpio_in().read().bits() }
}

fn of_count(left: u32) -> u32 {
    COUNT.wrapping_sub(left) & (COUNT - 1)
}

fn of_edge(word: u32) -> Edge {
    Edge { count: !(word >> 1) & (u32::MAX >> 1), high: word & 1 != 0 }
}

type Fifos<'a> =
    (&'a Rx<(PIO0, SM0)>, &'a Rx<(PIO0, SM1)>, &'a Rx<(PIO0, SM2)>, &'a Rx<(PIO1, SM2)>);

fn start_dma(dma: &DMA, resets: &mut ResetsBlock, (bytes, bursts, clocks, buzzer): Fifos<'_>) {
    resets.reset().modify(|_, w| w.dma().clear_bit());
    while resets.reset_done().read().dma().bit_is_clear() {}
    let channel = |number: usize, read: u32, write: u32, count: u32, control: u32| {
        let channel = dma.ch(number);
        store(channel.ch_read_addr().as_ptr(), read);
        store(channel.ch_write_addr().as_ptr(), write);
        store(channel.ch_trans_count().as_ptr(), count);
        // Writing AL1_CTRL does not start the channel.
        store(channel.ch_al1_ctrl().as_ptr(), control | ENABLED | QUIET);
    };
    let of = |fifo: *const u32| fifo as u32;
    let ring = |bits: u8| u32::from(bits) << RING_SIZE_LSB | RINGS_WRITE | INCREMENTS_WRITE;
    let chain = |next: usize| (next as u32) << CHAIN_LSB;
    let paced = |request: u8| u32::from(request) << TREQ_LSB;
    channel(
        BYTES,
        of(bytes.fifo_address()),
        BYTE_RING.0.get() as u32,
        COUNT,
        HIGH_PRIORITY | ring(RING_BITS) | chain(REARM) | paced(bytes.dreq_value()),
    );
    channel(
        REARM,
        of(COUNT_WORD.0.get()),
        dma.ch(BYTES).ch_al1_trans_count_trig().as_ptr() as u32,
        1,
        WORDS | chain(REARM) | PERMANENT << TREQ_LSB,
    );
    channel(
        BURSTS,
        of(bursts.fifo_address()),
        BURST_RING.0.get() as u32,
        2,
        HIGH_PRIORITY | WORDS | ring(BURSTS_BITS + 3) | chain(PLACES) | paced(bursts.dreq_value()),
    );
    channel(
        PLACES,
        dma.ch(BYTES).ch_trans_count().as_ptr() as u32,
        PLACE_RING.0.get() as u32,
        1,
        HIGH_PRIORITY | WORDS | ring(BURSTS_BITS + 2) | chain(SNAPS) | PERMANENT << TREQ_LSB,
    );
    // SAFETY: only the address of a register is taken.
    let forced = |machine: usize| unsafe { (*PIO0::ptr()).sm(machine).sm_instr().as_ptr() as u32 };
    channel(
        SNAPS,
        of(SNAP_WORD.0.get()),
        forced(2),
        1,
        HIGH_PRIORITY | WORDS | chain(RESETS) | PERMANENT << TREQ_LSB,
    );
    channel(
        RESETS,
        of(CLEAR_WORD.0.get()),
        forced(0),
        1,
        HIGH_PRIORITY | WORDS | chain(BURSTS) | PERMANENT << TREQ_LSB | SNIFFED,
    );
    channel(
        CLOCKS,
        of(clocks.fifo_address()),
        CLOCK_RING.0.get() as u32,
        COUNT,
        HIGH_PRIORITY
            | WORDS
            | ring(BURSTS_BITS + 2)
            | chain(REARM_CLOCKS)
            | paced(clocks.dreq_value()),
    );
    channel(
        REARM_CLOCKS,
        of(COUNT_WORD.0.get()),
        dma.ch(CLOCKS).ch_al1_trans_count_trig().as_ptr() as u32,
        1,
        WORDS | chain(REARM_CLOCKS) | PERMANENT << TREQ_LSB,
    );
    channel(
        BUZZER,
        of(buzzer.fifo_address()),
        EDGE_RING.0.get() as u32,
        COUNT,
        WORDS | ring(EDGES_BITS + 2) | chain(BUZZER) | paced(buzzer.dreq_value()),
    );
    store(dma.sniff_data().as_ptr(), 0);
    store(dma.sniff_ctrl().as_ptr(), SNIFF_ENABLED | (RESETS as u32) << 1 | SNIFF_SUM);
    store(dma.multi_chan_trigger().as_ptr(), 1 << BYTES | 1 << BURSTS | 1 << CLOCKS | 1 << BUZZER);
}
