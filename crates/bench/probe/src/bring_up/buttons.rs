//! Presses each button of a board and reads on its console which ones it notices.

use probe_protocol::LINES;
use virtual_time::Nanos;

use super::{BOOT, BOOTED, BoardReader, DRAWN, LEAD, POWER_GAP};
use crate::doctor::Diagnosis;
use crate::doctor::buttons::{STARTS, button_faults, held_in};
use crate::error::ProbeError;
use crate::session::{Job, Session};

/// Time from the presses to power-on.
const BEFORE_POWER: Nanos = Nanos::from_millis(20);

/// Starts the board a few times with some of its buttons down, and returns the fault of their
/// wires. The board ignores these buttons: its game, its settings and its files are not changed.
/// The board is off afterwards. Its other wires must be in order ([`examine`](super::examine)).
///
/// # Errors
/// Returns an error if the probe fails.
pub fn examine_buttons(session: &mut Session) -> Result<Option<Diagnosis>, ProbeError> {
    let mut reader = BoardReader::new(session);
    let mut named = [0; STARTS];
    for (start, named) in named.iter_mut().enumerate() {
        match reader.start_holding(held_in(start))? {
            Some(found) => *named = found,
            None => {
                let speaks = reader.evidence.speaks;
                reader.switch_off()?;
                return Ok(Some(Diagnosis::ConsoleUnreadable { speaks }));
            }
        }
    }
    reader.switch_off()?;
    let faults = button_faults(&named);
    Ok((!faults.is_empty()).then_some(Diagnosis::Buttons(faults)))
}

impl BoardReader<'_> {
    /// Starts the board with these lines pulled low, and returns the buttons that it names as down,
    /// one bit each; `None` if it writes no `boot` line.
    fn start_holding(&mut self, held: u16) -> Result<Option<u16>, ProbeError> {
        let lines = || (0..LINES).filter(|line| held >> line & 1 != 0);
        let gone = self.off()?.after(POWER_GAP.0);
        // Observations until then belong to the board's previous run.
        self.listen(gone, |_| false)?;
        self.forget();
        let pressed = gone.after(LEAD.0);
        for line in lines() {
            self.session.order(pressed, Job::Press(line));
        }
        let on = pressed.after(BEFORE_POWER.0);
        self.session.order(on, Job::Power(true));
        let boot = self.listen(on.after(BOOT.0), |line| line.contains(BOOTED))?;
        let drawn = self.session.known().after(DRAWN.0);
        self.listen(drawn, |_| false)?;
        let off = self.off()?;
        for line in lines() {
            self.session.order(off.after(BEFORE_POWER.0), Job::Release(line));
        }
        Ok(boot.map(|_| self.evidence.stuck))
    }
}
