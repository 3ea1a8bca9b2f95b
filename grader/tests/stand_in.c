/* SPDX-License-Identifier: MIT */
/* Compiles and loads programs/nvml.c. */
#include "stand_in.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "common/base/paths.h"
#include "common/base/text.h"

struct stand_in stand_in;

struct card *stand_in_open(const char *folder, const char *options,
                           const char *visible)
{
    static int number; /* dlopen() would find an open library again */
    char source[PATH_MAX], library[PATH_MAX + 32], command[3 * PATH_MAX];
    void *handle;

    root_path(source, "grader/tests/programs/nvml.c");
    text_format(library, sizeof library, "%s/nvml%d.so", folder, number++);
    text_format(command, sizeof command, "cc -shared -fPIC %s -o '%s' '%s'",
                options, library, source);
    if (system(command) || !(handle = dlopen(library, RTLD_LAZY)))
        return NULL;
    stand_in.processes = dlsym(handle, "stand_in_processes");
    stand_in.guest_queries = dlsym(handle, "stand_in_guest_queries");
    stand_in.reasons = dlsym(handle, "stand_in_reasons");
    return card_open(library, visible);
}
