/* SPDX-License-Identifier: MIT */
/* Times of readings, one object a folder and lab. */
#include "readings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/json_member.h"
#include "common/base/text.h"

static const char file[] = "readings.json";

/* A folder's name may be no UTF-8; another lab is another reading. */
static char *name_reading(const struct intake *intake, char hex[DIGEST_TEXT])
{
    char path[PATH_MAX], text[PATH_MAX + 128];

    if (!realpath(intake->folder, path))
        text_format(path, sizeof path, "%s", intake->folder);
    text_format(text, sizeof text, "%s\n%s", path,
                intake->stem ? intake->stem : "");
    return digest(hex, text, strlen(text));
}

/* Note that a reading began at `open` and is not done (0: none), and when the
 * last whole one began. */
static bool note(const struct store *store, const struct intake *intake,
                 json_t *all, int64_t open, int64_t whole,
                 struct failure *failure)
{
    char name[DIGEST_TEXT];
    bool ok = json_object_set_new(all, name_reading(intake, name),
                                  json_pack("{sI sI}", "open", (json_int_t)open,
                                            "whole", (json_int_t)whole)) == 0
              && store_write_json(store, file, all);

    json_decref(all);
    return ok || fail(failure, "%s/%s: %s", store->path, file,
                      strerror(errno));
}

/* All readings so far.  @return NULL with one line */
static json_t *read_all(const struct store *store, struct failure *failure)
{
    json_t *all;

    if (!store_get(store, file, &all, failure))
        return NULL;
    if (!all)
        all = json_object();
    if (!all)
        fail(failure, "out of memory");
    return all;
}

bool readings_begin(const struct store *store, struct intake *intake,
                    struct failure *failure)
{
    char name[DIGEST_TEXT];
    json_t *all = read_all(store, failure);
    const json_t *last;

    if (!all)
        return false;
    last = json_object_get(all, name_reading(intake, name));
    intake->began = (int64_t)time(NULL);
    intake->whole = (int64_t)member_count(last, "whole");
    intake->first = (int64_t)member_count(last, "open");
    if (!intake->first)
        intake->first = intake->began;
    return note(store, intake, all, intake->first, intake->whole, failure);
}

bool readings_end(const struct store *store, const struct intake *intake,
                  struct failure *failure)
{
    json_t *all = read_all(store, failure);

    return all && note(store, intake, all, 0, intake->began, failure);
}
