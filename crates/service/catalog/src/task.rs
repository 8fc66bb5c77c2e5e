//! What models do, in one vocabulary: `capabilities.tasks` holds these words and no others.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that a model can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// A picture from words.
    TextToImage,
    /// A picture from a picture, kept more or less.
    ImageToImage,
    /// A picture changed as an instruction says.
    ImageEdit,
    /// A picture of the people, things or styles that other pictures show.
    ReferenceToImage,
    /// A part of a picture made anew.
    Inpaint,
    /// A picture continued beyond its edges.
    Outpaint,
    /// A picture taken apart into layers.
    LayerSeparation,
    /// A picture enlarged.
    Upscale,
    /// A picture made clearer.
    Enhance,
    /// What a picture shows, cut out.
    BackgroundRemoval,
    /// A picture in other light.
    Relight,
    /// A picture from another side.
    CameraAngle,
    /// A video from words.
    TextToVideo,
    /// A video that begins with a picture.
    ImageToVideo,
    /// A video from one picture to another.
    FirstLastFrame,
    /// A video of the people, things or styles that pictures show.
    ReferenceToVideo,
    /// A video that follows the outlines, depth or poses of another.
    ControlToVideo,
    /// A picture moved as the camera is told.
    CameraControl,
    /// A video changed as words say.
    VideoEdit,
    /// A video continued.
    VideoExtend,
    /// A part of a video made anew, or taken away.
    VideoInpaint,
    /// A video continued beyond its edges.
    VideoOutpaint,
    /// A video enlarged or restored.
    VideoUpscale,
    /// A performance put on somebody else.
    MotionTransfer,
    /// A video from sound.
    AudioToVideo,
    /// Lips that say what is heard.
    LipSync,
    /// Words spoken.
    TextToSpeech,
    /// Words spoken by several voices in turn.
    Dialogue,
    /// A voice taken from a recording.
    VoiceCloning,
    /// A voice made from a description.
    VoiceDesign,
    /// A recording in another voice.
    VoiceConversion,
    /// A recording in another language.
    Dubbing,
    /// Music from words, with or without lyrics.
    Music,
    /// Music from music: a cover, or a melody followed.
    MusicFromAudio,
    /// A stretch of a track made anew.
    MusicSection,
    /// Sounds from words.
    SoundEffects,
    /// A sound changed or continued.
    AudioEdit,
    /// Sound for a video.
    VideoToAudio,
    /// A song taken apart into voices and instruments.
    StemSeparation,
}

/// Reads the `tasks` of a model's capabilities; the error says what is wrong with them.
pub(crate) fn read(tasks: Option<&Value>) -> Result<Vec<Task>, String> {
    let Some(tasks) = tasks else {
        return Ok(Vec::new());
    };
    let Value::Array(words) = tasks else {
        return Err(format!("`capabilities.tasks` must be a list, not {tasks}"));
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
