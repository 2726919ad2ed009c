//! `nudge replay --wokwi DIR`: a project of Wokwi as it is. The diagram becomes a board, each
//! scenario a trace with its places in the scenario; no file is written. All paths stay below the
//! folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ::boards::{DescribedBoard, DescribedError, LcdFirmware as _};
use board_file::import::wokwi_project::{self, WokwiProjectError};
use board_file::import::{self, ImportError, Imported};
use captures::{FormatError, scenario};
use firmware_board::Firmware;
use host::Exit;
use host::sandbox::{Sandbox, SandboxError};
use runner::{ConvertedTrace, quoted};
use thiserror::Error;
use trace::Place;

/// The files of a project that have fixed names.
pub const PROJECT: &str = "wokwi.toml";
pub const DIAGRAM: &str = "diagram.json";
/// Endings of the names of scenarios.
const ENDINGS: [&str; 2] = ["yaml", "yml"];
/// Words in the names of files that are scenarios whatever they contain.
const SCENARIO_NAMES: [&str; 2] = ["scenario", ".test."];
/// Maximum number of files that are examined for scenarios.
const FILES_MAX: usize = 1_000;

/// A project, ready to be replayed.
pub struct WokwiRun {
    pub diagram: PathBuf,
    pub board: DescribedBoard,
    /// The scenarios with their traces, by their paths.
    pub scenarios: Vec<(PathBuf, ConvertedTrace)>,
    /// Parts of the diagram that the board does not have.
    missing: Vec<import::Loss>,
    /// Steps that are not replayed.
    losses: Vec<captures::loss::Loss>,
}

/// The reason why a project cannot be replayed.
#[derive(Debug, Error)]
pub enum WokwiError {
    #[error("{}: cannot be read: {error}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("{}:{gap}{error}", path.display(), gap = if error.has_line() { "" } else { " " })]
    Project { path: PathBuf, error: WokwiProjectError },
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(
        "the board file that {} makes is not complete; `nudge board import {}` writes it, so that \
         you can complete it:\n{errors}",
        diagram.display(), quoted(&diagram.display().to_string())
    )]
    Incomplete { diagram: PathBuf, errors: board_file::BoardErrors },
    #[error(transparent)]
    Board(#[from] Box<DescribedError>),
    /// A path leads out of the folder.
    #[error("{place}: {error}; all paths of a project are below its folder")]
    Outside { place: String, error: SandboxError },
    #[error(
        "{}: there is no program {}; build the project, or correct wokwi.toml",
        folder.display(), names.join(" and no ")
    )]
    NoProgram { folder: PathBuf, names: Vec<String> },
    #[error(
        "{}: there is no scenario; one is a file *.yaml with a list `steps`, and `--scenario FILE` \
         names one in a folder below",
        .0.display()
    )]
    NoScenario(PathBuf),
    #[error("{}: more than {FILES_MAX} YAML files; name scenarios with --scenario", .0.display())]
    TooManyFiles(PathBuf),
    #[error(transparent)]
    Scenario(#[from] FormatError),
}

/// A folder of a project.
struct Project<'a> {
    folder: &'a Path,
    sandbox: Sandbox,
}

impl WokwiRun {
    /// Opens the project in `folder` with the scenarios of these names; without names, with all in
    /// the folder itself.
    ///
    /// # Errors
    /// If a file is missing or has errors.
    pub fn open(folder: &Path, names: &[String]) -> Result<Self, WokwiError> {
        let sandbox = Sandbox::new(folder)
            .map_err(|error| WokwiError::Read { path: folder.to_owned(), error })?;
        let project = Project { folder, sandbox };
        let program = project.program()?;
        let diagram = project.place(DIAGRAM, &folder.display())?;
        let Imported { text, losses: missing, names: parts } = import::load(&diagram)?;
        let written = diagram.with_extension("board.toml");
        if let Err(errors) = board_file::parse(&written.display().to_string(), &text) {
            return Err(WokwiError::Incomplete { diagram, errors });
        }
        let board = DescribedBoard::imported(&diagram, &text, &program).map_err(Box::new)?;
        let board = board.with_lcd_settings(Firmware.settings());
        let names = if names.is_empty() { project.scenarios()? } else { names.to_vec() };
        let (mut scenarios, mut losses) = (Vec::new(), Vec::new());
        for name in &names {
            let (path, trace) = project.scenario(name, &board, &parts, &mut losses)?;
            scenarios.push((path, trace));
        }
        Ok(Self { diagram, board, scenarios, missing, losses })
    }

    /// Reports what is not replayed, and returns the exit code that follows from it.
    pub fn report(&self, is_lossy: bool, err: &mut dyn Write) -> io::Result<Exit> {
        for loss in &self.missing {
            writeln!(err, "not carried over: {}: {loss}", self.diagram.display())?;
        }
        for loss in &self.losses {
            writeln!(err, "left out: {loss}")?;
        }
        if self.losses.is_empty() || is_lossy {
            return Ok(Exit::Passed);
        }
        writeln!(
            err,
            "nudge: not all steps can be replayed; with `--lossy` the scenarios pass without them"
        )?;
        Ok(Exit::Failed)
    }
}

impl Project<'_> {
    /// Returns the path of a file in the folder, which `place` names.
    fn place(&self, name: &str, place: &dyn std::fmt::Display) -> Result<PathBuf, WokwiError> {
        let plain = name.strip_prefix("./").unwrap_or(name);
        match self.sandbox.place(plain) {
            Ok(_) => Ok(self.folder.join(plain)),
            Err(error) => Err(WokwiError::Outside { place: place.to_string(), error }),
        }
    }

    /// Returns the path of the program: the ELF file, which has symbols, if it exists.
    fn program(&self) -> Result<PathBuf, WokwiError> {
        let path = self.place(PROJECT, &self.folder.display())?;
        let bytes = host::input_files::read(&path, wokwi_project::FILE_BYTES_MAX)
            .map_err(|error| WokwiError::Read { path: path.clone(), error })?;
        let files = wokwi_project::parse(&bytes)
            .map_err(|error| WokwiError::Project { path: path.clone(), error })?;
        let names: Vec<String> = files.elf.into_iter().chain(files.firmware).collect();
        for name in &names {
            let program = self.place(name, &path.display())?;
            if program.is_file() {
                return Ok(program);
            }
        }
        Err(WokwiError::NoProgram { folder: self.folder.to_owned(), names })
    }

    /// Returns the names of the scenarios in the folder, sorted.
    fn scenarios(&self) -> Result<Vec<String>, WokwiError> {
        let unreadable = |error| WokwiError::Read { path: self.folder.to_owned(), error };
        let mut names = Vec::new();
        for entry in fs::read_dir(self.folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if let Some(name) = path.file_name().and_then(|name| name.to_str())
                && ending.is_some_and(|ending| ENDINGS.contains(&ending))
                && path.is_file()
            {
                names.push(name.to_owned());
            }
            if names.len() > FILES_MAX {
                return Err(WokwiError::TooManyFiles(self.folder.to_owned()));
            }
        }
        names.sort();
        names.retain(|name| {
            let lower = name.to_ascii_lowercase();
            let text = || scenario::read(&self.folder.join(name));
            SCENARIO_NAMES.iter().any(|word| lower.contains(word))
                || text().is_ok_and(|text| scenario::has_steps(&text))
        });
        if names.is_empty() {
            return Err(WokwiError::NoScenario(self.folder.to_owned()));
        }
        Ok(names)
    }

    /// Returns the path of a scenario, and its trace on the board.
    fn scenario(
        &self,
        name: &str,
        board: &DescribedBoard,
        names: &BTreeMap<String, String>,
        losses: &mut Vec<captures::loss::Loss>,
    ) -> Result<(PathBuf, ConvertedTrace), WokwiError> {
        let path = self.place(name, &"--scenario")?;
        let parts = scenario::DiagramParts { parts: board.parts(), names };
        let file = path.display().to_string();
        let read = scenario::parse_on(&file, &scenario::read(&path)?, parts)?;
        let mut trace = read.converted.trace;
        trace.folder = path.parent().map(Path::to_owned);
        for (line, at) in trace.lines.iter_mut().zip(read.lines) {
            line.place = Place { line: u32::try_from(at).unwrap_or(u32::MAX), column: 1 };
        }
        let below = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut goldens = BTreeMap::new();
        for golden in read.goldens {
            let picture = golden.path.strip_prefix("./").unwrap_or(&golden.path);
            let picture = below.join(picture);
            let place = format!("{file}:{}", golden.line);
            goldens.insert(golden.name, self.place(&picture.to_string_lossy(), &place)?);
        }
        losses.extend(read.losses);
        let folder = quoted(&self.folder.display().to_string());
        let command = format!("replay --wokwi {folder} --scenario {}", quoted(name));
        Ok((path, ConvertedTrace { trace, goldens, command }))
    }
}
