/* SPDX-License-Identifier: MIT */
/* The timed kernels in OpenCL C: the same blocks (work-groups), tiles and order
 * of sums as the CUDA C of NAME.cu. peer.c defines the sizes of bench.h. */

/* A thread owns one element. */
kernel void vector_add(global const float *a, global const float *b,
                       global float *c)
{
    const int i = get_global_id(0);
    if (i < VECTOR_N)
        c[i] = a[i] + b[i];
}

/* A thread owns C[row][column]; neighbors in x own neighboring columns. */
kernel void gemm_naive(global const float *a, global const float *b,
                       global float *c)
{
    const int column = get_global_id(0), row = get_global_id(1), n = GEMM_N;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* A thread owns one element of C; a block owns a tile of 16 x 16. */
kernel void gemm_tiled(global const float *a, global const float *b,
                       global float *c)
{
    local float s_a[16][16], s_b[16][16];
    const int x = get_local_id(0), y = get_local_id(1), n = GEMM_N;
    const int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
    float sum = 0;
    for (int at = 0; at < n; at += 16) {
        s_a[y][x] = a[row * n + at + x];
        s_b[y][x] = b[(at + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE); /* the tiles are loaded */
        for (int k = 0; k < 16; k++)
            sum += s_a[y][k] * s_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE); /* all threads have read them */
    }
    c[row * n + column] = sum;
}

/* A block owns 64 x 64 elements of C, a thread 8 x 8 of them in registers. */
kernel void gemm_blocked(global const float *a, global const float *b,
                         global float *c)
{
    local float s_a[8][64], s_b[8][64];
    const int t = get_local_id(0), row = t / 8 * 8, column = t % 8 * 8;
    const int n = BLOCKED_N;
    global const float *from_a = a + (get_group_id(1) * 64 + t) * n;
    global const float *from_b
        = b + t / 8 * n + get_group_id(0) * 64 + t % 8 * 8;
    float sum[8][8] = { { 0 } };
    for (int at = 0; at < n; at += 8) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            s_a[i][t] = from_a[at + i];
            s_b[t / 8][t % 8 * 8 + i] = from_b[at * n + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the tiles are loaded */
#pragma unroll
        for (int k = 0; k < 8; k++)
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += s_a[k][row + i] * s_b[k][column + j];
        barrier(CLK_LOCAL_MEM_FENCE); /* all threads have read them */
    }
    c += (get_group_id(1) * 64 + row) * n + get_group_id(0) * 64 + column;
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            c[i * n + j] = sum[i][j];
}

/* A thread loads one element; block i writes the sum of its 256 to c[i]. */
kernel void reduce_tree(global const float *a, global const float *b,
                        global float *c)
{
    local float s_sum[256];
    const int t = get_local_id(0);
    s_sum[t] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are loaded */
    for (int half_ = 128; half_ > 0; half_ /= 2) {
        if (t < half_)
            s_sum[t] += s_sum[t + half_];
        barrier(CLK_LOCAL_MEM_FENCE); /* the lower half has the sums */
    }
    if (t == 0)
        c[get_group_id(0)] = s_sum[0];
}

#ifdef SUB_GROUPS
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#elif defined(cl_intel_subgroups)
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif
/* The sum of a block by sub-groups, OpenCL's warps. */
kernel void reduce_shuffle(global const float *a, global const float *b,
                           global float *c)
{
    local float s_warp[256];
    const float sum = sub_group_reduce_add(a[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        s_warp[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* each sub-group's sum is stored */
    if (get_local_id(0) == 0) {
        float total = 0;
        for (uint i = 0; i < get_num_sub_groups(); i++)
            total += s_warp[i];
        c[get_group_id(0)] = total;
    }
}
#endif

/* A thread owns one pixel; a block loads 20 x 20 pixels, some threads twice. */
kernel void convolution(global const float *a, constant float *filter,
                        global float *c)
{
    local float s_tile[20][20];
    const int lx = get_local_id(0), ly = get_local_id(1), n = IMAGE_N;
    const int left = get_group_id(0) * 16, top = get_group_id(1) * 16;
    for (int y = ly; y < 20; y += 16)
        for (int x = lx; x < 20; x += 16) {
            const int row = top + y - 2, column = left + x - 2;
            const bool inside
                = row >= 0 && row < n && column >= 0 && column < n;
            s_tile[y][x] = inside ? a[row * n + column] : 0;
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded */
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = 0; j < 5; j++)
            sum += filter[i * 5 + j] * s_tile[ly + i][lx + j];
    c[(top + ly) * n + left + lx] = sum;
}

/* A thread counts every 64 * 256th byte; a block adds its bins at the end. */
kernel void histogram(global const uchar *bytes, global uint *counts,
                      global float *c)
{
    local uint s_counts[256];
    const int t = get_local_id(0);
    s_counts[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all bins are 0 */
    for (int i = get_global_id(0); i < VECTOR_N; i += get_global_size(0))
        atomic_inc(&s_counts[bytes[i]]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all bytes are counted */
    atomic_add(&counts[t], s_counts[t]);
}

/* A thread owns a bin. */
kernel void copy_counts(global const uchar *bytes, global uint *counts,
                        global float *c)
{
    const int t = get_local_id(0);
    c[t] = counts[t];
    counts[t] = 0;
}

/* Each thread counts the barriers it passed. */
kernel void barriers(global const float *a, global const float *b,
                     global float *c)
{
    float passed = 0;
    for (int i = 0; i < BARRIERS; i++) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the measured operation */
        passed += 1;
    }
    c[get_global_id(0)] = passed;
}
