/* SPDX-License-Identifier: MIT */
/** @file
 *  The instructions of common/include/ptx.h on the software GPU; their
 *  contracts are there.
 */
#ifndef SOFTGPU_PTX_ALL_H
#define SOFTGPU_PTX_ALL_H

#include "../async_copy.h"
#include "../inline.h"
#include "matrix.h"
#include "tensor.h"
#include "wgmma.h"

SOFTGPU_FN unsigned ptx_shared_address(const void *s_ptr)
{
    if (!softgpu_is_shared(s_ptr))
        softgpu_fail(719, "ptx_shared_address: not in shared memory");
    return (unsigned)__cvta_generic_to_shared(s_ptr);
}

SOFTGPU_FN void ptx_cp_async_16(void *s_to, const void *from, unsigned bytes)
{
    if (((size_t)s_to | (size_t)from) % 16)
        softgpu_fail(716, "ptx_cp_async_16: pointer not aligned to 16 bytes");
    if (bytes > 16)
        softgpu_fail(719, "ptx_cp_async_16 of %u bytes: 0 to 16", bytes);
    if (bytes > 0)
        softgpu_copy_async(NULL, s_to, from, bytes);
    if (bytes < 16)
        softgpu_copy_async(NULL, (char *)s_to + bytes, NULL, 16 - bytes);
}

SOFTGPU_FN void ptx_cp_async_commit() { softgpu_copy_commit(NULL); }

template <int pending> SOFTGPU_FN void ptx_cp_async_wait()
{
    softgpu_copy_wait(NULL, pending);
}

#endif
