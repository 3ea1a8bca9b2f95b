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
                                         "nvrtc_static" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* CUDA's headers of the software GPU need C++17, so older standards become
 * C++17. */
const char *language_standard(const char *name)
{
    static const char *const old[] = { "c++03", "c++11", "c++14", "c++0x",
                                       "c++1y", "gnu++11", "gnu++14", "c++17" };
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (strcmp(name, old[i]) == 0)
            return "-std=gnu++17";
    if (strncmp(name, "c++", 3) == 0)
        return concatenate("-std=gnu++", name + 3, "");
    return concatenate("-std=", name, "");
}
