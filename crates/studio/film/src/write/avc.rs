//! H.264 High by openh264: one frame in, one sample out.

use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, Profile, QpRange,
    RateControlMode, UsageType, VuiConfig,
};
use openh264::formats::YUVSlices;
use openh264::{OpenH264API, Timestamp};

use super::{Rate, Video};
use crate::Error;
use crate::color::I420;

/// Seconds between key frames. They set how exactly a player can seek.
const KEY_EVERY: f64 = 2.0;
/// A bit rate so high that only the quantizer decides.
const UNBOUND: u32 = 100_000_000;

const SPS: u8 = 7;
const PPS: u8 = 8;
/// Marks where a frame begins in a byte stream. In a file, the sample's bounds do that.
const DELIMITER: u8 = 9;

pub(super) struct Avc {
    encoder: Encoder,
    rate: Rate,
    frames: u64,
    pub(super) sps: Vec<u8>,
    pub(super) pps: Vec<u8>,
}

impl Avc {
    pub(super) fn new(video: &Video) -> Result<Self, Error> {
        let rate = f64::from(video.rate.frames) / f64::from(video.rate.seconds);
        let config = EncoderConfig::new()
            // Other usage types are refused, or are for screen content.
            .usage_type(UsageType::CameraVideoRealTime)
            .profile(Profile::High)
            .complexity(Complexity::Medium)
            // With equal bounds, every frame has this quantizer, whatever the bit rate says.
            .rate_control_mode(RateControlMode::Quality)
            .qp(QpRange::new(video.quantizer, video.quantizer))
            .bitrate(BitRate::from_bps(UNBOUND))
            // A skipped frame would shift all later ones.
            .skip_frames(false)
            .adaptive_quantization(false)
            .background_detection(false)
            .scene_change_detect(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames(
                (rate * KEY_EVERY).round().max(1.0) as u32,
            ))
            .max_frame_rate(FrameRate::from_hz(rate as f32))
            // With one slice per frame, more threads gain nothing.
            .num_threads(1)
            .vui(VuiConfig::bt709());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config).map_err(failed)?;
        Ok(Self {
            encoder,
            rate: video.rate,
            frames: 0,
            sps: Vec::new(),
            pps: Vec::new(),
        })
    }

    /// Encodes a frame into `sample`: units, each after its length in four bytes. Returns whether it is a key frame.
    pub(super) fn code(&mut self, frame: &I420, sample: &mut Vec<u8>) -> Result<bool, Error> {
        let planes = frame.planes();
        let source = YUVSlices::new(
            (planes.y, planes.u, planes.v),
            (frame.width, frame.height),
            (frame.width, frame.width / 2, frame.width / 2),
        );
        let time = Timestamp::from_millis((self.rate.time_of(self.frames) * 1000.0) as u64);
        let coded = self.encoder.encode_at(&source, time).map_err(failed)?;
        let key = coded.frame_type() == FrameType::IDR;
        sample.clear();
        for layer in (0..coded.num_layers()).filter_map(|i| coded.layer(i)) {
            for unit in (0..layer.nal_count()).filter_map(|i| layer.nal_unit(i)) {
                let unit = without_start(unit);
                match unit.first().map(|head| head & 0x1f) {
                    Some(SPS) => self.sps = unit.to_vec(),
                    Some(PPS) => self.pps = unit.to_vec(),
                    None | Some(DELIMITER) => {}
                    Some(_) => {
                        sample.extend_from_slice(&(unit.len() as u32).to_be_bytes());
                        sample.extend_from_slice(unit);
                    }
                }
            }
        }
        if sample.is_empty() || self.sps.len() < 4 || self.pps.is_empty() {
            return Err(Error::Encoder(format!("frame {} came out empty", self.frames)));
        }
        self.frames += 1;
        Ok(key)
    }
}

/// A unit without the start code of the byte stream.
fn without_start(unit: &[u8]) -> &[u8] {
    match unit {
        [0, 0, 0, 1, rest @ ..] | [0, 0, 1, rest @ ..] => rest,
        all => all,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn failed(error: openh264::Error) -> Error {
    Error::Encoder(format!("H.264: {error}"))
}
