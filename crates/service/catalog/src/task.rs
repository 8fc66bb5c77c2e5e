//! The tasks of models, in one vocabulary: `capabilities.tasks` holds these words and no others.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that a model can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// A picture from words.
    TextToImage,
    /// A variation of a picture.
    ImageToImage,
    /// A picture edited by an instruction.
    ImageEdit,
    /// A picture of the people, things or styles in other pictures.
    ReferenceToImage,
    /// A part of a picture, replaced.
    Inpaint,
    /// A picture continued beyond its edges.
    Outpaint,
    /// A picture separated into layers.
    LayerSeparation,
    /// A picture enlarged.
    Upscale,
    /// A picture made clearer.
    Enhance,
    /// The subject of a picture, cut out.
    BackgroundRemoval,
    /// A picture in other light.
    Relight,
    /// A picture from another side.
    CameraAngle,
    /// A video from words.
    TextToVideo,
    /// A video that starts with a picture.
    ImageToVideo,
    /// A video from one picture to another.
    FirstLastFrame,
    /// A video of the people, things or styles in pictures.
    ReferenceToVideo,
    /// A video that follows the outlines, depth or poses of another.
    ControlToVideo,
    /// A picture with a moving camera.
    CameraControl,
    /// A video edited by words.
    VideoEdit,
    /// A video continued.
    VideoExtend,
    /// A part of a video, replaced or removed.
    VideoInpaint,
    /// A video continued beyond its edges.
    VideoOutpaint,
    /// A video enlarged or restored.
    VideoUpscale,
    /// A performance transferred to another figure.
    MotionTransfer,
    /// A video from sound.
    AudioToVideo,
    /// Lips that match a recording.
    LipSync,
    /// Words spoken.
    TextToSpeech,
    /// Words spoken by several voices in turn.
    Dialogue,
    /// A voice cloned from a recording.
    VoiceCloning,
    /// A voice made from a description.
    VoiceDesign,
    /// A recording in another voice.
    VoiceConversion,
    /// A recording in another language.
    Dubbing,
    /// Music from words, with or without lyrics.
    Music,
    /// Music from music: a cover, or a new piece on a melody.
    MusicFromAudio,
    /// A section of a track, replaced.
    MusicSection,
    /// Sounds from words.
    SoundEffects,
    /// A sound changed or continued.
    AudioEdit,
    /// Sound for a video.
    VideoToAudio,
    /// A song separated into voices and instruments.
    StemSeparation,
}

/// Reads the `tasks` of a model's capabilities; the error says what is wrong with them.
pub(crate) fn read(tasks: Option<&Value>) -> Result<Vec<Task>, String> {
    let Some(tasks) = tasks else {
        return Ok(Vec::new());
    };
    let Value::Array(words) = tasks else {
        return Err(format!("`capabilities.tasks` must be a list (got {tasks})"));
    };
    let mut read = Vec::with_capacity(words.len());
    for word in words {
        let task = Task::deserialize(word).map_err(|error| format!("`capabilities.tasks`: {error}"))?;
        if read.contains(&task) {
            return Err(format!("`capabilities.tasks` names {word} twice"));
        }
        read.push(task);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tasks_are_words_of_the_vocabulary_each_once() {
        assert_eq!(
            read(Some(&json!(["text-to-image", "first-last-frame"]))),
            Ok(vec![Task::TextToImage, Task::FirstLastFrame])
        );
        assert_eq!(read(None), Ok(vec![]));
        let wrong = [
            (json!("inpaint"), "must be a list"),
            (
                json!(["txt2img"]),
                "unknown variant `txt2img`, expected one of `text-to-image`",
            ),
            (json!([1]), "invalid type"),
            (json!(["music", "music"]), "names \"music\" twice"),
        ];
        for (tasks, part) in wrong {
            let error = read(Some(&tasks)).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
