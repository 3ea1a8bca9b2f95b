/* SPDX-License-Identifier: MIT */
/** @file
 *  ptx.h for GPUs: inline PTX.  The contracts are in ptx.h. */
#ifndef PTX_ASM_H
#define PTX_ASM_H

#include <cuda.h>
#include <cudaTypedefs.h>
#include <type_traits>

/** @cond ptx.h has the contracts */

/* An instruction of a compute capability, or a trap in code for older GPUs. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define PTX_80(...) asm volatile(__VA_ARGS__)
#else
#define PTX_80(...) __trap()
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define PTX_90(...) asm volatile(__VA_ARGS__)
#else
#define PTX_90(...) __trap()
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define PTX_90A(...) asm volatile(__VA_ARGS__)
/** 1 if the code being compiled may use wgmma. */
#define PTX_HAS_WGMMA 1
#else
#define PTX_90A(...) __trap()
/** 1 if the code being compiled may use wgmma. */
#define PTX_HAS_WGMMA 0
#endif

__device__ inline unsigned ptx_shared_address(const void *s_ptr)
{
    return (unsigned)__cvta_generic_to_shared(s_ptr);
}

/* --- cp.async, ldmatrix, mma --------------------------------------------- */

__device__ inline void ptx_cp_async_16(void *s_to, const void *from,
                                       unsigned bytes)
{
    PTX_80("cp.async.cg.shared.global [%0], [%1], 16, %2;"
           ::"r"(ptx_shared_address(s_to)), "l"(from), "r"(bytes) : "memory");
}

__device__ inline void ptx_cp_async_commit()
{
    PTX_80("cp.async.commit_group;" ::: "memory");
}

template <int pending> __device__ inline void ptx_cp_async_wait()
{
    PTX_80("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

#define PTX_LDMATRIX(name, mode)                                            \
    template <int count>                                                    \
    __device__ inline void name(unsigned *r, const void *s_row)             \
    {                                                                       \
        const unsigned at = ptx_shared_address(s_row);                      \
        static_assert(count == 1 || count == 2 || count == 4, "1, 2 or 4"); \
        if constexpr (count == 1)                                           \
            asm volatile("ldmatrix.sync.aligned.m8n8.x1" mode               \
                         ".shared.b16 {%0}, [%1];"                          \
                         : "=r"(r[0]) : "r"(at) : "memory");                \
        else if constexpr (count == 2)                                      \
            asm volatile("ldmatrix.sync.aligned.m8n8.x2" mode               \
                         ".shared.b16 {%0, %1}, [%2];"                      \
                         : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");    \
        else                                                                \
            asm volatile("ldmatrix.sync.aligned.m8n8.x4" mode               \
                         ".shared.b16 {%0, %1, %2, %3}, [%4];"              \
                         : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])   \
                         : "r"(at) : "memory");                             \
    }
PTX_LDMATRIX(ptx_ldmatrix, "")
PTX_LDMATRIX(ptx_ldmatrix_trans, ".trans")
#undef PTX_LDMATRIX

#define PTX_MMA(T, type)                                                     \
    template <>                                                              \
    __device__ inline void ptx_mma<T>(float *d, const unsigned *a,           \
                                      const unsigned *b)                     \
    {                                                                        \
        PTX_80("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32" \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"              \
               " {%0, %1, %2, %3};"                                          \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])              \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),      \
                 "r"(b[1]));                                                 \
    }
PTX_MMA(__half, "f16")
PTX_MMA(__nv_bfloat16, "bf16")
#undef PTX_MMA

/* --- mbarrier ------------------------------------------------------------ */

__device__ inline void ptx_mbarrier_init(uint64_t *s_barrier, unsigned arrivals)
{
    PTX_90("mbarrier.init.shared::cta.b64 [%0], %1;"
           ::"r"(ptx_shared_address(s_barrier)), "r"(arrivals) : "memory");
}

__device__ inline void ptx_mbarrier_init_fence()
{
    PTX_90("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void ptx_fence_proxy_async()
{
    PTX_90("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void ptx_mbarrier_arrive(uint64_t *s_barrier)
{
    PTX_90("mbarrier.arrive.shared::cta.b64 _, [%0];"
           ::"r"(ptx_shared_address(s_barrier)) : "memory");
}

__device__ inline void ptx_mbarrier_arrive_expect_tx(uint64_t *s_barrier,
                                                     unsigned bytes)
{
    PTX_90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
           ::"r"(ptx_shared_address(s_barrier)), "r"(bytes) : "memory");
}

__device__ inline void ptx_mbarrier_wait(uint64_t *s_barrier, unsigned parity)
{
    const unsigned at = ptx_shared_address(s_barrier);
    unsigned done = 0;

    while (!done)
        PTX_90("{ .reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(at), "r"(parity) : "memory");
}

/* --- TMA ----------------------------------------------------------------- */

struct ptx_tensor_map {
    CUtensorMap map; /**< the driver's */
};

/** The driver's cuTensorMapEncodeTiled, or NULL.  Found at run time, so that
 *  programs need not link with the driver library. */
inline PFN_cuTensorMapEncodeTiled_v12000 ptx_encoder()
{
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    void *entry = NULL;
#if CUDART_VERSION >= 12050
    cudaError_t err = cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
    cudaError_t err = cudaGetDriverEntryPoint(
        "cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif

    return err || found != cudaDriverEntryPointSuccess
               ? NULL
               : (PFN_cuTensorMapEncodeTiled_v12000)entry;
}

inline cudaError_t ptx_tensor_map_2d(struct ptx_tensor_map *map,
                                     const struct ptx_matrix *matrix,
                                     unsigned box_rows)
{
    const cuuint64_t sizes[2] = {matrix->columns, matrix->rows};
    const cuuint64_t stride[1] = {2 * matrix->stride};
    const cuuint32_t box[2] = {PTX_BOX_COLUMNS, box_rows}, steps[2] = {1, 1};
    PFN_cuTensorMapEncodeTiled_v12000 encode = ptx_encoder();

    if (!encode) return cudaErrorNotSupported;
    CUresult result = encode(
        &map->map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2,
        (void *)(size_t)matrix->d_data, sizes, stride, box, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

__device__ inline void ptx_tma_load_2d(void *s_to,
                                       const struct ptx_tensor_map *map,
                                       int column, int row,
                                       uint64_t *s_barrier)
{
    PTX_90("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
           ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
               ptx_shared_address(s_to)),
           "l"(&map->map), "r"(ptx_shared_address(s_barrier)), "r"(column),
           "r"(row)
           : "memory");
}

/* --- wgmma --------------------------------------------------------------- */

__device__ inline void ptx_wgmma_fence()
{
    PTX_90A("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void ptx_wgmma_commit()
{
    PTX_90A("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int pending> __device__ inline void ptx_wgmma_wait()
{
    PTX_90A("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

/* The operands d[i] ..., and their names in the assembly text. */
#define PTX_D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define PTX_D16(i) PTX_D4(i), PTX_D4(i + 4), PTX_D4(i + 8), PTX_D4(i + 12)
#define PTX_D64(i) PTX_D16(i), PTX_D16(i + 16), PTX_D16(i + 32), PTX_D16(i + 48)
#define PTX_64_REGISTERS                                           \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, " \
    "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, " \
    "%26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, " \
    "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
    "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
    "%62, %63"
#define PTX_128_REGISTERS                                          \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, " \
    "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, " \
    "%26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, " \
    "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
    "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
    "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, " \
    "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, " \
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, " \
    "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "   \
    "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, " \
    "%118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

#define PTX_WGMMA_ASM(shape, type, names, a, b, accumulates, rows)   \
    "{ .reg .pred p;\nsetp.ne.b32 p, " accumulates ", 0;\n"          \
    "wgmma.mma_async.sync.aligned." shape ".f32." type "." type " {" \
    names "}, " a ", " b ", p, 1, 1, 0, " rows "; }"
#define PTX_WGMMA_INPUTS \
    "l"(a), "l"(b), "r"((int)accumulates), "n"((int)by_rows)
#define PTX_WGMMA_128(type)                                            \
    PTX_90A(PTX_WGMMA_ASM("m64n128k16", type, PTX_64_REGISTERS, "%64", \
                           "%65", "%66", "%67")                        \
            : PTX_D64(0) : PTX_WGMMA_INPUTS : "memory")
#define PTX_WGMMA_256(type)                                      \
    PTX_90A(PTX_WGMMA_ASM("m64n256k16", type, PTX_128_REGISTERS, \
                           "%128", "%129", "%130", "%131")       \
            : PTX_D64(0), PTX_D64(64) : PTX_WGMMA_INPUTS : "memory")

template <typename T, int n, bool by_rows>
__device__ inline void ptx_wgmma(float (&d)[n / 2], uint64_t a, uint64_t b,
                                 bool accumulates)
{
    constexpr bool half = std::is_same<T, __half>::value;

    static_assert(n == 128 || n == 256, "n is 128 or 256");
    if constexpr (n == 128 && half) PTX_WGMMA_128("f16");
    else if constexpr (n == 128) PTX_WGMMA_128("bf16");
    else if constexpr (half) PTX_WGMMA_256("f16");
    else PTX_WGMMA_256("bf16");
}

template <int registers> __device__ inline void ptx_setmaxnreg_inc()
{
    PTX_90A("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

template <int registers> __device__ inline void ptx_setmaxnreg_dec()
{
    PTX_90A("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

/** @endcond */
#endif
