/* SPDX-License-Identifier: MIT */
/* Sizes, versions and settings that have no effect here. */
#include <stdio.h>

#include "plan.h"

#define REQUIRE_PLAN(handle)        \
    do {                            \
        if (!fft_plan_of(handle))   \
            return CUFFT_INVALID_PLAN; \
    } while (0)

/* Bytes of the work area of a one-dimensional plan with such parameters. */
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                           size_t *work_size)
{
    REQUIRE_PLAN(plan);
    return cufftEstimate1d(nx, type, batch, work_size);
}

/* The same of a two-dimensional plan. */
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type,
                           size_t *work_size)
{
    REQUIRE_PLAN(plan);
    return cufftEstimate2d(nx, ny, type, work_size);
}

/* The same of a three-dimensional plan. */
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz,
                           cufftType type, size_t *work_size)
{
    REQUIRE_PLAN(plan);
    return cufftEstimate3d(nx, ny, nz, type, work_size);
}

/* The same of a batch with a data layout of its own. */
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed,
                             int istride, int idist, int *onembed, int ostride,
                             int odist, cufftType type, int batch,
                             size_t *work_size)
{
    REQUIRE_PLAN(plan);
    return cufftEstimateMany(rank, n, inembed, istride, idist, onembed,
                             ostride, odist, type, batch, work_size);
}

/* Bytes of the work area of a plan: 0.  CUFFT_INVALID_PLAN where it was
 * not made. */
cufftResult cufftGetSize(cufftHandle plan, size_t *work_size)
{
    const struct fft_plan *p = fft_plan_of(plan);

    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (!work_size)
        return CUFFT_INVALID_VALUE;
    *work_size = 0;
    return CUFFT_SUCCESS;
}

/* The work area is not used: a plan needs none. */
cufftResult cufftSetWorkArea(cufftHandle plan, void *work_area)
{
    (void)work_area;
    REQUIRE_PLAN(plan);
    return CUFFT_SUCCESS;
}

/* No effect: there is nothing to allocate. */
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate)
{
    (void)allocate;
    REQUIRE_PLAN(plan);
    return CUFFT_SUCCESS;
}

/* The version of cuFFT whose interface this is. */
cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

/* A part of the version; CUFFT_INVALID_VALUE for any other property. */
cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR,
                                  CUFFT_VER_PATCH};

    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUFFT_INVALID_VALUE;
    *value = version[type];
    return CUFFT_SUCCESS;
}

/* --- the extended interface ----------------------------------------------- */

/* The callback of a type, if it is one of the plan's transform. */
static struct fft_callback *callback_of(struct fft_plan *p,
                                        cufftXtCallbackType type)
{
    const bool store = type >= CUFFT_CB_ST_COMPLEX;

    if ((int)type != fft_callback_type(p->shape.kind, store))
        return NULL;
    return store ? &p->store : &p->load;
}

/* Set the load or the store callback, and the caller_info that it is
 * given.  CUFFT_INVALID_TYPE: the callback does not fit the transform. */
cufftResult cufftXtSetCallback(cufftHandle plan, void **callback,
                               cufftXtCallbackType type, void **caller_info)
{
    struct fft_plan *p = fft_plan_of(plan);

    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (!callback || !*callback)
        return CUFFT_INVALID_VALUE;
    struct fft_callback *to = callback_of(p, type);
    if (!to)
        return CUFFT_INVALID_TYPE;
    *to = (struct fft_callback){*callback, caller_info ? *caller_info : NULL};
    return CUFFT_SUCCESS;
}

/* Remove a callback; CUFFT_INVALID_TYPE as above. */
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type)
{
    struct fft_plan *p = fft_plan_of(plan);
    struct fft_callback *to = p && p->made ? callback_of(p, type) : NULL;

    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (!to)
        return CUFFT_INVALID_TYPE;
    *to = (struct fft_callback){0};
    return CUFFT_SUCCESS;
}

/* The cufftType of two types of elements; -1: none. */
static int kind_of(cudaDataType in, cudaDataType out)
{
    static const struct {
        cudaDataType in, out;
        int kind;
    } kinds[] = {
        {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
        {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R},
        {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z},
        {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D},
    };

    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].in == in && kinds[i].out == out)
            return kinds[i].kind;
    return -1;
}

/* Has the type 16 bits, which NVIDIA's library transforms? */
static bool is_short(cudaDataType type)
{
    return type == CUDA_R_16F || type == CUDA_C_16F || type == CUDA_R_16BF
           || type == CUDA_C_16BF;
}

/* A plan by the types of its elements.  Half precision and mixed
 * precisions are CUFFT_INVALID_TYPE. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, cudaDataType input_type,
                                long long *onembed, long long ostride,
                                long long odist, cudaDataType output_type,
                                long long batch, size_t *work_size,
                                cudaDataType execution_type)
{
    const int kind = kind_of(input_type, output_type);

    if (is_short(input_type) || is_short(output_type))
        fputs("softgpu: cufftXtMakePlanMany: transforms of half and bfloat16 "
              "are not on the software GPU; convert to float\n", stderr);
    if (kind < 0
        || execution_type != (fft_is_double(kind) ? CUDA_C_64F : CUDA_C_32F))
        return CUFFT_INVALID_TYPE;
    return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed,
                               ostride, odist, (cufftType)kind, batch,
                               work_size);
}
