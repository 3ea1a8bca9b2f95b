/* SPDX-License-Identifier: MIT */
/* Structs of all sizes that functions take by value, where calls are not
 * inlined: elements, members, references, operands, objects of member
 * functions and arguments of constructors, and what host code returns. */
#include <cstdio>
#include <new>

enum { N = 100 };

#define OUT_OF_LINE __device__ __noinline__

struct eight {
    float v[8];
};

struct pair {
    float a, b;
};

struct tiny {
    unsigned char r, g, b;
};

OUT_OF_LINE float sum(eight e)
{
    float total = 0;

    for (float each : e.v)
        total += each;
    return total;
}

OUT_OF_LINE float again(eight e, int n)
{
    return n > 0 ? e.v[n] + again(e, n - 1) : sum(e);
}

OUT_OF_LINE int gray(tiny t) { return t.r + t.g + t.b; }
OUT_OF_LINE pair operator+(pair x, pair y) { return {x.a + y.a, x.b + y.b}; }
OUT_OF_LINE pair operator-(pair x) { return {-x.a, -x.b}; }
OUT_OF_LINE eight operator*(eight e, float by) { e.v[0] *= by; return e; }

/* A copy constructor of its own, and a conversion by value. */
struct counted {
    float v;
    int copies;

    __device__ counted(float v) : v(v), copies(0) {}
    __device__ counted(const counted &o) : v(o.v), copies(o.copies + 1) {}
};
OUT_OF_LINE float value_of(counted c) { return c.v + 100 * c.copies; }

struct node {
    eight e;
    pair at;

    OUT_OF_LINE node(eight e, pair at) : e(e), at(at) {}
    OUT_OF_LINE node &operator+=(node other);
    OUT_OF_LINE float near(pair p) const { return at.a * p.b + at.b * p.a; }
};

node &node::operator+=(node other)
{
    at = at + other.at;
    e = e * other.e.v[0];
    return *this;
}

template <class T, class F> OUT_OF_LINE float apply(T t, F f) { return f(t); }

__device__ eight table[2];

/* Each thread has two structs, and a node that is made in place. */
__global__ void use_all(const eight *in, const pair *pairs, const tiny *tinies,
                        node *nodes, pair *sums, float *out)
{
    __shared__ eight shared[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float (*f)(eight) = sum;

    if (i < N)
        shared[threadIdx.x] = in[i];
    if (i < 2)
        table[i] = in[i] * 3;
    __syncthreads();
    if (i >= N)
        return;
    new (nodes + i) node(in[i], pairs[i]);
    nodes[i] += node(shared[threadIdx.x], -pairs[i] + pairs[i] + pairs[0]);
    sums[i] = pairs[i] + -pairs[N - 1 - i];
    out[i] = f(i % 2 ? in[i] : shared[threadIdx.x]) + again(nodes[i].e, 3)
             + gray(tinies[i]) + nodes[i].near(sums[i])
             + apply(in[i], [=](eight e) { return e.v[i % 8]; })
             + value_of(counted(2)) + sum(i < 2 ? table[i] : *in);
}

/* Host code returns a class that has a copy constructor. */
static int made, copied;
struct maker {
    maker() { made++; }
    maker(const maker &) { copied++; }
};

static maker make()
{
    maker m;

    return m;
}

static void fill(eight *in, pair *pairs, tiny *tinies)
{
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 8; k++)
            in[i].v[k] = (i + k) % 7;
        pairs[i] = {float(i % 5), float(i % 3)};
        tinies[i] = {1, (unsigned char)i, 3};
    }
}

int main()
{
    eight *in;
    pair *pairs, *sums;
    tiny *tinies;
    node *nodes;
    float *out, total = 0;
    maker m = make();

    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&pairs, N * sizeof *pairs);
    cudaMallocManaged(&tinies, N * sizeof *tinies);
    cudaMalloc(&nodes, N * sizeof *nodes);
    cudaMalloc(&sums, N * sizeof *sums);
    cudaMallocManaged(&out, N * sizeof *out);
    fill(in, pairs, tinies);
    use_all<<<2, 64>>>(in, pairs, tinies, nodes, sums, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < N; i++)
        total += out[i];
    printf("%g %g %g, %g; %d\n", out[0], out[1], out[99], total, made);
    cudaFree(in);
    cudaFree(pairs);
    cudaFree(tinies);
    cudaFree(nodes);
    cudaFree(sums);
    cudaFree(out);
    (void)m;
    return 0;
}
