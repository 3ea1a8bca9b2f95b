/* SPDX-License-Identifier: MIT */
/* -lcublas, -lcudnn and so on: libsoftgpu.a has the API, a library of the host
 * does the arithmetic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "toolchain.h"

#define OPENBLAS "openblas", NULL, "libopenblas-dev", ".so", true
#define ONEDNN "dnnl", "gomp", "libdnnl-dev", ".so", false
#define FFTW "fftw3f", NULL, "libfftw3-single3 libfftw3-double3", ".so.3", true

static const struct backend_library backend_libraries[] = {
    { "cublas", OPENBLAS },
    { "cublas_static", OPENBLAS },
    { "cublasLt", OPENBLAS },
    { "cublasLt_static", OPENBLAS },
    { "cudnn", ONEDNN },
    { "cudnn_cnn", ONEDNN },
    { "cudnn_graph", ONEDNN },
    { "cudnn_ops", ONEDNN },
    { "cufft", FFTW },
    { "cufft_static", FFTW },
    { "cufft_static_nocallback", FFTW },
    { "cusolver", OPENBLAS },
    { "cusolver_static", OPENBLAS },
};

const struct backend_library *find_backend_library(const char *name)
{
    for (size_t i = 0; i < sizeof backend_libraries / sizeof *backend_libraries;
         i++)
        if (strcmp(name, backend_libraries[i].name) == 0)
            return &backend_libraries[i];
    return NULL;
}

/* The compiler prints the bare name of a file that it does not find. */
bool compiler_has_library(const char *compiler, const char *name,
                          const char *suffix)
{
    struct list argv = { 0 };
    list_append(&argv, compiler);
    list_append(&argv, concatenate("-print-file-name=lib", name, suffix));
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
        if (!compiler_has_library(job->toolchain.compiler, s->library,
                                  s->suffix)) {
            fprintf(stderr, "softcc: -l%s needs lib%s%s, which is not "
                            "installed: apt-get install %s\n",
                    s->name, s->library, s->suffix, s->package);
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
