/* SPDX-License-Identifier: MIT */
/** @file
 *  Reading of IDX files; idx_write.c writes them. */
#include "idx.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

size_t idx_count(const struct idx *idx)
{
    size_t count = idx->rank > 0;

    for (int i = 0; i < idx->rank; i++) count *= idx->size[i];
    return count;
}

void idx_free(struct idx *idx)
{
    free(idx->data);
    memset(idx, 0, sizeof *idx);
}

/* Report a truncated or damaged gzip stream. */
static bool fail_read(gzFile file, const char *path, struct failure *failure)
{
    int code;
    const char *why = gzerror(file, &code);

    if (code == Z_ERRNO) why = strerror(errno);
    return fail(failure, "%s: byte %lld: damaged or truncated: %s", path,
                (long long)gztell(file),
                code == Z_OK ? "the file ends too early" : why);
}

/* Read `bytes` bytes, in chunks that fit gzread()'s int. */
static bool read_bytes(gzFile file, unsigned char *to, size_t bytes)
{
    while (bytes > 0) {
        unsigned chunk = bytes < (1u << 30) ? (unsigned)bytes : 1u << 30;
        if (gzread(file, to, chunk) != (int)chunk) return false;
        to += chunk;
        bytes -= chunk;
    }
    return true;
}

/* A 32-bit big-endian integer. */
static size_t load_big_endian(const unsigned char *p)
{
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

/* One 32-bit big-endian size a dimension.  The product is limited, so that a
 * damaged header cannot ask for all memory. */
static bool read_sizes(gzFile file, const char *path, struct idx *idx,
                       struct failure *failure)
{
    unsigned char sizes[4 * IDX_RANK_MAX];
    size_t left = IDX_BYTES_MAX;

    if (!read_bytes(file, sizes, 4 * (size_t)idx->rank))
        return fail_read(file, path, failure);
    for (int i = 0; i < idx->rank; i++) {
        idx->size[i] = load_big_endian(sizes + 4 * i);
        if (idx->size[i] == 0 || idx->size[i] > left)
            return fail(failure, "%s: dimension %d cannot be %zu", path,
                        i + 1, idx->size[i]);
        left /= idx->size[i];
    }
    return true;
}

/* The magic number: two zero bytes, the type of the elements (8: unsigned
 * bytes), the number of dimensions. */
static bool read_header(gzFile file, const char *path, struct idx *idx,
                        struct failure *failure)
{
    unsigned char magic[4];
    int got = gzread(file, magic, sizeof magic);

    if (got == 0) return fail(failure, "%s: the file is empty", path);
    if (got != sizeof magic) return fail_read(file, path, failure);
    if (magic[0] != 0 || magic[1] != 0 || magic[2] != 8)
        return fail(failure, "%s: not an IDX file of bytes: it begins with "
                    "%02x %02x %02x", path, magic[0], magic[1], magic[2]);
    if (magic[3] != idx->rank)
        return fail(failure, "%s: has %d dimensions, not %d", path, magic[3],
                    idx->rank);
    return read_sizes(file, path, idx, failure);
}

/* The file must end exactly after its elements. */
static bool read_data(gzFile file, const char *path, struct idx *idx,
                      struct failure *failure)
{
    unsigned char extra;
    int code;

    idx->data = malloc(idx_count(idx));
    if (!idx->data)
        return fail(failure, "%s: no memory for %zu bytes", path,
                    idx_count(idx));
    if (!read_bytes(file, idx->data, idx_count(idx)))
        return fail_read(file, path, failure);
    if (gzread(file, &extra, 1) == 1)
        return fail(failure, "%s: longer than its sizes say", path);
    /* A stream truncated after its last content byte reads as complete but
     * sets an error, as does a wrong checksum. */
    gzerror(file, &code);
    return code == Z_OK || fail_read(file, path, failure);
}

bool idx_read(const char *path, int rank, struct idx *idx,
              struct failure *failure)
{
    gzFile file;
    bool ok;

    memset(idx, 0, sizeof *idx);
    if (rank < 1 || rank > IDX_RANK_MAX)
        return fail(failure, "%s: cannot have %d dimensions", path, rank);
    file = gzopen(path, "rb");
    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    idx->rank = rank;
    ok = read_header(file, path, idx, failure) &&
         read_data(file, path, idx, failure);
    if (!ok) idx_free(idx);
    gzclose(file);
    return ok;
}
