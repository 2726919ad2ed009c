//! The controller's answers on the bus (datasheet section 4.1.2.6).

use super::Controller;
use super::registers::*;
use crate::usb_host::{Answer, Function, Token, Transaction};

/// The next buffer of an endpoint and direction.
#[derive(Clone, Copy)]
struct Buffer {
    /// Index of the endpoint and direction, two for each endpoint: IN, then OUT.
    index: usize,
    /// Number of the buffer, 0 or 1.
    number: u32,
    double: bool,
    isochronous: bool,
    /// Half of buffer control that belongs to this buffer.
    control: u32,
    /// Offset of the buffer in the RAM.
    at: usize,
}

impl Controller {
    /// Returns the next buffer; `None` if the endpoint is off.
    fn buffer(&self, index: usize) -> Option<Buffer> {
        let endpoint = if index < 2 { 0 } else { self.word(EP_CONTROL + index * 4) };
        if index >= 2 && endpoint & EP_ENABLE == 0 {
            return None;
        }
        let double = if index < 2 {
            self.control & SIE_CTRL_EP0_DOUBLE_BUF != 0
        } else {
            endpoint & EP_DOUBLE != 0
        };
        let both = self.word(BUFFER_CONTROL + index * 4);
        let selected = if both & BUFFER_RESET != 0 { 0 } else { self.select >> index & 1 };
        let number = if double { selected } else { 0 };
        let isochronous = endpoint >> EP_TYPE_LSB & 3 == EP_TYPE_ISOCHRONOUS;
        let base = if index < 2 { EP0_BUFFER } else { (endpoint & EP_ADDRESS) as usize };
        let distance =
            if isochronous { 128 << (both >> ISOCHRONOUS_OFFSET_LSB & 3) } else { BUFFER_SIZE };
        let at = base + number as usize * distance;
        let control = both >> (16 * number) & 0xFFFF;
        Some(Buffer { index, number, double, isochronous, control, at })
    }

    fn stalls(&self, index: usize) -> bool {
        let stall = self.word(BUFFER_CONTROL + index * 4) & BUFFER_STALL != 0;
        stall && (index >= 2 || self.stall_arm >> index & 1 != 0)
    }

    /// Sets a STALL (`stall`) or a NAK of the endpoint in EP_STATUS_STALL_NAK, if its reporting is
    /// enabled.
    fn report(&mut self, index: usize, stall: bool) {
        let (word, on_stall, on_nak) = if index < 2 {
            (self.control, SIE_CTRL_EP0_INT_STALL, SIE_CTRL_EP0_INT_NAK)
        } else {
            (self.word(EP_CONTROL + index * 4), EP_INT_STALL, EP_INT_NAK)
        };
        if word & if stall { on_stall } else { on_nak } != 0 {
            self.stalled |= 1 << index;
        }
    }

    fn answer(&mut self, index: usize, reading: bool) -> Answer {
        let Some(buffer) = self.buffer(index) else { return Answer::Silence };
        if self.stalls(index) {
            self.report(index, true);
            return Answer::Stall;
        }
        let full = buffer.control & BUFFER_FULL != 0;
        let ready = buffer.control & BUFFER_AVAILABLE != 0 && full == reading;
        if !ready || self.abort >> index & 1 != 0 {
            if buffer.isochronous {
                return Answer::Silence;
            }
            self.report(index, false);
            return Answer::Nak;
        }
        self.busy = Some(index);
        if !reading {
            return Answer::Ack;
        }
        let length = (buffer.control & BUFFER_LENGTH) as usize;
        let end = self.ram.len().min(buffer.at + length);
        let bytes = self.ram.get(buffer.at..end).unwrap_or_default().to_vec();
        Answer::Data { data1: buffer.control & BUFFER_DATA1 != 0, bytes }
    }

    /// Completes the packet of `buffer`: `length` bytes were moved.
    fn finish(&mut self, buffer: Buffer, length: u32, reading: bool) {
        let Buffer { index, number, double, control, .. } = buffer;
        let status = control & !(BUFFER_AVAILABLE | BUFFER_FULL | BUFFER_LENGTH)
            | length
            | if reading { 0 } else { BUFFER_FULL };
        let shift = 16 * number;
        let offset = BUFFER_CONTROL + index * 4;
        let both = self.word(offset) & !(0xFFFF << shift) | status << shift;
        self.set_word(offset, both & !BUFFER_RESET);
        if control & BUFFER_LAST != 0 {
            self.status |= SIE_STATUS_TRANS_COMPLETE;
        }
        self.select &= !(1 << index);
        if double {
            self.select |= (1 - number) << index;
        }
        let (word, one, two) = if index < 2 {
            (self.control, SIE_CTRL_EP0_INT_1BUF, SIE_CTRL_EP0_INT_2BUF)
        } else {
            (self.word(EP_CONTROL + index * 4), EP_INT_1BUF, EP_INT_2BUF)
        };
        if word & one != 0 || word & two != 0 && (!double || number == 1) {
            let done = &mut self.done[index];
            let most = if double && word & one != 0 { 2 } else { 1 };
            if done.count == 0 {
                done.first = number as u8;
            }
            done.count = (done.count + 1).min(most);
        }
    }

    fn take_setup(&mut self, bytes: &[u8]) {
        for (place, byte) in self.ram.iter_mut().zip(bytes.iter().take(8)) {
            *place = *byte;
        }
        self.stall_arm = 0;
        self.select &= !3;
        self.status |= SIE_STATUS_SETUP_REC;
    }

    /// Handles activity on the bus.
    fn hears(&mut self, ns: u64) {
        self.quiet_ns = ns;
        self.suspended = false;
    }
}

/// Returns the index of an endpoint and direction: IN, then OUT.
fn index(transaction: &Transaction) -> usize {
    usize::from(transaction.endpoint & 0xF) * 2 + usize::from(transaction.token != Token::In)
}

impl Function for Controller {
    fn connected(&self) -> bool {
        self.pulls_up()
    }

    fn reset(&mut self, ns: u64, begins: bool) {
        self.hears(ns);
        self.in_reset = begins;
        if begins {
            self.status |= SIE_STATUS_BUS_RESET;
        } else {
            self.attached_changed |= !self.attached;
            self.attached = true;
        }
    }

    fn frame(&mut self, ns: u64, number: u16) {
        self.hears(ns);
        self.frame = number.into();
        self.frame_begun = true;
        self.frame_ns = ns;
    }

    fn resume(&mut self, ns: u64) {
        self.hears(ns);
        self.status |= SIE_STATUS_RESUME;
    }

    fn take_wakeup(&mut self) -> bool {
        std::mem::take(&mut self.wakeup)
    }

    fn begin(&mut self, ns: u64, transaction: &Transaction) -> Answer {
        self.hears(ns);
        if u32::from(transaction.address) != self.addresses[0] & ADDR_ENDP_ADDRESS {
            return Answer::Silence;
        }
        match transaction.token {
            Token::Setup if transaction.endpoint == 0 => Answer::Ack,
            Token::Setup => Answer::Silence,
            Token::In => self.answer(index(transaction), true),
            Token::Out => {
                // The host has missed the last acknowledgement and repeats its packet: it is
                // acknowledged and dropped (USB 2.0 section 8.6.4).
                let index = index(transaction);
                let answer = self.answer(index, false);
                let other = self.buffer(index).is_some_and(|buffer| {
                    !buffer.isochronous && transaction.data1 != (buffer.control & BUFFER_DATA1 != 0)
                });
                if answer == Answer::Ack && other {
                    self.busy = None;
                    self.status |= SIE_STATUS_DATA_SEQ_ERROR;
                }
                answer
            }
        }
    }

    fn complete(&mut self, _: u64, transaction: &Transaction, answer: &Answer) {
        if transaction.token == Token::Setup {
            if *answer == Answer::Ack {
                self.take_setup(&transaction.data);
            }
            return;
        }
        // No data was moved: NAK, STALL, silence or a repeated packet.
        let Some(index) = self.busy.take() else { return };
        if let Some(buffer) = self.buffer(index) {
            match answer {
                Answer::Data { bytes, .. } => {
                    self.status |= SIE_STATUS_ACK_REC;
                    self.finish(buffer, bytes.len() as u32, true);
                }
                _ => {
                    let room = (buffer.control & BUFFER_LENGTH) as usize;
                    let length = transaction.data.len().min(room);
                    let places = self.ram.iter_mut().skip(buffer.at);
                    for (place, byte) in places.zip(&transaction.data[..length]) {
                        *place = *byte;
                    }
                    self.finish(buffer, length as u32, false);
                }
            }
        }
        self.stop_aborted();
    }
}
