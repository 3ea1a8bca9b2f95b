/* SPDX-License-Identifier: MIT */
/* Why a call does not take an argument.  The status alone does not say which
 * one it is; with SOFTGPU_EXPLAIN a line on stderr does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "common/softgpu/host/call.h"

enum { LENGTH = 240 };

/* The name as programs write it: headers make cublasSgemm_v2 of it. */
static cublasStatus_t tell(const char *why)
{
    static const char version[] = "_v2";
    const char *name = softgpu_library_site ? softgpu_library_name : "cuBLAS";
    const char *end = strstr(name, version);

    if (getenv("SOFTGPU_EXPLAIN"))
        fprintf(stderr, "softgpu: %.*s%s: %s\n",
                (int)(end ? (size_t)(end - name) : strlen(name)), name,
                end ? end + strlen(version) : "", why);
    return CUBLAS_STATUS_INVALID_VALUE;
}

/* Letters, digits and _ before this place, which name a variable. */
static size_t name_before(const char *text, size_t at)
{
    size_t length = 0;

    while (length < at && text[at - length - 1] != ' '
           && text[at - length - 1] != '(' && text[at - length - 1] != '!')
        length++;
    return length;
}

cublasStatus_t blas_refuse_value(const char *condition)
{
    static const char begin[] = "must hold: ";
    char text[LENGTH];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", begin);

    for (const char *c = condition; *c && used + 1 < sizeof text; c++)
        if (c[0] == '-' && c[1] == '>') { /* "g->m": m is the argument */
            used -= name_before(text, used);
            c++;
        } else {
            text[used++] = *c;
        }
    text[used] = '\0';
    return tell(text);
}

cublasStatus_t blas_refuse_because(const char *why)
{
    return tell(why);
}

cublasStatus_t blas_refuse_ld(const char *name, int64_t ld, const char *of,
                              int64_t least)
{
    char text[LENGTH];

    if (least < 1)
        snprintf(text, sizeof text, "%s is %lld, must be at least 1", name,
                 (long long)ld);
    else
        snprintf(text, sizeof text, "%s is %lld, must be at least %s%s%lld",
                 name, (long long)ld, of, *of ? " = " : "", (long long)least);
    return tell(text);
}
