//! Table of all methods: names, parameters, and their descriptions. `docs/serve.md` has the same
//! rows.

use serde_json::{Map, Value, json};

/// A method.
#[derive(Debug)]
pub struct Method {
    pub name: &'static str,
    /// Description, as a sentence without a full stop.
    pub about: &'static str,
    pub params: &'static [Param],
}

/// A parameter of a method.
#[derive(Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether it is required.
    pub needed: bool,
    /// Description.
    pub about: &'static str,
}

/// Type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// `"250ms"`, or whole nanoseconds.
    Time,
    /// A whole number, 0 or more.
    Number,
    Flag,
    Button,
    Buttons,
    /// `[x, y, width, height]`.
    Region,
    Header,
}

impl Kind {
    /// Returns the type as JSON Schema.
    pub fn schema(self) -> Value {
        match self {
            // The buttons' names are those of the board, which `boot` answers.
            Self::Text | Self::Button => json!({"type": "string"}),
            Self::Time => json!({"type": ["string", "integer"]}),
            Self::Number => json!({"type": "integer", "minimum": 0}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Buttons => json!({"type": "array", "items": {"type": "string"}}),
            Self::Region => {
                json!({"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4})
            }
            Self::Header => json!({"type": "object"}),
        }
    }
}

impl Method {
    /// Returns the method of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// Returns the parameters as JSON Schema.
    pub fn schema(&self) -> Value {
        let mut properties = Map::new();
        for param in self.params {
            let mut schema = param.kind.schema();
            schema["description"] = param.about.into();
            properties.insert(param.name.to_owned(), schema);
        }
        let needed: Vec<&str> =
            self.params.iter().filter(|param| param.needed).map(|param| param.name).collect();
        json!({"type": "object", "properties": properties, "required": needed})
    }
}

const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Param {
    Param { name, kind, needed: true, about }
}

const fn may(name: &'static str, kind: Kind, about: &'static str) -> Param {
    Param { name, kind, needed: false, about }
}

const SESSION: Param = may("session", Kind::Number, "the session; without it, the only one");
const BUTTON: Param = needed(
    "button",
    Kind::Button,
    "the button: B1 to B6, T1 to T6 or RESET; on a described board one of those that `boot` answers",
);
const TEXT: Param = needed("text", Kind::Text, "the text, as the LCD has it; case matters");
const WITHIN: Param = needed(
    "within",
    Kind::Time,
    "the longest wait in virtual time, like \"5s\"; at most 10 minutes",
);
const HOLD: Param =
    may("hold", Kind::Time, "the time for which it is held, like \"1200ms\"; without it, 80 ms");
const IN_REGION: Param = may(
    "region",
    Kind::Region,
    "the part of the panel, [x, y, width, height] in pixels of the size that `boot` answers",
);
const DISPLAY: Param = may(
    "display",
    Kind::Text,
    "the display, one of those that `boot` answers; without it, the first one",
);
const FORCE: Param = may("force", Kind::Flag, "replaces a file that exists");
const RECORD: Param = may("record", Kind::Text, "records the session in this file, line by line");

/// All methods.
pub const METHODS: &[Method] = &[
    Method { name: "version", about: "Say which program answers", params: &[] },
    Method {
        name: "boot",
        about: "Power a new board on; the answer has its session, buttons, displays and the size of the first one. Virtual time passes only in `advance`, a tap or a wait",
        params: &[
            may(
                "board",
                Kind::Text,
                "native (the default), pico, pico=FILE for an ELF or UF2 file, or NAME.board.toml for a described board",
            ),
            may(
                "header",
                Kind::Header,
                "the settings of a trace's header, such as game, seed, players, flash",
            ),
            RECORD,
            may("goldens", Kind::Text, "the folder of the golden frames; without it, `goldens`"),
        ],
    },
    Method {
        name: "press",
        about: "Put a finger on a button, and leave it there",
        params: &[SESSION, BUTTON],
    },
    Method { name: "release", about: "Take the finger off a button", params: &[SESSION, BUTTON] },
    Method {
        name: "tap",
        about: "Press a button and release it; virtual time passes meanwhile",
        params: &[SESSION, BUTTON, HOLD],
    },
    Method {
        name: "chord",
        about: "Press buttons one after another, 30 ms apart, and release them the other way round",
        params: &[SESSION, needed("buttons", Kind::Buttons, "the buttons, two or more")],
    },
    Method {
        name: "reset",
        about: "Press the button RESET: short it restarts the game, with \"1200ms\" it opens the menu",
        params: &[SESSION, HOLD],
    },
    Method {
        name: "power",
        about: "Switch the board on or off",
        params: &[SESSION, needed("on", Kind::Flag, "whether there is to be power")],
    },
    Method {
        name: "advance",
        about: "Let virtual time pass",
        params: &[
            SESSION,
            needed("by", Kind::Time, "the span, like \"500ms\"; at most 10 minutes"),
        ],
    },
    Method {
        name: "wait_text",
        about: "Let time pass until the LCD shows a text",
        params: &[SESSION, TEXT, DISPLAY, WITHIN],
    },
    Method {
        name: "wait_console",
        about: "Let time pass until the console has a line with a text",
        params: &[SESSION, needed("text", Kind::Text, "a part of the line"), WITHIN],
    },
    Method {
        name: "settle",
        about: "Let time pass until nothing on the LCD has changed for 100 ms",
        params: &[
            SESSION,
            may("display", Kind::Text, "the display; without it, all displays"),
            WITHIN,
        ],
    },
    Method {
        name: "read",
        about: "Read what the LCD shows as text with places, the backlight, the tone, and the console since the last `read`",
        params: &[
            SESSION,
            DISPLAY,
            may("searched", Kind::Flag, "adds the texts in which `expect text` searches"),
        ],
    },
    Method {
        name: "screenshot",
        about: "Take a picture of the LCD as PNG",
        params: &[
            SESSION,
            DISPLAY,
            may("file", Kind::Text, "writes it there instead of answering with it in base64"),
            FORCE,
        ],
    },
    Method {
        name: "expect_text",
        about: "Expect a text on the LCD now; the expectation goes into the trace",
        params: &[SESSION, TEXT, DISPLAY, IN_REGION],
    },
    Method {
        name: "expect_no_text",
        about: "Expect that a text is not on the LCD now",
        params: &[SESSION, TEXT, DISPLAY, IN_REGION],
    },
    Method {
        name: "expect_frame",
        about: "Compare the LCD with a golden frame",
        params: &[
            SESSION,
            needed("name", Kind::Text, "the golden's name: letters, digits, - and _"),
            DISPLAY,
            IN_REGION,
            may("bless", Kind::Flag, "writes the golden if it is missing or differs"),
        ],
    },
    Method {
        name: "do",
        about: "Execute any other line of a trace, without its time, such as `expect tone 880Hz`, `expect console \"…\"`, `fault stuck B3`",
        params: &[SESSION, needed("line", Kind::Text, "the line")],
    },
    Method {
        name: "fork",
        about: "Make another session that has all inputs of this one",
        params: &[SESSION, may("at", Kind::Time, "up to this time; without it, now"), RECORD],
    },
    Method {
        name: "rewind",
        about: "Go back to a time; later lines are removed, but stay in the recording's file",
        params: &[
            SESSION,
            needed("to", Kind::Time, "the time since the first power-on, like \"12.5s\""),
        ],
    },
    Method {
        name: "why",
        about: "Say where a pixel comes from: its colour, when it was written, by which SPI transfer and which screen element",
        params: &[
            SESSION,
            needed("x", Kind::Number, "pixels from the left edge, 0 to 319 on the LCD board"),
            needed("y", Kind::Number, "pixels from the upper edge, 0 to 239 on the LCD board"),
            DISPLAY,
        ],
    },
    Method {
        name: "trace",
        about: "Answer with the session as the text of a trace",
        params: &[SESSION],
    },
    Method {
        name: "save",
        about: "Save the session as a trace, and its goldens next to it",
        params: &[SESSION, needed("file", Kind::Text, "the file, NAME.trace"), FORCE],
    },
    Method { name: "sessions", about: "List the sessions", params: &[] },
    Method {
        name: "close",
        about: "End a session; its recording gets its end",
        params: &[SESSION],
    },
];
