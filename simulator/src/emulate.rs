//! `nudge emulate`: a program on a bare RP2040.

mod error;
mod expect;
mod host;
mod outside;
mod rtt;
mod usb;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use hal_mock::Instant;
use output_files::{Output, OutputError, OutputFile};
use rp2040_emulator::chip::Chip;
use rp2040_tools::coverage::Counter;
use rp2040_tools::line::Line;
use rp2040_tools::pins::Waveform;
use rp2040_tools::profile::{Profile, Profiler};
use rp2040_tools::pty::Pty;
use rp2040_tools::rtt::Rtt;
use rp2040_tools::stack::Stack;
use rp2040_tools::trace::Tracer;
use rp2040_tools::{
    DEFAULT_LIMIT, Observer, Program, RunEnd, ending, flame_graph, gdb, report, run,
};
use runner::Exit;
use runner::escape::terminal::TextWriter;
use runner::interrupt::Interrupt;
use wall_clock::Stopwatch;

use crate::cli::EmulateArgs;
use crate::ctrl_c;
use crate::environment::on_github;
use error::EmulateError;
use expect::Expectations;
use host::{EmulateHost, Terminal};
use outside::Outside;
use rtt::RttChannels;
use usb::UsbPorts;

/// The most bytes of `--input`: 64 MiB, some 97 minutes at 115,200 baud.
const INPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The files that a run writes, opened before it begins.
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
    let program = Program::load(&args.file)?;
    let mut chip = program
        .boot_on(args.flash_size)
        .map_err(|error| EmulateError::Boot { path: args.file.clone(), error })?;
    let outside = Outside::connect(&args.outside, args.force, &mut chip)?;
    let mut line = Line::new(args.uart.into());
    if let Some(path) = &args.input {
        line.send(&input(path)?);
    }
    let mut files = OutputFiles::open(args)?;
    let mut vcd = files.vcd.take();
    let waveform = vcd.as_mut().map(|file| Waveform::new(file, &mut chip)).transpose()?;
    let mut host = EmulateHost {
        out,
        uart: args.uart.into(),
        line,
        outside,
        rtt: channels(args, &program)?,
        waveform,
        usb: UsbPorts::connect(args.usb, args.pty, &mut chip),
        uart_has_sent: false,
        terminal: None,
        interrupt: Interrupt::default(),
        expectations: Expectations::new(&args.expect, args.until_text.as_ref()),
    };
    if args.pty {
        let pty = Pty::open().map_err(EmulateError::Pty)?;
        writeln!(err, "nudge: UART{} is {}", args.uart, pty.path())?;
        err.flush()?;
        host.terminal = Some(Terminal::new(pty));
    }

    let exit = match &args.gdb {
        Some(address) => {
            run_under_debugger(address, &mut chip, &program, &mut host, err)?;
            Exit::Passed
        }
        None => run_to_the_end(args, &mut chip, &program, &mut host, &mut files, err)?,
    };
    let usb = host.usb.as_ref();
    let lost = host.terminal.as_ref().map_or(0, |terminal| terminal.pty.lost())
        + usb.map_or(0, UsbPorts::lost);
    if lost > 0 {
        writeln!(
            err,
            "nudge: {lost} bytes were lost, because no program read the pseudo-terminal"
        )?;
    }
    if let Some(hidden) = usb.map(UsbPorts::hidden).filter(|hidden| *hidden > 0) {
        writeln!(
            err,
            "nudge: {hidden} bytes of USB serial port 0 are not shown, because UART{} is the console; \\
             `--usb console` shows them too",
            args.uart
        )?;
    }
    if let Some(rtt) = &mut host.rtt
        && let Some(problem) = rtt.finish(host.out)?
    {
        writeln!(err, "nudge: {problem}")?;
    }
    let now = chip.now_ns();
    host.waveform.map_or(Ok(()), |waveform| waveform.finish(now))?;
    host.outside.finish()?;
    OutputFiles { vcd, ..files }.commit()?;
    Ok(exit)
}

/// The RTT channels of `program`, if they are asked for or its symbols name them.
fn channels(args: &EmulateArgs, program: &Program) -> Result<Option<RttChannels>, EmulateError> {
    let input = args.rtt_input.as_deref().map(input).transpose()?;
    let wanted = args.rtt || input.is_some() || Rtt::is_in(program);
    Ok(wanted.then(|| RttChannels::new(program, input.unwrap_or_default())))
}

/// Runs the chip under debuggers until one of them ends it.
fn run_under_debugger(
    address: &str,
    chip: &mut Chip,
    program: &Program,
    host: &mut EmulateHost<'_>,
    err: &mut dyn Write,
) -> Result<(), EmulateError> {
    // As GDB has it: without a host it is this computer.
    let full =
        if address.starts_with(':') { format!("127.0.0.1{address}") } else { address.into() };
    let listener = TcpListener::bind(full)
        .map_err(|error| EmulateError::Listen { address: address.to_owned(), error })?;
    writeln!(err, "nudge: a debugger may connect to {}", listener.local_addr()?)?;
    err.flush()?;
    *chip = gdb::serve(&listener, chip.clone(), program, host)?;
    Ok(())
}

/// Runs the chip until its end or its limit, and writes the report.
fn run_to_the_end(
    args: &EmulateArgs,
    chip: &mut Chip,
    program: &Program,
    host: &mut EmulateHost<'_>,
    files: &mut OutputFiles,
    err: &mut dyn Write,
) -> Result<Exit, EmulateError> {
    host.interrupt = ctrl_c::listen();
    let stack = Stack::paint(program, chip);
    // The names of functions are texts of the program's file.
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
    let mut counter = args.coverage.is_some().then(|| Counter::new(program));
    let mut observers: Vec<&mut dyn Observer> = vec![];
    observers.extend(tracer.as_mut().map(|tracer| tracer as &mut dyn Observer));
    observers.extend(profiler.as_mut().map(|profiler| profiler as &mut dyn Observer));
    observers.extend(counter.as_mut().map(|counter| counter as &mut dyn Observer));
    // At a pseudo-terminal the user ends the run.
    let limit =
        if args.pty { Instant::NEVER } else { Instant::START.saturating_add(DEFAULT_LIMIT) };

    let stopwatch = Stopwatch::start();
    let end = run(chip, args.until.unwrap_or(limit), &mut observers, host)?;
    tracer.map_or(Ok(()), Tracer::finish)?;
    let used = stack.map(|stack| stack.used(chip));
    report::write(err, end, chip, program, stopwatch.elapsed(), used)?;
    if let Some(profiler) = &profiler {
        write_profile(args, profiler.profile(), files.flame_graph.as_mut(), err)?;
    }
    if let (Some(counter), Some(file)) = (&counter, &mut files.coverage)
        && !counter.write(program, file)?
    {
        writeln!(
            err,
            "nudge: {} has no debugging information; the coverage is empty",
            args.file.display()
        )?;
    }
    let mut exit = match end {
        RunEnd::Time if args.until.is_none() => Exit::LimitReached,
        RunEnd::Time | RunEnd::Interrupted | RunEnd::Enough => Exit::Passed,
        RunEnd::Breakpoint(core, number) => {
            at_breakpoint(ending::requested(chip, program.symbols(), core, number), err)?
        }
        RunEnd::Fault(_) | RunEnd::RomCall(..) | RunEnd::ClockStopped => Exit::Failed,
    };
    for text in host.expectations.missing() {
        writeln!(err, "nudge: the output never had {text:?}")?;
        exit = exit.max(Exit::Failed);
    }
    Ok(exit)
}

/// The exit code of a program that stopped at a BKPT, with a sentence about it: it ended well only if it
/// asked for that.
fn at_breakpoint(requested: Option<u8>, err: &mut dyn Write) -> io::Result<Exit> {
    match requested {
        Some(code) => writeln!(err, "nudge: the program asked to end with code {code}")?,
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

/// The content of the file `path`, or of standard input if it is `-`.
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
