/* Takes what flite's Clustergen voices predict (pitch, mel-cepstra, strengths of voicing) before flite turns it into
   sound. This file includes two of flite's files, to reach their static functions and to read voices from memory
   without changing them. */

#include <stdio.h>
#include <string.h>
#include "flite.h"

static const unsigned char *af_data;
static size_t af_size;

static cst_file af_open(void)
{
    return fmemopen((void *)(size_t)af_data, af_size, "rb");
}

#include "../flite/src/cg/cst_cg.c"
#define cst_fopen(name, mode) af_open()
#include "../flite/src/cg/cst_cg_load_voice.c"
#undef cst_fopen

#include "shim.h"

void usenglish_init(cst_voice *v);
cst_lexicon *cmu_lex_init(void);

static const cst_lang af_languages[] = {
    { "eng", usenglish_init, cmu_lex_init },
    { "", usenglish_init, cmu_lex_init },
    { NULL, NULL, NULL }
};

struct af_voice {
    cst_voice *voice;
    cst_cg_db *db;
};

static cst_utterance *af_parameters(cst_utterance *utt)
{
    cst_cg_db *db = val_cg_db(utt_feat_val(utt, "cg_db"));

    if (get_param_int(utt->features, "af_frames", 0) == 0)
        return utt;
    cg_make_hmmstates(utt);
    cg_make_params(utt);
    cg_predict_params(utt);
    if (db->spamf0)
        cst_spamf0(utt);
    utt_set_feat(utt, "af_smooth", track_val(mlpg(val_track(utt_feat_val(utt, "param_track")), db)));
    return utt;
}

af_voice *af_voice_load(const unsigned char *data, size_t size)
{
    cst_voice *voice;
    af_voice *loaded;

    flite_init();
    af_data = data;
    af_size = size;
    voice = cst_cg_load_voice("memory", af_languages);
    if (voice == NULL)
        return NULL;
    flite_feat_set(voice->features, "wave_synth_func", uttfunc_val(&af_parameters));
    loaded = cst_alloc(struct af_voice, 1);
    loaded->voice = voice;
    loaded->db = val_cg_db(feat_val(voice->features, "cg_db"));
    return loaded;
}

void af_voice_facts(const af_voice *voice, af_facts *facts)
{
    const cst_cg_db *db = voice->db;

    facts->sample_rate = db->sample_rate;
    facts->frame_shift = db->frame_advance;
    facts->f0_mean = db->f0_mean;
    facts->f0_deviation = db->f0_stddev;
    facts->alpha = db->mlsa_alpha;
    facts->beta = db->mlsa_beta;
    facts->gain = db->gain == 0.0 ? 1.0 : db->gain;
    facts->coefficients = db->num_channels[0];
    facts->bands = db->mixed_excitation ? db->ME_num : 0;
}

static int af_count(cst_utterance *utt, const char *relation)
{
    int count = 0;
    cst_item *item;

    for (item = utt_rel_head(utt, relation); item; item = item_next(item))
        count++;
    return count;
}

/* Numbers the items of a relation, so that other items can refer to them. */
static void af_number(cst_utterance *utt, const char *relation)
{
    int index = 0;
    cst_item *item;

    for (item = utt_rel_head(utt, relation); item; item = item_next(item))
        item_set_int(item, "af_index", index++);
}

static int af_index_of(const cst_item *item)
{
    return item && item_feat_present(item, "af_index") ? item_feat_int(item, "af_index") : -1;
}

static void af_take_frames(cst_utterance *utt, const af_voice *voice, af_utterance *out)
{
    const cst_track *smooth = val_track(utt_feat_val(utt, "af_smooth"));
    const cst_track *raw = val_track(utt_feat_val(utt, "param_track"));
    const cst_track *strengths =
        voice->db->mixed_excitation ? val_track(utt_feat_val(utt, "str_track")) : NULL;
    cst_item *item = utt_rel_head(utt, "mcep");
    int i, j;

    out->frames = cst_alloc(af_frame, smooth->num_frames);
    out->num_frames = smooth->num_frames;
    for (i = 0; i < smooth->num_frames; i++)
    {
        af_frame *frame = &out->frames[i];
        frame->f0 = raw->frames[i][0];
        frame->voiced = item && voiced_frame(item) ? 1.0 : 0.0;
        for (j = 0; j < AF_COEFFICIENTS && j + 1 < smooth->num_channels; j++)
            frame->mel_cepstrum[j] = smooth->frames[i][j + 1];
        for (j = 0; j < AF_BANDS; j++)
            frame->strengths[j] = strengths ? strengths->frames[i][j] : frame->voiced;
        if (item)
            item = item_next(item);
    }
}

static void af_take_structure(cst_utterance *utt, af_utterance *out)
{
    cst_item *item;
    float end = 0.0;
    int i;

    af_number(utt, "Token");
    af_number(utt, "Word");
    af_number(utt, "Syllable");
    out->num_words = af_count(utt, "Word");
    out->words = cst_alloc(af_word, out->num_words + 1);
    for (i = 0, item = utt_rel_head(utt, "Word"); item; item = item_next(item), i++)
    {
        cst_item *token = item_as(item, "Token");
        strncpy(out->words[i].name, item_feat_string(item, "name"), sizeof(out->words[i].name) - 1);
        out->words[i].token = token ? af_index_of(item_parent(token)) : -1;
    }
    out->num_syllables = af_count(utt, "Syllable");
    out->syllables = cst_alloc(af_syllable, out->num_syllables + 1);
    for (i = 0, item = utt_rel_head(utt, "Syllable"); item; item = item_next(item), i++)
    {
        out->syllables[i].word = af_index_of(item_parent(item_as(item, "SylStructure")));
        out->syllables[i].stress = cst_streq(item_feat_string(item, "stress"), "1");
    }
    out->num_segments = af_count(utt, "Segment");
    out->segments = cst_alloc(af_segment, out->num_segments + 1);
    for (i = 0, item = utt_rel_head(utt, "Segment"); item; item = item_next(item), i++)
    {
        cst_item *in_syllable = item_as(item, "SylStructure");
        strncpy(out->segments[i].name, item_feat_string(item, "name"), sizeof(out->segments[i].name) - 1);
        out->segments[i].syllable = in_syllable ? af_index_of(item_parent(in_syllable)) : -1;
        out->segments[i].start = end;
        if (item_feat_present(item, "end"))
            end = item_feat_float(item, "end");
        out->segments[i].end = end;
    }
}

int af_analyse(af_voice *voice, const char *text, float stretch, int frames, af_utterance *out)
{
    cst_utterance *utt = new_utterance();

    memset(out, 0, sizeof(*out));
    utt_set_input_text(utt, text);
    utt_set_feat_float(utt, "duration_stretch", stretch);
    utt_set_feat_int(utt, "af_frames", frames);
    utt = flite_do_synth(utt, voice->voice, utt_synth);
    if (utt == NULL)
        return -1;
    af_take_structure(utt, out);
    if (frames)
        af_take_frames(utt, voice, out);
    delete_utterance(utt);
    return 0;
}

void af_release(af_utterance *utterance)
{
    cst_free(utterance->words);
    cst_free(utterance->syllables);
    cst_free(utterance->segments);
    cst_free(utterance->frames);
    memset(utterance, 0, sizeof(*utterance));
}
