/* SPDX-License-Identifier: MIT */
/** @file
 *  Tensors of other floating-point dtypes as floats, and their description. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "safetensors.h"
#include "tensor_types.h"

bool tensor_is_real(const struct tensor *tensor)
{
    switch (tensor->type) {
    case TENSOR_F32:
    case TENSOR_F16:
    case TENSOR_BF16:
    case TENSOR_F64:
        return true;
    case TENSOR_I64:
    case TENSOR_U8:
        break;
    }
    return false;
}

/* IEEE 754 half precision: 5 bits of exponent, 10 of mantissa. */
static float half_to_float(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const float sign = bits >> 15 ? -1.0f : 1.0f;

    if (exponent == 31) return mantissa ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * ldexpf((float)mantissa, -24);
    return sign * ldexpf((float)(1024 + mantissa), exponent - 25);
}

/* bfloat16 is the upper half of a float. */
static float bfloat_to_float(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return value;
}

/* The data of a file may be unaligned: each element is copied. */
static float element(const struct tensor *tensor, const unsigned char *from)
{
    uint16_t bits;
    float single = 0;
    double wide;

    switch (tensor->type) {
    case TENSOR_F32:
        memcpy(&single, from, sizeof single);
        break;
    case TENSOR_F16:
    case TENSOR_BF16:
        memcpy(&bits, from, sizeof bits);
        return tensor->type == TENSOR_F16 ? half_to_float(bits)
                                          : bfloat_to_float(bits);
    case TENSOR_F64:
        memcpy(&wide, from, sizeof wide);
        return (float)wide;
    case TENSOR_I64:
    case TENSOR_U8:
        break;
    }
    return single;
}

void tensor_to_floats(const struct tensor *tensor, float *to)
{
    const size_t bytes = tensor_types[tensor->type].bytes;
    const unsigned char *from = tensor->data;

    for (size_t i = 0; i < tensor_bytes(tensor) / bytes; i++)
        to[i] = element(tensor, from + i * bytes);
}

char *tensor_describe(const struct tensor *tensor, char text[128])
{
    size_t used =
        (size_t)sprintf(text, "%s [", tensor_types[tensor->type].name);

    for (int i = 0; i < tensor->rank; i++)
        used += (size_t)sprintf(text + used, "%s%zu", i ? ", " : "",
                                tensor->size[i]);
    strcpy(text + used, "]");
    return text;
}
