//! A date with its time of day, as the real-time clock counts them (datasheet section 4.8.1). The
//! module does not know clocks and alarms.

/// A part of a date or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Year,
    Month,
    Day,
    Weekday,
    Hour,
    Minute,
    Second,
}

impl Field {
    /// Returns the lowest bit and the mask of the field in its register: SETUP_0, IRQ_SETUP_0 and
    /// RTC_1 have the date, SETUP_1, IRQ_SETUP_1 and RTC_0 the time.
    fn place(self) -> (u32, u32) {
        match self {
            Self::Year => (12, 0xFFF),
            Self::Month => (8, 0xF),
            Self::Day => (0, 0x1F),
            Self::Weekday => (24, 7),
            Self::Hour => (16, 0x1F),
            Self::Minute => (8, 0x3F),
            Self::Second => (0, 0x3F),
        }
    }
}

/// A date with fields in the ranges of their registers; a program may load one that no calendar
/// has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Date {
    year: u32,
    month: u32,
    day: u32,
    /// Day of the week; 0 is Sunday.
    weekday: u32,
    hour: u32,
    minute: u32,
    second: u32,
}

/// Largest year that the register can hold.
const LAST_YEAR: u32 = 4095;

impl Date {
    /// Returns the value of a field in its register.
    pub(super) fn field_of(register: u32, field: Field) -> u32 {
        let (lowest, mask) = field.place();
        register >> lowest & mask
    }

    /// Returns the date of the registers SETUP_0 and SETUP_1.
    pub(super) fn of_registers([date, time]: [u32; 2]) -> Self {
        Self {
            year: Self::field_of(date, Field::Year),
            month: Self::field_of(date, Field::Month),
            day: Self::field_of(date, Field::Day),
            weekday: Self::field_of(time, Field::Weekday),
            hour: Self::field_of(time, Field::Hour),
            minute: Self::field_of(time, Field::Minute),
            second: Self::field_of(time, Field::Second),
        }
    }

    pub(super) fn field(&self, field: Field) -> u32 {
        match field {
            Field::Year => self.year,
            Field::Month => self.month,
            Field::Day => self.day,
            Field::Weekday => self.weekday,
            Field::Hour => self.hour,
            Field::Minute => self.minute,
            Field::Second => self.second,
        }
    }

    /// Returns RTC_1.
    pub(super) fn date_register(&self) -> u32 {
        self.register(&[Field::Year, Field::Month, Field::Day])
    }

    /// Returns RTC_0.
    pub(super) fn time_register(&self) -> u32 {
        self.register(&[Field::Weekday, Field::Hour, Field::Minute, Field::Second])
    }

    fn register(&self, fields: &[Field]) -> u32 {
        fields.iter().fold(0, |register, field| register | self.field(*field) << field.place().0)
    }

    /// Adds one second. If `leap_years`, every fourth year is a leap year: the chip knows no other
    /// rule.
    pub(super) fn count(&mut self, leap_years: bool) {
        self.second += 1;
        if self.second < 60 {
            return;
        }
        self.second = 0;
        self.minute += 1;
        if self.minute < 60 {
            return;
        }
        self.minute = 0;
        self.hour += 1;
        if self.hour < 24 {
            return;
        }
        self.hour = 0;
        self.count_day(leap_years);
    }

    /// Returns whether the time of day is valid.
    pub(super) fn is_in_range(&self) -> bool {
        self.hour < 24 && self.minute < 60 && self.second < 60
    }

    /// Adds one day.
    pub(super) fn count_day(&mut self, leap_years: bool) {
        self.weekday = (self.weekday + 1) % 7;
        self.day += 1;
        if self.day <= self.last_day(leap_years) {
            return;
        }
        self.day = 1;
        self.month += 1;
        if self.month <= 12 {
            return;
        }
        self.month = 1;
        self.year = (self.year + 1) & LAST_YEAR;
    }

    fn last_day(&self, leap_years: bool) -> u32 {
        match self.month {
            2 if leap_years && self.year.is_multiple_of(4) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}
