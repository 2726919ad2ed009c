//! The wires of an SPI controller: the words that were sent, and the queued answers.

use std::collections::VecDeque;

use super::device::{SpiAnswer, SpiDevice};
use super::target::SpiTargets;
use super::word::SpiWord;

/// Capacity of the buffer of sent words: more than a picture of 320 by 240 pixels in bytes.
pub(super) const MAX_SENT: usize = 1 << 18;
/// Capacity of the queue of answers.
pub(super) const MAX_ANSWERS: usize = 1 << 12;

#[derive(Clone, Debug, Default)]
pub(super) struct Wire {
    sent: Vec<SpiWord>,
    dropped: u64,
    answers: VecDeque<u16>,
    pub(super) idle_high: bool,
    /// The attached device; `levels` are the pins' levels to pass to it.
    device: Option<Box<dyn SpiDevice>>,
    levels: u32,
    /// Word of the device for the current frame.
    word: Option<u16>,
    /// Current frame, if the caller has to answer it.
    question: Option<SpiWord>,
    /// Whether the question has not been reported to the caller yet.
    unseen: bool,
    /// Bits sampled on the pin of RX, if something drives it.
    sampled: Option<u16>,
    /// Targets on the controller's pins.
    pub(super) targets: SpiTargets,
    /// Word of a selected target for the current frame.
    of_target: Option<u16>,
}

impl Wire {
    pub(super) fn take_sent(&mut self) -> Vec<SpiWord> {
        std::mem::take(&mut self.sent)
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn answer(&mut self, word: u16) -> bool {
        let room = self.answers.len() < MAX_ANSWERS;
        if room {
            self.answers.push_back(word);
        }
        room
    }

    /// Attaches the device that answers from now on.
    pub(super) fn attach(&mut self, device: Box<dyn SpiDevice>, levels: u32) {
        self.device = Some(device);
        self.levels = levels;
    }

    pub(super) fn set_levels(&mut self, levels: u32) {
        self.levels = levels;
    }

    /// Starts a frame. `is_clocked` is whether its SPI mode is one of targets.
    pub(super) fn begin(&mut self, frame: SpiWord, is_clocked: bool) {
        if is_clocked && !self.targets.is_empty() {
            self.of_target = self.targets.begin(&frame, self.levels);
        }
        let Some(device) = &mut self.device else { return };
        match device.exchange(frame, self.levels) {
            SpiAnswer::Word(word) => self.word = Some(word),
            SpiAnswer::Nothing => {}
            SpiAnswer::Caller => {
                self.question = Some(frame);
                self.unseen = true;
            }
        }
    }

    /// Returns the current frame, if the caller has to answer it.
    pub(super) fn question(&self) -> Option<SpiWord> {
        self.question
    }

    /// Returns whether there is a question that has not been reported to the caller yet.
    pub(super) fn take_unseen(&mut self) -> bool {
        std::mem::take(&mut self.unseen)
    }

    /// Samples the level of the pin of RX in the middle of a bit of the current frame.
    pub(super) fn sample(&mut self, bit: u32, level: bool) {
        let word = self.sampled.unwrap_or_default();
        self.sampled = Some(word & !(1 << bit) | u16::from(level) << bit);
    }

    /// Drops the current frame, which a reset of the controller ends.
    pub(super) fn drop_frame(&mut self) {
        (self.question, self.unseen, self.word, self.of_target) = (None, false, None, None);
        self.targets.drop_frame();
    }

    /// Completes a frame; returns the received word.
    pub(super) fn exchange(&mut self, frame: SpiWord) -> u16 {
        (self.question, self.unseen) = (None, false);
        if let Some(word) = self.sampled.take() {
            self.word = Some(word);
        }
        let idle_high = self.targets.idle_level(self.levels).unwrap_or(self.idle_high);
        let idle = if idle_high { 0xFFFF } else { 0 };
        let word = self.word.take().or_else(|| self.answers.pop_front());
        let word = self.of_target.take().or(word);
        let received = word.unwrap_or(idle) & (0xFFFF >> (16 - frame.bits));
        if self.sent.len() < MAX_SENT {
            self.sent.push(SpiWord { received, ..frame });
        } else {
            self.dropped += 1;
        }
        received
    }
}
