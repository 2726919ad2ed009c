//! Random scenes of exceptions that pend, enable and mask each other, and the program that executes
//! them: every handler logs its number, its return value and its stack pointer, executes its
//! actions of the scene, and logs the state of the NVIC after each of these actions.

use std::fmt::Write as _;

use crate::assembler::Assembler;
use crate::harness::{exit, open};
use crate::random::Random;

/// An action of thread mode or a handler.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    Write(u32, u32),
    Disable,
    Enable,
    SupervisorCall,
}

#[derive(Clone, Debug)]
pub struct Scene {
    enabled: u32,
    /// Priority registers: eight of the interrupts, two of the system's exceptions.
    priorities: [u32; 10],
    thread: Vec<Action>,
    /// Actions of the handlers, by exception number.
    handlers: Vec<Vec<Action>>,
}

const COUNT: u32 = 150;
const LOG_WORDS: u32 = 512;
pub const LOG_SIZE: usize = 4 * LOG_WORDS as usize;
/// Largest number of actions of a scene, in all contexts together; this ends every scene.
const BUDGET: u16 = 60;

const VARIABLES: u32 = 0x2000_0000;
const WRITE: u32 = 0x2000_0020;
const LOG: u32 = 0x2000_1000;
const STACK: u32 = 0x2000_4000;
const CODE: u32 = 0x100;
const RECORDS: u32 = 0x400;

const ISER: u32 = 0xE000_E100;
const ICER: u32 = 0xE000_E180;
const ISPR: u32 = 0xE000_E200;
const ICPR: u32 = 0xE000_E280;
const IPR: u32 = 0xE000_E400;
const ICSR: u32 = 0xE000_ED04;
const SHPR2: u32 = 0xE000_ED1C;

pub fn scenes(seed: u64) -> Vec<Scene> {
    let mut random = Random::new(seed);
    (0..COUNT).map(|_| scene(&mut random)).collect()
}

fn scene(random: &mut Random) -> Scene {
    let mut priorities = [0; 10];
    priorities.fill_with(|| random.word() & 0xC0C0_C0C0);
    let handlers = (0..48).map(|exception| actions(random, 3, exception > 3)).collect();
    Scene {
        enabled: random.word() | random.word(),
        priorities,
        thread: actions(random, 20, true),
        handlers,
    }
}

/// Returns random actions. They contain no SVC unless `may_call`, because SVC inside HardFault or
/// NMI would lock up the core.
fn actions(random: &mut Random, most: u32, may_call: bool) -> Vec<Action> {
    let count = random.below(most + 1);
    (0..count).map(|_| action(random, may_call)).collect()
}

fn action(random: &mut Random, may_call: bool) -> Action {
    let some = random.word() & random.word() & random.word();
    match random.below(14) {
        0..=4 => Action::Write(ISPR, some),
        5 => Action::Write(ICPR, random.word()),
        6 => Action::Write(ISER, some),
        7 => Action::Write(ICER, some),
        8 | 9 => {
            let bits = [1 << 28, 1 << 27, 1 << 26, 1 << 25, 1 << 28 | 1 << 26, 1 << 31];
            Action::Write(ICSR, random.choose(&bits))
        }
        10 => Action::Write(IPR + 4 * random.below(8), random.word() & 0xC0C0_C0C0),
        11 => Action::Disable,
        12 if may_call => Action::SupervisorCall,
        _ => Action::Enable,
    }
}

/// Returns the image that executes the scenes one after another.
pub fn image(scenes: &[Scene]) -> Vec<u8> {
    let (code, labels) = program();
    let mut words = vec![STACK, labels["start"] | 1];
    words.resize(48, labels["handler"] | 1);
    words.resize(CODE as usize / 4, 0);
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(code.iter().flat_map(|halfword| halfword.to_le_bytes()));
    assert!(bytes.len() <= RECORDS as usize, "the player has {} bytes", bytes.len());
    bytes.resize(RECORDS as usize, 0);
    for scene in scenes {
        bytes.extend(record(scene, bytes.len() as u32));
    }
    bytes.extend([0; 4]);
    bytes
}

/// Returns the record of a scene: length, enabled interrupts, ten priority registers, the list of
/// thread mode, 48 lists; then the lists, each ended by a zero.
fn record(scene: &Scene, address: u32) -> Vec<u8> {
    const HEADER: usize = 13 + 48;
    let mut lists = vec![];
    let mut header = vec![0, scene.enabled];
    header.extend(scene.priorities);
    for list in std::iter::once(&scene.thread).chain(&scene.handlers) {
        header.push(address + 4 * (HEADER + lists.len()) as u32);
        for action in list {
            lists.extend(match action {
                Action::Write(address, value) => [*address, *value],
                Action::Disable => [1, 0],
                Action::Enable => [2, 0],
                Action::SupervisorCall => [3, 0],
            });
        }
        lists.extend([0, 0]);
    }
    header[0] = 4 * (HEADER + lists.len()) as u32;
    header.iter().chain(&lists).flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the program. Its variables are the next log address, the number of actions left, and the
/// scene's record.
fn program() -> (Vec<u16>, std::collections::HashMap<&'static str, u32>) {
    let mut a = Assembler::new(CODE);
    a.label("log"); // logs r0
    a.code(&[0xB430]); // push {r4, r5}
    a.load(4, VARIABLES);
    a.code(&[0x6825, 0x6028, 0x3504]); // ldr r5, [r4]; str r0, [r5]; adds r5, #4
    a.load(0, LOG + 4 * LOG_WORDS);
    a.code(&[0x4285]); // cmp r5, r0
    a.branch(0xD200, "full"); // bcs
    a.code(&[0x6025]); // str r5, [r4]
    a.label("full");
    a.code(&[0xBC30, 0x4770]); // pop {r4, r5}; bx lr

    a.label("act"); // executes the list at r0
    a.code(&[0xB5F0, 0x0004]); // push {r4-r7, lr}; movs r4, r0
    a.label("again");
    a.code(&[0xCC60, 0x2D00]); // ldm r4!, {r5, r6}; cmp r5, #0
    a.branch(0xD000, "done"); // beq
    a.load(7, VARIABLES);
    a.code(&[0x6878, 0x2800]); // ldr r0, [r7, #4]; cmp r0, #0
    a.branch(0xD000, "done");
    a.code(&[0x3801, 0x6078, 0x2D01]); // subs r0, #1; str r0, [r7, #4]; cmp r5, #1
    a.branch(0xD000, "disable");
    a.code(&[0x2D02]);
    a.branch(0xD000, "enable");
    a.code(&[0x2D03]);
    a.branch(0xD000, "call");
    a.code(&[0x602E]); // str r6, [r5]
    a.branch(0xE000, "acted");
    a.label("disable");
    a.code(&[0xB672]);
    a.branch(0xE000, "acted");
    a.label("enable");
    a.code(&[0xB662]);
    a.branch(0xE000, "acted");
    a.label("call");
    a.code(&[0xDF00]);
    a.label("acted");
    a.code(&[0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F]); // dsb; isb
    a.load(0, ICSR);
    // ldr r0, [r0]; movs r1, #1; lsls r1, #11; bics r0, r1: that bit is ARMv7-M's RETTOBASE
    a.code(&[0x6800, 0x2101, 0x02C9, 0x4388]);
    a.call("log");
    a.load(0, ISPR);
    a.code(&[0x6800]); // ldr r0, [r0]
    a.call("log");
    a.branch(0xE000, "again");
    a.label("done");
    a.code(&[0xBDF0]); // pop {r4-r7, pc}

    a.label("handler");
    a.code(&[0xB510, 0xF3EF, 0x8005]); // push {r4, lr}; mrs r0, IPSR
    a.call("log");
    a.code(&[0x9801]); // ldr r0, [sp, #4]
    a.call("log");
    a.code(&[0x4668]); // mov r0, sp
    a.call("log");
    a.code(&[0xF3EF, 0x8005, 0x0080]); // mrs r0, IPSR; lsls r0, #2
    a.load(1, VARIABLES);
    a.code(&[0x6889, 0x3134, 0x5808]); // ldr r1, [r1, #8]; adds r1, #52; ldr r0, [r1, r0]
    a.call("act");
    a.load(0, 0xE0E0_E0E0);
    a.call("log");
    a.code(&[0xBD10]); // pop {r4, pc}

    a.label("start");
    open(&mut a, WRITE, LOG, 4 * LOG_WORDS);
    a.load(6, RECORDS);
    a.label("next");
    a.load(7, VARIABLES);
    a.load(0, LOG);
    a.code(&[0x6038, 0x2100 | BUDGET, 0x6079, 0x60BE]); // str r0, [r7]; …#4: budget; …#8: r6
    a.code(&[0x2100]); // movs r1, #0
    a.load(2, LOG + 4 * LOG_WORDS);
    a.label("clear");
    a.code(&[0xC002, 0x4290]); // stm r0!, {r1}; cmp r0, r2
    a.branch(0xD100, "clear");
    a.code(&[0x43C9]); // mvns r1, r1
    for register in [ICER, ICPR] {
        a.load(0, register);
        a.code(&[0x6001]); // str r1, [r0]
    }
    a.code(&[0x0035, 0x3508]); // movs r5, r6; adds r5, #8
    a.load(0, IPR);
    a.code(&[0xCD1E, 0xC01E, 0xCD1E, 0xC01E]); // ldm r5!, {r1-r4}; stm r0!, {r1-r4}, twice
    a.load(0, SHPR2);
    a.code(&[0xCD06, 0xC006]); // ldm r5!, {r1, r2}; stm r0!, {r1, r2}
    a.load(0, ISER);
    a.code(&[0x6871, 0x6001]); // ldr r1, [r6, #4]; str r1, [r0]
    a.code(&[0x6B30]); // ldr r0, [r6, #48]
    a.call("act");
    a.code(&[0xB662, 0xF3BF, 0x8F6F, 0x2005]); // cpsie i; isb; SYS_WRITE
    a.load(1, WRITE);
    a.code(&[0xBEAB, 0x6830, 0x1986, 0x6830, 0x2800]); // r6 += its length; cmp the next one's, 0
    a.branch(0xD100, "next");
    exit(&mut a);
    a.finish()
}

/// Returns the logs from shortly before their first difference on, and the scene.
pub fn difference(scene: &Scene, qemu: &[u8], ours: &[u8]) -> String {
    let first = qemu.iter().zip(ours).take_while(|(a, b)| a == b).count() / 4;
    let mut text = String::from("the logs differ (qemu, ours):\n");
    for n in first.saturating_sub(12)..(first + 8).min(LOG_WORDS as usize) {
        let word = |log: &[u8]| u32::from_le_bytes(log[4 * n..4 * n + 4].try_into().unwrap());
        writeln!(text, "  {n:3}: {:08x} {:08x}", word(qemu), word(ours)).unwrap();
    }
    write!(text, "{scene:x?}").unwrap();
    text
}
