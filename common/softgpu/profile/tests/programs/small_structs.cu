/* SPDX-License-Identifier: MIT */
/* As structs.cu, with structs that are passed in registers.  gcc loads a struct
 * by words, as a GPU does for one of this alignment; clang may load two words
 * at once, leaves out words that nobody reads, and does not instrument the load
 * of a variable: these are for gcc.  So is a barrier in memory, whose atomics
 * clang instruments. */
#include <cuda/barrier>
#include <cuda_runtime.h>

#define OUT_OF_LINE __device__ __noinline__

struct pair { float a, b; };
struct three { float x, y, z; };
struct quad { float v[4]; };
struct tiny { char r, g, b; };

OUT_OF_LINE float second(int n, pair p, float f) { return p.b + n + f; }
OUT_OF_LINE float x_of(three t) { return t.x; }
OUT_OF_LINE float last(quad q) { return q.v[3]; }
OUT_OF_LINE int green(tiny t) { return t.g; }
OUT_OF_LINE pair operator+(pair a, pair b) { return {a.a + b.a, a.b + b.b}; }
OUT_OF_LINE pair operator-(pair a) { return {-a.a, -a.b}; }

struct body {
    float mass;
    pair at;

    OUT_OF_LINE body(pair p) : mass(1), at(p) {}
    OUT_OF_LINE float force(body other) const { return mass * other.at.a; }
    OUT_OF_LINE body moved() const { body b = *this; b.mass = 2; return b; }
};

#define T threadIdx.x
#define OUT float *out

// two words, 8 bytes apart.  counts: ld=2/16/8/256 st=1/4/4/128
__global__ void words_2(const pair *in, OUT) { out[T] = second(1, in[T], 2); }
// three, 12 bytes apart.  counts: ld=3/36/12/384 st=1/4/4/128
__global__ void words_3(const three *in, OUT) { out[T] = x_of(in[T]); }
// four, 16 bytes apart.  counts: ld=4/64/16/512 st=1/4/4/128
__global__ void words_4(const quad *in, OUT) { out[T] = last(in[T]); }
// three bytes.  counts: ld=3/9/3/96 st=1/4/4/128
__global__ void bytes_3(const tiny *in, OUT) { out[T] = green(in[T]); }
// both operands.  counts: ld=4/32/16/512 st=1/4/4/128
__global__ void sum_of(const pair *in, OUT) { out[T] = (in[T] + in[T]).a; }
// one operand.  counts: ld=2/16/8/256 st=1/4/4/128
__global__ void negative(const pair *in, OUT) { out[T] = (-in[T]).a; }
// a result.  counts: ld=4/32/16/512 st=2/16/8/256
__global__ void sums(const pair *in, pair *out) { out[T] = in[T] + in[T]; }
// of a constructor.  counts: ld=2/16/8/256 st=1/4/4/128 lo=?
__global__ void made(const pair *in, OUT)
{
    body b(in[T]);

    out[T] = b.mass;
}
// an object and an argument.  counts: ld=4/48/16/512 st=1/4/4/128
__global__ void method(const body *in, OUT) { out[T] = in[T].force(in[T]); }
// an object, whose mass nobody reads.  counts: ld=2/24/8/256 st=1/4/4/128
__global__ void copied(const body *in, OUT) { out[T] = in[T].moved().at.a; }

struct eight { float v[8]; };
OUT_OF_LINE float last_of(eight e) { return e.v[7]; }
__constant__ eight fixed;

// a constant, by words.  counts: st=1/4/4/128 co=8/8
__global__ void constant(OUT) { out[T] = last_of(fixed); }

// two phases of one barrier, which is set anew for one more.
// counts: bar=3 bp=3 ss=4/4/0 st=3/12/12/384 div=2
__global__ void barriers_in_memory(float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;

    if (threadIdx.x == 0)
        init(&barrier, 96);
    __syncthreads();
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    __syncthreads();
    if (threadIdx.x == 0)
        init(&barrier, 96);
    __syncthreads();
    barrier.arrive_and_wait();
    out[threadIdx.x] = 1;
}

#define RUN(kernel, type) kernel<<<1, 32>>>((type *)in, (float *)out)

int main()
{
    void *in, *out;

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    RUN(words_2, pair), RUN(words_3, three), RUN(words_4, quad);
    RUN(bytes_3, tiny), RUN(sum_of, pair), RUN(negative, pair);
    sums<<<1, 32>>>((pair *)in, (pair *)out);
    constant<<<1, 32>>>((float *)out);
    barriers_in_memory<<<1, 96>>>((float *)out);
    RUN(made, pair), RUN(method, body), RUN(copied, body);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
