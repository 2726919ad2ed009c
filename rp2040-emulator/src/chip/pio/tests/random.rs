//! Random programs in all eight machines, disturbed at random: computed in one go, they do what
//! they do when every machine is asked in every cycle.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Action {
    Write(usize, u32, u32),
    ReadFifo(usize, u32),
    Outside(u32),
    Run(u64),
}

/// A register with a value that makes something happen.
fn write() -> impl Strategy<Value = Action> {
    let machine = |offset: u32| (0..4u32).prop_map(move |n| offset + NEXT * n);
    let register = prop_oneof![
        4 => (Just(CTRL), any::<u32>().prop_map(|value| value & 0xFFF | 5)).boxed(),
        2 => (Just(IRQ), 0..256u32).boxed(),
        2 => (Just(IRQ_FORCE), 0..256u32).boxed(),
        1 => (Just(BYPASS), any::<u32>()).boxed(),
        1 => (Just(FDEBUG), any::<u32>()).boxed(),
        6 => ((0..4u32).prop_map(|n| TXF + 4 * n), any::<u32>()).boxed(),
        3 => ((0..32u32).prop_map(|n| MEMORY + 4 * n), 0..0x1_0000u32).boxed(),
        2 => (machine(CLKDIV), (0..5u32, 0..4u32).prop_map(|(i, f)| i << 16 | f << 14)).boxed(),
        2 => (machine(EXECCTRL), any::<u32>()).boxed(),
        2 => (machine(SHIFTCTRL), any::<u32>()).boxed(),
        2 => (machine(PINCTRL), any::<u32>()).boxed(),
        2 => (machine(INSTR), 0..0x1_0000u32).boxed(),
        1 => ((0..0x60u32).prop_map(|n| 4 * n), any::<u32>()).boxed(),
        2 => ((0..6u32).prop_map(|n| INTE + 4 * n), 0..0x1000u32).boxed(),
    ];
    (0..2usize, register).prop_map(|(pio, (offset, value))| Action::Write(pio, offset, value))
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => write(),
        1 => (0..2usize, 0..4u32).prop_map(|(pio, n)| Action::ReadFifo(pio, RXF + 4 * n)),
        1 => any::<u32>().prop_map(Action::Outside),
        3 => (1..120u64).prop_map(Action::Run),
    ]
}

/// Instructions of every kind, most of them without a long delay.
fn program() -> impl Strategy<Value = Vec<u16>> {
    vec((any::<u16>(), 0..4u8).prop_map(|(word, n)| if n == 0 { word } else { word & 0xE3FF }), 64)
}

impl Lab {
    /// Every cycle for itself, and no machine sleeps.
    fn crawl_to(&mut self, cycle: u64) {
        while self.pios.cycle < cycle {
            for pio in &mut self.pios.blocks {
                pio.touched(self.pios.cycle);
            }
            self.run_to(self.pios.cycle + 1);
        }
    }

    /// Everything that can be seen from outside without changing it.
    fn seen(&mut self) -> Vec<Option<u32>> {
        let offsets = (0..0x54u32).map(|n| 4 * n).filter(|offset| !(RXF..IRQ).contains(offset));
        let mut seen: Vec<_> = offsets
            .flat_map(|offset| [0, 1].map(|number| self.pios.read(number, offset)))
            .collect();
        seen.extend([Some(self.pios.requests()), Some(self.pios.interrupts())]);
        seen
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn what_is_computed_in_one_go_is_what_every_cycle_would_have_done(
        program in program(),
        actions in vec(action(), 1..80),
    ) {
        let mut lazy = Lab::default();
        for (n, word) in program.iter().enumerate() {
            lazy.pios.write(n / 32, MEMORY + 4 * (n as u32 % 32), (*word).into());
        }
        let mut eager = lazy.clone();
        for action in actions {
            let cycle = lazy.pios.cycle;
            // Foreseeing changes nothing, and misses nothing.
            let before = (lazy.pios.interrupts(), lazy.pios.requests(), lazy.board.levels & 1);
            let world = lazy.board.clone();
            lazy.pios.write(0, INTE, 0xFFF);
            let before = (lazy.pios.interrupts(), before.1, before.2);
            eager.pios.write(0, INTE, 0xFFF);
            let next = lazy.pios.next(0xFFFF, true, || world);
            match action {
                Action::Write(number, offset, value) => {
                    lazy.pios.write(number, offset, value);
                    eager.pios.write(number, offset, value);
                }
                Action::ReadFifo(number, offset) => {
                    let words = [&mut lazy, &mut eager].map(|lab| lab.pios.read(number, offset));
                    prop_assert_eq!(words[0], words[1]);
                }
                Action::Outside(levels) => {
                    lazy.outside(levels);
                    eager.outside(levels);
                }
                Action::Run(cycles) => {
                    if next > cycle + 1 {
                        lazy.run_to((next - 1).min(cycle + cycles));
                        let after = (lazy.pios.interrupts(), lazy.pios.requests(), lazy.board.levels & 1);
                        prop_assert_eq!(before, after, "foreseen for {} from {}", next, cycle);
                    }
                    lazy.run_to(cycle + cycles);
                    eager.crawl_to(cycle + cycles);
                }
            }
            prop_assert_eq!(lazy.seen(), eager.seen());
            prop_assert_eq!(&lazy.board, &eager.board);
        }
    }
}
