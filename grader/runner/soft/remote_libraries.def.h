/* SPDX-License-Identifier: MIT */
/** @file
 *  How the host process passes the arguments of each call of cuBLAS, cuBLASLt
 *  and cuDNN to the device process (remote_call.h has the letters).
 */
#include "remote_blas.def.h"
#include "remote_dnn.def.h"
/* The runner's own. */
R(device_allocated_bytes, "")
R(runner_wait_stream, "vav", sizeof(struct stream_output), 2)
