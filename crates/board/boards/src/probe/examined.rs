//! What hangs on probes: who they are, and how the boards on their wires are.

use std::path::PathBuf;

use hal_mock::MachineError;
use probe::bring_up::{Examined, examine};
use probe::{Identity, ProbeError};

use super::pool::{PoolError, ProbePool};
use super::reference;

/// A probe that answered.
#[derive(Clone, Debug)]
pub struct ExaminedProbe {
    /// Who it is.
    pub identity: Identity,
    /// How its board is.
    pub board: Examined,
}

/// Why it is not known what hangs on a probe.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// There is no session with it.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The session ended.
    #[error("{}: {error}", port.display())]
    Probe {
        /// Its port.
        port: PathBuf,
        /// Why.
        error: ProbeError,
    },
}

/// A port, and what was found or done there.
pub type AtPort<T> = (PathBuf, Result<T, ExamineError>);

/// Examines the board of each probe: it is started, looked at, and switched off; its settings and its flash stay.
///
/// # Errors
/// If the virtual board cannot tell what a board sends; what is wrong with a probe stands beside its port.
pub fn examine_all(probes: &ProbePool) -> Result<Vec<AtPort<ExaminedProbe>>, MachineError> {
    let reference = reference()?;
    let found = probes.each(|mut session| {
        let board = examine(&mut session, &reference)?;
        Ok(ExaminedProbe { identity: session.identity().clone(), board })
    });
    Ok(with_ports(found))
}

/// Has each probe restart into its boot loader, whose drive takes a UF2 file.
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
