/* SPDX-License-Identifier: MIT */
/* The digest of an array on the soft device: its copy is next door, and no
 * kernel but the lab's is to be counted. */
#include "device.h"

int device_digest(uint64_t *state, const void *d_from, size_t length,
                  void *copy)
{
    if (length && device_get(copy, d_from, length))
        return -1;
    *state = digest_more(*state, copy, length);
    return 0;
}

const bool device_digest_copies = true;
