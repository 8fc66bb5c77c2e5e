/** The models of the catalog, with the types of their inputs. Written by clients/generate from the catalog. Do not edit. */

/** Songs of ten seconds to ten minutes with lyrics in many languages, or a cover of a track. */
export interface AceStep15Input {
  /** A track to cover. */
  audio_url?: string;
  /** Beats per minute. From 30 to 300. */
  bpm?: number;
  /** Duration in seconds. From 10 to 600. Default: 60. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 7. */
  guidance_scale?: number;
  /** Such as C major or F# minor. */
  key_scale?: string;
  /** The language of the lyrics, as an ISO 639-1 code; detected if absent. */
  language_code?: string;
  /** The words to sing, with tags such as [verse] and [chorus]; [Instrumental] for no vocals. */
  lyrics?: string;
  /** The file format. Default: "mp3". */
  output_format?: "mp3" | "wav" | "flac";
  /** The style: genre, instruments, mood, voice. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 20. Default: 8. */
  steps?: number;
  /** How closely a cover follows its source. From 0 to 1. Default: 1. */
  strength?: number;
  /** More style words, separated by commas. */
  tags?: string;
  /** Beats in a bar. */
  time_signature?: 2 | 3 | 4 | 6;
}

/** Short loops in the style of any Stable Diffusion 1.5 model, or a video in that style. */
export interface AnimatediffSd15Input {
  /** How closely to follow the prompt. From 0 to 20. Default: 7.5. */
  guidance_scale?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.8. */
  strength?: number;
  /** A video to restyle. */
  video_url?: string;
}

/** Cuts out the subject of a picture, on a transparent, white, black or coloured background. */
export interface BackgroundRemovalInput {
  /** The new background. Default: "transparent". */
  background?: "transparent" | "white" | "black" | "color";
  /** The background colour, in hex such as #ff8800, if background is color. Default: "#ffffff". */
  color?: string;
  /** The softness of the edge, in pixels. From 0 to 20. Default: 1. */
  feather?: number;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** Accepted for consistency; this tool ignores it. */
  prompt?: string;
}

/** Shows a picture as if the camera had moved around it. */
export interface CameraAngleInput {
  /** Degrees to the side: negative is left. From -60 to 60. Default: 0. */
  azimuth?: number;
  /** Degrees up: negative is down. From -30 to 30. Default: 0. */
  elevation?: number;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** A description of the angle. */
  prompt?: string;
  /** Degrees turned clockwise. From -45 to 45. Default: 0. */
  roll?: number;
  /** A value above 1 is closer. From 0.5 to 2. Default: 1. */
  zoom?: number;
}

/** Speech in 23 languages, with a voice of your own if you send one, as calm or as lively as you like. */
export interface ChatterboxMultilingualInput {
  /** A recording of the voice to use; without one, the built-in voice. */
  audio_url?: string;
  /** A lower value speaks more slowly and freely. From 0 to 1. Default: 0.5. */
  cfg_weight?: number;
  /** A higher value is more expressive. From 0 to 2. Default: 0.5. */
  exaggeration?: number;
  /** The language of the speech. Default: "en". */
  language_code?: "ar" | "da" | "de" | "el" | "en" | "es" | "fi" | "fr" | "he" | "hi" | "it" | "ja" | "ko" | "ms" | "nl" | "no" | "pl" | "pt" | "ru" | "sv" | "sw" | "tr" | "zh";
  /** A higher value is livelier and less even. From 0 to 2. Default: 0.8. */
  temperature?: number;
  /** The text to speak. */
  text: string;
}

/** The same words at the same pace, in another voice. */
export interface ChatterboxVoiceConversionInput {
  /** The recording to convert. */
  audio_url: string;
  /** A recording of the voice to use; without one, the built-in voice. */
  reference_audio_url?: string;
}

/** An open relative of FLUX.1 [schnell] that supports negative prompts and guidance. */
export interface Chroma1HdInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 3. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** Five or ten seconds at 1360 by 768 pixels, from English words or a first picture. */
export interface Cogvideox155bInput {
  /** Duration in seconds. Default: 5. */
  duration?: 5 | 10;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows, in English. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1360x768". */
  size?: "1360x768";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Predicts scenes of robots, roads and other physical places, from words, a picture or a clip. */
export interface CosmosPredict252bInput {
  /** Duration in seconds. From 1 to 6. Default: 6. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 7. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1280x704". */
  size?: "1280x704";
  /** More steps take longer and show more detail. From 1 to 100. Default: 36. */
  steps?: number;
  /** A clip to continue. */
  video_url?: string;
}

/** Nine languages and many dialects of Chinese in a given voice, with instructions on how to speak. */
export interface Cosyvoice305bInput {
  /** A recording of the voice to use. */
  audio_url: string;
  /** How to speak, in words. */
  instructions?: string;
  /** The language of the speech, for your records: the model detects it from the text. */
  language_code?: "zh" | "en" | "ja" | "ko" | "de" | "es" | "fr" | "it" | "ru";
  /** The words of the voice sample. */
  reference_text?: string;
  /** 1 is the usual speed, 2 is twice as fast. From 0.5 to 2. Default: 1. */
  speed?: number;
  /** The text to speak; [breath] becomes a breath, and Japanese must be written in katakana. */
  text: string;
}

/** Separates a song into vocals, drums, bass and the rest. */
export interface DemucsV4Input {
  /** The song to separate. */
  audio_url: string;
  /** Kilobits per second, for MP3. From 64 to 320. Default: 320. */
  mp3_bitrate?: number;
  /** The file format. Default: "wav". */
  output_format?: "wav" | "mp3";
  /** The overlap of one window with the next. From 0 to 0.99. Default: 0.25. */
  overlap?: number;
  /** The network to use: htdemucs_ft is slower and finer, htdemucs_6s also separates guitar and piano. Default: "htdemucs". */
  separator?: "htdemucs" | "htdemucs_ft" | "htdemucs_6s" | "hdemucs_mmi" | "mdx_extra";
  /** The number of shifted passes to average: more is slower and cleaner. From 0 to 10. */
  shifts?: number;
  /** The stems to return; all if absent. At most 6. */
  stems?: Array<"vocals" | "drums" | "bass" | "other" | "guitar" | "piano">;
  /** This stem, and the rest as one. */
  two_stems?: "vocals" | "drums" | "bass";
}

/** Two speakers in conversation, with the laughter and coughs of the script. */
export interface Dia16bInput {
  /** A recording of the voice to use, best 5 to 10 s long; put its transcript before the text. */
  audio_url?: string;
  /** How closely to follow the prompt. From 0 to 20. Default: 3. */
  guidance_scale?: number;
  /** The maximum length: about 86 tokens per second. From 86 to 3072. Default: 3072. */
  max_tokens?: number;
  /** A higher value is livelier and less even. From 0 to 2. Default: 1.8. */
  temperature?: number;
  /** A script for two: lines start with [S1] and [S2] in turn, and (laughs) or (coughs) become sounds. */
  text: string;
  /** The number of most likely tokens to sample from. From 1 to 1000. Default: 45. */
  top_k?: number;
  /** The share of the probability to sample from. From 0 to 1. Default: 0.9. */
  top_p?: number;
}

/** Dubs a recording into another language, with a similar voice for every speaker. */
export interface ElevenlabsDubbingInput {
  /** The recording to dub, audio or video, at most 300 s long; the result is audio. */
  audio_url: string;
  /** On: keep only the voices. Default: false. */
  drop_background_audio?: boolean;
  /** The end, in seconds. */
  end_time?: number;
  /** The language of the recording, as an ISO 639 code; detected if absent. */
  language_code?: string;
  /** The number of speakers; 0 detects it. From 0 to 32. Default: 0. */
  num_speakers?: number;
  /** The start, in seconds. */
  start_time?: number;
  /** The language to dub into, as an ISO 639 code such as de or deu. */
  target_language: string;
  /** On: censor swear words. */
  use_profanity_filter?: boolean;
}

/** Makes a picture clearer: less noise, sharper edges, better balanced colours. */
export interface EnhancerInput {
  /** Balances light and colours. Default: true. */
  color?: boolean;
  /** Removes noise. Default: true. */
  denoise?: boolean;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** Accepted for consistency; this tool ignores it. */
  prompt?: string;
  /** Sharpens edges. Default: true. */
  sharpen?: boolean;
  /** How much of the change to apply. From 0 to 1. Default: 0.5. */
  strength?: number;
}

/** Posters, comic panels and other structured layouts in eight steps. */
export interface ErnieImageTurboInput {
  /** On: expand the prompt with more detail first. Default: true. */
  enhance_prompt?: boolean;
  /** How closely to follow the prompt. From 0 to 20. Default: 1. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1024x1024". */
  size?: "1024x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 8. */
  steps?: number;
}

/** English and Chinese in the voice of a short recording. */
export interface F5TtsInput {
  /** A recording of the voice to use, at most 12 s long. */
  audio_url: string;
  /** How closely to follow the prompt. From 0 to 20. Default: 2. */
  guidance_scale?: number;
  /** The words of the voice sample; detected if absent. */
  reference_text?: string;
  /** On: remove long pauses. Default: false. */
  remove_silence?: boolean;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** 1 is the usual speed, 2 is twice as fast. From 0.3 to 2. Default: 1. */
  speed?: number;
  /** More steps take longer and sound cleaner. From 1 to 100. Default: 32. */
  steps?: number;
  /** The text to speak. */
  text: string;
}

/** Pictures that follow long descriptions closely, or start from a picture of your own. */
export interface Flux1DevInput {
  /** Width to height. Default: "1:1". */
  aspect_ratio?: "1:1" | "16:9" | "21:9" | "2:3" | "3:2" | "4:5" | "5:4" | "9:16" | "9:21";
  /** How closely to follow the prompt. From 0 to 10. Default: 3.5. */
  guidance_scale?: number;
  /** The picture to start from. At most 1. */
  image_urls?: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 50. Default: 28. */
  steps?: number;
  /** How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.8. */
  strength?: number;
}

/** Repaints the masked part of a picture from words, or extends it beyond its edges. */
export interface Flux1FillDevInput {
  /** How closely to follow the prompt. From 0 to 100. Default: 30. */
  guidance_scale?: number;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** A picture of the same shape: white is replaced, black is kept. */
  mask_url: string;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to put in the masked part. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Edits a picture by instruction and leaves the rest of it unchanged, edit after edit. */
export interface Flux1KontextDevInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 3.5. */
  guidance_scale?: number;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to change. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; by default the size nearest to the shape of the input picture. */
  size?: "672x1568" | "688x1504" | "720x1456" | "752x1392" | "800x1328" | "832x1248" | "880x1184" | "944x1104" | "1024x1024" | "1104x944" | "1184x880" | "1248x832" | "1328x800" | "1392x752" | "1456x720" | "1504x688" | "1568x672";
  /** More steps take longer and show more detail. From 1 to 100. Default: 28. */
  steps?: number;
}

/** Fast pictures from words in one to four steps, with weights that anyone may use. */
export interface Flux1SchnellInput {
  /** Width to height. Default: "1:1". */
  aspect_ratio?: "1:1" | "16:9" | "21:9" | "2:3" | "3:2" | "4:5" | "5:4" | "9:16" | "9:21";
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 4. Default: 4. */
  steps?: number;
}

/** A large model that draws from words and up to ten reference pictures. */
export interface Flux2DevInput {
  /** On: expand the prompt with more detail first. Default: false. */
  enhance_prompt?: boolean;
  /** How closely to follow the prompt. From 0 to 20. Default: 4. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** Up to 10 pictures of the subjects to show. At most 10. */
  reference_image_urls?: Array<string>;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1024x1024". */
  size?: "1024x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** A small model for drawing and editing in four steps on a single consumer GPU. */
export interface Flux2Klein4bInput {
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** Up to 2 pictures of the subjects to show. At most 2. */
  reference_image_urls?: Array<string>;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. By default those of the first reference image, or a square. */
  size?: "1024x1024" | "1152x896" | "896x1152" | "1248x832" | "832x1248" | "1360x768" | "768x1360" | "1568x672" | "672x1568";
  /** More steps take longer and show more detail. From 1 to 100. Default: 4. */
  steps?: number;
}

/** Long clips from a picture, up to two minutes, in as little as 6 GB of GPU memory. */
export interface FramepackI2vInput {
  /** Duration in seconds. From 1 to 120. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 1 to 32. Default: 10. */
  guidance_scale?: number;
  /** The first frame, and optionally the last. At most 2. */
  image_urls: Array<string>;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 25. */
  steps?: number;
  /** On: faster, with some loss of fine detail, for example in hands. Default: true. */
  teacache?: boolean;
}

/** Posters, diagrams and other pictures with much text, from words or pictures. */
export interface GlmImageInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 1.5. */
  guidance_scale?: number;
  /** Up to 4 pictures to edit or to use as references. At most 4. */
  image_urls?: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1024x1024". */
  size?: "1024x1024" | "1152x1024" | "1024x1056" | "2048x2048";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** OpenAI's fast picture model: drawing, editing with up to sixteen pictures, and masks. */
export interface GptImage25FlareInput {
  /** Up to 16 pictures to edit or to use as references. At most 16. */
  image_urls?: Array<string>;
  /** A picture of the same shape: white is replaced, black is kept. It applies to the first image. */
  mask_url?: string;
  /** The number of outputs. From 1 to 8. Default: 1. */
  n?: number;
  /** The file format. Default: "png". */
  output_format?: "png" | "jpeg" | "webp";
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** A higher quality takes longer; auto: the model decides. Default: "auto". */
  quality?: "auto" | "low" | "medium" | "high";
  /** Width and height in pixels; auto: the model decides. Default: "auto". */
  size?: "auto" | "1024x1024" | "1536x1024" | "1024x1536" | "2048x2048" | "2048x1152" | "1152x2048" | "3840x2160" | "2160x3840";
}

/** Pictures of four megapixels from words, edits of one picture, and scenes with up to ten given subjects. */
export interface HidreamO1ImageInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** One picture is edited; two to ten provide subjects. At most 10. */
  reference_image_urls?: Array<string>;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "2048x2048". */
  size?: "2048x2048";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Draws at about four megapixels natively, square, wide or tall, with text in two languages. */
export interface HunyuanImage21Input {
  /** How closely to follow the prompt. From 0 to 20. Default: 3.5. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "2048x2048". */
  size?: "2048x2048" | "2560x1536" | "1536x2560";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Clips of up to ten seconds from a first picture. */
export interface HunyuanVideo15I2vInput {
  /** Duration in seconds. From 1 to 10. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The shorter side, in pixels. Default: "720p". */
  resolution?: "480p" | "720p";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** On: a final pass increases the resolution. Default: true. */
  super_resolution?: boolean;
}

/** Clips of up to ten seconds from words, from a model that fits into a consumer GPU. */
export interface HunyuanVideo15T2vInput {
  /** Width to height. Default: "16:9". */
  aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  /** Duration in seconds. From 1 to 10. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The shorter side, in pixels. Default: "720p". */
  resolution?: "480p" | "720p";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** On: a final pass increases the resolution. Default: true. */
  super_resolution?: boolean;
}

/** Pictures from a description, alone or with up to ten reference pictures, in eight shapes at up to 4K. */
export interface ImageGen4Input {
  /** Up to 10 pictures to edit or to use as references. At most 10. */
  image_urls?: Array<string>;
  /** The number of pictures. From 1 to 15. Default: 1. */
  n?: number;
  /** What the picture shows, or how to change the reference pictures. */
  prompt: string;
  /** 1K, 2K and 4K are about 1, 4 and 16 megapixels in every shape. Default: "2K". */
  resolution?: "1K" | "2K" | "4K";
  /** The shape of the picture, width to height. Default: "1:1". */
  size?: "1:1" | "3:4" | "4:3" | "16:9" | "9:16" | "3:2" | "2:3" | "21:9";
}

/** A given voice in five languages, with separate control of mood and pace. */
export interface Indextts25Input {
  /** A recording of the voice to use. */
  audio_url: string;
  /** A recording with the mood to use. */
  emotion_audio_url?: string;
  /** The strength of the mood. From 0 to 1. Default: 1. */
  emotion_strength?: number;
  /** The mood in words. */
  emotion_text?: string;
  /** Moods to mix. At most 8. */
  emotions?: Array<"happy" | "angry" | "sad" | "afraid" | "disgusted" | "melancholic" | "surprised" | "calm">;
  /** The language of the speech. Default: "en". */
  language_code?: "zh" | "en" | "ja" | "es" | "ar";
  /** 1 is the usual speed, 2 is twice as fast. From 0.5 to 2. Default: 1. */
  speed?: number;
  /** The text to speak. */
  text: string;
}

/** Moves lips, head and body to a recording, in a video or from a portrait, at any length. */
export interface InfinitetalkInput {
  /** How closely the lips follow the sound. From 0 to 20. Default: 4. */
  audio_guidance_scale?: number;
  /** The speech; the video has its length. */
  audio_url: string;
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** A portrait to bring to life. At most 1. */
  image_urls?: Array<string>;
  /** clip: one short piece. streaming: long videos, piece by piece. Default: "streaming". */
  mode?: "clip" | "streaming";
  /** What the video shows. */
  prompt?: string;
  /** The shorter side, in pixels. Default: "480p". */
  resolution?: "480p" | "720p";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
  /** A video to dub. */
  video_url?: string;
}

/** Replaces the white part of a mask in a picture to match its surroundings. */
export interface InpaintInput {
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** A picture of the same shape: white is replaced, black is kept. */
  mask_url: string;
  /** What to put there; by default the surroundings are continued. */
  prompt?: string;
  /** The same seed with the same fields gives the same picture. */
  seed?: number;
}

/** Five or ten seconds from words in English or Russian, with a small model. */
export interface Kandinsky5LiteT2vInput {
  /** Duration in seconds. Default: 5. */
  duration?: 5 | 10;
  /** On: expand the prompt with more detail first. Default: true. */
  enhance_prompt?: boolean;
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "768x512". */
  size?: "768x512" | "512x768" | "512x512";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Five seconds from a first picture, in the same shape, with a large model. */
export interface Kandinsky5ProI2vInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** 512 is standard, 1024 is high definition; the shape is that of the first frame. Default: "512". */
  resolution?: "512" | "1024";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Kuaishou's model for 3 to 15 seconds with or without sound, from words or between two frames. */
export interface Kling30Input {
  /** Width to height. Default: "16:9". */
  aspect_ratio?: "16:9" | "9:16" | "1:1";
  /** Duration in seconds. From 3 to 15. Default: 5. */
  duration?: number;
  /** On: add a sound track. */
  generate_audio?: boolean;
  /** How closely to follow the prompt, 0 to 1. From 0 to 1. Default: 0.5. */
  guidance_scale?: number;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The shorter side, in pixels. Default: "1080p". */
  resolution?: "720p" | "1080p";
  /** The same seed with the same fields gives the same result. From 0 to 2147483647. */
  seed?: number;
}

/** Small and fast: 54 voices in nine languages and variants, even on a CPU. */
export interface Kokoro82mInput {
  /** The language of the speech; by default the language of the voice. */
  language_code?: "en-us" | "en-gb" | "es" | "fr-fr" | "hi" | "it" | "ja" | "pt-br" | "zh";
  /** The file format. Default: "mp3". */
  output_format?: "mp3" | "wav" | "opus" | "flac" | "aac" | "pcm";
  /** 1 is the usual speed, 2 is twice as fast. From 0.25 to 4. Default: 1. */
  speed?: number;
  /** The text to speak. */
  text: string;
  /** The voice. The first letter is the language: a American and b British English, e Spanish, f French, h Hindi, i Italian, j Japanese, p Portuguese, z Chinese; the second f for a woman, m for a man. Default: "af_heart". */
  voice?: "af_heart" | "af_alloy" | "af_aoede" | "af_bella" | "af_jessica" | "af_kore" | "af_nicole" | "af_nova" | "af_river" | "af_sarah" | "af_sky" | "am_adam" | "am_echo" | "am_eric" | "am_fenrir" | "am_liam" | "am_michael" | "am_onyx" | "am_puck" | "am_santa" | "bf_alice" | "bf_emma" | "bf_isabella" | "bf_lily" | "bm_daniel" | "bm_fable" | "bm_george" | "bm_lewis" | "ef_dora" | "em_alex" | "em_santa" | "ff_siwis" | "hf_alpha" | "hf_beta" | "hm_omega" | "hm_psi" | "if_sara" | "im_nicola" | "jf_alpha" | "jf_gongitsune" | "jf_nezumi" | "jf_tebukuro" | "jm_kumo" | "pf_dora" | "pm_alex" | "pm_santa" | "zf_xiaobei" | "zf_xiaoni" | "zf_xiaoxiao" | "zf_xiaoyi" | "zm_yunjian" | "zm_yunxi" | "zm_yunxia" | "zm_yunyang";
}

/** Many art styles in eight steps, at one or four megapixels. */
export interface Krea2TurboInput {
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1024x1024". */
  size?: "1024x1024" | "2048x2048";
  /** More steps take longer and show more detail. From 1 to 100. Default: 8. */
  steps?: number;
}

/** Matches the lips of a filmed speaker to another sound track. */
export interface Latentsync16Input {
  /** The speech that the lips follow. */
  audio_url: string;
  /** A higher value matches the lips more closely and may jitter. From 1 to 3. Default: 2. */
  guidance_scale?: number;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 20 to 50. Default: 20. */
  steps?: number;
  /** The video of a face. */
  video_url: string;
}

/** Transfers the expressions and head movements of a video to a portrait or another video. */
export interface LiveportraitInput {
  /** What moves: everything, expression, pose, lips or eyes. Default: "all". */
  animation_region?: "all" | "exp" | "pose" | "lip" | "eyes";
  /** The source of the sound. Default: "driving". */
  audio_priority?: "driving" | "source";
  /** On: crop the driving video to the face. Default: false. */
  crop_driving_video?: boolean;
  /** 1 moves as much as the driving video. From 0 to 3. Default: 1. */
  driving_multiplier?: number;
  /** Whether to favour expressions or head movements. Default: "expression-friendly". */
  driving_option?: "expression-friendly" | "pose-friendly";
  /** The portrait to bring to life. At most 1. */
  image_urls?: Array<string>;
  /** On: movements are relative to the first frame of the driving video. Default: true. */
  relative_motion?: boolean;
  /** A video to animate, instead of a portrait. */
  source_video_url?: string;
  /** On: blend the moved head with the shoulders. Default: true. */
  stitching?: boolean;
  /** The video with the expressions and movements to copy. */
  video_url: string;
}

/** Clips from words or a picture and continuations of up to a minute, refined from 480p to 720p. */
export interface LongcatVideoInput {
  /** Duration in seconds. From 6 to 60. Default: 6. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 4. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The shorter side, in pixels. Default: "480p". */
  resolution?: "480p" | "720p";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** A video to continue. */
  video_url?: string;
}

/** Picture and sound made together, from words or from a first picture. */
export interface Ltx219bInput {
  /** Duration in seconds. From 1 to 10. Default: 5. */
  duration?: number;
  /** On: add a sound track. Default: true. */
  generate_audio?: boolean;
  /** How closely to follow the prompt. From 0 to 20. Default: 3. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "768x512". */
  size?: "768x512" | "1536x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** A clip that moves to your recording and has it as its sound track. */
export interface Ltx23AudioToVideoInput {
  /** The sound track, to which the video moves. */
  audio_url: string;
  /** Duration in seconds. From 1 to 10. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 3. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1536x1024". */
  size?: "1536x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 30. */
  steps?: number;
}

/** Lets a person in a video say something else, in the same voice and with matching lips. */
export interface Ltx23DubitInput {
  /** The scene, and the new words. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1536x1024". */
  size?: "1536x1024";
  /** How closely to follow the source video. From 0 to 1. Default: 1. */
  strength?: number;
  /** The video of a speaker, with its sound; the result has the same length. */
  video_url: string;
}

/** Video with sound, in one scene or several, from words or between a first and a last picture. */
export interface Ltx2522bInput {
  /** Duration in seconds. From 1 to 20. Default: 5. */
  duration?: number;
  /** On: expand the prompt with more detail first. Default: false. */
  enhance_prompt?: boolean;
  /** Frames per second. From 1 to 50. Default: 24. */
  fps?: number;
  /** On: add a sound track. Default: true. */
  generate_audio?: boolean;
  /** How closely to follow the prompt. From 0 to 20. Default: 3. */
  guidance_scale?: number;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "768x512". */
  size?: "768x512" | "1536x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 30. */
  steps?: number;
}

/** Fast clips from words or pictures, or the continuation of a video. */
export interface LtxVideo13b098Input {
  /** Duration in seconds. From 1 to 60. Default: 4. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 1. */
  guidance_scale?: number;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1216x704". */
  size?: "1216x704" | "704x1216" | "704x512";
  /** A video to continue. */
  video_url?: string;
}

/** Video generated a second at a time, from words, from a picture or as the continuation of a clip. */
export interface Magi145bInput {
  /** Duration in seconds. From 1 to 10. Default: 4. */
  duration?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "720x720". */
  size?: "720x720";
  /** More steps take longer and show more detail. From 1 to 100. Default: 64. */
  steps?: number;
  /** A clip to continue. */
  video_url?: string;
}

/** Clips with stereo sound from words, first and last pictures, or reference pictures, videos and sounds. */
export interface MinimaxH3Input {
  /** Width to height. */
  aspect_ratio?: "21:9" | "16:9" | "4:3" | "1:1" | "3:4" | "9:16";
  /** A reference sound, 2 to 15 s long. */
  audio_url?: string;
  /** Duration in seconds. From 5 to 15. Default: 5. */
  duration?: number;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What the video shows. */
  prompt: string;
  /** Up to 9 pictures of the subjects to show. At most 9. */
  reference_image_urls?: Array<string>;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** A reference video for the movement, 2 to 15 s long. */
  video_url?: string;
}

/** Whole songs of up to five minutes, sung from your lyrics in the style you describe. */
export interface MinimaxMusic3Input {
  /** The maximum duration in seconds: the song may end sooner. From 1 to 300. Default: 60. */
  duration?: number;
  /** The words to sing, with a tag on a line of its own before each part: [intro], [verse], [pre-chorus], [chorus], [bridge], [instrumental], [solo] or [outro]. */
  lyrics: string;
  /** Genre, tempo, key, voices and arrangement. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
}

/** Makes the sound for a silent video, or a sound from words. */
export interface MmaudioLargeInput {
  /** Duration in seconds; the model works best with 8. From 1 to 30. Default: 8. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 4.5. */
  guidance_scale?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** A description of the sound. */
  prompt?: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 25. */
  steps?: number;
  /** The video to make sound for. */
  video_url?: string;
}

/** Lively motion from words, at 480p and 30 frames a second. */
export interface Mochi1Input {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "848x480". */
  size?: "848x480";
  /** More steps take longer and show more detail. From 1 to 100. Default: 64. */
  steps?: number;
}

/** Fast lip-sync that repaints the face of a speaker, in several languages. */
export interface Musetalk15Input {
  /** The speech that the lips follow. */
  audio_url: string;
  /** How far below the jaw to repaint, in pixels. From 0 to 40. Default: 10. */
  extra_margin?: number;
  /** Frames per second. From 1 to 60. Default: 25. */
  fps?: number;
  /** The part to blend in: the jaw, or everything repainted. Default: "jaw". */
  parsing_mode?: "jaw" | "raw";
  /** The video of a face. */
  video_url: string;
}

/** Songs and instrumentals from an idea, or from your own lyrics with a style and a title. */
export interface MusicGenInput {
  /** The weight of the sound against the words. From 0 to 1. */
  audio_weight?: number;
  /** On: the prompt is the lyrics, and style and title are required. Off: lyrics are written automatically. Default: false. */
  custom_mode?: boolean;
  /** On: no vocals. Default: false. */
  make_instrumental?: boolean;
  /** Model version. Default: "v5_5". */
  model_version?: "v5_5" | "v5" | "v4_5plus" | "v4_5all" | "v4_5" | "v4";
  /** Styles to avoid. */
  negative_tags?: string;
  /** A persona to apply; in custom mode only. */
  persona_id?: string;
  /** The idea of the song; in custom mode, the exact lyrics. */
  prompt: string;
  /** Style or genre. */
  style?: string;
  /** How closely to follow the style. From 0 to 1. */
  style_weight?: number;
  /** Title of the track. */
  title?: string;
  /** Makes such a voice more likely, without a guarantee. Default: "auto". */
  vocal_gender?: "auto" | "male" | "female";
  /** How unusual the result may be. From 0 to 1. */
  weirdness_constraint?: number;
}

/** Replaces a section of a track with new music and leaves the rest unchanged. */
export interface MusicReplaceSectionInput {
  /** The track with the section to replace. */
  audio_url: string;
  /** The end of the section, in seconds. */
  end_seconds: number;
  /** The content of the new section: lyrics, or a musical description. */
  prompt: string;
  /** The start of the section, in seconds. */
  start_seconds: number;
  /** Style tags for the new section. */
  style?: string;
}

/** Instrumental music from words, optionally on the melody of a recording. */
export interface MusicgenMelodyInput {
  /** A recording with the melody to follow. */
  audio_url?: string;
  /** Duration in seconds. From 1 to 120. Default: 30. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 3. */
  guidance_scale?: number;
  /** A description of the music. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** A higher value is livelier and less even. From 0 to 2. Default: 1. */
  temperature?: number;
  /** The number of most likely tokens to sample from. From 0 to 2048. Default: 250. */
  top_k?: number;
  /** The share of the probability to sample from; 0 uses top k instead. From 0 to 1. Default: 0. */
  top_p?: number;
}

/** Google's picture model for drawing and editing with up to fourteen reference pictures. */
export interface NanoBanana21Input {
  /** Width to height; by default the shape of the first input picture, or square. */
  aspect_ratio?: "1:1" | "2:3" | "3:2" | "3:4" | "4:3" | "4:5" | "5:4" | "9:16" | "16:9" | "21:9";
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** Up to 14 pictures of the subjects to show. At most 14. */
  reference_image_urls?: Array<string>;
  /** 1K, 2K and 4K are about 1, 4 and 16 megapixels in every shape. Default: "1K". */
  resolution?: "1K" | "2K" | "4K";
  /** The same seed makes a similar picture, without a guarantee. */
  seed?: number;
}

/** Draws from words, edits by instruction, and combines people and things from up to three pictures. */
export interface Omnigen2Input {
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** How closely to follow the input pictures: up to 2 for edits, 2.5 to 3 to combine pictures. From 1 to 5. Default: 2. */
  image_guidance_scale?: number;
  /** Up to 3 pictures to edit or to combine. At most 3. */
  image_urls?: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows, or how to change the input pictures. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; by default the shape of the first input picture. */
  size?: "1024x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** English speech in eight voices that can laugh, sigh and gasp. */
export interface Orpheus3bInput {
  /** A higher value repeats less. From 1.1 to 2. Default: 1.3. */
  repetition_penalty?: number;
  /** A higher value is livelier and less even. From 0 to 2. Default: 0.6. */
  temperature?: number;
  /** The text to speak; tags such as <laugh>, <sigh> or <gasp> become sounds. */
  text: string;
  /** The share of the probability to sample from. From 0 to 1. Default: 0.8. */
  top_p?: number;
  /** The voice. Default: "tara". */
  voice?: "tara" | "leah" | "jess" | "leo" | "dan" | "mia" | "zac" | "zoe";
}

/** Voices for more than forty languages, on any CPU and without a network. */
export interface PiperInput {
  /** The language of the speech. Default: "en_US". */
  language_code?: "ar_JO" | "ca_ES" | "cs_CZ" | "cy_GB" | "da_DK" | "de_DE" | "el_GR" | "en_GB" | "en_US" | "es_AR" | "es_ES" | "es_MX" | "fa_IR" | "fi_FI" | "fr_FR" | "hu_HU" | "is_IS" | "id_ID" | "it_IT" | "ka_GE" | "kk_KZ" | "lb_LU" | "lv_LV" | "ml_IN" | "hi_IN" | "ne_NP" | "nl_BE" | "nl_NL" | "no_NO" | "pl_PL" | "pt_BR" | "pt_PT" | "ro_RO" | "ru_RU" | "sk_SK" | "sl_SI" | "sr_RS" | "sv_SE" | "sw_CD" | "te_IN" | "tr_TR" | "uk_UA" | "vi_VN" | "zh_CN";
  /** A higher value varies the sound of the voice more. From 0 to 2. */
  noise_scale?: number;
  /** A higher value varies the length of sounds more. From 0 to 2. */
  noise_w_scale?: number;
  /** The speaker, for voices with several. From 0 to 9999. */
  speaker_id?: number;
  /** 1 is the usual speed, 2 is twice as fast. From 0.25 to 4. Default: 1. */
  speed?: number;
  /** The text to speak. */
  text: string;
  /** A voice from the collection rhasspy/piper-voices, named locale-speaker-quality. Default: "en_US-lessac-medium". */
  voice?: string;
}

/** Lifelike people and reliable text in English and Chinese, in seven shapes. */
export interface QwenImage2512Input {
  /** How closely to follow the prompt. From 0 to 20. Default: 4. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1328x1328". */
  size?: "1328x1328" | "1664x928" | "928x1664" | "1472x1104" | "1104x1472" | "1584x1056" | "1056x1584";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Edits one to three pictures by instruction, with people and text kept or changed. */
export interface QwenImageEdit2511Input {
  /** How closely to follow the prompt. From 0 to 20. Default: 4. */
  guidance_scale?: number;
  /** 1 to 3 pictures to edit or to combine. At most 3. */
  image_urls: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What to change. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** Separates a picture into transparent layers that can be moved and coloured one by one. */
export interface QwenImageLayeredInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 4. */
  guidance_scale?: number;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** The number of layers. From 1 to 16. Default: 4. */
  layers?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** An optional caption of the whole picture. */
  prompt?: string;
  /** The working size: about this many pixels a side. Default: "640". */
  resolution?: "640" | "1024";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Ten languages in ready-made voices, in voices you describe, or in a voice cloned from three seconds of sound. */
export interface Qwen3Tts17bInput {
  /** A recording of the voice to use; about 3 s are enough. */
  audio_url?: string;
  /** How to speak, or a description of the voice. */
  instructions?: string;
  /** The language of the speech; Auto detects it from the text. Default: "Auto". */
  language_code?: "Auto" | "Chinese" | "English" | "Japanese" | "Korean" | "German" | "French" | "Russian" | "Portuguese" | "Spanish" | "Italian";
  /** The words of the voice sample. */
  reference_text?: string;
  /** The text to speak. */
  text: string;
  /** The voice. Default: "Ryan". */
  voice?: "Vivian" | "Serena" | "Uncle_Fu" | "Dylan" | "Eric" | "Ryan" | "Aiden" | "Ono_Anna" | "Sohee";
}

/** Lights a picture from a direction of your choice. */
export interface RelightInput {
  /** How much of the existing light is kept. From 0 to 1. Default: 0.5. */
  ambient?: number;
  /** The colour of the light, in hex such as #ffd9a0. Default: "#ffffff". */
  color?: string;
  /** The direction of the light. Default: "left". */
  direction?: "left" | "right" | "top" | "bottom" | "front" | "back";
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** The strength of the light. From 0 to 2. Default: 1. */
  intensity?: number;
  /** A description of the light, such as warm evening sun. */
  prompt?: string;
}

/** Square pictures in one to four steps, for previews on modest GPUs. */
export interface SanaSprint16bInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 4.5. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1024x1024". */
  size?: "1024x1024";
  /** More steps take longer and show more detail. From 1 to 4. Default: 2. */
  steps?: number;
}

/** One-megapixel pictures that follow the prompt closely, including text. */
export interface Sd35LargeInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 4.5. */
  guidance_scale?: number;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1024x1024". */
  size?: "1024x1024";
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** The widely fine-tuned open model for pictures of about one megapixel in 26 sizes. */
export interface Sdxl10Input {
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** The picture to start from. At most 1. */
  image_urls?: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1024x1024". */
  size?: "704x1408" | "704x1344" | "768x1344" | "768x1280" | "832x1216" | "832x1152" | "896x1152" | "896x1088" | "960x1088" | "960x1024" | "1024x1024" | "1024x960" | "1088x960" | "1088x896" | "1152x896" | "1152x832" | "1216x832" | "1280x768" | "1344x768" | "1344x704" | "1408x704" | "1472x704" | "1536x640" | "1600x640" | "1664x576" | "1728x576";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.3. */
  strength?: number;
}

/** Previews of 512 pixels in one to four steps. */
export interface SdxlTurboInput {
  /** The picture to start from. At most 1. */
  image_urls?: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "512x512". */
  size?: "512x512";
  /** More steps take longer and show more detail. From 1 to 4. Default: 1. */
  steps?: number;
  /** How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.5. */
  strength?: number;
}

/** Sharpens, restores and enlarges a video in one step. */
export interface Seedvr2VideoUpscaleInput {
  /** Frames per second; by default those of the source. From 1 to 120. */
  fps?: number;
  /** 7B is slower and finds more detail. Default: "3B". */
  model_size?: "3B" | "7B";
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1280x720". */
  size?: "1280x720" | "1920x1080";
  /** The video to enlarge. */
  video_url: string;
}

/** Scenes of up to a minute at 540p, extended piece by piece. */
export interface SkyreelsV2Df14bInput {
  /** 0 makes all frames together; 5 makes later frames follow earlier ones. From 0 to 10. Default: 0. */
  ar_step?: number;
  /** Duration in seconds. Default: 4. */
  duration?: 4 | 10 | 15 | 30 | 60;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** The number of frames that two pieces share; for videos longer than 4 seconds. From 1 to 97. Default: 17. */
  overlap_history?: number;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "960x544". */
  size?: "960x544";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** A video to extend. */
  video_url?: string;
}

/** Sound effects and ambience of up to two minutes, from a model small enough for a CPU. */
export interface StableAudio3SfxInput {
  /** A sound to change, as a whole or in part. */
  audio_url?: string;
  /** Duration in seconds. From 1 to 120. Default: 10. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 1. */
  guidance_scale?: number;
  /** The end of the part to replace, in seconds. From 0 to 120. */
  inpaint_end?: number;
  /** The start of the part to replace, in seconds. From 0 to 120. */
  inpaint_start?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** A description of the sound. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** More steps take longer and show more detail. From 1 to 100. Default: 8. */
  steps?: number;
  /** How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 1. */
  strength?: number;
}

/** Animates a picture for 14 or 25 frames, without a prompt. */
export interface SvdXtInput {
  /** Frames per second. From 5 to 30. Default: 7. */
  fps?: number;
  /** The first frame. At most 1. */
  image_urls: Array<string>;
  /** How closely the last frame follows the picture. From 0 to 20. Default: 3. */
  max_guidance_scale?: number;
  /** How closely the first frame follows the picture. From 0 to 20. Default: 1. */
  min_guidance_scale?: number;
  /** A higher value moves more. From 1 to 255. Default: 127. */
  motion_bucket_id?: number;
  /** Noise added to the picture first: more noise allows more change. From 0 to 1. Default: 0.02. */
  noise_aug_strength?: number;
  /** The number of frames. Default: 25. */
  num_frames?: 14 | 25;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "1024x576". */
  size?: "1024x576";
  /** More steps take longer and show more detail. From 1 to 100. Default: 25. */
  steps?: number;
}

/** Reads a text aloud in one of 21 voices and 94 languages, optionally with word times. */
export interface TtsV3Input {
  /** Whether numbers, dates and abbreviations are spelled out before reading. Default: "auto". */
  apply_text_normalization?: "auto" | "on" | "off";
  /** An ISO 639-1 code that sets the language, such as en, de or zh; by default it is detected from the text, and is English in doubt. */
  language_code?: string;
  /** Low: livelier, with more variation. High: steadier. From 0 to 1. Default: 0.5. */
  stability?: number;
  /** The text to read aloud. */
  text: string;
  /** On: the times of each word, in a separate JSON file. Default: false. */
  timestamps?: boolean;
  /** The voice that reads the text. Default: "Wren". */
  voice?: "Amara" | "Björn" | "Chiara" | "Dmitri" | "Elif" | "Farid" | "Greta" | "Haruki" | "Ingrid" | "Joaquim" | "Kavya" | "Liam" | "Mei" | "Nneka" | "Omar" | "Paloma" | "Quentin" | "Rosalind" | "Santiago" | "Tala" | "Wren";
}

/** Enlarges a picture two or four times and keeps its edges sharp. */
export interface UpscaleInput {
  /** The factor for width and height. Default: 2. */
  factor?: 2 | 4;
  /** The picture to edit. At most 1. */
  image_urls: Array<string>;
  /** The kind of picture; auto detects it. Default: "auto". */
  mode?: "auto" | "photo" | "art";
  /** Accepted for consistency; this tool ignores it. */
  prompt?: string;
}

/** Google's model for clips with sound, from words, between two frames, or with up to three reference pictures. */
export interface Veo31Input {
  /** Width to height. Default: "16:9". */
  aspect_ratio?: "16:9" | "9:16";
  /** Duration in seconds. Default: 8. */
  duration?: 4 | 6 | 8;
  /** On: add a sound track. */
  generate_audio?: boolean;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** Up to 3 pictures of the subjects to show; only with 16:9 and 8 s. At most 3. */
  reference_image_urls?: Array<string>;
  /** The shorter side in pixels; 4k is 2160. Default: "720p". */
  resolution?: "720p" | "1080p" | "4k";
  /** The same seed with the same fields gives the same result. From 0 to 4294967295. */
  seed?: number;
}

/** Edits a video by instruction, with reference pictures; without a video, makes one from text or pictures. */
export interface VideoEdit10Input {
  /** Width to height. Default: "16:9". */
  aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  /** auto: the model decides. origin: keep the original sound. Default: "auto". */
  audio_setting?: "auto" | "origin";
  /** Duration in seconds; for an edit, the source video decides. From 3 to 15. Default: 5. */
  duration?: number;
  /** Turns the safety filter on or off. */
  enable_safety_checker?: boolean;
  /** A picture that supports the edit; without a video, the first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to change; without a video, what to show. Cite reference pictures as @Image1, @Image2 and so on. */
  prompt?: string;
  /** 1 to 9 pictures of characters and objects. At most 9. */
  reference_image_urls?: Array<string>;
  /** The shorter side, in pixels. Default: "1080p". */
  resolution?: "720p" | "1080p";
  /** The same seed with the same fields gives the same video. */
  seed?: number;
  /** The video to edit, 3 to 60 s long. */
  video_url?: string;
}

/** Videos of 4 to 15 seconds from a description, from a first and last frame, or from reference pictures, videos and
sounds. */
export interface VideoFast2Input {
  /** Width to height. Default: "16:9". */
  aspect_ratio?: "1:1" | "21:9" | "4:3" | "3:4" | "16:9" | "9:16";
  /** Duration in seconds. From 4 to 15. Default: 5. */
  duration?: number;
  /** On: add a sound track. Default: false. */
  generate_audio?: boolean;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What the video shows. */
  prompt: string;
  /** Up to 3 reference sounds: MP3 or WAV. At most 3. */
  reference_audio_urls?: Array<string>;
  /** Up to 9 pictures of the subjects to show: JPG, PNG or WebP. At most 9. */
  reference_image_urls?: Array<string>;
  /** Up to 3 reference videos for the movement: MP4 or MOV. At most 3. */
  reference_video_urls?: Array<string>;
  /** The shorter side, in pixels. Default: "720p". */
  resolution?: "480p" | "720p";
  /** The same seed with the same fields gives the same video. */
  seed?: number;
}

/** Videos of 3 to 15 seconds in four ways: from text, from a first frame, from reference pictures, or by editing a
video. */
export interface VideoGen10Input {
  /** Width to height; it applies to text and reference modes only. Default: "16:9". */
  aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  /** For an edit, auto lets the model decide and origin keeps the original sound. Default: "auto". */
  audio_setting?: "auto" | "origin";
  /** Duration in seconds; for an edit, the source video decides. From 3 to 15. Default: 5. */
  duration?: number;
  /** Turns the safety filter on or off. */
  enable_safety_checker?: boolean;
  /** The first frame, for image-to-video. At most 1. */
  image_urls?: Array<string>;
  /** What the video shows. Cite reference pictures as character1, character2 and so on. */
  prompt?: string;
  /** 1 to 9 pictures, for reference-to-video. At most 9. */
  reference_image_urls?: Array<string>;
  /** The shorter side, in pixels. Default: "1080p". */
  resolution?: "720p" | "1080p";
  /** The same seed with the same fields gives the same video. From 0 to 2147483647. */
  seed?: number;
  /** A video to edit. */
  video_url?: string;
}

/** The small sibling of Video Fast 2: the same ways to make a video, at half the price. */
export interface VideoMini2Input {
  /** Width to height. Default: "16:9". */
  aspect_ratio?: "1:1" | "21:9" | "4:3" | "3:4" | "16:9" | "9:16";
  /** Duration in seconds. From 4 to 15. Default: 5. */
  duration?: number;
  /** On: add a sound track. Default: false. */
  generate_audio?: boolean;
  /** The first frame, and the last. At most 2. */
  image_urls?: Array<string>;
  /** What the video shows. */
  prompt: string;
  /** Up to 3 reference sounds: MP3 or WAV. At most 3. */
  reference_audio_urls?: Array<string>;
  /** Up to 9 pictures of the subjects to show. At most 9. */
  reference_image_urls?: Array<string>;
  /** Up to 3 reference videos for the movement: MP4 or MOV. At most 3. */
  reference_video_urls?: Array<string>;
  /** The shorter side, in pixels. Default: "720p". */
  resolution?: "480p" | "720p";
  /** The same seed with the same fields gives the same video. */
  seed?: number;
}

/** Removes an object from a video, with its shadow, its reflections and what it set in motion. */
export interface VoidVideoInpaintInput {
  /** White is removed, black is kept. */
  mask_url?: string;
  /** What to avoid. */
  negative_prompt?: string;
  /** The object to remove, in a few words. */
  object_prompt?: string;
  /** A second pass makes longer clips steadier. Default: 2. */
  passes?: 1 | 2;
  /** The scene without the object. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels; the only available size. Default: "672x384". */
  size?: "672x384";
  /** The video with the object; up to 197 frames are processed. */
  video_url: string;
}

/** The motion from one picture to another, at up to 720p. */
export interface Wan21Flf2v14bInput {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** The first frame and the last. At most 2. */
  image_urls: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1280x720". */
  size?: "1280x720" | "720x1280" | "832x480" | "480x832";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Clips of up to five seconds at 480p from words, on a consumer GPU. */
export interface Wan21T2v13bInput {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "832x480". */
  size?: "832x480" | "480x832";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** One model for editing, masking, extending and restyling videos, or making them from reference pictures. */
export interface Wan21Vace14bInput {
  /** How closely to follow the source video. From 0 to 2. Default: 1. */
  conditioning_scale?: number;
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** White is replaced, black is kept. */
  mask_url?: string;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows, or what to change in the source video. */
  prompt: string;
  /** Up to 4 pictures of the subjects to show. At most 4. */
  reference_image_urls?: Array<string>;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "832x480". */
  size?: "1280x720" | "720x1280" | "832x480" | "480x832";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** A video to edit, or to take its movement from. */
  video_url?: string;
}

/** Transfers a performance from a video to the character in a picture, or puts the character into the video. */
export interface Wan22Animate14bInput {
  /** How closely to follow the prompt. From 0 to 20. Default: 1. */
  guidance_scale?: number;
  /** The character. At most 1. */
  image_urls: Array<string>;
  /** animate: the character moves as in the video. replace: the character replaces the one in the video. Default: "animate". */
  mode?: "animate" | "replace";
  /** What the video shows. */
  prompt?: string;
  /** On: light the character like the video; only with mode replace. Default: false. */
  relighting?: boolean;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1280x720". */
  size?: "1280x720" | "720x1280";
  /** More steps take longer and show more detail. From 1 to 100. Default: 20. */
  steps?: number;
  /** The video with the movements, or into which the character is put. */
  video_url: string;
}

/** Moves the camera through a still picture as you choose. */
export interface Wan22FunCameraA14bInput {
  /** The camera movement. Default: "Static". */
  camera_motion?: "Static" | "Pan Up" | "Pan Down" | "Pan Left" | "Pan Right" | "Zoom In" | "Zoom Out";
  /** 1 is the usual speed. From 0.1 to 4. Default: 1. */
  camera_speed?: number;
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "832x480". */
  size?: "832x480" | "480x832" | "640x640";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Makes a new video that follows the edges, depth, poses or lines of another. */
export interface Wan22FunControlA14bInput {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 6. */
  guidance_scale?: number;
  /** The first frame, or a picture of the subject to show. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "832x480". */
  size?: "832x480" | "480x832" | "640x640";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
  /** A video of edges, depth, poses or lines to follow. */
  video_url: string;
}

/** Brings a still picture to life, optionally toward a last one. */
export interface Wan22I2vA14bInput {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt while the picture takes shape. From 0 to 20. Default: 3.5. */
  guidance_scale?: number;
  /** How closely to follow the prompt while details are drawn. From 0 to 20. Default: 3.5. */
  guidance_scale_2?: number;
  /** The first frame, and optionally the last. At most 2. */
  image_urls: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt?: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1280x720". */
  size?: "1280x720" | "720x1280" | "832x480" | "480x832";
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** Makes the person in a picture speak, sing or perform to a recording. */
export interface Wan22S2v14bInput {
  /** The speech or song; the video has its length. */
  audio_url: string;
  /** How closely to follow the prompt. From 0 to 20. Default: 4.5. */
  guidance_scale?: number;
  /** The person who speaks, sings or performs. At most 1. */
  image_urls: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** A video with the movements to copy. */
  pose_video_url?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1024x704". */
  size?: "1024x704" | "704x1024" | "1280x720" | "720x1280" | "832x480" | "480x832" | "1280x704" | "704x1280";
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** Text to video with good light, colour and framing, at 480p or 720p. */
export interface Wan22T2vA14bInput {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt while the picture takes shape. From 0 to 20. Default: 4. */
  guidance_scale?: number;
  /** How closely to follow the prompt while details are drawn. From 0 to 20. Default: 3. */
  guidance_scale_2?: number;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1280x720". */
  size?: "1280x720" | "720x1280" | "832x480" | "480x832";
  /** More steps take longer and show more detail. From 1 to 100. Default: 40. */
  steps?: number;
}

/** Videos at 720p and 24 frames a second from words or a first picture, with a model of modest size. */
export interface Wan22Ti2v5bInput {
  /** Duration in seconds. From 1 to 5. Default: 5. */
  duration?: number;
  /** How closely to follow the prompt. From 0 to 20. Default: 5. */
  guidance_scale?: number;
  /** The first frame. At most 1. */
  image_urls?: Array<string>;
  /** What to avoid. */
  negative_prompt?: string;
  /** What the video shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1280x704". */
  size?: "1280x704" | "704x1280";
  /** More steps take longer and show more detail. From 1 to 100. Default: 50. */
  steps?: number;
}

/** Speaks 17 languages in a voice cloned from a few seconds of sound. */
export interface XttsV2Input {
  /** The language of the speech. Default: "en". */
  language_code?: "en" | "es" | "fr" | "de" | "it" | "pt" | "pl" | "tr" | "ru" | "nl" | "cs" | "ar" | "zh-cn" | "hu" | "ko" | "ja" | "hi";
  /** Up to 5 recordings of the voice to use, each at least 3 s long. At most 5. */
  reference_audio_urls?: Array<string>;
  /** A higher value repeats less. From 1 to 20. Default: 2. */
  repetition_penalty?: number;
  /** A higher value is livelier and less even. From 0 to 2. Default: 0.85. */
  temperature?: number;
  /** The text to speak. */
  text: string;
  /** The share of the probability to sample from. From 0 to 1. Default: 0.85. */
  top_p?: number;
  /** One of the speakers included in the model, if no sample is given. Default: "Ana Florence". */
  voice?: string;
}

/** Photographic pictures and text in two languages, from a model that fits into 16 GB of GPU memory. */
export interface ZImageTurboInput {
  /** The picture to start from. At most 1. */
  image_urls?: Array<string>;
  /** The number of outputs. From 1 to 4. Default: 1. */
  n?: number;
  /** What the picture shows. */
  prompt: string;
  /** The same seed with the same fields gives the same result. */
  seed?: number;
  /** Width and height in pixels. Default: "1024x1024". */
  size?: "1024x1024" | "1152x896" | "896x1152" | "1152x864" | "864x1152" | "1248x832" | "832x1248" | "1280x720" | "720x1280" | "1344x576" | "576x1344";
  /** More steps take longer and show more detail. From 1 to 100. Default: 9. */
  steps?: number;
  /** How much to change the input: 0 keeps it, 1 replaces it completely. From 0 to 1. Default: 0.6. */
  strength?: number;
}

/** The input of every model, by its slug. */
export interface Inputs {
  "ace-step-1-5": AceStep15Input;
  "animatediff-sd15": AnimatediffSd15Input;
  "background-removal": BackgroundRemovalInput;
  "camera-angle": CameraAngleInput;
  "chatterbox-multilingual": ChatterboxMultilingualInput;
  "chatterbox-voice-conversion": ChatterboxVoiceConversionInput;
  "chroma1-hd": Chroma1HdInput;
  "cogvideox-1-5-5b": Cogvideox155bInput;
  "cosmos-predict2-5-2b": CosmosPredict252bInput;
  "cosyvoice3-0-5b": Cosyvoice305bInput;
  "demucs-v4": DemucsV4Input;
  "dia-1-6b": Dia16bInput;
  "elevenlabs-dubbing": ElevenlabsDubbingInput;
  "enhancer": EnhancerInput;
  "ernie-image-turbo": ErnieImageTurboInput;
  "f5-tts": F5TtsInput;
  "flux-1-dev": Flux1DevInput;
  "flux-1-fill-dev": Flux1FillDevInput;
  "flux-1-kontext-dev": Flux1KontextDevInput;
  "flux-1-schnell": Flux1SchnellInput;
  "flux-2-dev": Flux2DevInput;
  "flux-2-klein-4b": Flux2Klein4bInput;
  "framepack-i2v": FramepackI2vInput;
  "glm-image": GlmImageInput;
  "gpt-image-2-5-flare": GptImage25FlareInput;
  "hidream-o1-image": HidreamO1ImageInput;
  "hunyuan-image-2-1": HunyuanImage21Input;
  "hunyuan-video-1-5-i2v": HunyuanVideo15I2vInput;
  "hunyuan-video-1-5-t2v": HunyuanVideo15T2vInput;
  "image-gen-4": ImageGen4Input;
  "indextts-2-5": Indextts25Input;
  "infinitetalk": InfinitetalkInput;
  "inpaint": InpaintInput;
  "kandinsky-5-lite-t2v": Kandinsky5LiteT2vInput;
  "kandinsky-5-pro-i2v": Kandinsky5ProI2vInput;
  "kling-3-0": Kling30Input;
  "kokoro-82m": Kokoro82mInput;
  "krea-2-turbo": Krea2TurboInput;
  "latentsync-1-6": Latentsync16Input;
  "liveportrait": LiveportraitInput;
  "longcat-video": LongcatVideoInput;
  "ltx-2-19b": Ltx219bInput;
  "ltx-2-3-audio-to-video": Ltx23AudioToVideoInput;
  "ltx-2-3-dubit": Ltx23DubitInput;
  "ltx-2-5-22b": Ltx2522bInput;
  "ltx-video-13b-0-9-8": LtxVideo13b098Input;
  "magi-1-4-5b": Magi145bInput;
  "minimax-h3": MinimaxH3Input;
  "minimax-music-3": MinimaxMusic3Input;
  "mmaudio-large": MmaudioLargeInput;
  "mochi-1": Mochi1Input;
  "musetalk-1-5": Musetalk15Input;
  "music-gen": MusicGenInput;
  "music-replace-section": MusicReplaceSectionInput;
  "musicgen-melody": MusicgenMelodyInput;
  "nano-banana-2-1": NanoBanana21Input;
  "omnigen2": Omnigen2Input;
  "orpheus-3b": Orpheus3bInput;
  "piper": PiperInput;
  "qwen-image-2512": QwenImage2512Input;
  "qwen-image-edit-2511": QwenImageEdit2511Input;
  "qwen-image-layered": QwenImageLayeredInput;
  "qwen3-tts-1-7b": Qwen3Tts17bInput;
  "relight": RelightInput;
  "sana-sprint-1-6b": SanaSprint16bInput;
  "sd-3-5-large": Sd35LargeInput;
  "sdxl-1-0": Sdxl10Input;
  "sdxl-turbo": SdxlTurboInput;
  "seedvr2-video-upscale": Seedvr2VideoUpscaleInput;
  "skyreels-v2-df-14b": SkyreelsV2Df14bInput;
  "stable-audio-3-sfx": StableAudio3SfxInput;
  "svd-xt": SvdXtInput;
  "tts-v3": TtsV3Input;
  "upscale": UpscaleInput;
  "veo-3-1": Veo31Input;
  "video-edit-1-0": VideoEdit10Input;
  "video-fast-2": VideoFast2Input;
  "video-gen-1-0": VideoGen10Input;
  "video-mini-2": VideoMini2Input;
  "void-video-inpaint": VoidVideoInpaintInput;
  "wan-2-1-flf2v-14b": Wan21Flf2v14bInput;
  "wan-2-1-t2v-1-3b": Wan21T2v13bInput;
  "wan-2-1-vace-14b": Wan21Vace14bInput;
  "wan-2-2-animate-14b": Wan22Animate14bInput;
  "wan-2-2-fun-camera-a14b": Wan22FunCameraA14bInput;
  "wan-2-2-fun-control-a14b": Wan22FunControlA14bInput;
  "wan-2-2-i2v-a14b": Wan22I2vA14bInput;
  "wan-2-2-s2v-14b": Wan22S2v14bInput;
  "wan-2-2-t2v-a14b": Wan22T2vA14bInput;
  "wan-2-2-ti2v-5b": Wan22Ti2v5bInput;
  "xtts-v2": XttsV2Input;
  "z-image-turbo": ZImageTurboInput;
}
