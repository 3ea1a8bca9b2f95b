/* SPDX-License-Identifier: MIT */
/** @file
 *  Writing IDX files, for synthetic data sets and tests. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/base/new_file.h"
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
    struct new_file new;
    gzFile file;
    bool ok;
    int fd;

    if (idx_count(idx) == 0 || idx_count(idx) >= IDX_BYTES_MAX)
        return fail(failure, "%s: cannot hold %zu elements", path,
                    idx_count(idx));
    if (!new_file_create(AT_FDCWD, path, &new))
        return fail(failure, "%s: %s", path, strerror(errno));
    fd = fcntl(new.fd, F_DUPFD_CLOEXEC, 0);
    file = fd < 0 ? NULL : gzdopen(fd, ends_in_gz(path) ? "wb9" : "wbT");
    ok = file && write_header_and_data(file, idx);
    if (file)
        ok = gzclose(file) == Z_OK && ok;
    else if (fd >= 0)
        close(fd);
    if (ok && new_file_publish(&new)) return true;
    fail(failure, "%s: %s", path, strerror(errno));
    new_file_discard(&new);
    return false;
}
