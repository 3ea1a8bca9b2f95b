/* SPDX-License-Identifier: MIT */
/* Meanings of the values of two options. */
#include <string.h>

#include "options.h"

/* -lNAME of the Toolkit that libsoftgpu.a serves, or that has no use here. */
bool is_toolkit_library(const char *name)
{
    static const char *const names[] = { "cudart", "cudart_static", "cuda",
                                         "cudadevrt", "nvToolsExt", "culibos",
                                         "curand", "curand_static", "cusparse",
                                         "cusparse_static", "nvrtc",
                                         "nvrtc_static", "nvidia-ml", "nvml" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* CUDA's headers of the software GPU need C++17, so older standards become
 * C++17.  Both compilers know the newer ones by these names. */
const char *language_standard(const char *name)
{
    static const char *const names[][2] = {
        { "03", "17" }, { "11", "17" }, { "14", "17" }, { "0x", "17" },
        { "1y", "17" }, { "17", "17" }, { "1z", "17" }, { "20", "20" },
        { "2a", "20" }, { "23", "23" }, { "2b", "23" },
    };
    const bool is_gnu = strncmp(name, "gnu++", 5) == 0;

    if (!is_gnu && strncmp(name, "c++", 3) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name + (is_gnu ? 5 : 3), names[i][0]) == 0)
            return concatenate("-std=gnu++", names[i][1], "");
    return NULL;
}

/* sm_90, compute_100a, lto_80, or a word for several; old ones, too. */
bool is_architecture(const char *name)
{
    static const char *const prefixes[] = { "sm_", "compute_", "lto_" };

    if (strcmp(name, "native") == 0 || strncmp(name, "all", 3) == 0)
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t n = strlen(prefixes[i]);
        const size_t digits = strspn(name + (strlen(name) < n ? 0 : n),
                                     "0123456789");
        if (strncmp(name, prefixes[i], n) == 0 && digits >= 2
            && strspn(name + n + digits, "af") == strlen(name + n + digits))
            return true;
    }
    return false;
}
