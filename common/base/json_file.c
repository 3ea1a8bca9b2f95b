/* SPDX-License-Identifier: MIT */
/* JSON files: see json_file.h. */
#include "json_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

bool write_json(const char *path, const json_t *json, size_t flags)
{
    char *text = json_dumps(json, flags);
    size_t length = text ? strlen(text) : 0;
    bool ok;

    if (!text) {
        errno = EINVAL;
        return false;
    }
    ok = strcmp(path, "-") ? write_file(path, text, length)
                           : fwrite(text, 1, length, stdout) == length;
    free(text);
    return ok;
}
