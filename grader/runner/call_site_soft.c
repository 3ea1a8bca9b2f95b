/* SPDX-License-Identifier: MIT */
/* Call sites on the software GPU, which can look up source lines. */
#include <stdio.h>
#include <string.h>

#include "common/softgpu/core/source_line.h"
#include "common/softgpu/host/launch.h"
#include "resources.h"

void describe_call_site(const char *call, const void *site, char *text)
{
    struct source_line line;
    const char *name;

    softgpu_source_line((uintptr_t)site, &line);
    name = strrchr(line.file, '/') ? strrchr(line.file, '/') + 1 : line.file;
    if (line.line > 0)
        snprintf(text, FACT_SIZE, "%.40s, %.40s:%d", call, name, line.line);
    else
        snprintf(text, FACT_SIZE, "%s", call);
}

bool fail_kernel(unsigned number)
{
    softgpu_fail_kernel(number);
    return true;
}
