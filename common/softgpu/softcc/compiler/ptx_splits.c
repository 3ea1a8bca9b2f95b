/* SPDX-License-Identifier: MIT */
/* Reads PTX line by line: kernels, files, source lines, basic blocks, and
 * scalar accesses to global memory. */
#include "ptx_splits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACCESSES = 512, MAX_FILES = 256, PARTS = 4, PART_BYTES = 4 };

/** A scalar access of a basic block. */
struct access {
    bool is_store;
    char base[24]; /* register */
    long offset;   /* bytes */
};

/** State of the reader. */
struct reader {
    struct buffer *out;
    char kernel[2048];
    char *files[MAX_FILES]; /* paths, by number */
    unsigned file, line;    /* of the next instruction */
    unsigned told_line[2];  /* of loads and stores, in this kernel */
    struct access accesses[MAX_ACCESSES]; /* of one source line and block */
    int count;
};

/* "ld.global.nc.f32 %f1, [%rd4+8];" or "st.global.f32 [%rd4], %f1;" */
static bool parse_access(const char *text, struct access *a)
{
    const char *open = strchr(text, '[');
    const char *end = text + strcspn(text, " \t");

    a->is_store = strncmp(text, "st.global.", 10) == 0;
    if ((!a->is_store && strncmp(text, "ld.global.", 10) != 0) || !open
        || strstr(text, ".v2.") || strstr(text, ".v4.") || end - text < 3
        || strncmp(end - 2, "32", 2) != 0)
        return false;
    a->offset = 0;
    return sscanf(open, "[%23[^]+]+%ld", a->base, &a->offset) >= 1;
}

static bool has_access(const struct reader *r, const struct access *like,
                       long offset)
{
    for (int i = 0; i < r->count; i++)
        if (r->accesses[i].is_store == like->is_store
            && r->accesses[i].offset == offset
            && strcmp(r->accesses[i].base, like->base) == 0)
            return true;
    return false;
}

/* Is the access part of four that lie side by side? */
static bool is_split(const struct reader *r, const struct access *a)
{
    int before = 0, after = 0;

    while (before < PARTS
           && has_access(r, a, a->offset - (before + 1) * PART_BYTES))
        before++;
    while (after < PARTS
           && has_access(r, a, a->offset + (after + 1) * PART_BYTES))
        after++;
    return before + 1 + after >= PARTS;
}

static void add_access(struct reader *r, const struct access *a)
{
    if (r->count == MAX_ACCESSES)
        return;
    r->accesses[r->count++] = *a;
    if (!*r->kernel || !r->line || r->told_line[a->is_store] == r->line
        || r->file >= MAX_FILES || !r->files[r->file] || !is_split(r, a))
        return;
    r->told_line[a->is_store] = r->line;
    buffer_printf(r->out, "%s %s %s:%u\n", r->kernel,
                  a->is_store ? "store" : "load", r->files[r->file], r->line);
}

/* "	.file	1 "/tmp/a.cu"", at the end of the PTX. */
static void read_file(struct reader *r, const char *text)
{
    unsigned number;
    char path[2048];

    if (sscanf(text, ".file %u \"%2047[^\"]", &number, path) == 2
        && number < MAX_FILES && !r->files[number])
        r->files[number] = strdup(path);
}

/* ".loc 1 57 5, function_name ...": another source line. */
static void read_place(struct reader *r, const char *text)
{
    unsigned file, line;

    if (sscanf(text, ".loc %u %u", &file, &line) != 2
        || (file == r->file && line == r->line))
        return;
    r->file = file;
    r->line = line;
    r->count = 0;
}

static void read_instruction(struct reader *r, const char *text)
{
    const char *entry = strstr(text, ".entry ");
    struct access a;

    if (entry) {
        sscanf(entry, ".entry %2047[^( \n]", r->kernel);
        r->told_line[0] = r->told_line[1] = 0;
        r->count = 0;
    } else if (*text == '$' || *text == '}' || strstr(text, "bra")) {
        r->count = 0; /* a basic block ends */
    } else if (strncmp(text, ".loc", 4) == 0) {
        read_place(r, text);
    } else if (parse_access(text, &a)) {
        add_access(r, &a);
    }
}

void find_split_accesses(FILE *ptx, struct buffer *out)
{
    struct reader *r = calloc(1, sizeof *r);
    char *line = NULL;
    size_t capacity = 0;

    if (!r)
        return;
    r->out = out;
    while (getline(&line, &capacity, ptx) > 0)
        read_file(r, line + strspn(line, " \t"));
    rewind(ptx);
    while (getline(&line, &capacity, ptx) > 0)
        read_instruction(r, line + strspn(line, " \t"));
    for (int i = 0; i < MAX_FILES; i++)
        free(r->files[i]);
    free(line);
    free(r);
}
