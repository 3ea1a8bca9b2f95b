/* SPDX-License-Identifier: MIT */
/* JSON files: see json_file.h. */
#include "json_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

/* To the file that is open, or else by its path. */
static bool write_to(const char *path, const struct output_file *file,
                     const json_t *json, size_t flags)
{
    char *text = json_dumps(json, flags);
    size_t length = text ? strlen(text) : 0;
    bool ok;

    if (!text) {
        errno = EINVAL;
        return false;
    }
    if (file)
        ok = output_file_write(file, text, length);
    else
        ok = strcmp(path, "-") ? write_file(path, text, length)
                               : fwrite(text, 1, length, stdout) == length;
    free(text);
    return ok;
}

bool write_json(const char *path, const json_t *json, size_t flags)
{
    return write_to(path, NULL, json, flags);
}

bool write_open_json(const struct output_file *file, const json_t *json,
                     size_t flags)
{
    return write_to(file->folder < 0 ? "-" : NULL,
                    file->folder < 0 ? NULL : file, json, flags);
}
