/* SPDX-License-Identifier: MIT */
/* Inline PTX: arithmetic, bits, registers, predicates, memory, atomics,
 * warp. */
#include "check.h"

[[nodiscard]] __device__ unsigned lane()
{
    unsigned id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

/* Integer and bit instructions. */
__global__ void integers(unsigned a, unsigned b, int s, unsigned *to)
{
    unsigned long long wide;
    unsigned x;
    asm("add.u32 %0, %1, %2;" : "=r"(to[0]) : "r"(a), "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;"
        : "=r"(to[1])
        : "r"(a), "r"(b), "r"(7u));
    asm volatile("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(to[2]) : "r"(a), "r"(b));
    asm("bfe.u32 %0, %1, 8, 12;" : "=r"(to[3]) : "r"(a));
    asm("bfe.s32 %0, %1, 4, 8;" : "=r"(to[4]) : "r"(0xf80));
    asm("bfi.b32 %0, %1, %2, 4, 8;"
        : "=r"(to[5])
        : "r"(0xabu), "r"(0xffffffffu));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
    to[6] = (unsigned)(wide >> 32);
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(to[7]) : "r"(s), "r"(-3), "r"(100));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(to[8]) : "r"(a), "r"(b));
    asm("shr.s32 %0, %1, 2;" : "=r"(to[9]) : "r"(s));
    asm("popc.b32 %0, %1;" : "=r"(to[10]) : "r"(a));
    asm("clz.b32 %0, %1;" : "=r"(to[11]) : "r"(1u));
    asm("{\n\t.reg .u32 t1, t2;\n\t"
        "shl.b32 t1, %1, 3;  // eight times\n\t"
        "sub.u32 t2, t1, %1;\n\t"
        "mov.u32 %0, t2;\n\t}"
        : "=r"(x) : "r"(5u));
    to[12] = x;
    x = 10;
    asm("{ .reg .pred p; setp.gt.s32 p, %1, %2; @p add.u32 %0, %0, 1; "
        "@!p sub.u32 %0, %0, 1; }" : "+r"(x) : "r"(s), "r"(0));
    to[13] = x;
    asm("{ .reg .pred q; setp.eq.u32 q, %1, 3; selp.u32 %0, 1, 2, q; }"
        : "=r"(to[14]) : "r"(3u));
}

/* Floating-point instructions. */
__global__ void floats(float a, float b, float *to)
{
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(to[0]) : "f"(a), "f"(b), "f"(1.0f));
    asm("max.f32 %0, %1, 0f40400000;" : "=f"(to[1]) : "f"(a)); /* 3.0f */
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(*(int *)&to[2]) : "f"(-2.75f));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(to[3]) : "f"(3.0f));
    asm("mov.b32 %0, %1;" : "=r"(*(unsigned *)&to[4]) : "f"(1.0f));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(*(int *)&to[5]) : "f"(1e20f));
    asm("neg.f32 %0, %1;" : "=f"(to[6]) : "f"(0.0f));
    asm("{ .reg .pred p; setp.ne.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }"
        : "=r"(*(unsigned *)&to[7]) : "f"(nanf("")));
}

/* Memory, atomics, the warp. */
__global__ void memory(const float *from, float *to, unsigned *count)
{
    __shared__ unsigned s_sum;
    float4 v;
    unsigned other, votes;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&s_sum);
    if (threadIdx.x == 0)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(0u) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4+16];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(1u) : "memory");
    asm volatile("atom.global.add.u32 %0, [%1], %2;"
                 : "=r"(other) : "l"(count), "r"(2u) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffffffff;"
                 : "=r"(other) : "r"(lane()));
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5;"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(votes) : "r"(lane()));
    to[threadIdx.x] = (float)other;
    if (threadIdx.x == 0) {
        asm("ld.shared.u32 %0, [%1];" : "=r"(other) : "r"(at));
        count[1] = other;
        count[2] = votes;
        to[32] = v.x + v.y + v.z + v.w;
    }
}

/* Addresses of shared and of global memory, from generic ones and back. */
__global__ void addresses(unsigned *to)
{
    __shared__ unsigned s_value[4];
    unsigned at, got;
    unsigned *generic, *global;
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1;"
                 "  cvt.u32.u64 %0, a; }" : "=r"(at) : "l"(&s_value[3]));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(41u) : "memory");
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(at) : "memory");
    asm("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((size_t)at));
    asm("cvta.to.global.u64 %0, %1;" : "=l"(global) : "l"(to + 1));
    to[0] = got;
    *global = generic == &s_value[3];
    to[2] = at == (unsigned)__cvta_generic_to_shared(&s_value[3]);
}

/* A shuffle with a second result, and two words that are polled as one. */
__global__ void pairs(unsigned *to, unsigned long long *word)
{
    unsigned got, low, high;
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 4, 0, 0xffffffff;"
                 "  selp.u32 %0, %0, 99, p; }" : "=r"(got) : "r"(lane()));
    to[threadIdx.x] = got;
    if (threadIdx.x)
        return;
    asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(word),
                 "r"(5), "r"(6) : "memory");
    asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(low), "=r"(high) : "l"(word) : "memory");
    to[32] = 10 * low + high;
}

/* Asynchronous copies, the second one with zeros at its end. */
__global__ void copies(const int *from, int *to)
{
    __shared__ int s_tile[8];
    const unsigned at = (unsigned)__cvta_generic_to_shared(s_tile);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at),
                 "l"(from));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(at + 16),
                 "l"(from + 4), "r"(8));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    for (int i = 0; i < 8; i++)
        to[i] = s_tile[i];
}

int main()
{
    unsigned *bits = managed<unsigned>(16), *count = managed<unsigned>(3);
    float *from = managed<float>(8), *to = managed<float>(33);
    for (int i = 0; i < 8; i++)
        from[i] = (float)i;
    integers<<<1, 1>>>(0x12345678, 0x9abcdef0, -9, bits);
    RUN();
    for (int i = 0; i < 15; i++)
        printf("%#x%s", bits[i], i < 14 ? " " : "\n");
    floats<<<1, 1>>>(2.5f, 4.0f, to);
    RUN();
    printf("%g %g %d %g %#x %d %g %u\n", to[0], to[1], *(int *)&to[2], to[3],
           *(unsigned *)&to[4], *(int *)&to[5], to[6], *(unsigned *)&to[7]);
    memory<<<1, 32>>>(from, to, count);
    RUN();
    printf("%g %g %g, %u %u %#x\n", to[0], to[31], to[32], count[0], count[1],
           count[2]);
    unsigned *got = managed<unsigned>(33);
    pairs<<<1, 32>>>(got, managed<unsigned long long>(1));
    RUN();
    printf("%u %u %u\n", got[3], got[4], got[32]);
    addresses<<<1, 1>>>(got);
    RUN();
    printf("%u %u %u\n", got[0], got[1], got[2]);
    int *in = managed<int>(8), *out = managed<int>(8);
    for (int i = 0; i < 8; i++)
        in[i] = i + 1;
    copies<<<1, 1>>>(in, out);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%d%s", out[i], i < 7 ? " " : "\n");
    return 0;
}
