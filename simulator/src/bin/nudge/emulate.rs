//! `nudge emulate`: a program on a bare RP2040.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::TcpListener;
use std::path::Path;

use rp2040_emulator::chip::Chip;
use simulator::emulate::coverage::Counter;
use simulator::emulate::pins::Waveform;
use simulator::emulate::profile::Profiler;
use simulator::emulate::stack::Stack;
use simulator::emulate::trace::Tracer;
use simulator::emulate::{DEFAULT_LIMIT, End, Observer, Program, flame_graph, gdb, report, run};
use simulator::pace::Stopwatch;
use simulator::runner::Exit;

use crate::cli::EmulateArgs;

/// The run could not be finished: the sentence that says why.
struct Failed(String);

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

pub fn emulate(args: &EmulateArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match attempt(args, out, err) {
        Ok(exit) => Ok(exit),
        Err(Failed(message)) => {
            writeln!(err, "nudge: {message}")?;
            Ok(Exit::Usage)
        }
    }
}

fn attempt(args: &EmulateArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failed> {
    let program = Program::load(&args.file).map_err(|error| Failed(error.to_string()))?;
    let mut chip =
        program.boot().map_err(|error| Failed(format!("{}: {error}", args.file.display())))?;
    let stack = Stack::paint(&program, &mut chip);

    let mut waveform = match &args.vcd {
        Some(path) => Some(Waveform::new(create(path)?, &mut chip)?),
        None => None,
    };
    let mut outside = |chip: &mut Chip| {
        let bytes: Vec<u8> =
            chip.take_sent(args.uart.into()).into_iter().map(|(_, byte)| byte).collect();
        if !bytes.is_empty() {
            out.write_all(&bytes)?;
            out.flush()?;
        }
        waveform.as_mut().map_or(Ok(()), |waveform| waveform.take(chip))
    };

    let stopwatch = Stopwatch::start();
    let exit = if let Some(address) = &args.gdb {
        let listener = TcpListener::bind(address)
            .map_err(|error| Failed(format!("--gdb {address}: {error}")))?;
        writeln!(err, "nudge: a debugger may connect to {}", listener.local_addr()?)?;
        err.flush()?;
        chip = gdb::serve(&listener, chip, program.symbols(), &mut outside)?;
        Exit::Passed
    } else {
        let mut tracer = match &args.trace_instructions {
            Some(path) => {
                let out: Box<dyn Write> = match path {
                    Some(path) => Box::new(create(path)?),
                    None => Box::new(BufWriter::new(io::stderr())),
                };
                Some(Tracer::new(out, program.symbols(), &chip))
            }
            None => None,
        };
        let profiling = args.profile || args.flamegraph.is_some();
        let mut profiler = profiling.then(|| Profiler::new(program.symbols(), &chip));
        let mut counter = args.coverage.is_some().then(|| Counter::new(&program));
        let mut observers: Vec<&mut dyn Observer> = vec![];
        observers.extend(tracer.as_mut().map(|tracer| tracer as &mut dyn Observer));
        observers.extend(profiler.as_mut().map(|profiler| profiler as &mut dyn Observer));
        observers.extend(counter.as_mut().map(|counter| counter as &mut dyn Observer));
        let until = args.until.unwrap_or(DEFAULT_LIMIT);
        let end = run(&mut chip, until, &mut observers, &mut outside)?;
        tracer.map_or(Ok(()), Tracer::finish)?;
        let used = stack.map(|stack| stack.used(&chip));
        report::write(err, end, &chip, program.symbols(), stopwatch.elapsed(), used)?;
        if let Some(profiler) = &profiler {
            if args.profile {
                profiler.write_table(err)?;
            }
            if let Some(path) = &args.flamegraph {
                let mut file = create(path)?;
                if path.extension().is_some_and(|extension| extension == "svg") {
                    flame_graph::write(&mut file, profiler)?;
                } else {
                    profiler.write_folded(&mut file)?;
                }
                file.flush()?;
            }
        }
        if let (Some(counter), Some(path)) = (&counter, &args.coverage) {
            let mut file = create(path)?;
            if !counter.write(&program, &mut file)? {
                writeln!(
                    err,
                    "nudge: {} has no debugging information; the coverage is empty",
                    args.file.display()
                )?;
            }
            file.flush()?;
        }
        match end {
            End::Time if args.until.is_none() => Exit::LimitReached,
            End::Time | End::Breakpoint(..) => Exit::Passed,
            End::Fault(_) | End::RomCall(..) => Exit::Failed,
        }
    };
    let now = chip.now_ns();
    waveform.map_or(Ok(()), |waveform| waveform.finish(now))?;
    Ok(exit)
}

fn create(path: &Path) -> Result<BufWriter<File>, Failed> {
    let file =
        File::create(path).map_err(|error| Failed(format!("{}: {error}", path.display())))?;
    Ok(BufWriter::new(file))
}
