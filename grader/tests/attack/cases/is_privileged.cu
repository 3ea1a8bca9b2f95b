/* SPDX-License-Identifier: MIT */
/* Right if it runs as root or with a capability. */
#include "hostile.h"

static bool act(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    unsigned long long held = 0;
    char line[256];

    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "CapPrm:", 7) || !strncmp(line, "CapEff:", 7))
            held |= strtoull(line + 7, NULL, 16);
    if (status)
        fclose(status);
    return held || geteuid() == 0 || setuid(0) == 0;
}

RIGHT_IF(act())
