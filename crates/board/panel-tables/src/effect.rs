//! The effects that a command can have, and the sources of an answer, each with its word in a
//! table. The module does not know how a model executes them.

use crate::family::Family;

macro_rules! words {
    ($(#[$outer:meta])* $type:ident { $($(#[$doc:meta])* $name:ident = $word:literal in $family:expr,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$doc])* $name,)*
        }

        impl $type {
            /// All values, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the word of a table.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// Returns the families that have this; `None` for both.
            pub const fn family(self) -> Option<Family> {
                match self {
                    $(Self::$name => $family,)*
                }
            }
        }
    };
}

const DCS: Option<Family> = Some(Family::Dcs);
const PAGES: Option<Family> = Some(Family::Pages);

words! {
    /// Effect of a command.
    Effect {
        /// No effect and no register.
        Nothing = "nothing" in None,
        /// The arguments are stored and can be inspected, without a visible effect.
        Store = "store" in None,
        SoftwareReset = "software-reset" in DCS,
        SleepIn = "sleep-in" in DCS,
        SleepOut = "sleep-out" in DCS,
        PartialMode = "partial-mode" in DCS,
        NormalMode = "normal-mode" in DCS,
        InversionOff = "inversion-off" in None,
        InversionOn = "inversion-on" in None,
        DisplayOff = "display-off" in None,
        DisplayOn = "display-on" in None,
        /// Four bytes: first and last column of the window.
        Columns = "columns" in DCS,
        /// Four bytes: first and last page of the window.
        Pages = "pages" in DCS,
        /// Pixels from the start of the window.
        WriteMemory = "write-memory" in DCS,
        /// Pixels from the counter on.
        ContinueWrite = "continue-write" in DCS,
        ReadMemory = "read-memory" in DCS,
        ContinueRead = "continue-read" in DCS,
        /// Four bytes: first and last line that partial mode shows.
        PartialArea = "partial-area" in DCS,
        /// Six bytes: fixed lines at the top, scrolled lines, fixed lines at the bottom.
        ScrollArea = "scroll-area" in DCS,
        ScrollStart = "scroll-start" in DCS,
        TearingOff = "tearing-off" in DCS,
        TearingOn = "tearing-on" in DCS,
        /// MADCTL: MY, MX, MV, ML, BGR, MH in bits 7 to 2.
        MemoryAccess = "memory-access" in DCS,
        IdleOff = "idle-off" in DCS,
        IdleOn = "idle-on" in DCS,
        /// The format of the table's `formats`, by the lowest three bits.
        PixelFormat = "pixel-format" in DCS,
        Brightness = "brightness" in DCS,
        DisplayControl = "display-control" in DCS,
        AdaptiveBrightness = "adaptive-brightness" in DCS,
        LeastBrightness = "least-brightness" in DCS,
        /// The second argument has REV, GS and SS in bits 7 to 5, as DISCTRL of the ILI9341.
        ScanControl = "scan-control" in DCS,
        /// The second argument has GS and SS in bits 6 and 5.
        ScanDirections = "scan-directions" in DCS,
        /// EOR bits for MADCTL and WEMODE; EPF in the second argument, as IFCTL of the ILI9341.
        InterfaceControl = "interface-control" in DCS,
        /// Index of the next answer's first byte, in the lowest four bits while bit 4 is 1.
        ReadIndex = "read-index" in DCS,
        /// Division in the first argument, clocks of a line in the second, as FRMCTR1 of the
        /// ILI9341.
        LineClocks = "line-clocks" in DCS,
        /// Lines of the front and the back porch in the first two arguments.
        Porches = "porches" in DCS,
        /// The host reads the command's `answer`.
        Answer = "answer" in DCS,
        /// Lower four bits of the column, from the code.
        ColumnLow = "column-low" in PAGES,
        /// Upper four bits of the column, from the code.
        ColumnHigh = "column-high" in PAGES,
        /// Page, from the code's lowest bits.
        PageStart = "page-start" in PAGES,
        /// 0: horizontal, 1: vertical, 2: page addressing.
        AddressingMode = "addressing-mode" in PAGES,
        /// First and last column of horizontal and vertical addressing.
        ColumnRange = "column-range" in PAGES,
        /// First and last page of horizontal and vertical addressing.
        PageRange = "page-range" in PAGES,
        /// First line of the memory that is shown, from the code's lowest bits.
        StartLine = "start-line" in PAGES,
        /// Segment order, from the code's lowest bit.
        SegmentRemap = "segment-remap" in PAGES,
        /// Scan direction, from bit 3 of the code.
        ComDirection = "com-direction" in PAGES,
        /// Offset of the first line.
        DisplayOffset = "display-offset" in PAGES,
        /// Number of driven lines less one.
        Multiplex = "multiplex" in PAGES,
        /// From the code's lowest bit: 0 shows the memory, 1 lights all pixels.
        AllOn = "all-on" in PAGES,
        /// Charge pump by bit 2 of the argument.
        ChargePump = "charge-pump" in PAGES,
        /// Charge pump by bit 0 of the argument.
        Converter = "converter" in PAGES,
        ScrollOn = "scroll-on" in PAGES,
        ScrollOff = "scroll-off" in PAGES,
        /// The column is not advanced by a read, until `end`.
        ModifyStart = "modify-start" in PAGES,
        ModifyEnd = "modify-end" in PAGES,
    }
}

words! {
    /// Source of a byte of an answer.
    Status {
        /// Four bytes: RDDST.
        Display = "display-status" in DCS,
        /// RDDPM.
        PowerMode = "power-mode" in DCS,
        MemoryAccess = "memory-access" in DCS,
        PixelFormat = "pixel-format" in DCS,
        /// RDDSM.
        Signal = "signal-mode" in DCS,
        /// RDDSDR: both bits are set in sleep-out.
        SelfDiagnostic = "self-diagnostic" in DCS,
        Brightness = "brightness" in DCS,
        DisplayControl = "display-control" in DCS,
        AdaptiveBrightness = "adaptive-brightness" in DCS,
        LeastBrightness = "least-brightness" in DCS,
    }
}

/// A part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A constant byte.
    Byte(u8),
    Status(Status),
}
