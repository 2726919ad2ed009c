//! `nudge emulate`: a program on a bare RP2040.

mod embedded_test;
mod error;
mod expect;
mod host;
mod outside;
mod rtt;
mod typed;
mod usb;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::host::Exit;
use ::host::Interrupt;
use ::host::clock::Stopwatch;
use ::host::output_files::{Output, OutputError, OutputFile};
use escape::terminal::TextWriter;
use rp2040_emulator::chip::Chip;
use rp2040_tools::coverage::Counter;
use rp2040_tools::defmt_log::{DefmtError, DefmtLog};
use rp2040_tools::line::Line;
use rp2040_tools::pins::Waveform;
use rp2040_tools::profile::{Profile, Profiler};
use rp2040_tools::pty::Pty;
use rp2040_tools::rtt::Rtt;
use rp2040_tools::semihosting::{SEMIHOSTING, Semihosting};
use rp2040_tools::stack::Stack;
use rp2040_tools::trace::Tracer;
use rp2040_tools::{
    DEFAULT_LIMIT, Observer, Program, RunEnd, ending, findings, flame_graph, gdb, report, run,
};
use virtual_time::{Instant, spoken};

use self::host::{Cyw43, EmulateHost, Pace};
use crate::cli::{Defmt, EmulateArgs};
use crate::ctrl_c;
use crate::environment::on_github;
use error::EmulateError;
use expect::TextSearch;
use outside::Surroundings;
use rtt::RttChannels;
use typed::StdinReader;
use usb::UsbPorts;

/// Maximum size of `--input`: 64 MiB, about 97 minutes at 115,200 baud.
const INPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Output files of a run, opened before it begins.
struct OutputFiles {
    vcd: Option<OutputFile>,
    instructions: Option<OutputFile>,
    flame_graph: Option<OutputFile>,
    coverage: Option<OutputFile>,
}

impl OutputFiles {
    fn open(args: &EmulateArgs) -> Result<Self, OutputError> {
        let open = |path: Option<&PathBuf>| {
            path.map(|path| Output::new(path).replace(args.force).create()).transpose()
        };
        Ok(Self {
            vcd: open(args.vcd.as_ref())?,
            instructions: open(args.trace_instructions.as_ref().and_then(Option::as_ref))?,
            flame_graph: open(args.flamegraph.as_ref())?,
            coverage: open(args.coverage.as_ref())?,
        })
    }

    fn commit(self) -> Result<(), OutputError> {
        let Self { vcd, instructions, flame_graph, coverage } = self;
        [vcd, instructions, flame_graph, coverage]
            .into_iter()
            .flatten()
            .try_for_each(OutputFile::commit)
    }
}

pub fn emulate(args: &EmulateArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match run_program(args, out, err) {
        Ok(exit) => Ok(exit),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

fn run_program(
    args: &EmulateArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, EmulateError> {
    let path = args.program();
    let program = Program::load(&path)?;
    let mut chip = program
        .boot_on(args.flash_size)
        .map_err(|error| EmulateError::Boot { path: path.clone(), error })?;
    if args.cargo.cargo.is_some()
        && let Some(exit) = embedded_test::run_tests(args, &program, &chip, out, err)?
    {
        return Ok(exit);
    }
    let (mut files, mut vcd);
    let mut host = create_host(args, &program, command_line(args), &mut chip, out)?;
    if let Some(note) = host.outside.note() {
        writeln!(err, "nudge: {note}")?;
    }
    files = OutputFiles::open(args)?;
    vcd = files.vcd.take();
    host.waveform = vcd.as_mut().map(|file| Waveform::new(file, &mut chip)).transpose()?;
    if args.pty {
        let pty = Pty::open().map_err(EmulateError::Pty)?;
        writeln!(err, "nudge: UART{} is {}", args.uart, pty.path())?;
        err.flush()?;
        host.terminal = Some(pty);
    }
    if args.stdin {
        host.typed = Some(StdinReader::stdin().map_err(EmulateError::Stdin)?);
    }
    // With cargo the user ends the run, unless `--until` limits it.
    if args.pty || args.stdin || args.cargo.cargo.is_some() && args.until.is_none() {
        host.pace = Some(Pace::start());
    }

    let exit = match &args.gdb {
        Some(address) => {
            run_under_debugger(address, &mut chip, &program, &mut host, err)?;
            Exit::Passed
        }
        None => run_to_end(args, &mut chip, &program, &mut host, &mut files, err)?,
    };
    let usb = host.usb.as_ref();
    let lost = host.terminal.as_ref().map_or(0, Pty::lost) + usb.map_or(0, UsbPorts::lost);
    if lost > 0 {
        writeln!(
            err,
            "nudge: {lost} bytes were lost, because no program read the pseudo-terminal"
        )?;
    }
    if let Some(hidden) = usb.map(UsbPorts::hidden).filter(|hidden| *hidden > 0) {
        writeln!(
            err,
            "nudge: {hidden} bytes of USB serial port 0 are not shown, because UART{} is the console; \
             `--usb console` shows them too",
            args.uart
        )?;
    }
    if let Some(rtt) = &mut host.rtt {
        for problem in rtt.finish(host.out)? {
            writeln!(err, "nudge: {problem}")?;
        }
    }
    let now = chip.now_ns();
    host.waveform.map_or(Ok(()), |waveform| waveform.finish(now))?;
    host.outside.finish()?;
    OutputFiles { vcd, ..files }.commit()?;
    Ok(exit)
}

/// Connects the surroundings of `chip`, which holds `program`. Semihosting returns `command_line`
/// to the program.
fn create_host<'a>(
    args: &EmulateArgs,
    program: &'a Program,
    command_line: String,
    chip: &mut Chip,
    out: &'a mut dyn Write,
) -> Result<EmulateHost<'a>, EmulateError> {
    let outside = Surroundings::connect(&args.outside, args.force, chip)?;
    let mut line = Line::new(args.uart.into());
    if let Some(path) = &args.input {
        line.send(&input(path)?);
    }
    Ok(EmulateHost {
        out,
        uart: args.uart.into(),
        line,
        outside,
        rtt: channels(args, program)?,
        semihosting: Semihosting::new(command_line),
        symbols: program.symbols(),
        cyw43: program.has_cyw43().then(Cyw43::default),
        list: None,
        waveform: None,
        usb: UsbPorts::connect(args.usb, args.pty, chip),
        uart_has_sent: false,
        terminal: None,
        typed: None,
        pace: None,
        interrupt: Interrupt::default(),
        expectations: TextSearch::new(&args.expect, args.until_text.as_ref()),
    })
}

/// Returns the program's name and the arguments that cargo passes to it.
fn command_line(args: &EmulateArgs) -> String {
    let path = args.program();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let words = args.cargo.arguments().unwrap_or_default();
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    name.into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns a decoder for the messages of `program`, if it has messages or if decoding is requested.
fn defmt_log(args: &EmulateArgs, program: &Program) -> Result<Option<DefmtLog>, EmulateError> {
    let logs = &args.logs;
    if logs.defmt == Defmt::Off {
        return Ok(None);
    }
    let elf = program.elf_file().unwrap_or_default();
    if logs.defmt == Defmt::Auto && program.section(".defmt").is_empty() {
        return Ok(None);
    }
    let log = if elf.is_empty() {
        Err(DefmtError::NoTable)
    } else {
        DefmtLog::new(elf, logs.defmt_level.clone(), logs.defmt_format.clone())
    };
    match log {
        // Bytes of such a program are written unchanged.
        Err(DefmtError::NotBuilt) if logs.defmt == Defmt::Auto => Ok(None),
        log => log.map(Some).map_err(|error| EmulateError::Defmt { path: args.program(), error }),
    }
}

/// Returns the RTT channels of `program`, if they are requested or if its symbols name them.
fn channels(args: &EmulateArgs, program: &Program) -> Result<Option<RttChannels>, EmulateError> {
    let input = args.rtt_input.as_deref().map(input).transpose()?;
    let log = defmt_log(args, program)?;
    let wanted = args.rtt || input.is_some() || args.logs.defmt == Defmt::On || Rtt::is_in(program);
    let log = log.map(|log| (log, args.logs.defmt));
    Ok(wanted.then(|| RttChannels::new(program, input.unwrap_or_default(), log)))
}

/// Runs the chip under debuggers until one of them ends the run.
fn run_under_debugger(
    address: &str,
    chip: &mut Chip,
    program: &Program,
    host: &mut EmulateHost<'_>,
    err: &mut dyn Write,
) -> Result<(), EmulateError> {
    // As in GDB, an address without a host is this computer.
    let full =
        if address.starts_with(':') { format!("127.0.0.1{address}") } else { address.into() };
    let listener = TcpListener::bind(full)
        .map_err(|error| EmulateError::Listen { address: address.to_owned(), error })?;
    writeln!(err, "nudge: a debugger may connect to {}", listener.local_addr()?)?;
    err.flush()?;
    *chip = gdb::serve(&listener, chip.clone(), Arc::new(program.clone()), host)?;
    Ok(())
}

/// Runs the chip to its end or its time limit, and writes the report.
fn run_to_end(
    args: &EmulateArgs,
    chip: &mut Chip,
    program: &Program,
    host: &mut EmulateHost<'_>,
    files: &mut OutputFiles,
    err: &mut dyn Write,
) -> Result<Exit, EmulateError> {
    host.interrupt = ctrl_c::listen();
    let stack = Stack::paint(program, chip);
    // Names of functions come from the program's file, so they may contain control characters.
    let mut stderr = BufWriter::new(io::stderr());
    let mut tracer = args.trace_instructions.is_some().then(|| {
        let out: Box<dyn Write + '_> = match &mut files.instructions {
            Some(file) => Box::new(file),
            None => Box::new(TextWriter::new(&mut stderr, on_github())),
        };
        Tracer::new(out, program.symbols(), chip)
    });
    let profiling = args.profile || args.flamegraph.is_some();
    let mut profiler = profiling.then(|| Profiler::new(program.symbols(), chip));
    let counter = args.coverage.is_some().then(|| Counter::new(program, chip)).transpose();
    let counter = counter
        .map_err(|error| EmulateError::Coverage { path: args.program().to_owned(), error })?;
    let mut observers: Vec<&mut dyn Observer> = vec![];
    observers.extend(tracer.as_mut().map(|tracer| tracer as &mut dyn Observer));
    observers.extend(profiler.as_mut().map(|profiler| profiler as &mut dyn Observer));
    // With a pseudo-terminal or keyboard input the user ends the run.
    let cargo = args.cargo.cargo.is_some();
    let endless = args.pty || args.stdin || cargo;
    let limit = if endless { Instant::NEVER } else { Instant::START.saturating_add(DEFAULT_LIMIT) };

    let stopwatch = Stopwatch::start();
    let until = args.until.unwrap_or(limit);
    let end = run(chip, until, args.on_fault.into(), &mut observers, host)?;
    tracer.map_or(Ok(()), Tracer::finish)?;
    let used = stack.map(|stack| stack.used(chip));
    let requested = match end {
        RunEnd::Breakpoint(core, number) => {
            ending::requested(chip, program.symbols(), core, number)
        }
        _ => None,
    };
    let is_well = matches!(end, RunEnd::Time | RunEnd::Interrupted | RunEnd::Enough);
    match (cargo, is_well || requested.is_some()) {
        (false, _) => {
            report::write(err, end, chip, program, stopwatch.elapsed(), used)?;
            report::write_damage(err, program)?;
        }
        // Cargo's user sees only the program's output, unless the program fails.
        (true, true) => report::write_notes(err, chip, program)?,
        (true, false) => {
            writeln!(err, "nudge: {}", report::reason(end, chip, program))?;
            report::write_notes(err, chip, program)?;
            report::write_damage(err, program)?;
        }
    }
    if let Some(at) = host.cyw43.and_then(|radio| radio.switched_on) {
        let at = spoken(at.since_start());
        writeln!(err, "  the CYW43439 of a Pico W was switched on at {at}; it is not modelled")?;
    }
    if let Some(profiler) = &profiler {
        write_profile(args, profiler.profile(), files.flame_graph.as_mut(), err)?;
    }
    if let (Some(counter), Some(file)) = (&counter, &mut files.coverage) {
        counter.write(chip, file)?;
    }
    let mut exit = match end {
        RunEnd::Time if args.until.is_none() => Exit::LimitReached,
        // The same exit code as that of an interrupted program on the computer.
        RunEnd::Interrupted if cargo => Exit::Interrupted,
        RunEnd::Time | RunEnd::Interrupted | RunEnd::Enough => Exit::Passed,
        RunEnd::Breakpoint(core, number) => {
            at_breakpoint(requested, chip, core, number, cargo, err)?
        }
        RunEnd::Fault(_) | RunEnd::RomCall(..) | RunEnd::ClockStopped => Exit::Failed,
    };
    if args.strict && findings::errors(chip) > 0 {
        writeln!(err, "nudge: --strict passes no program that breaks a rule of the chip")?;
        exit = exit.max(Exit::Failed);
    }
    for text in host.expectations.missing() {
        writeln!(err, "nudge: the output never had {text:?}")?;
        exit = exit.max(Exit::Failed);
    }
    Ok(exit)
}

/// Returns the exit code of a program that stopped at a BKPT, and reports it. Such a program passes
/// only if it requested that.
fn at_breakpoint(
    requested: Option<u8>,
    chip: &Chip,
    core: u8,
    number: u8,
    quiet: bool,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match requested {
        Some(_) if quiet => {}
        Some(code) => writeln!(err, "nudge: the program asked to end with code {code}")?,
        None if number == SEMIHOSTING => writeln!(
            err,
            "nudge: code 1, because there is no semihosting operation 0x{:02x} here",
            chip.core(core.into()).register(0)
        )?,
        None => writeln!(
            err,
            "nudge: code 1, because the program did not ask to end, as by SYS_EXIT: it may have \
             panicked, or have no handler for an interrupt"
        )?,
    }
    Ok(match requested {
        Some(0) => Exit::Passed,
        Some(code) => Exit::Program(code),
        None => Exit::Failed,
    })
}

fn write_profile(
    args: &EmulateArgs,
    profile: &Profile,
    flame_graph: Option<&mut OutputFile>,
    err: &mut dyn Write,
) -> Result<(), EmulateError> {
    if args.profile {
        profile.write_table(err)?;
    }
    if let Some(file) = flame_graph {
        let extension = file.path().extension();
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
            flame_graph::write(file, profile)?;
        } else {
            profile.write_folded(file)?;
        }
    }
    Ok(())
}

/// Reads the file `path`, or standard input if it is `-`.
fn input(path: &Path) -> Result<Vec<u8>, EmulateError> {
    let wrong = |error: io::Error| EmulateError::Input { path: path.to_owned(), error };
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(wrong)?)
    };
    let mut bytes = vec![];
    source.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(EmulateError::InputTooLarge { path: path.to_owned(), max: INPUT_BYTES_MAX });
    }
    Ok(bytes)
}
