//! The checks of the linter. A table lists those that its controller has, each with its section,
//! its sentence and its limit.

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A check of the linter, named by its violation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// All rules: violations, notes, and then the rules of the one-bit family.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// Returns the name of the rule in a table.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }
    };
}

rules! {
    /// A command came too early after the end of a hardware reset, or after power-on.
    ResetDelay,
    /// SLPOUT came too early after a hardware reset that was given in sleep-out.
    ResetSleepOutDelay,
    /// RESX was low for too short a time.
    ResetPulse,
    /// A command came too early after SWRESET.
    SoftwareResetDelay,
    /// SLPOUT came too early after a SWRESET that was given in sleep-out.
    SoftwareResetSleepOutDelay,
    /// A command came too early after SLPIN.
    SleepInDelay,
    /// SLPIN came too early after SLPOUT.
    SleepInAfterSleepOut,
    /// A command came too early after SLPOUT.
    SleepOutDelay,
    /// SLPOUT came too early after SLPIN.
    SleepOutAfterSleepIn,
    /// DISPON came in sleep-in.
    DisplayOnAsleep,
    /// A column address is outside the memory under the current orientation.
    ColumnOutside,
    /// A column range with its start after its end.
    ColumnsReversed,
    /// A page address is outside the memory under the current orientation.
    PageOutside,
    /// A page range with its start after its end.
    PagesReversed,
    /// A command came in the middle of a pixel.
    CutPixel,
    /// D/CX moved while a byte was on the wire.
    DcInsideByte,
    /// The command does not exist.
    UnknownCommand,
    /// The next command came before all arguments.
    TooFewArguments,
    /// More arguments than the command takes.
    TooManyArguments,
    /// A data byte came before any command since power-on or reset.
    DataWithoutCommand,
    /// Bytes were sent while RESX was low.
    SentInReset,
    /// Bytes were sent without power.
    SentUnpowered,
    /// A pixel format that does not exist on this bus.
    PixelFormat,
    /// Scroll areas that do not add up to the lines of the memory.
    ScrollArea,
    /// A scroll start in a line of a fixed area.
    ScrollStart,
    /// Note: a command came without a hardware reset since power-on.
    NoReset,
    /// Note: more pixels than the window has.
    MoreThanWindow,
    /// Note: pixels were written in sleep-in.
    PixelsAsleep,
    /// Note: the serial clock is faster than the datasheet allows.
    Clock,
    /// Note: the display was turned on before every pixel of the memory had been written.
    DisplayOnUnwritten,
    /// An argument has a value that the datasheet does not allow.
    ArgumentValue,
    /// An addressing command that the current addressing mode ignores.
    AddressingMode,
    /// The memory was written while the controller scrolls by itself.
    WrittenWhileScrolling,
    /// The voltage converter was switched while the display is on.
    ConverterWhileOn,
    /// The end of a read-modify-write without its start, or a second start.
    ModifyEnd,
    /// The column was set during a read-modify-write.
    ColumnInModify,
    /// Note: the display was turned on without the charge pump.
    PumpOff,
}

impl Rule {
    /// Returns whether the rule is only a note, which does not fail a replay.
    pub const fn is_note(self) -> bool {
        matches!(
            self,
            Self::NoReset
                | Self::MoreThanWindow
                | Self::PixelsAsleep
                | Self::Clock
                | Self::DisplayOnUnwritten
                | Self::PumpOff
        )
    }

    /// Returns whether the rule needs a limit: a time.
    pub const fn has_limit(self) -> bool {
        matches!(
            self,
            Self::ResetDelay
                | Self::ResetSleepOutDelay
                | Self::ResetPulse
                | Self::SoftwareResetDelay
                | Self::SoftwareResetSleepOutDelay
                | Self::SleepInDelay
                | Self::SleepInAfterSleepOut
                | Self::SleepOutDelay
                | Self::SleepOutAfterSleepIn
                | Self::Clock
        )
    }

    /// Returns a mask with the bit of this rule.
    pub const fn bit(self) -> u64 {
        1 << self as u32
    }
}

const _: () = assert!(Rule::ALL.len() <= u64::BITS as usize);
