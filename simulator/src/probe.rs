//! `nudge probes` and `nudge probe`: lists the connected probes, checks the wires of their boards,
//! and writes the probe's firmware.
//!
//! The boards keep their settings and their flash: they are started, inspected and switched off.

mod board_firmware;
mod boot_drive;
mod emulate;
mod firmware;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use boards::ProbePort;
use boards::probe::{
    ExamineError, ExaminedProbe, ProbePool, examine_all, examine_all_with_buttons, pin_table, pool,
    start_boot_loaders,
};
use firmware_board::Firmware;
use hal_mock::MachineError;
use host::{Exit, clock::Stopwatch};

use crate::cli::{ProbeFlashArgs, ProbePorts, ProbeVerb};
use board_firmware::{BoardFirmwareError, FlashBoardError};
use boot_drive::{BootDrive, BootDriveError};
use emulate::EmulateError;
use firmware::{FirmwareFileError, ProbeFirmware};

/// Time in which a restarted probe must appear as a drive, if the system mounts drives
/// automatically.
const MOUNTED: Duration = Duration::from_secs(15);
/// Interval at which the drive is searched for.
const DRIVE_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Errors of `nudge probes` and `nudge probe`.
#[derive(Debug, thiserror::Error)]
enum ProbeVerbError {
    #[error(transparent)]
    NoProbes(#[from] boards::probe::NoProbes),
    #[error(transparent)]
    Reference(#[from] MachineError),
    #[error(transparent)]
    Examine(#[from] ExamineError),
    #[error(transparent)]
    Drive(#[from] BootDriveError),
    #[error(transparent)]
    Firmware(#[from] FirmwareFileError),
    #[error(transparent)]
    BoardFirmware(#[from] BoardFirmwareError),
    #[error(transparent)]
    Emulate(#[from] EmulateError),
    #[error(
        "the probe has restarted, and no drive RPI-RP2 was mounted within {} s; mount it and run this again, or name its folder: \
         --drive DIR", MOUNTED.as_secs()
    )]
    NotMounted,
}

/// Returns the probes at `ports`, or all connected probes.
fn pool_of(ports: &[String]) -> Result<ProbePool, ProbeVerbError> {
    Ok(pool(&port_of(ports))?)
}

fn port_of(ports: &[String]) -> ProbePort {
    match ports {
        [] => ProbePort::Any,
        ports => ProbePort::Ports(ports.iter().map(PathBuf::from).collect()),
    }
}

/// Lists the probes and the boards connected to them.
pub fn probes(args: &ProbePorts, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match pool_of(&args.ports).and_then(|pool| Ok(examine_all(&Firmware, &pool)?)) {
        Ok(found) => {
            let mut exit = Exit::Passed;
            for (port, found) in found {
                match found {
                    Ok(ExaminedProbe { identity, board }) => {
                        let (serial, build) = (identity.serial, identity.build);
                        writeln!(out, "{}  probe {serial}, firmware {build}", port.display())?;
                        match (board.boot, board.diagnosis) {
                            (_, Some(diagnosis)) => writeln!(out, "  board: {diagnosis}")?,
                            (Some(boot), None) => writeln!(out, "  board: {boot}")?,
                            (None, None) => writeln!(out, "  board: nothing is known of it")?,
                        }
                    }
                    Err(error) => {
                        writeln!(err, "nudge: {error}")?;
                        exit = Exit::Usage;
                    }
                }
            }
            Ok(exit)
        }
        Err(error) => refuse(err, &error),
    }
}

/// Executes a verb of `nudge probe`.
pub fn probe(verb: &ProbeVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match verb {
        ProbeVerb::Doctor(args) => doctor(args, out, err),
        ProbeVerb::Flash(args) => match flash(args) {
            Ok(said) => {
                writeln!(out, "{said}")?;
                Ok(Exit::Passed)
            }
            Err(error) => refuse(err, &error),
        },
        ProbeVerb::FlashBoard(args) => match board_firmware::flash(args, out, err) {
            Ok(exit) => Ok(exit),
            Err(FlashBoardError::Output(error)) => Err(error),
            Err(FlashBoardError::Probes(error)) => refuse(err, &error.into()),
            Err(FlashBoardError::Program(error)) => refuse(err, &error.into()),
        },
        ProbeVerb::Emulate(args) => match emulate::emulate(args, out) {
            Ok(()) => Ok(Exit::Passed),
            Err(error) => refuse(err, &error.into()),
        },
    }
}

fn refuse(err: &mut dyn Write, error: &ProbeVerbError) -> io::Result<Exit> {
    writeln!(err, "nudge: {error}")?;
    Ok(Exit::Usage)
}

/// Presses each button and reports which wire is likely faulty, with the table of pins.
fn doctor(args: &ProbePorts, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let found = match pool_of(&args.ports)
        .and_then(|pool| Ok(examine_all_with_buttons(&Firmware, &pool)?))
    {
        Ok(found) => found,
        Err(error) => return refuse(err, &error),
    };
    let mut exit = Exit::Passed;
    for (port, found) in found {
        let board = match found {
            Ok(ExaminedProbe { board, .. }) => board,
            Err(error) => {
                writeln!(err, "nudge: {error}")?;
                exit = exit.max(Exit::Usage);
                continue;
            }
        };
        match board.diagnosis {
            None => writeln!(
                out,
                "{}: nothing is wrong that can be seen on the wires, and the board notices each of its buttons",
                port.display()
            )?,
            Some(diagnosis) => {
                writeln!(out, "{}: {diagnosis}", port.display())?;
                write!(out, "{}", pin_table(&diagnosis.wires()))?;
                exit = exit.max(Exit::Failed);
            }
        }
    }
    Ok(exit)
}

/// Writes the probe's firmware to the drive of a Pico that waits for one; returns a message for the
/// user.
fn flash(args: &ProbeFlashArgs) -> Result<String, ProbeVerbError> {
    let firmware = ProbeFirmware::open(args.file.as_deref())?;
    let mut has_restarted = false;
    let drive = match BootDrive::find(args.drive.as_deref()) {
        Ok(drive) => drive,
        // A probe that has firmware can restart into its boot loader by itself.
        Err(error @ (BootDriveError::None | BootDriveError::NoDrive(_))) => {
            restart(args.port.as_ref(), error)?;
            has_restarted = true;
            let begun = Stopwatch::start();
            loop {
                match BootDrive::find(args.drive.as_deref()) {
                    Ok(drive) => break drive,
                    Err(BootDriveError::None | BootDriveError::NoDrive(_)) => {}
                    Err(error) => return Err(error.into()),
                }
                if begun.elapsed() > MOUNTED {
                    return Err(ProbeVerbError::NotMounted);
                }
                host::clock::wait(DRIVE_POLL_INTERVAL);
            }
        }
        Err(error) => return Err(error.into()),
    };
    let written = drive.write(&firmware)?;
    // The next command of a script finds the probe again.
    let begun = Stopwatch::start();
    while has_restarted && !is_back(args.port.as_ref()) && begun.elapsed() < MOUNTED {
        host::clock::wait(DRIVE_POLL_INTERVAL);
    }
    Ok(format!(
        "{}: {} bytes are written; the probe restarts with them",
        written.display(),
        firmware.bytes().len()
    ))
}

/// Returns whether the probe at `port`, or any probe, is a serial port.
fn is_back(port: Option<&String>) -> bool {
    match port {
        Some(port) => std::path::Path::new(port).exists(),
        None => pool_of(&[]).is_ok(),
    }
}

/// Restarts the probe at `port`, or the only connected probe, into its boot loader.
fn restart(port: Option<&String>, no_drive: BootDriveError) -> Result<(), ProbeVerbError> {
    let ports = Vec::from_iter(port.cloned());
    let pool = match pool_of(&ports) {
        Ok(pool) => pool,
        // The advice which button to press is more useful than the message that there is no probe.
        Err(_) if port.is_none() => return Err(no_drive.into()),
        Err(error) => return Err(error),
    };
    if pool.count() > 1 {
        return Err(BootDriveError::SeveralProbes(pool.ports().to_vec()).into());
    }
    for (_, restarted) in start_boot_loaders(&pool) {
        match restarted {
            Ok(()) => {}
            Err(_) if port.is_none() => return Err(no_drive.into()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
