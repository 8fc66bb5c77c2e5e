/* The data compiler: makes eSpeak NG's data from its sources while the crate is built.
 *   compile phonemes SOURCES DATA
 *   compile dictionary SOURCES/ DATA NAME
 */
#include "files.h"
#undef fopen
#undef stat
#undef opendir

#include <espeak-ng/espeak_ng.h>
#include <espeak-ng/speak_lib.h>
#include <string.h>

FILE *atelier_espeak_fopen(const char *path, const char *mode) { return fopen(path, mode); }
int atelier_espeak_stat(const char *path, struct stat *facts) { return stat(path, facts); }
DIR *atelier_espeak_opendir(const char *path) { return opendir(path); }

static int report(espeak_ng_STATUS status, espeak_ng_ERROR_CONTEXT context)
{
	if (status == ENS_OK)
		return 0;
	espeak_ng_PrintStatusCodeMessage(status, stderr, context);
	return 1;
}

int main(int argc, char **argv)
{
	espeak_ng_ERROR_CONTEXT context = NULL;
	if (argc == 4 && strcmp(argv[1], "phonemes") == 0) {
		espeak_ng_InitializePath(argv[3]);
		if (report(espeak_ng_CompileIntonationPath(argv[2], argv[3], stderr, &context), context))
			return 1;
		return report(espeak_ng_CompilePhonemeDataPath(22050, argv[2], argv[3], stderr, &context), context);
	}
	if (argc == 5 && strcmp(argv[1], "dictionary") == 0) {
		espeak_ng_InitializePath(argv[3]);
		if (report(espeak_ng_Initialize(&context), context))
			return 1;
		/* A dictionary uses the phonemes of its language, so that comes first. */
		if (espeak_ng_SetVoiceByName(argv[4]) != ENS_OK) {
			espeak_VOICE voice;
			memset(&voice, 0, sizeof(voice));
			voice.languages = argv[4];
			if (report(espeak_ng_SetVoiceByProperties(&voice), NULL))
				return 1;
		}
		return report(espeak_ng_CompileDictionary(argv[2], argv[4], stderr, 0, &context), context);
	}
	fprintf(stderr, "phonemes SOURCES DATA, or dictionary SOURCES/ DATA NAME\n");
	return 2;
}
