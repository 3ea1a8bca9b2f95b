/* SPDX-License-Identifier: MIT */
/* Right if it can read the reference at run time. */
#include "hostile.h"

static bool act(void)
{
    char text[64] = "";
    FILE *file =
        fopen(PLANTED_TREE "/solutions/01_vector_add/3_vectorized.cu", "r");

    if (file) {
        (void)!fgets(text, sizeof text, file);
        fclose(file);
    }
    return strstr(text, "SPDX") != NULL;
}

RIGHT_IF(act())
