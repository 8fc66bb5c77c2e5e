//! One set of names for parameters that models name differently. A role has common names, which requests may
//! use beside the model's own, and one standard name, under which engines find its value.

use serde_json::{Map, Value};

use crate::{
    model::{Model, Target},
    parameter::{Parameter, Role},
};

impl Role {
    /// The name under which engines find the value. Sizes in pixels have two: see [`Model::by_role`].
    pub const fn standard_name(self) -> &'static str {
        match self {
            Self::Text => "prompt",
            Self::NegativeText => "negative_prompt",
            Self::Lyrics => "lyrics",
            Self::Duration => "duration",
            Self::Size => "aspect_ratio",
            Self::Resolution => "resolution",
            Self::Count => "n",
            Self::Seed => "seed",
            Self::Strength => "strength",
            Self::Images | Self::Frames => "image_urls",
            Self::References => "reference_image_urls",
            Self::Mask => "mask_url",
            Self::SourceVideo => "video_url",
            Self::ConditioningAudio => "audio_url",
            Self::ReferenceAudio => "reference_audio_urls",
            Self::VoiceSample => "voice_sample_url",
            Self::Voice => "voice",
            Self::Language => "language_code",
        }
    }

    /// The names that requests may use for the parameter at `index`, unless the model has a field of that name.
    pub(crate) fn common_names(self, index: usize) -> Vec<(&'static str, Target)> {
        let common = Target::Common(index);
        match self {
            Self::Duration => vec![("duration_seconds", common)],
            Self::Frames => vec![
                ("start_frame_url", Target::Frame(index, 0)),
                ("end_frame_url", Target::Frame(index, 1)),
            ],
            Self::ReferenceAudio | Self::VoiceSample => vec![("audio_url", common)],
            role => vec![(role.standard_name(), common)],
        }
    }
}

impl Parameter {
    /// The name under which engines find its value: the standard name of its role, or its own name.
    pub fn standard_name(&self) -> &str {
        match self.role {
            Some(role) => role.standard_name(),
            None => &self.name,
        }
    }
}

impl Model {
    /// Checked parameters as engines receive them: under the model's own names and also under the standard
    /// names of their roles. A size in pixels, `1280x720`, becomes `width` and `height`.
    pub fn by_role(&self, params: &Map<String, Value>) -> Map<String, Value> {
        let mut named = params.clone();
        for parameter in &self.parameters {
            let (Some(role), Some(value)) = (parameter.role, params.get(&parameter.name)) else {
                continue;
            };
            match value.as_str().filter(|_| role == Role::Size).and_then(pixels) {
                Some((width, height)) => {
                    named.entry("width").or_insert_with(|| width.into());
                    named.entry("height").or_insert_with(|| height.into());
                }
                None => {
                    named.entry(role.standard_name()).or_insert_with(|| value.clone());
                }
            }
        }
        named
    }
}

/// Width and height of `1280x720`.
pub(crate) fn pixels(size: &str) -> Option<(u32, u32)> {
    let (width, height) = size.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=16_384).contains(side));
    Some((side(width)?, side(height)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_in_pixels_is_two_numbers_separated_by_x() {
        assert_eq!(pixels("1280x720"), Some((1280, 720)));
        for other in [
            "16:9",
            "1280",
            "x720",
            "1280x",
            "0x720",
            "1280x720x3",
            "auto",
            "1e3x720",
        ] {
            assert_eq!(pixels(other), None, "{other}");
        }
    }
}
