//! Which package may depend on what: one rule for every crate, and rules for what only few may know. A permission
//! that is not needed fails the test.

use super::knowledge::{Reach, Rule};
use super::manifest::Kinds;

pub const RULES: &[Rule] = &[
    Rule::Only {
        target: "firmware-core",
        kinds: Kinds::Normal,
        reach: Reach::Transitive,
        permitted: FIRMWARE_PERMITTED,
        reason: "only the boards, the questions and what joins them know the firmware; \
                 everything else works with any firmware",
    },
    Rule::Only {
        target: "ratatui-crossterm",
        kinds: Kinds::All,
        reach: Reach::Direct,
        permitted: &["terminal"],
        reason: "one place takes the terminal, and gives it back",
    },
    Rule::Only {
        target: "oxhttp",
        kinds: Kinds::All,
        reach: Reach::Direct,
        permitted: &["studio"],
        reason: "one place answers on a socket, and decides to whom",
    },
    Rule::Only {
        target: "notify",
        kinds: Kinds::All,
        reach: Reach::Direct,
        permitted: &["simulator"],
        reason: "one place asks the operating system for changes of files",
    },
    Rule::Only {
        target: "sdl2",
        kinds: Kinds::All,
        reach: Reach::Direct,
        permitted: &["window"],
        reason: "only the window needs SDL2",
    },
    Rule::Alone {
        package: "firmware-core",
        except: &[],
        reason: "the firmware does not know that it is simulated",
    },
    Rule::Alone {
        package: "hal-mock",
        except: &["ili9341-model", "reading", "trace", "virtual-time"],
        reason: "the virtual board meets the firmware only at embedded-hal",
    },
    Rule::Alone {
        package: "rp2040-emulator",
        except: &[],
        reason: "the chip knows no board",
    },
    Rule::Alone {
        package: "simulator",
        except: &["atlas", "boards", "captures", "changes", "escape", "firmware-core", "fuzz", "hal-mock", "host", "ili9341-model", "live", "page", "probe", "probe-port", "probe-protocol", "reading", "rp2040-emulator", "rp2040-tools", "runner", "serve", "studio", "terminal", "tidy", "timeline", "trace", "virtual-time", "why", "window"],
        reason: "the command joins the libraries",
    },
    Rule::Alone {
        package: "nudge-tests",
        except: &["boards", "firmware-core", "hal-mock", "host", "ili9341-model", "legibility", "reading", "runner", "trace", "virtual-time"],
        reason: "its tests join firmware, boards and replay",
    },
    Rule::Alone {
        package: "nudge-web",
        except: &["boards", "firmware-core", "hal-mock", "ili9341-model", "reading", "rp2040-emulator", "timeline", "trace", "virtual-time", "why"],
        reason: "the page replays on the same machines",
    },
    Rule::Alone {
        package: "virtual-time",
        except: &[],
        reason: "models take time and chance as arguments",
    },
    Rule::Alone {
        package: "host",
        except: &["virtual-time"],
        reason: "what the operating system offers is in one place",
    },
    Rule::Alone {
        package: "escape",
        except: &[],
        reason: "every writer of text for a reader uses it",
    },
    Rule::Alone {
        package: "ili9341-model",
        except: &["virtual-time"],
        reason: "other projects can use the model without the board",
    },
    Rule::Alone {
        package: "boards",
        except: &["bench", "firmware-core", "hal-mock", "host", "ili9341-model", "probe", "probe-port", "probe-protocol", "reading", "rp2040-emulator", "runner", "trace", "virtual-time"],
        reason: "it joins firmware, chip and board",
    },
    Rule::Alone {
        package: "trace",
        except: &["ili9341-model", "virtual-time"],
        reason: "a trace is read without a board",
    },
    Rule::Alone {
        package: "reading",
        except: &["host", "ili9341-model", "trace", "virtual-time"],
        reason: "what is read off a frame needs no board and no replay",
    },
    Rule::Alone {
        package: "captures",
        except: &["escape", "hal-mock", "host", "ili9341-model", "trace", "virtual-time"],
        reason: "a capture knows wires and no game",
    },
    Rule::Alone {
        package: "runner",
        except: &["escape", "hal-mock", "host", "ili9341-model", "page", "reading", "trace", "virtual-time"],
        reason: "reports work with any firmware and any board",
    },
    Rule::Alone {
        package: "changes",
        except: &["escape", "hal-mock", "host", "ili9341-model", "reading", "runner", "trace", "virtual-time"],
        reason: "a comparison works with any firmware and any board",
    },
    Rule::Alone {
        package: "page",
        except: &["escape"],
        reason: "the page holds any machine and any trace, and knows neither",
    },
    Rule::Alone {
        package: "timeline",
        except: &["boards", "hal-mock", "ili9341-model", "reading", "trace", "virtual-time"],
        reason: "a timeline works with any machine",
    },
    Rule::Alone {
        package: "live",
        except: &["hal-mock", "host", "ili9341-model", "reading", "timeline", "trace", "virtual-time"],
        reason: "a session knows neither its view nor its firmware",
    },
    Rule::Alone {
        package: "serve",
        except: &["boards", "hal-mock", "host", "ili9341-model", "reading", "timeline", "trace", "virtual-time"],
        reason: "requests work with any firmware; its tests have the board native",
    },
    Rule::Alone {
        package: "studio",
        except: &["host", "ili9341-model", "reading"],
        reason: "the server knows neither page nor board",
    },
    Rule::Alone {
        package: "terminal",
        except: &["hal-mock", "host", "ili9341-model", "live", "reading", "trace", "virtual-time"],
        reason: "a terminal shows any session; it needs no SDL2",
    },
    Rule::Alone {
        package: "window",
        except: &["hal-mock", "host", "ili9341-model", "live", "reading", "trace", "virtual-time"],
        reason: "a window shows any session",
    },
    Rule::Alone {
        package: "rp2040-tools",
        except: &["escape", "host", "rp2040-emulator", "trace", "virtual-time"],
        reason: "the tools work with any program of the chip and know no LCD board",
    },
    Rule::Alone {
        package: "fuzz",
        except: &["boards", "captures", "firmware-core", "hal-mock", "host", "ili9341-model", "reading", "runner", "trace", "virtual-time"],
        reason: "it plays the firmware of `boards`",
    },
    Rule::Alone {
        package: "why",
        except: &["boards", "firmware-core", "hal-mock", "ili9341-model", "reading", "rp2040-emulator", "trace", "virtual-time"],
        reason: "it names the elements of the firmware",
    },
    Rule::Alone {
        package: "tidy",
        except: &["boards", "firmware-core", "hal-mock", "host", "ili9341-model", "reading", "trace", "virtual-time"],
        reason: "it reads the firmware's screens and console",
    },
    Rule::Alone {
        package: "atlas",
        except: &["boards", "escape", "firmware-core", "hal-mock", "host", "ili9341-model", "legibility", "reading", "trace", "virtual-time", "why"],
        reason: "it walks the firmware of `boards`",
    },
    Rule::Alone {
        package: "legibility",
        except: &["firmware-core", "ili9341-model", "reading"],
        reason: "it measures the firmware's screens",
    },
    Rule::Alone {
        package: "probe",
        except: &["hal-mock", "probe-protocol", "trace", "virtual-time"],
        reason: "a probe works with any firmware",
    },
    Rule::Alone {
        package: "probe-protocol",
        except: &["virtual-time"],
        reason: "the probe's firmware uses it, which knows neither a board nor a trace",
    },
    Rule::Alone {
        package: "probe-port",
        except: &["host", "probe", "probe-protocol"],
        reason: "one crate opens ports",
    },
    Rule::Alone {
        package: "bench",
        except: &["probe", "probe-protocol", "rp2040-emulator"],
        reason: "the programs are arguments",
    },
];

/// Crates that depend on the firmware, directly or through another crate.
const FIRMWARE_PERMITTED: &[&str] = &["atlas", "boards", "fuzz", "legibility", "nudge-fuzz", "nudge-tests", "nudge-web", "simulator", "tidy", "why"];
