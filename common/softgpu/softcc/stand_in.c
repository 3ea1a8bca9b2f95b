/* SPDX-License-Identifier: MIT */
/* -lcublas, -lcudnn and the like: the calls are in libsoftgpu.a, the arithmetic
 * in a library of this machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

static const struct stand_in stand_ins[] = {
    { "cublas", "openblas", NULL, "libopenblas-dev", true },
    { "cublas_static", "openblas", NULL, "libopenblas-dev", true },
    { "cublasLt", "openblas", NULL, "libopenblas-dev", true },
    { "cublasLt_static", "openblas", NULL, "libopenblas-dev", true },
    { "cudnn", "dnnl", "gomp", "libdnnl-dev", false },
    { "cudnn_cnn", "dnnl", "gomp", "libdnnl-dev", false },
    { "cudnn_graph", "dnnl", "gomp", "libdnnl-dev", false },
    { "cudnn_ops", "dnnl", "gomp", "libdnnl-dev", false },
};

const struct stand_in *find_stand_in(const char *name)
{
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (strcmp(name, stand_ins[i].name) == 0)
            return &stand_ins[i];
    return NULL;
}

static const char *joined(const char *a, const char *b, const char *c)
{
    size_t n = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(n);
    if (text == NULL)
        exit(EXIT_FILES);
    snprintf(text, n, "%s%s%s", a, b, c);
    return text;
}

/* Ask the compiler: of a file it does not find it gives the bare name back. */
static bool is_installed(const struct job *job, const char *library)
{
    struct list argv = { 0 };
    list_add(&argv, job->places.compiler);
    list_add(&argv, joined("-print-file-name=lib", library, ".so"));
    struct result r = run_program(&argv, NULL, true);
    bool found = r.status == 0 && r.out.bytes && strchr(r.out.bytes, '/');
    free(argv.at);
    free(r.out.bytes);
    free(r.err.bytes);
    return found;
}

bool add_stand_ins(struct list *argv, const struct job *job)
{
    const struct list *wanted = &job->options->stand_ins;
    for (int i = 0; i < wanted->count; i++) {
        const struct stand_in *s = find_stand_in(wanted->at[i]);
        if (!is_installed(job, s->library)) {
            fprintf(stderr, "softcc: -l%s needs lib%s.so, which is not "
                            "installed: apt-get install %s\n",
                    s->name, s->library, s->package);
            return false;
        }
        if (s->later)
            continue;
        list_add(argv, joined("-l", s->library, ""));
        if (s->also)
            list_add(argv, joined("-l", s->also, ""));
    }
    return true;
}
