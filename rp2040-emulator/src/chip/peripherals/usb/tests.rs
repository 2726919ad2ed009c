use super::*;
use crate::usb_host::{Answer, Event, Function, Token, Transaction};

const MS: u64 = 1_000_000;
/// Indices of endpoint 1 IN, and below OUT, in buffer control.
const EP1_IN: usize = 2;
const EP1_OUT: usize = 3;
const PLAIN: u32 = 0;
const SET: u32 = 2;
const CLEAR: u32 = 3;

/// Creates a controller that a host has reset, with endpoint 1 enabled: single buffers at 0x180 and
/// 0x1C0.
fn usb() -> Usb {
    let mut usb = Usb::default();
    for (offset, value) in [
        (MAIN_CTRL, MAIN_CTRL_CONTROLLER_EN),
        (SIE_CTRL, SIE_CTRL_PULLUP_EN | SIE_CTRL_EP0_INT_1BUF),
        (INTE, INT_BITS),
    ] {
        assert_eq!(usb.write(offset, value, PLAIN, 0), Some(()));
    }
    usb.controller.reset(0, true);
    usb.controller.reset(0, false);
    assert_eq!(usb.write(SIE_STATUS, u32::MAX, PLAIN, 0), Some(()));
    endpoint(&mut usb, EP1_IN, EP_INT_1BUF | 0x180);
    endpoint(&mut usb, EP1_OUT, EP_INT_1BUF | 0x200);
    usb
}

fn endpoint(usb: &mut Usb, index: usize, control: u32) {
    usb.store((EP_CONTROL + index * 4) as u32, Width::Word, EP_ENABLE | control, 0);
}

fn buffer(usb: &mut Usb, index: usize, control: u32) {
    usb.store((BUFFER_CONTROL + index * 4) as u32, Width::Word, control, 0);
}

fn transact(usb: &mut Usb, endpoint: u8, token: Token, data1: bool, data: &[u8]) -> Answer {
    let transaction = Transaction { address: 0, endpoint, token, data1, data: data.to_vec() };
    let answer = usb.controller.begin(0, &transaction);
    usb.controller.complete(0, &transaction, &answer);
    answer
}

fn control(usb: &mut Usb, index: usize) -> u32 {
    usb.load((BUFFER_CONTROL + index * 4) as u32, 0)
}

#[test]
fn narrow_writes_change_a_part_of_the_ram() {
    let mut usb = Usb::default();
    usb.store(0x104, Width::Word, 0x4433_2211, 0);
    usb.store(0x105, Width::Byte, 0xAAAA_AAAA, 0);
    usb.store(0x106, Width::Half, 0xBBCC_BBCC, 0);
    assert_eq!(usb.load(0x104, 0), 0xBBCC_AA11);
}

#[test]
fn an_in_buffer_is_sent_once_and_reported() {
    let mut usb = usb();
    assert_eq!(transact(&mut usb, 1, Token::In, false, &[]), Answer::Nak);
    usb.store(0x180, Width::Word, 0x6F6C_6548, 0);
    buffer(&mut usb, EP1_IN, BUFFER_FULL | BUFFER_LAST | BUFFER_DATA1 | BUFFER_AVAILABLE | 4);
    let sent = Answer::Data { data1: true, bytes: b"Helo".to_vec() };
    assert_eq!(transact(&mut usb, 1, Token::In, false, &[]), sent);
    assert_eq!(control(&mut usb, EP1_IN), BUFFER_LAST | BUFFER_DATA1 | 4);
    assert_eq!(usb.read(BUFF_STATUS, 0), Some(1 << EP1_IN));
    let raised = usb.read(INTS, 0).expect("a register");
    assert_eq!(
        raised & (INT_BUFF_STATUS | INT_TRANS_COMPLETE),
        INT_BUFF_STATUS | INT_TRANS_COMPLETE
    );
    assert_eq!(transact(&mut usb, 1, Token::In, false, &[]), Answer::Nak);
    usb.write(BUFF_STATUS, 1 << EP1_IN, CLEAR, 0);
    usb.write(SIE_STATUS, SIE_STATUS_TRANS_COMPLETE, PLAIN, 0);
    assert_eq!(usb.read(INTS, 0).map(|raised| raised & !INT_DEV_CONN_DIS), Some(0));
}

#[test]
fn an_out_buffer_takes_what_fits_and_checks_the_pid() {
    let mut usb = usb();
    buffer(&mut usb, EP1_OUT, BUFFER_AVAILABLE | 2);
    assert_eq!(transact(&mut usb, 1, Token::Out, true, b"again"), Answer::Ack);
    let status = usb.read(SIE_STATUS, 0).expect("a register");
    assert_ne!(status & SIE_STATUS_DATA_SEQ_ERROR, 0);
    assert_eq!(control(&mut usb, EP1_OUT), BUFFER_AVAILABLE | 2, "it was dropped");
    assert_eq!(transact(&mut usb, 1, Token::Out, false, b"new"), Answer::Ack);
    assert_eq!(control(&mut usb, EP1_OUT), BUFFER_FULL | 2);
    assert_eq!(usb.load(0x200, 0), u32::from_le_bytes(*b"ne\0\0"));
    assert_eq!(transact(&mut usb, 1, Token::Out, true, b"more"), Answer::Nak);
}

#[test]
fn two_buffers_take_turns_and_are_reported_one_after_the_other() {
    let mut usb = usb();
    endpoint(&mut usb, EP1_IN, EP_DOUBLE | EP_INT_1BUF | 0x180);
    usb.store(0x180, Width::Word, 1, 0);
    usb.store(0x1C0, Width::Word, 2, 0);
    let ready = BUFFER_FULL | BUFFER_AVAILABLE | 1;
    buffer(&mut usb, EP1_IN, ready | BUFFER_RESET | (ready | BUFFER_DATA1) << 16);
    for (data1, byte) in [(false, 1), (true, 2)] {
        let sent = Answer::Data { data1, bytes: vec![byte] };
        assert_eq!(transact(&mut usb, 1, Token::In, false, &[]), sent);
    }
    assert_eq!(usb.read(BUFF_CPU_SHOULD_HANDLE, 0), Some(0));
    for second in [1 << EP1_IN, 0] {
        usb.write(BUFF_STATUS, 1 << EP1_IN, PLAIN, 0);
        assert_eq!(usb.read(BUFF_STATUS, 0), Some(second), "set again for the second one");
    }
    assert_eq!(usb.read(BUFF_CPU_SHOULD_HANDLE, 0), Some(1 << EP1_IN));
    // One interrupt for two buffers.
    endpoint(&mut usb, EP1_IN, EP_DOUBLE | EP_INT_2BUF | 0x180);
    buffer(&mut usb, EP1_IN, ready | ready << 16);
    for status in [0, 1 << EP1_IN] {
        transact(&mut usb, 1, Token::In, false, &[]);
        assert_eq!(usb.read(BUFF_STATUS, 0), Some(status));
    }
}

#[test]
fn endpoint_0_stalls_when_armed_until_the_next_setup() {
    let mut usb = usb();
    buffer(&mut usb, 0, BUFFER_STALL);
    assert_eq!(transact(&mut usb, 0, Token::In, true, &[]), Answer::Nak, "not armed");
    usb.write(EP_STALL_ARM, 1, SET, 0);
    assert_eq!(transact(&mut usb, 0, Token::In, true, &[]), Answer::Stall);
    let setup = [0x80, 6, 0, 1, 0, 0, 8, 0];
    assert_eq!(transact(&mut usb, 0, Token::Setup, false, &setup), Answer::Ack);
    assert_eq!(usb.load(0, 0).to_le_bytes(), setup[..4]);
    assert_eq!(usb.read(EP_STALL_ARM, 0), Some(0));
    assert_eq!(usb.read(INTS, 0).map(|it| it & INT_SETUP_REQ), Some(INT_SETUP_REQ));
    assert_eq!(transact(&mut usb, 0, Token::In, true, &[]), Answer::Nak);
    // Other endpoints need no arming.
    buffer(&mut usb, EP1_IN, BUFFER_STALL);
    assert_eq!(transact(&mut usb, 1, Token::In, true, &[]), Answer::Stall);
}

#[test]
fn stalls_and_naks_are_reported_where_asked_for() {
    let mut usb = usb();
    endpoint(&mut usb, EP1_IN, EP_INT_NAK | EP_INT_STALL | 0x180);
    transact(&mut usb, 1, Token::In, false, &[]);
    transact(&mut usb, 1, Token::Out, false, &[1]);
    assert_eq!(usb.read(EP_STATUS_STALL_NAK, 0), Some(1 << EP1_IN));
    usb.write(EP_STATUS_STALL_NAK, 1 << EP1_IN, CLEAR, 0);
    assert_eq!(usb.read(EP_STATUS_STALL_NAK, 0), Some(0));
}

#[test]
fn other_addresses_and_endpoints_that_are_off_are_silent() {
    let mut usb = usb();
    assert_eq!(transact(&mut usb, 2, Token::In, false, &[]), Answer::Silence);
    usb.write(ADDR_ENDP, 5, PLAIN, 0);
    assert_eq!(transact(&mut usb, 1, Token::In, false, &[]), Answer::Silence);
}

#[test]
fn an_aborted_endpoint_is_not_ready() {
    let mut usb = usb();
    buffer(&mut usb, EP1_IN, BUFFER_FULL | BUFFER_AVAILABLE | 1);
    usb.write(EP_ABORT, 1 << EP1_IN, SET, 0);
    assert_eq!(usb.read(EP_ABORT_DONE, 0), Some(1 << EP1_IN));
    assert_eq!(transact(&mut usb, 1, Token::In, false, &[]), Answer::Nak);
    usb.write(EP_ABORT, 1 << EP1_IN, CLEAR, 0);
    usb.write(EP_ABORT_DONE, 1 << EP1_IN, CLEAR, 0);
    assert_eq!(usb.read(EP_ABORT_DONE, 0), Some(0));
    assert_ne!(transact(&mut usb, 1, Token::In, false, &[]), Answer::Nak);
}

#[test]
fn an_abort_waits_for_the_packet_on_the_wire() {
    let mut usb = usb();
    buffer(&mut usb, EP1_IN, BUFFER_FULL | BUFFER_AVAILABLE | 1);
    let poll =
        Transaction { address: 0, endpoint: 1, token: Token::In, data1: false, data: vec![] };
    let answer = usb.controller.begin(0, &poll);
    usb.write(EP_ABORT, 1 << EP1_IN, SET, 0);
    assert_eq!(usb.read(EP_ABORT_DONE, 0), Some(0));
    usb.controller.complete(0, &poll, &answer);
    assert_eq!(usb.read(EP_ABORT_DONE, 0), Some(1 << EP1_IN));
}

#[test]
fn without_a_host_the_bus_is_suspended_once() {
    let mut usb = Usb::default();
    assert_eq!(usb.next(), u64::MAX);
    usb.write(MAIN_CTRL, MAIN_CTRL_CONTROLLER_EN, PLAIN, 5 * MS);
    usb.write(SIE_CTRL, SIE_CTRL_PULLUP_EN, SET, 5 * MS);
    assert_eq!(usb.next(), 8 * MS);
    usb.advance(8 * MS);
    let status = usb.read(SIE_STATUS, 8 * MS).expect("a register");
    assert_eq!(status, SIE_STATUS_SUSPENDED | SIE_STATUS_LINE_STATE_J);
    assert_eq!(usb.next(), u64::MAX);
}

#[test]
fn frames_prevent_suspension_and_sof_rd_clears_the_interrupt() {
    let mut usb = usb();
    for frame in 1..20 {
        usb.advance(u64::from(frame) * MS);
        usb.controller.frame(u64::from(frame) * MS, frame);
    }
    assert_eq!(usb.read(INTR, 19 * MS).map(|it| it & INT_DEV_SOF), Some(INT_DEV_SOF));
    assert_eq!(usb.read(SOF_RD, 19 * MS), Some(19));
    assert_eq!(usb.read(INTR, 19 * MS).map(|it| it & (INT_DEV_SOF | INT_DEV_SUSPEND)), Some(0));
    usb.advance(22 * MS);
    assert_eq!(usb.read(INTR, 22 * MS).map(|it| it & INT_DEV_SUSPEND), Some(INT_DEV_SUSPEND));
}

#[test]
fn a_host_controller_is_not_modelled() {
    let mut usb = Usb::default();
    let host = MAIN_CTRL_CONTROLLER_EN | MAIN_CTRL_HOST_NDEVICE;
    assert_eq!(usb.write(MAIN_CTRL, host, PLAIN, 0), None);
}

/// Runs a program that writes random values anywhere and switches its pull-up, with a host at the
/// other end.
#[test]
fn random_programs_do_not_break_the_controller_or_the_host() {
    for seed in 1..=20_u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let run = std::panic::AssertUnwindSafe(|| {
            let mut usb = Usb::default();
            usb.attach(Host::new(), 0);
            for step in 0..20_000 {
                let ns = step * 50_000;
                let value = random() as u32;
                let address = random() as u32 & 0xFFF;
                match random() % 16 {
                    0..5 => usb.store(address & 0xFF, Width::Half, value & 0xFFFF_87FF | 0x400, ns),
                    5..9 => usb.store(address & !3, Width::Word, value, ns),
                    9 => {
                        let offset = address & 0xFC;
                        let free = !matches!(offset, MAIN_CTRL | SIE_CTRL);
                        usb.write(if free { offset } else { INTE }, value, value & 3, ns);
                    }
                    10 => drop(usb.read(address & 0xFC, ns)),
                    11 if step % 64 == 0 => drop(usb.write(SIE_CTRL, SIE_CTRL_PULLUP_EN, 1, ns)),
                    12 => drop(usb.write(MAIN_CTRL, MAIN_CTRL_CONTROLLER_EN, PLAIN, ns)),
                    13 => drop(usb.write(SIE_STATUS, value, CLEAR, ns)),
                    _ => usb.advance(ns),
                }
                usb.advance(ns);
                assert!(usb.next() > ns);
            }
        });
        if std::panic::catch_unwind(run).is_err() {
            panic!("seed {seed}");
        }
    }
}

/// Checks the host's error for a device that answers nothing on the bus.
#[test]
fn a_program_that_never_answers_is_an_error() {
    let mut usb = Usb::default();
    usb.attach(Host::new(), 0);
    usb.write(MAIN_CTRL, MAIN_CTRL_CONTROLLER_EN, PLAIN, 0);
    usb.write(SIE_CTRL, SIE_CTRL_PULLUP_EN, SET, 0);
    usb.advance(20_000 * MS);
    let events = usb.host_mut(20_000 * MS).expect("a host").take_events();
    assert!(matches!(events.as_slice(), [Event::Failed(_)]), "{events:?}");
    usb.advance(20_001 * MS);
    usb.controller.quiet_ns = u64::MAX;
    assert_eq!(usb.next(), u64::MAX, "it has given up");
}

#[test]
fn a_bulk_buffer_that_becomes_available_late_in_a_frame_is_counted() {
    let mut usb = usb();
    endpoint(&mut usb, EP1_IN, EP_INT_1BUF | EP_TYPE_BULK << EP_TYPE_LSB | 0x180);
    endpoint(&mut usb, EP1_OUT, EP_INT_1BUF | EP_TYPE_BULK << EP_TYPE_LSB | 0x200);
    let mut arm = |index: usize, at_us: u64| {
        usb.controller.frame(5 * MS, 5);
        let control = (BUFFER_CONTROL + index * 4) as u32;
        usb.store(control, Width::Word, 0, 5 * MS);
        usb.store(control, Width::Word, BUFFER_FULL | 1, 5 * MS + at_us * 1_000);
        usb.store(control, Width::Word, BUFFER_FULL | BUFFER_AVAILABLE | 1, 5 * MS + at_us * 1_000);
        usb.late_buffers()
    };
    assert_eq!(arm(EP1_IN, 799), 0);
    assert_eq!(arm(EP1_OUT, 900), 0, "of the other direction");
    assert_eq!(arm(EP1_IN, 801), 1);
    assert_eq!(arm(EP1_IN, 3_500), 1, "without frames");
}
