//! Capabilities of the terminal: queried with a time limit, and read from the environment.

use std::time::Duration;

use super::colours::Depth;
use super::drawing::Drawing;
use super::options::Graphics;

/// Time limit for a terminal's answers. A terminal that does not answer costs this once.
pub const LIMIT: Duration = Duration::from_millis(500);

/// The variables of the environment that name a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    pub term: String,
    pub colorterm: String,
    pub no_color: String,
    /// TERM_PROGRAM, and LC_TERMINAL, which `ssh` passes on.
    pub program: String,
    /// Whether tmux or screen is in between.
    pub multiplexed: bool,
}

impl Environment {
    /// Reads the variables of this process.
    pub fn read() -> Self {
        let value = |name: &str| std::env::var(name).unwrap_or_default();
        Self {
            term: value("TERM"),
            colorterm: value("COLORTERM"),
            no_color: value("NO_COLOR"),
            program: format!("{} {}", value("TERM_PROGRAM"), value("LC_TERMINAL")),
            multiplexed: ["TMUX", "STY"].iter().any(|name| std::env::var_os(name).is_some()),
        }
    }

    /// Returns how many colours the terminal has.
    pub fn depth(&self) -> Depth {
        Depth::of(&self.term, &self.colorterm, &self.no_color)
    }

    /// Returns whether the terminal takes iTerm2's images. There is no query for it.
    fn takes_iterm(&self) -> bool {
        let names = ["iTerm", "WezTerm", "mintty", "rio"];
        !self.multiplexed && names.iter().any(|name| self.program.contains(name))
    }

    /// Returns whether the terminal is known to print a query as text.
    fn prints_questions(&self) -> bool {
        self.term == "linux" || self.term.starts_with("vt")
    }
}

/// Answers of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Whether it reports releases of keys (kitty's keyboard protocol).
    pub keyboard: bool,
    /// Whether it takes kitty's pictures.
    pub kitty: bool,
    /// Whether it takes sixels.
    pub sixel: bool,
    /// Width and height of a cell, in pixels.
    pub cell: Option<(u16, u16)>,
    /// Whether it has answered the last query, so that no answer is still to come.
    pub complete: bool,
}

/// Queries: kitty's keyboard flags, whether the terminal takes a picture of one pixel, the size
/// of a cell, and the attributes (DA1), which every terminal answers.
const QUESTIONS: &str = "\x1b[?u\x1b_Gi=4207,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c";

impl Answers {
    /// Parses answers; keys that the user types meanwhile are skipped.
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut answers = Self::default();
        for part in text.split('\x1b').skip(1) {
            if let Some(rest) = part.strip_prefix("[?") {
                if let Some(attributes) = rest.split_once('c').map(|(before, _)| before)
                    && attributes.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
                {
                    // The first number is the terminal's class.
                    answers.sixel = attributes.split(';').skip(1).any(|number| number == "4");
                    answers.complete = true;
                } else if let Some((flags, _)) = rest.split_once('u') {
                    answers.keyboard |= flags.bytes().all(|byte| byte.is_ascii_digit());
                }
            } else if let Some(rest) = part.strip_prefix("[6;") {
                let mut numbers = rest.split(['t', ';']).map(str::parse);
                if let (Some(Ok(height)), Some(Ok(width))) = (numbers.next(), numbers.next())
                    && width > 0
                    && height > 0
                {
                    answers.cell = Some((width, height));
                }
            } else if part.starts_with("_Gi=4207;OK") {
                answers.kitty = true;
            }
        }
        answers
    }

    /// Returns how the LCD is drawn for `wanted`. Sixels need the size of a cell; without it,
    /// xterm's size is taken if sixels are requested.
    pub fn drawing(&self, wanted: Graphics, environment: &Environment) -> Drawing {
        match wanted {
            Graphics::Auto if self.kitty => Drawing::Kitty,
            Graphics::Auto if environment.takes_iterm() => Drawing::Iterm,
            Graphics::Auto if self.sixel && self.cell.is_some() => Drawing::Sixel,
            Graphics::Auto | Graphics::Blocks => Drawing::Blocks,
            Graphics::Kitty => Drawing::Kitty,
            Graphics::Sixel => Drawing::Sixel,
            Graphics::Iterm => Drawing::Iterm,
        }
    }
}

/// Queries the terminal, which is in raw mode; not where it would print the queries.
#[cfg(unix)]
pub fn ask(environment: &Environment) -> Answers {
    use std::io::{Write as _, stdin};

    use host::clock::Stopwatch;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::line::Line;

    /// Most bytes that are read: an answer has fewer than 200.
    const BYTES_MAX: usize = 4_096;

    let mut out = Line;
    if environment.prints_questions()
        || out.write_all(QUESTIONS.as_bytes()).and_then(|()| out.flush()).is_err()
    {
        return Answers::default();
    }
    let clock = Stopwatch::start();
    let (mut heard, input) = (Vec::new(), stdin());
    while heard.len() < BYTES_MAX {
        let left = LIMIT.saturating_sub(clock.elapsed());
        let Ok(left) = Timespec::try_from(left) else { break };
        let mut fds = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut fds, Some(&left)), Ok(1..)) {
            break;
        }
        let mut bytes = [0; 256];
        match rustix::io::read(&input, &mut bytes) {
            Ok(count @ 1..) => heard.extend_from_slice(&bytes[..count]),
            _ => break,
        }
        if Answers::parse(&heard).complete {
            break;
        }
    }
    Answers::parse(&heard)
}

/// Queries nothing: Windows reports releases by itself.
#[cfg(not(unix))]
pub fn ask(_: &Environment) -> Answers {
    Answers::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_terminals_are_read() {
        // kitty, foot, xterm without sixels; and one that answers nothing while a person types.
        let kitty = Answers::parse(b"\x1b[?0u\x1b_Gi=4207;OK\x1b\\\x1b[6;20;10t\x1b[?62;52;c");
        let all = Answers {
            keyboard: true,
            kitty: true,
            sixel: false,
            cell: Some((10, 20)),
            complete: true,
        };
        assert_eq!(kitty, all);
        let foot = Answers::parse(b"q\x1b[?0u\x1b[6;17;8t\x1b[?62;4;22;28c");
        assert_eq!(foot, Answers { kitty: false, sixel: true, cell: Some((8, 17)), ..all });
        let xterm = Answers::parse(b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c");
        assert_eq!(xterm, Answers { complete: true, ..Answers::default() });
        assert_eq!(Answers::parse(b"qwe\x1b[Atyu"), Answers::default());
        let refused = Answers::parse(b"\x1b_Gi=4207;ENOTSUPPORTED\x1b\\\x1b[6;0;0t\x1b[?4c");
        assert_eq!(refused, Answers { complete: true, ..Answers::default() });
    }

    #[test]
    fn the_best_that_is_known_is_shown_unless_another_is_named() {
        let blocks = Environment { term: "xterm".into(), ..Environment::default() };
        let iterm = Environment { program: "iTerm.app ".into(), ..blocks.clone() };
        let in_tmux = Environment { multiplexed: true, ..iterm.clone() };
        let sixel = Answers { sixel: true, cell: Some((8, 16)), ..Answers::default() };
        let kitty = Answers { kitty: true, ..sixel };
        let no_cell = Answers { cell: None, ..sixel };
        let auto = |answers: Answers, environment| answers.drawing(Graphics::Auto, environment);
        assert_eq!(auto(kitty, &iterm), Drawing::Kitty);
        assert_eq!(auto(sixel, &iterm), Drawing::Iterm);
        assert_eq!(auto(sixel, &in_tmux), Drawing::Sixel);
        assert_eq!(auto(no_cell, &blocks), Drawing::Blocks);
        assert_eq!(auto(Answers::default(), &blocks), Drawing::Blocks);
        assert_eq!(kitty.drawing(Graphics::Blocks, &iterm), Drawing::Blocks);
    }
}
