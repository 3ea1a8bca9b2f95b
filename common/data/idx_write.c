/* SPDX-License-Identifier: MIT */
/** @file
 *  Writing IDX files, for synthetic data sets and tests. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "idx.h"

/* Sizes in IDX files are big-endian. */
static void store_big_endian(unsigned char *to, size_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Magic number, one size a dimension, then the elements. */
static bool write_header_and_data(gzFile file, const struct idx *idx)
{
    unsigned char header[4 + 4 * IDX_RANK_MAX] = {0, 0, 8};
    unsigned header_bytes = 4 + 4 * (unsigned)idx->rank;
    unsigned bytes = (unsigned)idx_count(idx);

    header[3] = (unsigned char)idx->rank;
    for (int i = 0; i < idx->rank; i++)
        store_big_endian(header + 4 + 4 * i, idx->size[i]);
    return gzwrite(file, header, header_bytes) == (int)header_bytes &&
           gzwrite(file, idx->data, bytes) == (int)bytes;
}

/* A name that consists of the ending alone does not count. */
static bool ends_in_gz(const char *path)
{
    size_t length = strlen(path);

    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

bool idx_write(const char *path, const struct idx *idx,
               struct failure *failure)
{
    char part[4096];
    gzFile file;
    bool ok;

    if (idx_count(idx) == 0 || idx_count(idx) >= IDX_BYTES_MAX)
        return fail(failure, "%s: cannot hold %zu elements", path,
                    idx_count(idx));
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return fail(failure, "%s: the name is too long", path);
    file = gzopen(part, ends_in_gz(path) ? "wb9" : "wbT");
    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    ok = write_header_and_data(file, idx);
    ok = gzclose(file) == Z_OK && ok;
    if (ok && rename(part, path) == 0) return true;
    fail(failure, "%s: %s", path, strerror(errno));
    unlink(part);
    return false;
}
