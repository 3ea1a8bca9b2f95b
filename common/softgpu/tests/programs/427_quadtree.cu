/* SPDX-License-Identifier: MIT */
/* A quadtree built by kernels that launch kernels, by the rules of CUDA 12: a
 * block sorts the points of its node into quarters by warp votes and shared
 * memory, and its last thread launches a grid for the four children.
 * nvcc refuses this without -rdc=true. */
#include "check.h"

enum { POINTS = 600, BLOCK = 64, WARPS = BLOCK / 32, LEAF = 8, DEPTH = 6 };

struct node {
    float x, y, size;
    int begin, end, depth;
    int child; /* index of the first of four; 0: a leaf */
};

__device__ int node_count = 1;

/* 0 to 3: the quarter of the node that has the point. */
__host__ __device__ static int quarter_of(const node &of, float2 p)
{
    return (p.x >= of.x + of.size / 2) + 2 * (p.y >= of.y + of.size / 2);
}

/* A block per node; points go from one array to the other. */
__global__ void build(node *nodes, int first, float2 *from, float2 *to)
{
    __shared__ int s_count[4], s_base[4], s_first;
    node &me = nodes[first + blockIdx.x];
    const int n = me.end - me.begin, lane = threadIdx.x % 32;
    if (n <= LEAF || me.depth == DEPTH) {
        for (int i = me.begin + threadIdx.x; i < me.end; i += BLOCK)
            to[i] = from[i]; /* both arrays have the final order */
        return;
    }
    if (threadIdx.x < 4)
        s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = me.begin + threadIdx.x; i < me.end; i += BLOCK)
        atomicAdd(&s_count[quarter_of(me, from[i])], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        s_first = atomicAdd(&node_count, 4);
        for (int q = 0, at = me.begin; q < 4; at += s_count[q++])
            s_base[q] = at;
    }
    __syncthreads();
    if (threadIdx.x < 4) {
        const int q = threadIdx.x;
        nodes[s_first + q] = {me.x + q % 2 * me.size / 2,
                              me.y + q / 2 * me.size / 2, me.size / 2,
                              s_base[q], s_base[q] + s_count[q], me.depth + 1,
                              0};
    }
    __syncthreads();
    for (int i = me.begin + threadIdx.x; i - lane < me.end; i += BLOCK)
        for (int q = 0; q < 4; q++) {
            const bool mine = i < me.end && quarter_of(me, from[i]) == q;
            const unsigned votes = __ballot_sync(~0u, mine);
            int base = 0;
            if (lane == 0)
                base = atomicAdd(&s_base[q], __popc(votes));
            base = __shfl_sync(~0u, base, 0);
            if (mine)
                to[base + __popc(votes & ((1u << lane) - 1))] = from[i];
        }
    __syncthreads();
    if (threadIdx.x == BLOCK - 1) {
        me.child = s_first;
        build<<<4, BLOCK>>>(nodes, s_first, to, from);
    }
}

static int leaves, found, outside;

/* Each point of a leaf lies in it. */
static void check(const node *nodes, int index, const float2 *points)
{
    const node &me = nodes[index];
    for (int q = 0; me.child && q < 4; q++)
        check(nodes, me.child + q, points);
    if (me.child)
        return;
    leaves++;
    for (int i = me.begin; i < me.end; i++, found++)
        outside += !(points[i].x >= me.x && points[i].x < me.x + me.size
                     && points[i].y >= me.y && points[i].y < me.y + me.size);
}

int main()
{
    node *nodes = managed<node>(4 * POINTS);
    float2 *a = managed<float2>(POINTS), *b = managed<float2>(POINTS);
    for (int i = 0; i < POINTS; i++)
        a[i] = {(float)(i * 7919 % 1021) / 1021, (float)(i * 104 % 997) / 997};
    nodes[0] = {0, 0, 1, 0, POINTS, 0, 0};
    build<<<1, BLOCK>>>(nodes, 0, a, b);
    RUN();
    check(nodes, 0, a);
    int count;
    OK(cudaMemcpyFromSymbol(&count, node_count, sizeof count));
    printf("%d points in leaves, %d outside; 3 leaves in 4 nodes: %d\n", found,
           outside, leaves * 4 == count * 3 + 1);
    return 0;
}
