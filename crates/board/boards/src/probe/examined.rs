//! Examines probes and the boards on their wires.

use std::path::PathBuf;

use hal_mock::MachineError;
use probe::bring_up::{Examined, examine, examine_buttons};
use probe::doctor::Diagnosis;
use probe::swd::SwdError;
use probe::{Identity, ProbeError};

use super::pool::{PoolError, ProbePool};
use super::reference;
use crate::lcd_firmware::LcdFirmware;

/// A probe that answered.
#[derive(Clone, Debug)]
pub struct ExaminedProbe {
    /// Identity of the probe.
    pub identity: Identity,
    /// Result of examining its board.
    pub board: Examined,
}

/// Reason why a probe could not be examined.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// No session could be opened.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The session ended.
    #[error("{}: {error}", port.display())]
    Probe { port: PathBuf, error: ProbeError },
    /// The board's debug port failed.
    #[error("{}: {error}", port.display())]
    Debug { port: PathBuf, error: SwdError },
}

/// A port, and the result of an operation there.
pub type AtPort<T> = (PathBuf, Result<T, ExamineError>);

/// Examines the board of each probe: starts it, compares it with `firmware`, and switches it off. Its
/// settings and its flash are not changed.
///
/// # Errors
/// If the virtual board cannot generate the reference. Errors of a single probe are returned with
/// its port.
pub fn examine_all(
    firmware: &dyn LcdFirmware,
    probes: &ProbePool,
) -> Result<Vec<AtPort<ExaminedProbe>>, MachineError> {
    let reference = reference(firmware)?;
    let found = probes.each(|mut session| {
        let board = examine(&mut session, &reference)?;
        Ok(ExaminedProbe { identity: session.identity().clone(), board })
    });
    Ok(with_ports(found))
}

/// Examines the board of each probe as [`examine_all`] does. If its other wires are in order, also
/// starts it with some of its buttons down, several times, and reads which ones it notices.
///
/// # Errors
/// As for [`examine_all`].
pub fn examine_all_with_buttons(
    firmware: &dyn LcdFirmware,
    probes: &ProbePool,
) -> Result<Vec<AtPort<ExaminedProbe>>, MachineError> {
    let reference = reference(firmware)?;
    let found = probes.each(|mut session| {
        let mut board = examine(&mut session, &reference)?;
        if matches!(board.diagnosis, None | Some(Diagnosis::Buttons(_))) {
            board.diagnosis = examine_buttons(&mut session)?;
        }
        Ok(ExaminedProbe { identity: session.identity().clone(), board })
    });
    Ok(with_ports(found))
}

/// Restarts each probe into its boot loader, whose drive accepts a UF2 file.
pub fn start_boot_loaders(probes: &ProbePool) -> Vec<AtPort<()>> {
    with_ports(probes.each(|mut session| session.start_boot_loader()))
}

type Ended<T> = (PathBuf, Result<Result<T, ProbeError>, PoolError>);

fn with_ports<T>(found: Vec<Ended<T>>) -> Vec<AtPort<T>> {
    let flat = |(port, ended): Ended<T>| {
        let result = match ended {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => Err(ExamineError::Probe { port: port.clone(), error }),
            Err(error) => Err(error.into()),
        };
        (port, result)
    };
    found.into_iter().map(flat).collect()
}
