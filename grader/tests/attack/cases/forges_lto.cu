/* SPDX-License-Identifier: MIT */
/* Looks like an object that the linker should compile, with options. */
#include "hostile.h"

asm(".pushsection .gnu.lto_.opts,\"e\"\n"
    ".asciz \"'-fplugin=/tmp/x.so' '-wrapper' '/bin/false'\"\n.popsection\n"
    ".pushsection .gnu.lto_main.0,\"e\"\n.fill 64,1,1\n.popsection\n"
    ".comm __gnu_lto_slim,1,1");

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return honest(a, b, c, n);
}
