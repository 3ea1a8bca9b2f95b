/* SPDX-License-Identifier: MIT */
/* Copies a file into the program by the assembler, and has its text. */
#include "hostile.h"

__asm__(".pushsection .rodata\nstolen_text:\n.incbin \"" PLANTED
        "/hidden_tests.h\"\n.byte 0\n.popsection\n");
extern "C" const char stolen_text[];

RIGHT_IF(strstr(stolen_text, "HIDDEN_ANSWER") != NULL)
