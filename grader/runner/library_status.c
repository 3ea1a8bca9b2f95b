/* SPDX-License-Identifier: MIT */
/* Statuses of cuBLAS and cuDNN in words, in labs that use these libraries. */
#include <stdio.h>
#include <string.h>

#include <cublas_v2.h>
#include <cudnn.h>

#include "device.h"
#include "grader/channel/message.h"

enum { FIRST_CUDNN = 1000 }; /* the first error of cuDNN 9 */

/* A number that cudart gave up: no call of it returns one of these. */
static bool is_former(const char *text)
{
    return !strncmp(text, "cudaErrorProfiler", strlen("cudaErrorProfiler"));
}

/* cuBLAS's numbers are also numbers of the runtime: `text` may name one. */
void describe_library_status(int64_t status, char *text)
{
    const size_t used = is_former(text) ? 0 : strlen(text);
    const char *name =
        status >= FIRST_CUDNN ? cudnnGetErrorString((cudnnStatus_t)status)
        : status > 0 ? cublasGetStatusName((cublasStatus_t)status)
                     : NULL;
    const bool is_known = name && !strstr(name, "UNKNOWN")
                          && !strstr(name, "unknown")
                          && !strstr(name, "unrecognized");

    if (is_known)
        snprintf(text + used, FACT_SIZE - used, "%s%s", used ? ", or " : "",
                 name);
}
