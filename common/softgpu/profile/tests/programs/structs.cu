/* SPDX-License-Identifier: MIT */
/* Structs that functions take by value and return, where calls are not inlined:
 * the loads of arguments and the stores of results, counted by hand.
 *
 * See counts.cu for what stands after "counts:".  A struct of eight floats is
 * eight loads, each of 32 words that are 32 bytes apart: ld=8/256/32/1024.
 * What gcc keeps in registers clang keeps in local memory: lo=?. */
#include <cuda_runtime.h>

#define OUT_OF_LINE __device__ __noinline__

struct eight { float v[8]; };
struct nested { int tag; eight inner; };
union either { float f[8]; int i[8]; };

OUT_OF_LINE float sum(eight e)
{
    float total = 0;

    for (int k = 0; k < 8; k++)
        total += e.v[k];
    return total;
}
OUT_OF_LINE float of_union(either e) { return e.f[3] + e.i[7]; }
OUT_OF_LINE float again(eight e) { return sum(e) + e.v[0]; }
OUT_OF_LINE float deep(eight e, int n) { return n ? deep(e, n - 1) : e.v[1]; }
OUT_OF_LINE eight operator*(eight a, float f) { a.v[0] *= f; return a; }
OUT_OF_LINE float operator&(const eight &a, eight b) { return a.v[0] + b.v[0]; }
OUT_OF_LINE eight same(eight e) { return e; }
OUT_OF_LINE eight loaded(const eight *p) { return *p; }
OUT_OF_LINE const eight &choose(const eight *p) { return p[1]; }
template <class T, class F> OUT_OF_LINE float apply(T t, F f) { return f(t); }
template <class... T> OUT_OF_LINE float firsts(T... t)
{
    return (... + t.v[0]);
}

struct body {
    float v[8];

    OUT_OF_LINE body(eight e) : v() { v[threadIdx.x % 8] = e.v[2]; }
    OUT_OF_LINE float force(body other) const { return v[0] * other.v[1]; }
    OUT_OF_LINE float operator[](eight e) const { return v[0] + sum(e); }
    OUT_OF_LINE float operator()(eight a, eight b) const
    {
        return v[1] + sum(a) + sum(b);
    }
    OUT_OF_LINE body &operator+=(eight e) { v[0] += sum(e); return *this; }
};

struct base {
    OUT_OF_LINE virtual float take(eight e) { return e.v[0]; }
};
struct derived : base {
    OUT_OF_LINE float take(eight e) override { return e.v[1]; }
};

#define T threadIdx.x
#define OUT float *out

// an element.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void element(const eight *in, OUT) { out[T] = sum(in[T]); }
// a union.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void of_both(const either *in, OUT) { out[T] = of_union(in[T]); }
// a member, 36 bytes apart.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void member(const nested *in, OUT) { out[T] = sum(in[T].inner); }
// by a reference.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void reference(const eight *in, OUT)
{
    const eight &e = choose(in + T);

    out[T] = sum(e);
}
// by a pointer, two.  counts: ld=16/512/64/2048 st=1/4/4/128 lo=?
__global__ void pointer(const eight *in, OUT)
{
    const eight *p = in + T;
    const float one = sum(*p++);

    out[T] = one + sum(*p);
}
// 16 lanes have their own, 16 the first.
// counts: ld=8/136/24/544 st=1/4/4/128 lo=? div=?
__global__ void conditional(const eight *in, OUT)
{
    out[T] = sum(T % 2 ? in[T] : in[0]);
}
// after a comma.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void comma(const eight *in, OUT)
{
    float x;

    out[T] = sum((x = 1, in[T])) + x;
}
// passed on: no load of memory.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void passed_on(const eight *in, OUT) { out[T] = again(in[T]); }
// recursive.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void recursive(const eight *in, OUT) { out[T] = deep(in[T], 3); }
// calls in a call.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void calls(const eight *in, OUT) { out[T] = sum(same(same(in[T]))); }
// left operand.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void left(const eight *in, OUT) { out[T] = (in[T] * 2.0f).v[0]; }
// right operand, and one word of the left one.
// counts: ld=9/288/36/1152 st=1/4/4/128 lo=?
__global__ void right(const eight *in, OUT) { out[T] = in[T] & in[T + 1]; }
// of a constructor.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void constructor(const eight *in, OUT)
{
    body b(in[T]);

    out[T] = b.v[T % 8];
}
// in braces.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void braces(const eight *in, OUT)
{
    body b{in[T]};

    out[T] = b.v[T % 8];
}
// of a member function, and one word of its object.
// counts: ld=9/288/36/1152 st=1/4/4/128 lo=?
__global__ void method(const body *in, OUT) { out[T] = in[T].force(in[T + 1]); }
// of [], and a word.  counts: ld=9/288/36/1152 st=1/4/4/128 lo=?
__global__ void subscript(const eight *in, OUT)
{
    out[T] = (*(const body *)(in + T))[in[T + 1]];
}
// two of (), and a word.  counts: ld=17/544/68/2176 st=1/4/4/128 lo=?
__global__ void function_object(const eight *in, OUT)
{
    out[T] = (*(const body *)(in + T))(in[T + 1], in[T + 2]);
}
// of +=.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void compound(const eight *in, OUT)
{
    body b(eight{});

    b += in[T];
    out[T] = b.v[0];
}
// of a virtual function.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=? co=?
__global__ void of_virtual(const eight *in, OUT)
{
    derived d;
    base b, *p = T < 16 ? &d : &b;

    out[T] = p->take(in[T]);
}
// through a pointer.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void through(const eight *in, OUT)
{
    float (*f)(eight) = T < 99 ? sum : again;

    out[T] = f(in[T]);
}
// of a template.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void of_template(const eight *in, OUT)
{
    out[T] = apply(in[T], [](eight e) { return e.v[1]; });
}
// a parameter pack.  counts: ld=16/512/64/2048 st=1/4/4/128 lo=?
__global__ void pack(const eight *in, OUT)
{
    out[T] = firsts(in[T], in[T + 1]);
}
// captured by a lambda.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void captured(const eight *in, OUT)
{
    auto f = [e = in[T]](int k) { return e.v[k % 8]; };

    out[T] = apply(T, f);
}
// cast to an rvalue.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void moved(eight *in, OUT) { out[T] = sum((eight &&)in[T]); }
// assigned beside it.  counts: ld=8/256/32/1024 st=1/4/4/128 lo=?
__global__ void assigned(const eight *in, OUT)
{
    eight e;

    out[T] = sum(e = in[T]);
}

__device__ eight table[32];

// shared memory, 8 words apart: 8 lanes a bank.
// counts: ld=8/256/32/1024 st=1/4/4/128 sl=8/64/56 ss=8/64/56 lo=? bar=1
__global__ void shared(const eight *in, OUT)
{
    __shared__ eight s[32];

    s[T] = in[T];
    __syncthreads();
    out[T] = sum(s[T]);
}
// a variable.  counts: ld=16/512/64/2048 st=9/260/36/1152 lo=?
__global__ void variable(const eight *in, OUT)
{
    table[T] = in[T];
    out[T] = sum(table[T]);
}

// the result in memory.  counts: ld=8/256/32/1024 st=8/256/32/1024 lo=?
__global__ void result(const eight *in, eight *out) { out[T] = loaded(in + T); }
// of an operator.  counts: ld=8/256/32/1024 st=8/256/32/1024 lo=?
__global__ void product(const eight *in, eight *out) { out[T] = in[T] * 2; }
// in two places; clang loads nothing again.
// counts: ld=? st=16/512/64/2048 lo=?
__global__ void twice(const eight *in, eight *out)
{
    out[T + 32] = out[T] = loaded(in + T);
}
// in an expression, by half a warp each.
// counts: ld=16/256/32/1024 st=16/256/32/1024 lo=? div=?
__global__ void halves(const eight *in, eight *out)
{
    T < 16 ? out[T] = loaded(in + T) : out[T] = in[T];
}
// a member, and a word.  counts: ld=8/256/32/1024 st=9/288/36/1152 lo=?
__global__ void member_of(const nested *in, nested *out)
{
    out[T] = nested{1, loaded(&in[T].inner)};
}

#define RUN(kernel, type) kernel<<<1, 32>>>((type *)in, (float *)out)
#define STORE(kernel, type) kernel<<<1, 32>>>((type *)in, (type *)out)

static void run_all(void *in, void *out)
{
    RUN(element, eight), RUN(of_both, either), RUN(member, nested);
    RUN(reference, eight), RUN(pointer, eight), RUN(conditional, eight);
    RUN(comma, eight), RUN(passed_on, eight), RUN(recursive, eight);
    RUN(calls, eight), RUN(left, eight), RUN(right, eight);
    RUN(constructor, eight), RUN(braces, eight), RUN(method, body);
    RUN(subscript, eight), RUN(function_object, eight), RUN(compound, eight);
    RUN(of_virtual, eight), RUN(through, eight), RUN(of_template, eight);
    RUN(pack, eight), RUN(captured, eight), RUN(moved, eight);
    RUN(assigned, eight), RUN(shared, eight), RUN(variable, eight);
    STORE(result, eight), STORE(product, eight), STORE(twice, eight);
    STORE(halves, eight), STORE(member_of, nested);
}

int main()
{
    void *in, *out;

    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
    run_all(in, out);
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
