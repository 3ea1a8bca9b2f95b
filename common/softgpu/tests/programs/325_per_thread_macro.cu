/* SPDX-License-Identifier: MIT */
/* The same, as the macro asks. */
// flags: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
#include "324_per_thread.cu"
