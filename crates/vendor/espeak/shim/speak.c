/* Between eSpeak NG and Rust: gives eSpeak NG files from memory, and turns one text at a time into samples and
 * events. */
#include "files.h"
#undef fopen
#undef stat
#undef opendir

#include <errno.h>
#include <espeak-ng/espeak_ng.h>
#include <espeak-ng/speak_lib.h>
#include <stdint.h>
#include <string.h>

/* eSpeak NG's own headers: its public function for phonemes tells nothing about words. */
#include "dictionary.h"
#include "phoneme.h"
#include "readclause.h"
#include "synthdata.h"
#include "synthesize.h"
#include "translate.h"
#include "voice.h"

/* A name for the data folder. No such folder exists. */
#define DATA "/atelier/espeak-ng-data"

/* Implemented in Rust (src/ffi.rs). */
extern const unsigned char *atelier_espeak_file(const char *name, size_t *length);
extern int atelier_espeak_samples(const int16_t *samples, int count);
extern void atelier_espeak_event(int kind, int position, int length, int sample, const char *name, int name_length);

void espeak_srand(long seed);

static const unsigned char *find(const char *path, size_t *length)
{
	size_t folder = strlen(DATA);
	if (strncmp(path, DATA "/", folder + 1) != 0)
		return NULL;
	return atelier_espeak_file(path + folder + 1, length);
}

FILE *atelier_espeak_fopen(const char *path, const char *mode)
{
	size_t length = 0;
	const unsigned char *data = mode[0] == 'r' ? find(path, &length) : NULL;
	if (data == NULL || length == 0) {
		errno = ENOENT;
		return NULL;
	}
	/* Opened for reading, so nothing writes to the bytes. */
	return fmemopen((void *)data, length, "r");
}

int atelier_espeak_stat(const char *path, struct stat *facts)
{
	size_t length = 0;
	memset(facts, 0, sizeof(*facts));
	if (strcmp(path, DATA) == 0) {
		facts->st_mode = S_IFDIR;
		return 0;
	}
	if (find(path, &length) == NULL) {
		errno = ENOENT;
		return -1;
	}
	facts->st_mode = S_IFREG;
	facts->st_size = (off_t)length;
	return 0;
}

DIR *atelier_espeak_opendir(const char *path)
{
	(void)path;
	errno = ENOENT;
	return NULL;
}

static int heard(short *samples, int count, espeak_EVENT *events)
{
	for (; events->type != espeakEVENT_LIST_TERMINATED; events++) {
		int named = events->type == espeakEVENT_PHONEME;
		atelier_espeak_event((int)events->type, events->text_position, events->length, events->sample,
		                     named ? events->id.string : "",
		                     named ? (int)strnlen(events->id.string, sizeof(events->id.string)) : 0);
	}
	return samples == NULL ? 0 : atelier_espeak_samples(samples, count);
}

/* Returns the sample rate, or 0 if eSpeak NG cannot start. */
int atelier_espeak_start(void)
{
	espeak_ng_InitializePath(DATA);
	if (espeak_ng_Initialize(NULL) != ENS_OK)
		return 0;
	/* In milliseconds: the most sound that a callback receives. */
	if (espeak_ng_InitializeOutput(ENOUTPUT_MODE_SYNCHRONOUS, 200, NULL) != ENS_OK)
		return 0;
	espeak_SetSynthCallback(heard);
	espeak_ng_SetPhonemeEvents(1, 1);
	return espeak_ng_GetSampleRate();
}

/* Returns 0 on success. `text` is UTF-8; eSpeak NG interprets no commands in it. */
int atelier_espeak_speak(const char *voice, const char *text, int rate, int pitch, int range)
{
	if (espeak_ng_SetVoiceByName(voice) != ENS_OK)
		return 1;
	/* The same text must always sound the same. */
	espeak_srand(1);
	espeak_ng_SetParameter(espeakRATE, rate, 0);
	espeak_ng_SetParameter(espeakPITCH, pitch, 0);
	espeak_ng_SetParameter(espeakRANGE, range, 0);
	if (espeak_ng_Synthesize(text, strlen(text) + 1, 0, POS_CHARACTER, 0, espeakCHARS_UTF8, NULL, NULL) != ENS_OK)
		return 2;
	return 0;
}

/* Puts the phone at a place of the list into `name` in IPA, with its stress before it and its tone after it, in digits. */
static void spell(PHONEME_LIST *phone, char *name)
{
	char *end = WritePhMnemonicWithStress(name, phone->ph, phone, 1, NULL);
	if (phone->ph->code == phonSWITCH) {
		/* A word of another language begins or ends. */
		*name = 0;
		return;
	}
	if (phone->synthflags & SFLAG_LENGTHEN)
		end = WritePhMnemonic(end, phoneme_tab[phonLENGTHEN], phone, 1, NULL);
	if ((phone->synthflags & SFLAG_SYLLABLE) && phone->type != phVOWEL)
		end = WritePhMnemonic(end, phoneme_tab[phonSYLLABIC], phone, 1, NULL);
	/* Not in IPA, of which eSpeak NG writes a part only: 51 falls from the highest pitch to the lowest. */
	if (phone->tone_ph > 0)
		WritePhMnemonic(end, phoneme_tab[phone->tone_ph], phone, 0, NULL);
}

/* Reports the words and phones of a text and makes no sound. Returns 0 on success. `text` is UTF-8. It should end with
 * spaces: eSpeak NG reads ahead of a clause, and forgets what it read where the text ends. */
int atelier_espeak_spell(const char *name_of_voice, const char *text)
{
	char name[200];
	if (espeak_ng_SetVoiceByName(name_of_voice) != ENS_OK)
		return 1;
	InitText(0);
	if (p_decoder == NULL)
		p_decoder = create_text_decoder();
	if (text_decoder_decode_string_multibyte(p_decoder, text, translator->encoding, espeakCHARS_UTF8) != ENS_OK)
		return 2;
	while (!text_decoder_eof(p_decoder)) {
		SelectPhonemeTable(voice->phoneme_tab_ix);
		TranslateClause(translator, NULL, NULL);
		for (int at = 1; at < n_phoneme_list - 2; at++) {
			PHONEME_LIST *phone = &phoneme_list[at];
			int place = (phone->sourceix & 0x7ff) + clause_start_char;
			if (phone->newword & PHLIST_START_OF_WORD)
				atelier_espeak_event(espeakEVENT_WORD, place, phone->sourceix >> 11, 0, "", 0);
			spell(phone, name);
			if (name[0] != 0)
				atelier_espeak_event(espeakEVENT_PHONEME, 0, 0, 0, name, (int)strlen(name));
		}
	}
	n_phoneme_list = 0;
	return 0;
}
