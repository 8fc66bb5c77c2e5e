//! The origin of a model: its maker, the licence of its weights, and its names in other programs and at
//! providers. Descriptive only, except that a route may use a name from `upstream`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The place where the model itself runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hosting {
    /// Its weights are available.
    OpenWeights,
    /// Only its maker runs it.
    HostedApi,
}

/// The licence of the weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct License {
    /// An SPDX expression, with `LicenseRef-…` for licences that SPDX does not list; absent if the
    /// licence is not certain.
    pub id: Option<String>,
    /// Its name, if the expression does not contain it.
    pub name: Option<String>,
    pub commercial: Commercial,
    /// A fact to know before use, as a sentence.
    pub note: Option<String>,
}

/// Whether the weights may be used commercially.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Commercial {
    Yes,
    No,
    /// Under conditions that the note names.
    Conditions,
    /// Sources disagree or say nothing: read the licence first.
    Unknown,
}

impl License {
    /// The first fault of the licence entry, if it has one.
    pub(crate) fn fault(&self) -> Option<String> {
        if let Some(id) = &self.id
            && let Err(error) = spdx::Expression::parse(id)
        {
            return Some(format!(
                "`license.id` must be an SPDX expression such as Apache-2.0 or LicenseRef-Name (got `{id}`): {}",
                error.reason
            ));
        }
        if self.id.as_ref().is_some_and(|id| id.contains("LicenseRef-")) && self.name.is_none() {
            return Some("`license.name` is missing: an id of LicenseRef-… requires it".to_owned());
        }
        let explained = self.note.as_ref().is_some_and(|note| !note.trim().is_empty());
        if matches!(self.commercial, Commercial::Conditions | Commercial::Unknown) && !explained {
            return Some(
                "`license.note` is missing: it must name the conditions, or say what is not known".to_owned(),
            );
        }
        None
    }
}

/// The model's names elsewhere, the main one first.
pub type Upstream = BTreeMap<Place, Vec<String>>;

/// A program or provider with a name of its own for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Hugging Face repositories: `owner/name`.
    Huggingface,
    /// Pipeline classes of the diffusers library.
    Diffusers,
    /// Names of ComfyUI's workflow templates.
    Comfyui,
    /// Pages of stable-diffusion.cpp's documentation.
    StableDiffusionCpp,
    /// Entries of LocalAI's gallery.
    Localai,
    /// Names in Xinference's registry.
    Xinference,
    /// Pipeline classes or names of vLLM-Omni.
    VllmOmni,
    /// Endpoints of fal.
    Fal,
    /// Models of Replicate: `owner/name`.
    Replicate,
    /// The name in the maker's own API.
    Api,
    /// The program, class or script of the maker's repository that runs it.
    Runner,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn license(id: Option<&str>, name: Option<&str>, commercial: Commercial, note: Option<&str>) -> License {
        License {
            id: id.map(str::to_owned),
            name: name.map(str::to_owned),
            commercial,
            note: note.map(str::to_owned),
        }
    }

    #[test]
    fn a_licence_is_an_spdx_expression_and_says_its_conditions() {
        use Commercial::{Conditions, No, Unknown, Yes};
        let good = [
            license(Some("Apache-2.0"), None, Yes, None),
            license(Some("MIT AND CC-BY-NC-4.0"), None, No, None),
            license(
                Some("LicenseRef-Own"),
                Some("Own terms"),
                Conditions,
                Some("Below a size."),
            ),
            license(None, None, Unknown, Some("Not stated.")),
        ];
        for license in good {
            assert_eq!(license.fault(), None, "{license:?}");
        }
        let wrong = [
            (
                license(Some("Apache 2"), None, Yes, None),
                "`license.id` must be an SPDX expression",
            ),
            (
                license(Some("apache-license"), None, Yes, None),
                "`license.id` must be an SPDX expression",
            ),
            (
                license(Some("LicenseRef-Own"), None, No, None),
                "`license.name` is missing",
            ),
            (
                license(Some("MIT"), None, Conditions, None),
                "`license.note` is missing",
            ),
            (
                license(None, None, Unknown, Some(" ")),
                "`license.note` is missing",
            ),
        ];
        for (license, part) in wrong {
            let fault = license.fault().unwrap();
            assert!(fault.starts_with(part), "{fault}");
        }
    }
}
