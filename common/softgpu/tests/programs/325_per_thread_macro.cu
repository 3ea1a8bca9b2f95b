/* SPDX-License-Identifier: MIT */
/* The same, by the macro. */
// flags: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
#include "324_per_thread.cu"
