/* SPDX-License-Identifier: MIT */
/* Headers of a CUDA Toolkit: those that the software GPU does not have are
 * rejected by name, whether a Toolkit is installed or not. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refusal.h"
#include "toolkit_headers.h"

/* Prefixes of the Toolkit's headers, and its directories. */
static const char *const names[] = {
    "cub/", "cublas", "cuda/annotated_ptr", "cuda/functional",
    "cuda/memory_resource", "cuda/ptx", "cuda/std/", "cuda/stream_ref",
    "cudaD3D", "cudaEGL", "cudaGL", "cudaProfiler.h", "cudaVDPAU",
    "cuda_awbarrier", "cuda_d3d", "cuda_egl_", "cuda_fp4", "cuda_fp6",
    "cuda_gl_", "cuda_occupancy", "cuda_surface_types", "cuda_texture_types",
    "cuda_vdpau_", "cudnn", "cufft", "cufile", "curand_", "cusolver",
    "cusparse", "nccl", "npp", "nvcomp", "nvjpeg", "nvrtc",
    "surface_", "texture_", "thrust/",
};

/* The Toolkit's name of a header in a path of n bytes, or NULL. */
static const char *toolkit_name(const char *path, size_t n)
{
    for (const char *p = path; p < path + n; p++) {
        if (p > path && p[-1] != '/')
            continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t length = strlen(names[i]);
            bool last = memchr(p, '/', (size_t)(path + n - p)) == NULL;
            if ((last || strchr(names[i], '/'))
                && strncmp(p, names[i], length) == 0)
                return p;
        }
    }
    return NULL;
}

static void report_toolkit_header(const char *place, int length,
                                  const char *name, int n)
{
    const bool open = strncmp(name, "thrust/", 7) == 0
                      || strncmp(name, "cub/", 4) == 0;
    const char *advice = library_advice(name);
    fprintf(stderr, "%.*serror: <%.*s> is part of the CUDA Toolkit%s %s\n",
            length, place, n, name,
            advice ? ":" : " and not on the software GPU;",
            advice ? advice
            : strncmp(name, "thrust/async/", 13) == 0
                ? "CUDA 13's Thrust has no asynchronous algorithms any more: "
                  "use par_nosync, or the algorithm of the same name"
            : open ? "softcc takes NVIDIA's open headers (PyPI: "
                   "nvidia-cuda-cccl) from the folder in SOFTCC_CCCL"
                 : "write this part yourself");
}

bool explain_missing_header(const struct buffer *err)
{
    static const char words[] = "fatal error: ";
    const char *fatal = err->bytes ? strstr(err->bytes, words) : NULL;
    if (fatal == NULL)
        return false;
    const char *path = fatal + strlen(words), *start = fatal;
    while (*path == '\033') /* colors */
        path += strcspn(path, "mK") + 1;
    path += *path == '\''; /* clang */
    size_t n = strcspn(path, ": \n'\033");
    const char *name = toolkit_name(path, n);
    while (start > err->bytes && start[-1] != '\n')
        start--;
    if (name)
        report_toolkit_header(start, (int)(fatal - start), name,
                              (int)(path + n - name));
    return name != NULL;
}

/* A line marker: `# 12 "file" 1 3`. */
struct marker {
    int line;
    const char *path;
    size_t length;
    bool enters, system;
};

static bool parse_marker(const char *p, const char *end, struct marker *m)
{
    if (end - p < 5 || p[0] != '#' || p[1] != ' '
        || !isdigit((unsigned char)p[2]))
        return false;
    const char *open = memchr(p, '"', (size_t)(end - p));
    const char *close = open ? memrchr(p, '"', (size_t)(end - p)) : NULL;
    if (close == open)
        return false;
    *m = (struct marker){ atoi(p + 2), open + 1, (size_t)(close - open - 1),
                          memchr(close, '1', (size_t)(end - close)) != NULL,
                          memchr(close, '3', (size_t)(end - close)) != NULL };
    return true;
}

bool mentions_toolkit_header(const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (f && !found && getline(&line, &room, f) >= 0) {
        const char *p = line + strspn(line, " \t");
        p += *p == '#' ? 1 + strspn(p + 1, " \t") : 0;
        const char *name = p > line && strncmp(p, "include", 7) == 0
                               ? strpbrk(p, "<\"") : NULL;
        found = name && toolkit_name(name + 1, strcspn(name + 1, ">\""));
    }
    free(line);
    if (f)
        fclose(f);
    return found;
}

/* Call `visit` for each system header that a file of the program includes.
 * @return whether one of the calls returned true */
static bool visit_headers(const struct buffer *text,
                          bool (*visit)(const struct marker *at,
                                        const struct marker *header,
                                        void *data), void *data)
{
    struct marker at = { .system = true }, m;
    const char *end = text->bytes + text->length;
    bool any = false;
    for (const char *p = text->bytes; p && p < end;) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        next = next ? next : end;
        if (parse_marker(p, next, &m)) {
            if (m.enters && m.system && !at.system)
                any |= visit(&at, &m, data);
            at = m;
        } else {
            at.line++;
        }
        p = next + 1;
    }
    return any;
}

/* The program includes `header` at m; `include` is the software GPU's folder
 * of headers. */
static bool reject_header(const struct marker *m, const struct marker *header,
                          void *include)
{
    const char *name = toolkit_name(header->path, header->length);
    char place[4200];
    if (!name || strncmp(header->path, include, strlen(include)) == 0)
        return false;
    int n = snprintf(place, sizeof place, "%.*s:%d:1: ", (int)m->length,
                     m->path, m->line);
    report_toolkit_header(place, n, name,
                          (int)(header->path + header->length - name));
    return true;
}

bool reject_toolkit_headers(const struct buffer *text, const char *include)
{
    return visit_headers(text, reject_header, (void *)include);
}

/* A search for headers that one pass of the preprocessor has not read. */
struct search {
    const struct buffer *text; /* of that pass */
    const char *include;       /* as above */
    struct list *options;      /* gets -include and the header */
};

static bool add_unread_header(const struct marker *m,
                              const struct marker *header, void *data)
{
    const struct search *s = data;
    const size_t n = strlen(s->include);
    /* with both quotation marks */
    if (strncmp(header->path, s->include, n) || header->path[n] != '/'
        || memmem(s->text->bytes, s->text->length, header->path - 1,
                  header->length + 2))
        return false;
    (void)m;
    list_append(s->options, "-include");
    /* found by -isystem: as a path it would be no system header */
    list_append(s->options,
                strndup(header->path + n + 1, header->length - n - 1));
    return true;
}

bool add_unread_headers(struct list *options, const struct buffer *text,
                        const struct buffer *other, const char *include)
{
    return visit_headers(other, add_unread_header,
                         &(struct search){ text, include, options });
}

void add_include_option(struct list *argv, const char *option)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/crt/host_config.h", option + 2);
    if (strncmp(option, "-I", 2) || access(path, F_OK)) {
        list_append(argv, option);
        return;
    }
    list_append(argv, "-idirafter");
    list_append(argv, option + 2);
}
