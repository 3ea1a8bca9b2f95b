/* SPDX-License-Identifier: MIT */
#include "async_copy_check.h"

#include "check.h"
#include "watch.h"

void check_issued_copy(void *dst, const void *src, size_t bytes,
                       const void *site, int posted)
{
    (void)src;
    if (dst && !posted && softgpu_is_shared(dst))
        check_range(dst, bytes, ACCESS_WRITE | ACCESS_ISSUED, (uintptr_t)site);
}

void check_completed_copy(void *dst, const void *src, size_t bytes,
                          const void *site, int posted)
{
    const uint32_t flags = posted ? ACCESS_COPIED : 0;

    if (src)
        check_range(src, bytes, flags, (uintptr_t)site);
    if (dst)
        check_range(dst, bytes, flags | ACCESS_WRITE, (uintptr_t)site);
}
