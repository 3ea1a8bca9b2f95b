/* SPDX-License-Identifier: MIT */
/* A handout: patch the reference, then copy its own headers into it. */
#include "handout_extract.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "paths.h"
#include "patch.h"
#include "text.h"

enum { FILE_SIZE_MAX = 1 << 20 };

/* A handout in the making. */
struct extraction {
    const char *folder; /* of the solutions */
    const char *patch;  /* path of the diff, for errors */
    char *diff;         /* its text */
    char *error;
};

/* A file of the folder, patched; NULL with an error.  `is_there` tells a file
 * that is missing from one that is not patched. */
static char *read_patched(const struct extraction *extraction,
                          const char *name, bool *is_there)
{
    char path[PATH_MAX], why[PATCH_ERROR_SIZE], *text, *patched;
    size_t length;

    text_format(path, sizeof path, "%s/%s", extraction->folder, name);
    text = read_file(path, FILE_SIZE_MAX, &length);
    *is_there = text != NULL;
    if (!text) {
        text_format(extraction->error, HANDOUT_ERROR_SIZE, "%s: %s", path,
                 strerror(errno));
        return NULL;
    }
    patched = patch_apply(extraction->diff, name, text, why);
    if (!patched)
        text_format(extraction->error, HANDOUT_ERROR_SIZE, "%s: %s: %s",
                 extraction->patch, name, why);
    free(text);
    return patched;
}

/* "#include "NAME"": the name; false for another line. */
static bool read_include(const char *line, char *name)
{
    return sscanf(line, "#include \"%63[a-z0-9_.]\"", name) == 1;
}

/* Writes a header without its SPDX line.
 * @return whether its last line is not blank */
static bool write_header(FILE *out, const char *text)
{
    const size_t length = strlen(text);
    const char *end = strchr(text, '\n');
    const char *license = strstr(text, "SPDX-");

    fputs(license && end && license < end ? end + 1 : text, out);
    return length > 1 && text[length - 2] != '\n';
}

/* Copies the patched reference; a header beside it takes the place of its
 * include, with a blank line between it and what follows. */
static bool write_flattened(const struct extraction *extraction,
                            const char *text, FILE *out)
{
    bool is_behind_header = false;

    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        char name[PATCH_NAME_SIZE], *header = NULL;
        bool is_there = false;

        if (read_include(line, name))
            header = read_patched(extraction, name, &is_there);
        if (is_behind_header && length)
            fputc('\n', out);
        is_behind_header = header && write_header(out, header);
        if (!header && is_there)
            return false; /* the patch does not apply */
        if (!header)
            fprintf(out, "%.*s\n", (int)length, line);
        free(header);
        line += length + (line[length] == '\n');
    }
    *extraction->error = 0; /* of an include that lies elsewhere */
    return true;
}

/* Each file that the patch changes must be part of the handout. */
static bool files_are_used(const struct extraction *extraction,
                           const char *file, const char *text)
{
    char name[PATCH_NAME_SIZE], include[PATCH_NAME_SIZE + 16];
    const char *rest = extraction->diff;
    int files = 0;

    while ((rest = patch_next_file(rest, name))) {
        text_format(include, sizeof include, "#include \"%s\"\n", name);
        files++;
        if (strcmp(name, file) && !strstr(text, include)) {
            text_format(extraction->error, HANDOUT_ERROR_SIZE,
                     "%s: it changes %s, which the handout does not include",
                     extraction->patch, name);
            return false;
        }
    }
    if (files == 0)
        text_format(extraction->error, HANDOUT_ERROR_SIZE,
                    "%s: it changes no file", extraction->patch);
    return files > 0;
}

char *extract_handout(const char *folder, const char *file, const char *patch,
                      char *error)
{
    struct extraction extraction = {folder, patch, NULL, error};
    char *text = NULL, *handout = NULL;
    size_t length;
    bool is_there, ok = false;
    FILE *out = open_memstream(&handout, &length);

    extraction.diff = read_file(patch, FILE_SIZE_MAX, &length);
    if (!extraction.diff)
        text_format(error, HANDOUT_ERROR_SIZE, "%s: %s", patch,
                    strerror(errno));
    else
        text = read_patched(&extraction, file, &is_there);
    if (text && out)
        ok = files_are_used(&extraction, file, text)
             && write_flattened(&extraction, text, out);
    if (out && fclose(out))
        ok = false;
    free(extraction.diff);
    free(text);
    if (ok)
        return handout;
    free(handout);
    return NULL;
}
