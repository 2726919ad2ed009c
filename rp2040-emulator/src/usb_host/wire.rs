//! The cable: it passes the host's actions to the device at their times, and the answers back.

use super::packet::{Answer, FRAME_PACKET_NS, Transaction};
use super::{Action, Host};

/// The device's end of the cable: the behaviour of a USB device controller on the bus.
pub trait Function {
    /// Returns whether the pull-up at D+ is on.
    fn connected(&self) -> bool;

    /// Begins (`true`) or ends (`false`) a reset of the bus.
    fn reset(&mut self, ns: u64, begins: bool);

    /// Begins a frame of one millisecond.
    fn frame(&mut self, ns: u64, number: u16);

    /// Ends the suspension of the bus.
    fn resume(&mut self, _ns: u64) {}

    /// Returns whether the device requests the end of the suspension; true once for each request.
    fn take_wakeup(&mut self) -> bool {
        false
    }

    /// Begins a transaction and returns the device's answer.
    fn begin(&mut self, ns: u64, transaction: &Transaction) -> Answer;

    /// Completes a transaction: the host has acknowledged data that the device has sent.
    fn complete(&mut self, _ns: u64, _transaction: &Transaction, _answer: &Answer) {}
}

/// A host and the transaction that is on the wire.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub(crate) host: Host,
    /// Time of the host's next action.
    wake_ns: u64,
    /// Transaction on the wire, with its answer and its end.
    busy: Option<(u64, Transaction, Answer)>,
}

impl Wire {
    pub(crate) fn new(host: Host) -> Self {
        Self { host, wake_ns: 0, busy: None }
    }

    /// Returns the nanosecond of the next change.
    pub(crate) fn next(&self) -> u64 {
        self.busy.as_ref().map_or(self.wake_ns, |(end, ..)| *end)
    }

    /// Lets the host check the bus again immediately: the device's connection or the host's tasks
    /// have changed.
    pub(crate) fn wake(&mut self, ns: u64) {
        self.wake_ns = self.wake_ns.min(ns);
    }

    /// Executes the actions that are due by `ns`.
    pub(crate) fn advance(&mut self, device: &mut dyn Function, ns: u64) {
        while self.next() <= ns {
            let now = self.next();
            if let Some((_, transaction, answer)) = self.busy.take() {
                let answer = if device.connected() {
                    device.complete(now, &transaction, &answer);
                    answer
                } else {
                    Answer::Silence
                };
                self.host.answered(now, &transaction, answer);
            }
            // Every action takes time, so that this loop ends.
            self.wake_ns = match self.host.step(now, device) {
                Action::Wait(until) => until.max(now + 1),
                Action::Reset(begins) => {
                    device.reset(now, begins);
                    now + 1
                }
                Action::Frame(number) => {
                    device.frame(now, number);
                    now + FRAME_PACKET_NS
                }
                Action::Resume => {
                    device.resume(now);
                    now + 1
                }
                Action::Transact(transaction) => {
                    let answer = device.begin(now, &transaction);
                    let end = now + transaction.duration_ns(&answer);
                    self.busy = Some((end, transaction, answer));
                    end
                }
            };
        }
    }
}
