//! How requests in the form of OpenAI's interface name things: sizes in pixels, qualities and voices, as fields of the
//! model. Sizes follow from the model's own fields; a model file may add more, and the rest.

use serde_json::{Map, Value, json};

use crate::{
    model::{Model, ModelType},
    parameter::{Parameter, Role},
    standard::pixels,
};

/// The sizes of OpenAI's models, which models with shapes and resolutions may follow.
const PICTURES: [&str; 7] = [
    "256x256",
    "512x512",
    "1024x1024",
    "1536x1024",
    "1024x1536",
    "1792x1024",
    "1024x1792",
];
const VIDEOS: [&str; 6] = [
    "1280x720",
    "720x1280",
    "1792x1024",
    "1024x1792",
    "1920x1080",
    "1080x1920",
];
/// How much a shape may differ from the requested one, as a factor.
const NEAR: f64 = 1.04;
/// Pixels of a square with the resolution `1K`.
const PIXELS_OF_1K: f64 = 1024.0 * 1024.0;

impl Model {
    /// The parameter with this role, or with the role's standard name.
    pub fn meaning(&self, role: Role) -> Option<&Parameter> {
        meaning(&self.parameters, role).map(|index| &self.parameters[index])
    }

    /// The fields that a size in pixels stands for; `None` if the model cannot make it.
    pub fn openai_size(&self, size: &str) -> Option<Map<String, Value>> {
        if let Some(fields) = self.openai.sizes.get(size) {
            return Some(fields.clone());
        }
        let shape = self.meaning(Role::Size)?;
        let options = shape.options.as_deref().unwrap_or_default();
        if let Some(option) = options.iter().find(|option| *option == size) {
            return Some(Map::from_iter([(shape.name.clone(), option.clone())]));
        }
        let (width, height) = pixels(size)?;
        let ratio = f64::from(width) / f64::from(height);
        let distance = |option: &Value| {
            let (width, height) = option.as_str()?.split_once(':')?;
            let other = width.parse::<f64>().ok()? / height.parse::<f64>().ok()?;
            Some((ratio / other).max(other / ratio))
        };
        let (distance, nearest) = options
            .iter()
            .filter_map(|option| Some((distance(option)?, option)))
            .min_by(|left, right| left.0.total_cmp(&right.0))?;
        if distance > NEAR {
            return None;
        }
        let mut fields = Map::from_iter([(shape.name.clone(), nearest.clone())]);
        if let Some(resolution) = self.meaning(Role::Resolution) {
            fields.insert(
                resolution.name.clone(),
                resolution_of(resolution, (width, height))?,
            );
        }
        Some(fields)
    }

    /// The sizes that requests may name, for messages and lists.
    pub fn openai_sizes(&self) -> Vec<String> {
        let mut sizes: Vec<String> = self.openai.sizes.keys().cloned().collect();
        let own = self
            .with_role(Role::Size)
            .and_then(|shape| shape.options.as_deref());
        let own = own
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|option| pixels(option).is_some());
        let common: &[&str] = if self.model_type == ModelType::Video {
            &VIDEOS
        } else {
            &PICTURES
        };
        let common = common
            .iter()
            .copied()
            .filter(|size| self.openai_size(size).is_some());
        for size in own.chain(common) {
            if !sizes.iter().any(|known| known == size) {
                sizes.push(size.to_owned());
            }
        }
        sizes
    }
}

pub(crate) fn meaning(parameters: &[Parameter], role: Role) -> Option<usize> {
    let with_role = |parameter: &Parameter| parameter.role == Some(role);
    let by_name = |parameter: &Parameter| parameter.role.is_none() && parameter.name == role.standard_name();
    let find = |is: &dyn Fn(&Parameter) -> bool| parameters.iter().position(is);
    find(&with_role).or_else(|| find(&by_name))
}

/// The option of a resolution (`720p`, `2K`) that fits a size: by the shorter side, or the nearest number of pixels.
fn resolution_of(resolution: &Parameter, (width, height): (u32, u32)) -> Option<Value> {
    let options = resolution.options.as_deref().unwrap_or_default();
    let by_side = json!(format!("{}p", width.min(height)));
    if options.contains(&by_side) {
        return Some(by_side);
    }
    let wanted = (f64::from(width) * f64::from(height)).ln();
    let distance = |option: &Value| {
        let thousands: f64 = option.as_str()?.strip_suffix('K')?.parse().ok()?;
        Some(((thousands * thousands * PIXELS_OF_1K).ln() - wanted).abs())
    };
    options
        .iter()
        .filter_map(|option| Some((distance(option)?, option)))
        .min_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, option)| option.clone())
}
