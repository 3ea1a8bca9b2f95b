/* SPDX-License-Identifier: MIT */
/* The secret behind all inputs of a results folder: the instructor's text, or
 * 256 random bits, made once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "common/base/files.h"
#include "common/base/random.h"
#include "common/base/text.h"

/* The secret that seeds are derived from, of 1 to SECRET_BYTES bytes. */
static bool read_secret(struct batch *batch, const char *text, size_t length)
{
    if (!text || length == 0 || length > SECRET_BYTES)
        return false;
    memcpy(batch->secret, text, length);
    batch->secret_bytes = length;
    return true;
}

/* 256 random bits, published as a whole: of two runs that start at once, both
 * use the first. */
static bool make_secret(struct batch *batch, struct failure *failure)
{
    char text[65];

    for (int i = 0; i < 4; i++)
        text_format(text + 16 * i, 17, "%016llx",
                    (unsigned long long)random_system_seed());
    return (store_publish(batch->store, "seed", text, 64)
            && read_secret(batch, text, 64))
           || fail(failure, "%s/seed: %s", batch->store->path,
                   strerror(errno));
}

bool batch_secret(struct batch *batch, const char *path,
                  struct failure *failure)
{
    size_t length = 0, other_length = 0;
    char *own = store_read(batch->store, "seed", &length), *other = NULL;
    bool ok = true;

    if (!own && errno != ENOENT) /* another one would give other inputs */
        ok = fail(failure, "%s/seed: %s", batch->store->path,
                  strerror(errno));
    else if (path && !(other = read_file(path, SECRET_BYTES, &other_length)))
        ok = fail(failure, "%s: %s", path, strerror(errno));
    else if (path && !read_secret(batch, other, other_length))
        ok = fail(failure, "%s: empty; it should hold a secret text", path);
    else if (own && other
             && (length != other_length || memcmp(own, other, length)))
        ok = fail(failure, "%s: these results were begun with another seed; "
                  "leave --seed-file away, or name a new folder", path);
    else if (own && !read_secret(batch, own, length))
        ok = fail(failure, "%s/seed: damaged", batch->store->path);
    else if (!own && other
             && !store_publish(batch->store, "seed", other, other_length))
        ok = fail(failure, "%s/seed: %s", batch->store->path,
                  strerror(errno));
    else if (!own && !other)
        ok = make_secret(batch, failure);
    free(own);
    free(other);
    return ok;
}
