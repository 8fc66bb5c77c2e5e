/* Included before every file of eSpeak NG, to replace its file functions. `speak.c` implements them for the program,
 * where they read from memory; `compile.c` for the data compiler, where they read files. */
#ifndef ATELIER_ESPEAK_FILES_H
#define ATELIER_ESPEAK_FILES_H

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

FILE *atelier_espeak_fopen(const char *path, const char *mode);
int atelier_espeak_stat(const char *path, struct stat *facts);
DIR *atelier_espeak_opendir(const char *path);

#define fopen atelier_espeak_fopen
#define stat(path, facts) atelier_espeak_stat(path, facts)
#define opendir atelier_espeak_opendir

#endif
