/* The interface of flite for Rust: flat structures in, flat structures out. */
#ifndef ATELIER_FLITE_SHIM_H
#define ATELIER_FLITE_SHIM_H

#include <stddef.h>

#define AF_COEFFICIENTS 25
#define AF_BANDS 5

typedef struct {
    char name[8];    /* such as "aa", or "pau" for a pause */
    int syllable;    /* index, -1 for a pause */
    float start, end; /* seconds */
} af_segment;

typedef struct {
    int word;   /* index */
    int stress; /* 0 or 1 */
} af_syllable;

typedef struct {
    char name[40]; /* the spoken word, cut to fit */
    int token;     /* index of its token: a piece of the text between white space */
} af_word;

typedef struct {
    float f0;                            /* Hz; the contour continues through unvoiced frames */
    float voiced;                        /* 1 or 0 */
    float mel_cepstrum[AF_COEFFICIENTS];
    float strengths[AF_BANDS];           /* how periodic each band is, 0 to 1 */
} af_frame;

typedef struct {
    af_word *words;
    int num_words;
    af_syllable *syllables;
    int num_syllables;
    af_segment *segments;
    int num_segments;
    af_frame *frames;
    int num_frames;
} af_utterance;

typedef struct {
    int sample_rate;
    float frame_shift; /* seconds */
    float f0_mean, f0_deviation; /* Hz */
    float alpha, beta, gain; /* mel warping, postfilter, level */
    int coefficients, bands;
} af_facts;

typedef struct af_voice af_voice;

/* Loads a voice from the bytes of a .flitevox file, which must outlive it. Returns NULL if they are not a voice. */
af_voice *af_voice_load(const unsigned char *data, size_t size);
void af_voice_facts(const af_voice *voice, af_facts *facts);
/* Analyses `text` (ASCII, NUL-terminated) and, if `frames` is not 0, predicts its sound.
   Returns 0, or -1 on failure. */
int af_analyse(af_voice *voice, const char *text, float stretch, int frames, af_utterance *out);
void af_release(af_utterance *utterance);

#endif
