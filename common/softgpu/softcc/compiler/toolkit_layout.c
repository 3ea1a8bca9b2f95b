/* SPDX-License-Identifier: MIT */
/* The lines of `nvcc -v` that build systems read.  CMake takes the linker of
 * programs from the last one, which is softcc. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "toolkit_layout.h"

void print_toolkit(const struct job *job)
{
    const struct options *o = job->options;
    const char *library = job->toolchain.library, *path = getenv("PATH");
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    fprintf(stderr,
            "#$ TOP=%s/cuda\n"
            "#$ PATH=%s\n"
            "#$ NVVMIR_LIBRARY_DIR=%s/cuda/nvvm/libdevice\n"
            "#$ INCLUDES=\"-I%s/cuda/include\"  \n"
            "#$ LIBRARIES=  \"-L%s/cuda/lib64\"\n",
            library, path ? path : "", library, library, library);
    if (o->mode != LINK)
        return;
    fprintf(stderr,
            "#$ cicc -arch compute_90\n" /* the default architecture */
            "#$ \"%s\" -o \"%s\"   \"-L%s/cuda/lib64\" "
            "-lcudadevrt -lcudart_static -lrt -lpthread -ldl\n",
            self, o->output ? o->output : "a.out", library);
}
