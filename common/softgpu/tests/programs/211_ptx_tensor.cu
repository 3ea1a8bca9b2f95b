/* SPDX-License-Identifier: MIT */
/* ptx.h: mbarrier phases, and TMA's boxes with their swizzle and the zeros
 * outside of the matrix.  One warp loads, the others use the box. */
#include "check.h"
#include "../../../include/ptx.h"

enum { ROWS = 16, COLUMNS = PTX_BOX_COLUMNS, STAGES = 2 };

/* Boxes along a row of them; out has each box by rows, plain. */
__global__ void cut(const __grid_constant__ ptx_tensor_map map,
                    unsigned short *out, int column, int row, int boxes)
{
    __shared__ __align__(1024) unsigned short s_box[STAGES][ROWS * COLUMNS];
    __shared__ uint64_t s_full[STAGES], s_free[STAGES];
    const int users = blockDim.x - 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            ptx_mbarrier_init(&s_full[s], 1);
            ptx_mbarrier_init(&s_free[s], users);
            ptx_mbarrier_init_fence();
        }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < boxes && threadIdx.x == 0; i++) {
            int s = i % STAGES;
            ptx_mbarrier_wait(&s_free[s], (i / STAGES & 1) ^ 1);
            ptx_mbarrier_arrive_expect_tx(&s_full[s], sizeof s_box[s]);
            ptx_tma_load_2d(s_box[s], &map, column + i * COLUMNS, row,
                            &s_full[s]);
        }
        return;
    }
    for (int i = 0; i < boxes; i++) {
        int s = i % STAGES;
        ptx_mbarrier_wait(&s_full[s], i / STAGES & 1);
        for (int at = threadIdx.x - 32; at < ROWS * COLUMNS; at += users)
            out[i * ROWS * COLUMNS + at] =
                s_box[s][ptx_swizzle_128(2 * at) / 2];
        ptx_mbarrier_arrive(&s_free[s]);
    }
}

static void try_cut(const unsigned short *in, struct ptx_matrix m, int column,
                    int row)
{
    enum { BOXES = 5 };
    unsigned short *out = managed<unsigned short>(BOXES * ROWS * COLUMNS);
    ptx_tensor_map map;
    OK(ptx_tensor_map_2d(&map, &m, ROWS));
    cut<<<1, 96>>>(map, out, column, row, BOXES);
    RUN();
    for (int i = 0; i < BOXES * ROWS * COLUMNS; i++) {
        long r = row + i / COLUMNS % ROWS;
        long c = column + i / (ROWS * COLUMNS) * COLUMNS + i % COLUMNS;
        bool inside = r >= 0 && c >= 0 && r < (long)m.rows
                      && c < (long)m.columns;
        EXPECT(out[i] == (inside ? in[r * m.stride + c] : 0));
    }
}

int main()
{
    enum { HEIGHT = 21, STRIDE = 208 };
    unsigned short *in = managed<unsigned short>(HEIGHT * STRIDE);
    struct ptx_matrix m = {in, HEIGHT, 200, STRIDE};
    ptx_tensor_map map;
    for (int i = 0; i < HEIGHT * STRIDE; i++)
        in[i] = 1 + i;
    try_cut(in, m, 0, 0);
    try_cut(in, m, 3, 8);
    try_cut(in, m, -70, -5);
    m.columns = 133;
    try_cut(in, m, 64, 20);
    m.stride = 204;
    SHOW(ptx_tensor_map_2d(&map, &m, ROWS));
    m.stride = STRIDE;
    m.d_data = in + 1;
    SHOW(ptx_tensor_map_2d(&map, &m, ROWS));
    m.d_data = in;
    SHOW(ptx_tensor_map_2d(&map, &m, 257));
    return 0;
}
