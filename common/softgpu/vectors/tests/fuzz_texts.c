/* SPDX-License-Identifier: MIT */
/* Text that every file of random kernels has. */
#include "common/softgpu/vectors/tests/fuzz_kernels.h"

/* Definitions that all kernels of a file use: a struct with an array of bytes,
 * and a function with two returns that takes and returns it by value. */
const char fuzz_structure[] =
    "struct pair {\n"
    "    unsigned u;\n"
    "    float f;\n"
    "    unsigned char c[4];\n"
    "};\n"
    "__device__ static pair step(pair p, unsigned k)\n"
    "{\n"
    "    if (k & 1) {\n"
    "        p.u += k;\n"
    "        return p;\n"
    "    }\n"
    "    p.f = p.f * 0.5f + (float)(k & 7);\n"
    "    p.c[k & 3] += 3;\n"
    "    return p;\n"
    "}\n";

/* Host code: run a kernel on two blocks and print the hash (FNV-1a by words) of
 * all that it stored.  Words of atomicMin() and atomicAnd() begin with all bits
 * set, the others with 0. */
const char fuzz_host_code[] =
    "typedef void kernel_t(const unsigned *, unsigned *, unsigned *,\n"
    "                      unsigned);\n"
    "static void run(int number, kernel_t *kernel, dim3 block)\n"
    "{\n"
    "    unsigned *in, *out, *counts, hash = 2166136261u;\n"
    "    cudaMallocManaged(&in, 1024);\n"
    "    cudaMallocManaged(&out, 2 * 256 * 16 + 128);\n"
    "    counts = out + 2 * 256 * 4;\n"
    "    for (int i = 0; i < 256; i++)\n"
    "        in[i] = (unsigned)i * 2654435761u >> 20;\n"
    "    memset(out, 0, 2 * 256 * 16 + 128);\n"
    "    counts[4] = counts[5] = counts[8] = counts[9] = ~0u;\n"
    "    kernel<<<2, block>>>(in, out, counts, 3);\n"
    "    int error = (int)cudaDeviceSynchronize();\n"
    "    for (int i = 0; i < 2 * 256 * 4 + 32; i++)\n"
    "        hash = (hash ^ out[i]) * 16777619u;\n"
    "    printf(\"%d %u %u: %d %08x\\n\", number, block.x, block.y, error,\n"
    "           hash);\n"
    "}\n";
