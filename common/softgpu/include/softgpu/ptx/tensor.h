/* SPDX-License-Identifier: MIT */
/** @file
 *  mbarrier, and TMA's copies of boxes, which are performed when a thread waits
 *  at the barrier (softgpu/mbarrier.h).
 */
#ifndef SOFTGPU_PTX_TENSOR_H
#define SOFTGPU_PTX_TENSOR_H

#include "../async_copy.h"
#include "../mbarrier.h"
#include "../sync.h"

SOFTGPU_FN void ptx_mbarrier_init(uint64_t *s_barrier, unsigned arrivals)
{
    softgpu_mbarrier_init(s_barrier, arrivals);
}

SOFTGPU_FN void ptx_mbarrier_init_fence() {}

SOFTGPU_FN void ptx_fence_proxy_async() {}

SOFTGPU_FN void ptx_mbarrier_arrive(uint64_t *s_barrier)
{
    softgpu_mbarrier_arrive(s_barrier, 0);
}

SOFTGPU_FN void ptx_mbarrier_arrive_expect_tx(uint64_t *s_barrier,
                                              unsigned bytes)
{
    softgpu_mbarrier_arrive(s_barrier, bytes);
}

SOFTGPU_FN void ptx_mbarrier_wait(uint64_t *s_barrier, unsigned parity)
{
    while (!softgpu_mbarrier_test_wait(s_barrier, parity))
        ;
}

struct ptx_tensor_map {
    struct ptx_matrix matrix; /**< that boxes are copied from */
    unsigned box_rows;        /**< of each */
};

inline cudaError_t ptx_tensor_map_2d(struct ptx_tensor_map *map,
                                     const struct ptx_matrix *matrix,
                                     unsigned box_rows)
{
    const size_t most = (size_t)1 << 32;
    cudaDeviceProp about;
    int device = 0;
    cudaError_t err = cudaGetDevice(&device);

    if (!err)
        err = cudaGetDeviceProperties(&about, device);
    if (err)
        return err;
    if (about.major < 9)
        return cudaErrorNotSupported;
    if (!matrix->d_data || (size_t)matrix->d_data % 16 || matrix->rows < 1
        || matrix->rows > most || matrix->columns < 1 || matrix->columns > most
        || matrix->stride % 8 || matrix->stride < matrix->columns
        || box_rows < 1 || box_rows > 256)
        return cudaErrorInvalidValue;
    map->matrix = *matrix;
    map->box_rows = box_rows;
    return cudaSuccess;
}

namespace softgpu {
namespace ptx {

enum { ROW = 2 * PTX_BOX_COLUMNS /**< bytes of a row of a box */ };

/** A row of a box: its address in global memory, the bytes that are left of the
 *  matrix, and those inside it, of 128. */
struct box_row {
    const char *from;
    size_t before, inside;
};

/** Row `row` of the matrix from a column on; both can be outside of it. */
inline box_row find_row(const ptx_tensor_map *map, long column, long row)
{
    const ptx_matrix &m = map->matrix;
    const long left = column < 0 ? -column : 0;
    long right = (long)m.columns - column;

    if (right > PTX_BOX_COLUMNS)
        right = PTX_BOX_COLUMNS;
    if (row < 0 || row >= (long)m.rows || left >= right)
        return { NULL, 0, 0 };
    return { (const char *)m.d_data
                 + 2 * ((size_t)row * m.stride + (size_t)(column + left)),
             2 * (size_t)left, 2 * (size_t)(right - left) };
}

} // namespace ptx
} // namespace softgpu

SOFTGPU_FN void ptx_tma_load_2d(void *s_to, const struct ptx_tensor_map *map,
                                int column, int row, uint64_t *s_barrier)
{
    using namespace softgpu::ptx;
    char *to = (char *)s_to;

    if (!softgpu_is_shared(s_to) || __cvta_generic_to_shared(s_to) % 128)
        softgpu_fail(716, "TMA: not to shared memory aligned to 128 bytes");
    for (unsigned r = 0; r < map->box_rows; r++, to += ROW) {
        const box_row b = find_row(map, column, (long)row + r);
        const size_t end = b.before + b.inside;
        if (b.before > 0)
            softgpu_copy_post(s_barrier, softgpu_move_swizzled, to, NULL,
                              b.before);
        if (b.inside > 0)
            softgpu_copy_post(s_barrier, softgpu_move_swizzled, to + b.before,
                              b.from, b.inside);
        if (end < ROW)
            softgpu_copy_post(s_barrier, softgpu_move_swizzled, to + end, NULL,
                              ROW - end);
    }
}

#endif
