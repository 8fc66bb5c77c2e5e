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
