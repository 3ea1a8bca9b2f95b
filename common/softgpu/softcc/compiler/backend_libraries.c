/* SPDX-License-Identifier: MIT */
/* -lcublas, -lcudnn and so on: libsoftgpu.a has the API, a library of the host
 * does the arithmetic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "toolchain.h"

static const struct backend_library backend_libraries[] = {
    { "cublas", "openblas", NULL, "libopenblas-dev", true },
    { "cublas_static", "openblas", NULL, "libopenblas-dev", true },
    { "cublasLt", "openblas", NULL, "libopenblas-dev", true },
    { "cublasLt_static", "openblas", NULL, "libopenblas-dev", true },
    { "cudnn", "dnnl", "gomp", "libdnnl-dev", false },
    { "cudnn_cnn", "dnnl", "gomp", "libdnnl-dev", false },
    { "cudnn_graph", "dnnl", "gomp", "libdnnl-dev", false },
    { "cudnn_ops", "dnnl", "gomp", "libdnnl-dev", false },
};

const struct backend_library *find_backend_library(const char *name)
{
    for (size_t i = 0; i < sizeof backend_libraries / sizeof *backend_libraries;
         i++)
        if (strcmp(name, backend_libraries[i].name) == 0)
            return &backend_libraries[i];
    return NULL;
}

/* Ask the compiler, which prints the bare name of a file that it does not
 * find. */
static bool is_installed(const struct job *job, const char *library)
{
    struct list argv = { 0 };
    list_append(&argv, job->toolchain.compiler);
    list_append(&argv, concatenate("-print-file-name=lib", library, ".so"));
    struct result r = run_program(&argv, NULL);
    bool found = r.status == 0 && r.out.bytes && strchr(r.out.bytes, '/');
    free(argv.at);
    free_result(&r);
    return found;
}

bool add_backend_libraries(struct list *argv, const struct job *job)
{
    const struct list *wanted = &job->options->backend_libraries;
    for (int i = 0; i < wanted->count; i++) {
        const struct backend_library *s = find_backend_library(wanted->at[i]);
        if (!is_installed(job, s->library)) {
            fprintf(stderr, "softcc: -l%s needs lib%s.so, which is not "
                            "installed: apt-get install %s\n",
                    s->name, s->library, s->package);
            return false;
        }
        if (s->loaded_lazily)
            continue;
        list_append(argv, concatenate("-l", s->library, ""));
        if (s->depends_on)
            list_append(argv, concatenate("-l", s->depends_on, ""));
    }
    return true;
}
