//! Comments made of console lines: moves in the words of their game system.

use firmware_core::button::Button;
use firmware_core::rules::{Cup, PLACES};
use firmware_core::screen::style::Style;
use firmware_core::systems::SYSTEMS;
use insight::ConsoleComments;

/// Converts the console lines of a game into comments (docs/console.md).
pub(super) struct GameComments {
    style: &'static Style,
    stones: [u8; PLACES],
}

impl Default for GameComments {
    fn default() -> Self {
        Self { style: SYSTEMS[0].style(), stones: [0; PLACES] }
    }
}

impl ConsoleComments for GameComments {
    fn comment(&mut self, line: &str) -> Option<String> {
        let system = value(line, "game").and_then(|name| SYSTEMS.iter().find(|s| s.name == name));
        if let Some(system) = system {
            self.style = system.style();
        }
        let first = line.split(' ').next()?;
        match first {
            "position" => self.position(line),
            "refused" => {
                let reason = value(line, "reason")?.replace('-', " ");
                Some(format!("{} is refused: {reason}", value(line, "button")?))
            }
            "option" | "saved" | "loaded" | "restored" | "logged" | "deleted" | "off" => {
                Some(line.to_owned())
            }
            _ => None,
        }
    }

    fn message<'a>(&self, line: &'a str) -> Option<&'a str> {
        line.starts_with("position ").then(|| value(line, "message")).flatten()
    }
}

impl GameComments {
    /// Returns a comment such as `Player 1 sows 4 from #3: FREE TURN`.
    fn position(&mut self, line: &str) -> Option<String> {
        let mut stones = value(line, "board")?.split(',');
        let mut next = || stones.next()?.parse().ok();
        let mut after = [0; PLACES];
        for place in &mut after {
            *place = next()?;
        }
        let before = std::mem::replace(&mut self.stones, after);
        let events = value(line, "event")?;
        let what = match value(line, "move")? {
            "-" => return None,
            "undo" => "a move is taken back".to_owned(),
            "redo" => "a move is played again".to_owned(),
            "edit" => "the board is edited".to_owned(),
            "load" => "a saved game is on the board".to_owned(),
            "abandon" => "play is abandoned".to_owned(),
            "resign" => "a player resigns".to_owned(),
            "resume" => "the game goes on after power-off".to_owned(),
            place => {
                let cup = Cup::at(place.parse().ok()?)?;
                let player = self.style.words.players[cup.owner().index()];
                format!("{player} sows {} from {}", before[cup.place()], self.cup(cup))
            }
        };
        let events: Vec<String> = events.split(',').filter_map(|event| self.event(event)).collect();
        Some(if events.is_empty() { what } else { format!("{what}: {}", events.join(", ")) })
    }

    /// Returns `#3`, `cup 9`, or the button of a cup without a label.
    fn cup(&self, cup: Cup) -> String {
        match self.style.label(cup) {
            "" => Button::beside(cup).name().to_owned(),
            label if label.starts_with('#') => label.to_owned(),
            label => format!("{} {label}", self.style.words.cup),
        }
    }

    fn event(&self, event: &str) -> Option<String> {
        let words = &self.style.words;
        let (name, number) = event.split_once(':').unwrap_or((event, ""));
        Some(match name {
            "free-turn" => words.free_turn.to_owned(),
            "capture" => format!("{} {number}", words.captures),
            "sweep" => format!("{number} swept"),
            "game-over" => "GAME OVER".to_owned(),
            "winner" => format!("{} wins", words.players.get(number.parse::<usize>().ok()?)?),
            "draw" => words.draw.to_owned(),
            _ => return None,
        })
    }
}

/// Returns the value of `key`, without its quotes.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = line;
    loop {
        let (_, behind) = rest.split_once(' ')?;
        let (name, value) = behind.split_once('=')?;
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => value.split_at(value.find(' ').unwrap_or(value.len())),
        };
        if name == key {
            return Some(value);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPENING: &str = "position board=4,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0 move=- event=none \
                           message=\"Player 1's turn\"";

    #[track_caller]
    fn check(lines: &[&str], expected: Option<&str>) {
        let mut words = GameComments::default();
        words.comment(OPENING);
        let comments: Vec<_> = lines.iter().map(|line| words.comment(line)).collect();
        assert_eq!(comments.last().cloned().flatten().as_deref(), expected);
    }

    #[test]
    fn a_move_is_described_in_the_words_of_its_system() {
        let free = "position board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=2 event=free-turn \
                    message=\"Player 1 FREE TURN\"";
        check(&[free], Some("Player 1 sows 4 from #4: FREE TURN"));
        let wari = "position board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=9 \
                    event=capture:5,game-over,winner:1 message=\"GAME OVER Top wins\" direction=cw";
        let told = "Top sows 4 from cup 9: captures 5, GAME OVER, Top wins";
        check(&["boot nudge=0.1.0 game=wari", wari], Some(told));
        check(&["refused button=T1 reason=not-yours"], Some("T1 is refused: not yours"));
        check(&[OPENING], None);
        check(&["log text=\"   1 Bottom 5\""], None);
        check(&["position board=4,4 turn=0 move=2"], None);
    }
}
