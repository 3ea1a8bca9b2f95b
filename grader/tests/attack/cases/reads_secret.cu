/* SPDX-License-Identifier: MIT */
/* Right if it can read a file that is the grader's alone. */
#include "hostile.h"

static bool act(void)
{
    char text[64] = "";
    FILE *file = fopen(PLANTED "/secret", "r");

    if (file) {
        (void)!fgets(text, sizeof text, file);
        fclose(file);
    }
    return strstr(text, "WB-SECRET") != NULL;
}

RIGHT_IF(act())
