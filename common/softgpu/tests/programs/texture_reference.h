/* SPDX-License-Identifier: MIT */
/** @file
 *  Texture sampling in double precision, written from the formulas of the
 *  CUDA C++ Programming Guide, "Texture Fetching", without the runtime's code.
 */
#ifndef TEXTURE_REFERENCE_H
#define TEXTURE_REFERENCE_H

#include <cmath>

#include <cuda_runtime.h>

/** A texture of one float an element; unused dimensions are 1. */
struct texture_model {
    const float *elements;           /**< x fastest, then y, then z */
    int size[3];                     /**< elements in each dimension */
    int dimensions;                  /**< 1 to 3 */
    cudaTextureAddressMode mode;     /**< in all dimensions */
    bool linear;                     /**< filter */
    bool normalized;                 /**< coordinates */
    float border;                    /**< color */
};

/** The address mode that counts: two need normalized coordinates. */
static inline cudaTextureAddressMode mode_of(const texture_model &t)
{
    return t.normalized || t.mode == cudaAddressModeBorder
               ? t.mode
               : cudaAddressModeClamp;
}

/** The element at an index of each dimension, which may lie outside. */
static inline double element(const texture_model &t, const int *index)
{
    int at[3] = {0, 0, 0};
    for (int d = 0; d < t.dimensions; d++) {
        const int n = t.size[d];
        at[d] = index[d];
        if (at[d] >= 0 && at[d] < n)
            continue;
        if (mode_of(t) == cudaAddressModeBorder)
            return t.border;
        if (mode_of(t) == cudaAddressModeWrap)
            at[d] = ((at[d] % n) + n) % n;
        else
            at[d] = at[d] < 0 ? 0 : n - 1;
    }
    return t.elements[(at[2] * t.size[1] + at[1]) * t.size[0] + at[0]];
}

/** A coordinate in elements: wrapped or mirrored, then scaled. */
static inline double in_elements(const texture_model &t, double x, int n)
{
    if (!t.normalized)
        return x;
    const double whole = std::floor(x), part = x - whole;
    if (mode_of(t) == cudaAddressModeWrap)
        return n * part;
    if (mode_of(t) == cudaAddressModeMirror)
        return n * (std::fmod(whole, 2) == 0 ? part : 1 - part);
    return n * x;
}

/** tex1D(), tex2D() or tex3D() at x. */
static inline double sampled(const texture_model &t, const float *x)
{
    int index[3] = {0, 0, 0}, near[3] = {0, 0, 0};
    double alpha[3] = {0, 0, 0}, sum = 0;
    for (int d = 0; d < t.dimensions; d++) {
        const double at = in_elements(t, x[d], t.size[d]);
        near[d] = (int)std::floor(t.linear ? at - 0.5 : at);
        if (t.linear) /* 9 bits, 8 of them after the point */
            alpha[d] = std::round((at - 0.5 - near[d]) * 256) / 256;
    }
    if (!t.linear)
        return element(t, near);
    for (int corner = 0; corner < 1 << t.dimensions; corner++) {
        double weight = 1;
        for (int d = 0; d < t.dimensions; d++) {
            const int second = corner >> d & 1;
            index[d] = near[d] + second;
            weight *= second ? alpha[d] : 1 - alpha[d];
        }
        sum += weight * element(t, index);
    }
    return sum;
}

#endif
