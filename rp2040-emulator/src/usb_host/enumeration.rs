//! Enumeration: address, descriptors, configuration (USB 2.0 section 9.1.2), and the handling of
//! completed control transfers.

use super::control::Setup;
use super::descriptors::{
    self, Configuration, DescriptorError, DeviceDescriptor, HidFunction, SerialFunction,
};
use super::{ControlResult, EVENTS_MAX, Event, Host, State, TransferError};

// Requests: USB 2.0 section 9.4, HID 1.11 section 7.2.
const CLEAR_FEATURE: u8 = 1;
const SET_ADDRESS: u8 = 5;
const GET_DESCRIPTOR: u8 = 6;
const SET_REPORT: u8 = 9;
const SET_CONFIGURATION: u8 = 9;
const SET_IDLE: u8 = 0x0A;

const FROM_DEVICE: u8 = 0x80;
const TO_DEVICE: u8 = 0;
const TO_ENDPOINT: u8 = 2;
const CLASS_TO_INTERFACE: u8 = 0x21;
/// wValue of an output report without a number.
const OUTPUT_REPORT: u16 = 2 << 8;

const DEVICE: u16 = 1 << 8;
const CONFIGURATION: u16 = 2 << 8;
const STRING: u16 = 3 << 8;

/// Address that the host assigns to its device.
const ADDRESS: u8 = 1;
/// Time that a device has to set its address (USB 2.0 section 9.2.6.3).
const ADDRESS_NS: u64 = 2_000_000;
/// Length of the first request, as in Linux and Windows.
const FIRST_LENGTH: u16 = 64;
/// Largest size of a string descriptor in bytes.
const STRING_BYTES: u16 = 255;

/// A reason why a device cannot be used. The message is one sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnumerationError {
    /// A transfer of the enumeration failed.
    #[error("{what} failed: {error}")]
    Transfer {
        /// Name of the request.
        what: &'static str,
        #[source]
        error: TransferError,
    },
    /// A descriptor is invalid.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
}

/// A device as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub descriptor: DeviceDescriptor,
    /// First configuration, which is set.
    pub configuration: Configuration,
    /// Strings for manufacturer, product and serial number.
    pub strings: [Option<String>; 3],
    pub serials: Vec<SerialFunction>,
    pub hids: Vec<HidFunction>,
    /// Language of the strings.
    pub(super) language: u16,
}

/// Purpose of a control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    FirstBytes,
    Address,
    Device,
    Total,
    Configuration,
    Language,
    /// Reads the string of this number in [`DeviceDescriptor::strings`].
    String(usize),
    Configure,
    /// A class request, whose failure has no effect.
    Class,
    /// Clears the halt of this pipe.
    ClearHalt(usize),
    /// A request of the caller, with its number.
    Caller(u32),
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::FirstBytes => "the first request for the device descriptor",
            Self::Address => "the request to take an address",
            Self::Device => "the request for the device descriptor",
            Self::Total | Self::Configuration => "the request for the configuration",
            Self::Configure => "the request to be configured",
            Self::Language | Self::String(_) => "the request for a string",
            Self::Class => "a request to an interface",
            Self::ClearHalt(_) => "the request to clear a halt",
            Self::Caller(_) => "a request of the caller",
        }
    }
}

fn get_descriptor(value: u16, index: u16, length: u16) -> Setup {
    Setup { request_type: FROM_DEVICE, request: GET_DESCRIPTOR, value, index, length }
}

/// Returns CLEAR_FEATURE(ENDPOINT_HALT).
pub(super) fn clear_halt(address: u8) -> Setup {
    let index = address.into();
    Setup { request_type: TO_ENDPOINT, request: CLEAR_FEATURE, value: 0, index, length: 0 }
}

/// Returns SET_REPORT for an output report.
pub(super) fn set_report(interface: u8, length: u16) -> Setup {
    Setup {
        request_type: CLASS_TO_INTERFACE,
        request: SET_REPORT,
        value: OUTPUT_REPORT,
        index: interface.into(),
        length,
    }
}

impl Host {
    /// Requests the first packet of the device descriptor, which has the size of packets. All other
    /// requests follow after a second reset.
    pub(super) fn begin_enumeration(&mut self) {
        let Some(max_packet) = self.known_packet else {
            let setup = get_descriptor(DEVICE, 0, FIRST_LENGTH);
            return self.request(Purpose::FirstBytes, setup, vec![]);
        };
        self.max_packet = max_packet;
        let setup = Setup {
            request_type: TO_DEVICE,
            request: SET_ADDRESS,
            value: ADDRESS.into(),
            index: 0,
            length: 0,
        };
        self.request(Purpose::Address, setup, vec![]);
    }

    /// Handles the end of a control transfer.
    pub(super) fn finished(
        &mut self,
        ns: u64,
        purpose: Purpose,
        result: Result<Vec<u8>, TransferError>,
    ) {
        let outcome = match (purpose, result) {
            (Purpose::Caller(id), result) => {
                if self.results.len() >= EVENTS_MAX {
                    self.results.pop_front();
                }
                self.results.push_back(ControlResult { id, result });
                Ok(())
            }
            (Purpose::Class, _) => Ok(()),
            (Purpose::ClearHalt(number), result) => {
                if let Some(pipe) = self.pipes.get_mut(number) {
                    match result {
                        Ok(_) => pipe.cleared(ns),
                        Err(error) => pipe.failed = Some(error),
                    }
                }
                Ok(())
            }
            (Purpose::Language | Purpose::String(_), result) => {
                self.string(purpose, &result.unwrap_or_default());
                Ok(())
            }
            (_, Ok(bytes)) => self.next_step(ns, purpose, &bytes).map_err(EnumerationError::from),
            (_, Err(error)) => Err(EnumerationError::Transfer { what: purpose.name(), error }),
        };
        if let Err(error) = outcome {
            self.fail(ns, error);
        }
    }

    fn next_step(&mut self, ns: u64, done: Purpose, bytes: &[u8]) -> Result<(), DescriptorError> {
        match done {
            Purpose::FirstBytes => {
                // The device may have more of its descriptor ready than the first packet; a second
                // reset makes it drop that.
                self.known_packet = Some(descriptors::first_max_packet(bytes)?);
                self.state = State::Debounce(ns);
            }
            Purpose::Address => {
                self.address = ADDRESS;
                self.request(Purpose::Device, get_descriptor(DEVICE, 0, 18), vec![]);
                if let Some(request) = self.requests.back_mut() {
                    request.not_before_ns = ns + ADDRESS_NS;
                }
            }
            Purpose::Device => {
                let descriptor = DeviceDescriptor::parse(bytes)?;
                self.device = Some(Device {
                    descriptor,
                    configuration: Configuration::default(),
                    strings: [const { None }; 3],
                    serials: vec![],
                    hids: vec![],
                    language: 0,
                });
                self.request(Purpose::Total, get_descriptor(CONFIGURATION, 0, 9), vec![]);
            }
            Purpose::Total => {
                let total = descriptors::total_length(bytes)?;
                self.request(
                    Purpose::Configuration,
                    get_descriptor(CONFIGURATION, 0, total),
                    vec![],
                );
            }
            Purpose::Configuration => {
                let configuration = Configuration::parse(bytes)?;
                if let Some(device) = &mut self.device {
                    device.serials = configuration.serial_functions();
                    device.hids = configuration.hid_functions();
                    device.configuration = configuration;
                }
                self.request(Purpose::Language, get_descriptor(STRING, 0, STRING_BYTES), vec![]);
            }
            Purpose::Configure => self.configured(),
            _ => {}
        }
        Ok(())
    }

    /// Processes a string or the languages, and requests the next string or sets the configuration.
    /// A string that fails is treated as one that does not exist.
    fn string(&mut self, done: Purpose, bytes: &[u8]) {
        let Some(device) = &mut self.device else { return };
        let numbers = device.descriptor.strings;
        let (first, language) = match done {
            Purpose::String(number) => {
                if let Some(string) = device.strings.get_mut(number) {
                    *string = descriptors::text(bytes);
                }
                (number + 1, Some(device.language))
            }
            _ => (0, descriptors::language(bytes)),
        };
        device.language = language.unwrap_or_default();
        let next = (first..numbers.len()).find(|number| numbers[*number] != 0);
        match next.filter(|_| language.is_some()) {
            Some(number) => {
                let value = STRING | u16::from(numbers[number]);
                let setup = get_descriptor(value, device.language, STRING_BYTES);
                self.request(Purpose::String(number), setup, vec![]);
            }
            None => {
                let setup = Setup {
                    request_type: TO_DEVICE,
                    request: SET_CONFIGURATION,
                    value: device.configuration.value.into(),
                    index: 0,
                    length: 0,
                };
                self.request(Purpose::Configure, setup, vec![]);
            }
        }
    }

    /// Makes the device's functions available, after it has set its configuration.
    fn configured(&mut self) {
        let Some(device) = &self.device else { return };
        let (serials, hids) = (device.serials.clone(), device.hids.clone());
        self.configured = true;
        self.failures = 0;
        for function in &serials {
            self.add_port(function);
        }
        for hid in &hids {
            self.pipe(hid.input);
            if let Some(output) = hid.output {
                self.pipe(output);
            }
            let setup = Setup {
                request_type: CLASS_TO_INTERFACE,
                request: SET_IDLE,
                value: 0,
                index: hid.interface.into(),
                length: 0,
            };
            self.request(Purpose::Class, setup, vec![]);
        }
        self.event(Event::Configured);
    }
}
