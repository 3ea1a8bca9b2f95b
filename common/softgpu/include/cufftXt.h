/* SPDX-License-Identifier: MIT */
/** @file
 *  cuFFT's extended interface: types as cudaDataType, and functions of the
 *  program that load the input and store the output.  Transforms over several
 *  devices are missing.
 */
#ifndef SOFTGPU_CUFFTXT_H
#define SOFTGPU_CUFFTXT_H
#define _CUFFTXT_H_ /* programs ask for it */

#include "cufft.h"
#include "softgpu/inline.h"
#include "softgpu/push_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/** When a callback is called, and its type. */
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
    CUFFT_CB_LD_REAL = 2,
    CUFFT_CB_LD_REAL_DOUBLE = 3,
    CUFFT_CB_ST_COMPLEX = 4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
    CUFFT_CB_ST_REAL = 6,
    CUFFT_CB_ST_REAL_DOUBLE = 7,
    CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

/** Load element `offset` of the input; `shared` is NULL here. */
typedef cufftComplex (*cufftCallbackLoadC)(void *data, size_t offset,
                                           void *caller_info, void *shared);
/** Likewise. */
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *data, size_t offset,
                                                 void *caller_info,
                                                 void *shared);
/** Likewise. */
typedef cufftReal (*cufftCallbackLoadR)(void *data, size_t offset,
                                        void *caller_info, void *shared);
/** Likewise. */
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *data, size_t offset,
                                              void *caller_info, void *shared);
/** Store element `offset` of the output. */
typedef void (*cufftCallbackStoreC)(void *data, size_t offset,
                                    cufftComplex element, void *caller_info,
                                    void *shared);
/** Likewise. */
typedef void (*cufftCallbackStoreZ)(void *data, size_t offset,
                                    cufftDoubleComplex element,
                                    void *caller_info, void *shared);
/** Likewise. */
typedef void (*cufftCallbackStoreR)(void *data, size_t offset,
                                    cufftReal element, void *caller_info,
                                    void *shared);
/** Likewise. */
typedef void (*cufftCallbackStoreD)(void *data, size_t offset,
                                    cufftDoubleReal element, void *caller_info,
                                    void *shared);

/** Set a function that each transform of the plan calls once an element.
 *  @param callback     host, a device function's address as a kernel has it
 *  @param caller_info  host, a device pointer for it, or NULL */
cufftResult cufftXtSetCallback(cufftHandle plan, void **callback,
                               cufftXtCallbackType type, void **caller_info);
/** Remove it. */
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
/** cufftMakePlanMany64() with types.
 *
 *  Complex and real numbers of 32 and 64 bits, in the combinations of
 *  cufftType; others are CUFFT_INVALID_TYPE. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, cudaDataType input_type,
                                long long *onembed, long long ostride,
                                long long odist, cudaDataType output_type,
                                long long batch, size_t *work_size,
                                cudaDataType execution_type);
/** Execute a plan of any type.
 *  @param direction  of complex to complex; unused otherwise */
cufftResult cufftXtExec(cufftHandle plan, void *input, void *output,
                        int direction);

/** How a transform calls the program's functions, in the order of
 *  cufftXtCallbackType: an instrumented program returns a float2 in another way
 *  than C does. */
struct softgpu_fft_calls {
    /** Load an element to `to`, or store that of `from`. */
    void (*call[8])(void *function, void *data, size_t offset, void *element,
                    void *caller_info);
};
/** Set the calls; the header does it.  @return 0 */
int softgpu_fft_set_calls(const struct softgpu_fft_calls *calls);

#ifdef __cplusplus
}

/** Call a function that loads. */
template <class Function, class Element>
SOFTGPU_NO_INSTRUMENT
void softgpu_fft_load(void *function, void *data, size_t offset, void *element,
                      void *caller_info)
{
    *(Element *)element =
        ((Function)function)(data, offset, caller_info, nullptr);
}
/** Call a function that stores. */
template <class Function, class Element>
SOFTGPU_NO_INSTRUMENT
void softgpu_fft_store(void *function, void *data, size_t offset,
                       void *element, void *caller_info)
{
    ((Function)function)(data, offset, *(const Element *)element, caller_info,
                         nullptr);
}
/** Of each type. */
inline const softgpu_fft_calls softgpu_fft_table = {
    {softgpu_fft_load<cufftCallbackLoadC, cufftComplex>,
     softgpu_fft_load<cufftCallbackLoadZ, cufftDoubleComplex>,
     softgpu_fft_load<cufftCallbackLoadR, cufftReal>,
     softgpu_fft_load<cufftCallbackLoadD, cufftDoubleReal>,
     softgpu_fft_store<cufftCallbackStoreC, cufftComplex>,
     softgpu_fft_store<cufftCallbackStoreZ, cufftDoubleComplex>,
     softgpu_fft_store<cufftCallbackStoreR, cufftReal>,
     softgpu_fft_store<cufftCallbackStoreD, cufftDoubleReal>}};
/** The runtime knows them before main(). */
inline const int softgpu_fft_is_set = softgpu_fft_set_calls(&softgpu_fft_table);
#endif

#include "softgpu/pop_macros.h"

#endif
