/* SPDX-License-Identifier: MIT */
/* Structs that fit no registers are returned by functions, and assigned to
 * elements, members and variables; and what else looks like that to a
 * compiler that rewrites assignments of calls. */
#include <cstdio>

enum { N = 100 };

struct eight {
    float v[8];
};

struct node {
    struct eight sum;
    int next;
};

__host__ __device__ constexpr int twice(int n) { return 2 * n; }

__device__ __noinline__ eight add(const eight &a, const eight &b)
{
    eight sum;

    for (int k = 0; k < 8; k++)
        sum.v[k] = a.v[k] + b.v[k];
    return sum;
}

template <class T> __device__ __noinline__ T filled(float value)
{
    T made;

    for (float &each : made.v)
        each = value;
    return made;
}

__device__ eight table[2];

/* Assigns to elements, members and variables. */
__global__ void add_all(const eight *a, const eight *b, eight *sums,
                        node *nodes)
{
    enum { SIZE = twice(3) };
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int index, other;

    if (i >= N)
        return;
    index = twice(i), other = min(index, (int)SIZE);
    sums[i] = add(a[i], b[i]);
    nodes[i].sum = i % 2 ? add(sums[i], a[i]) : filled<eight>(1);
    for (other = twice(other); other > 4; other = max(0, other - 5))
        continue;
    for (int half = 16; half; half = half / 2)
        other += twice(half) - twice(half);
    nodes[i].next = other = twice(index) - twice(twice(i));
    if (i < 2)
        table[i] = filled<eight>(float(i));
}

/* Reads what the other kernel assigned. */
__global__ void read_all(const eight *sums, const node *nodes, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N)
        out[i] = sums[i].v[i % 8] + nodes[i].sum.v[7] + nodes[i].next
                 + table[i % 2].v[3];
}

int main()
{
    static eight h_a[N];
    eight *a, *b, *sums;
    node *nodes;
    float *out, h_out[N], total = 0;

    for (int i = 0; i < N; i++)
        for (int k = 0; k < 8; k++)
            h_a[i].v[k] = i + k;
    cudaMalloc(&a, sizeof h_a);
    cudaMalloc(&b, sizeof h_a);
    cudaMalloc(&sums, sizeof h_a);
    cudaMalloc(&nodes, N * sizeof *nodes);
    cudaMalloc(&out, sizeof h_out);
    cudaMemcpy(a, h_a, sizeof h_a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h_a, sizeof h_a, cudaMemcpyHostToDevice);
    add_all<<<2, 64>>>(a, b, sums, nodes);
    read_all<<<2, 64>>>(sums, nodes, out);
    cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        total += h_out[i];
    printf("%g %g %g, %g\n", h_out[0], h_out[1], h_out[9], total);
    cudaFree(a);
    cudaFree(b);
    cudaFree(sums);
    cudaFree(nodes);
    cudaFree(out);
    return 0;
}
