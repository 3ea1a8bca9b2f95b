/* SPDX-License-Identifier: MIT */
/* Functions of OpenBLAS by their names in Fortran, and calls of them. */
#include <stdio.h>

#include "openblas.h"
#include "routines.h"

void *blas_fortran_function(const char *family, cudaDataType type)
{
    char name[16];
    const char letter = type == CUDA_R_32F   ? 's'
                        : type == CUDA_R_64F ? 'd'
                        : type == CUDA_C_32F ? 'c'
                                             : 'z';

    snprintf(name, sizeof name, "%c%s_", letter, family);
    return openblas_symbol(name);
}

/* The types of four addresses, and four arguments. */
#define A4 void *, void *, void *, void *
#define P4(i) a[i], a[i + 1], a[i + 2], a[i + 3]
#define CALL_AS(type, ...)                     \
    do {                                       \
        void (*typed) type;                    \
        *(void **)&typed = function;           \
        typed(__VA_ARGS__);                    \
        return;                                \
    } while (0)

void blas_call_fortran(void *function, void *const a[], size_t count)
{
    switch (count) {
    case 4:
        CALL_AS((A4), P4(0));
    case 5:
        CALL_AS((A4, void *), P4(0), a[4]);
    case 6:
        CALL_AS((A4, void *, void *), P4(0), a[4], a[5]);
    case 7:
        CALL_AS((A4, void *, void *, void *), P4(0), a[4], a[5], a[6]);
    case 8:
        CALL_AS((A4, A4), P4(0), P4(4));
    case 9:
        CALL_AS((A4, A4, void *), P4(0), P4(4), a[8]);
    case 10:
        CALL_AS((A4, A4, void *, void *), P4(0), P4(4), a[8], a[9]);
    case 11:
        CALL_AS((A4, A4, void *, void *, void *), P4(0), P4(4), a[8], a[9],
                a[10]);
    case 12:
        CALL_AS((A4, A4, A4), P4(0), P4(4), P4(8));
    default:
        CALL_AS((A4, A4, A4, void *), P4(0), P4(4), P4(8), a[12]);
    }
}
