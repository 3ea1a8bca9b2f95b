/* SPDX-License-Identifier: MIT */
/* The remote calls of cuBLAS, cuBLASLt and cuDNN. */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cudnn.h>

#include "grader/runner/stream_output.h"

#define REMOTE_TABLE remote_libraries
#define REMOTE_CALLS "grader/runner/soft/remote_libraries.def.h"
#include "remote_table.inc"
