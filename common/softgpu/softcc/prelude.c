/* SPDX-License-Identifier: MIT */
/* Keeping CUDA's headers in the compiler's own form: see prelude.h.
 *
 * A folder <build>/prelude/HASH holds prelude.h, which includes the headers,
 * the precompiled form of it, and "made", the stamp.  The stamp is written
 * last and removed first, each file is put in its place by a rename, and one
 * process at a time makes a folder's; the others go without. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "prelude.h"

#define MOST_KEPT 8  /* sets of options; gcc's form takes 25 MB each */
#define OLD (24 * 3600) /* seconds without use, after which one may go */

/* --- whether -------------------------------------------------------------- */

/* Options that leave the headers what they are, or make of them what the same
 * options make of them each time.  -M lists files, so they must be read. */
static bool is_plain(const struct options *o)
{
    static const char *const starts[] = { "-O", "-g", "-w", "-W", "-fPIC",
                                          "-fopenmp", "-ffast-math",
                                          "-fno-finite-math-only",
                                          "-fsanitize=", "-fno-sanitize" };
    for (int i = 0; i < o->compile.count; i++) {
        bool known = false; /* -Wp, has options for another */
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            known |= strncmp(o->compile.at[i], starts[k], strlen(starts[k]))
                     == 0;
        if (!known || strncmp(o->compile.at[i], "-Wp", 3) == 0)
            return false;
    }
    for (int i = 0; i < o->preprocess.count; i++)
        if (strncmp(o->preprocess.at[i], "-M", 2) == 0)
            return false;
    return o->mode == LINK || o->mode == COMPILE;
}

/* A compiler by its own name, and nothing that moves its headers. */
static bool is_wanted(const struct job *job)
{
    static const char *const moves[] = {
        "CPATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
        "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CCC_OVERRIDE_OPTIONS" };
    const char *wish = getenv("SOFTCC_PRELUDE");
    const char *slash = strrchr(job->places.compiler, '/');
    const char *name = slash ? slash : job->places.compiler;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (getenv(moves[i]))
            return false;
    return !(wish && strcmp(wish, "0") == 0) && is_plain(job->options)
           && (strstr(name, "g++") || strstr(name, "clang"))
           && access("cuda_runtime.h", F_OK) != 0;
}

/* --- making it ------------------------------------------------------------ */

static bool is_kept(const char *folder)
{
    struct stat s;
    return stat(folder, &s) == 0 && S_ISDIR(s.st_mode);
}

static void empty_folder(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[5000];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (d)
        closedir(d);
}

/* Whether there is room for one more; what was not used for long goes. */
static bool make_room(const char *all)
{
    int kept = 0;
    DIR *d = opendir(all);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[5000];
        struct stat s;
        snprintf(path, sizeof path, "%s/%s", all, e->d_name);
        if (e->d_name[0] == '.' || stat(path, &s) != 0)
            continue;
        kept++;
        if (time(NULL) - s.st_mtime > OLD) {
            empty_folder(path);
            kept -= rmdir(path) == 0;
        }
    }
    if (d)
        closedir(d);
    return kept < MOST_KEPT;
}

/* A file that holds the text, put in its place whole. */
static bool put_file(const char *path, const struct buffer *text)
{
    const char *new = start_output(path);
    FILE *f = new ? fopen(new, "w") : NULL;
    bool good = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    if (f && fclose(f) != 0)
        good = false;
    return new && finish_output(new, path, good);
}

/* Let the compiler make its form of the header. */
static bool compile_header(const struct prelude *p, const struct list *words,
                           const char *dependencies)
{
    const char *made = start_output(p->compiled);
    struct list argv = { 0 };
    if (made == NULL)
        return false;
    list_join(&argv, words);
    list_add(&argv, "-MD");
    list_add(&argv, "-MF");
    list_add(&argv, dependencies);
    list_add(&argv, "-x");
    list_add(&argv, "c++-header");
    list_add(&argv, p->header);
    list_add(&argv, "-o");
    list_add(&argv, made);
    struct result r = run_program(&argv, NULL, true);
    free(r.out.bytes);
    free(r.err.bytes);
    free(argv.at);
    return finish_output(made, p->compiled, r.status == 0);
}

/* Fill the folder, which may hold what a process left that was killed.  Without
 * the compiler's form the stamp says that it cannot be made, and is as good
 * until something changes. */
static void fill(const struct prelude *p, const struct list *words,
                 struct buffer *stamp)
{
    struct buffer text = { 0 };
    unlink(p->stamp);
    empty_folder(p->folder);
    const char *dependencies = start_output(p->stamp);
    buffer_print(&text, "#include <cuda_runtime.h>\n");
    if (dependencies && put_file(p->header, &text)) {
        compile_header(p, words, dependencies);
        if (stamp_files(stamp, dependencies))
            put_file(p->stamp, stamp);
    }
    if (dependencies)
        finish_output(dependencies, p->stamp, false);
    free(text.bytes);
}

/* Make it, unless it cannot be written or another process is at it. */
static void make(const struct prelude *p, const struct list *words,
                 struct buffer *stamp)
{
    char all[4200];
    snprintf(all, sizeof all, "%s", p->folder);
    *strrchr(all, '/') = 0;
    mkdir(all, 0777);
    if (access(all, W_OK) != 0 || (!is_kept(p->folder) && !make_room(all)))
        return;
    mkdir(p->folder, 0777);
    int lock = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && access(p->folder, W_OK) == 0
        && flock(lock, LOCK_EX | LOCK_NB) == 0)
        fill(p, words, stamp);
    if (lock >= 0)
        close(lock);
}

/* --- the whole ------------------------------------------------------------ */

/* Where it is kept: beside the folder of the runtime's library. */
static void name_files(struct prelude *p, const struct job *job,
                       const struct buffer *stamp)
{
    const char *library = job->places.library;
    int n = (int)(strrchr(library, '/') - library);
    snprintf(p->folder, sizeof p->folder, "%.*s/prelude/%016llx", n, library,
             stamp_hash(stamp));
    snprintf(p->header, sizeof p->header, "%s/prelude.h", p->folder);
    snprintf(p->compiled, sizeof p->compiled, "%s/prelude.%s", p->folder,
             job->places.clang ? "pch" : "h.gch");
    snprintf(p->stamp, sizeof p->stamp, "%s/made", p->folder);
}

void prelude_find(struct prelude *p, const struct job *job)
{
    struct buffer stamp = { 0 };
    struct list words = { 0 };
    char ours[PATH_MAX];
    p->ready = false;
    if (!is_wanted(job) || realpath(job->places.include, ours) == NULL)
        return;
    add_header_command(&words, job);
    list_add(&words, "-isystem");
    list_add(&words, ours);
    if (stamp_begin(&stamp, &words)) {
        size_t begun = stamp.length;
        name_files(p, job, &stamp);
        enum stamp state = stamp_judge(p->stamp, &stamp, job);
        if (state == STAMP_OLD) {
            make(p, &words, &stamp);
            stamp.bytes[stamp.length = begun] = 0;
            state = stamp_judge(p->stamp, &stamp, job);
        }
        p->ready = state == STAMP_GOOD && access(p->compiled, R_OK) == 0;
    }
    if (p->ready)
        utimensat(AT_FDCWD, p->folder, NULL, 0); /* it is in use */
    free(stamp.bytes);
    free(words.at);
}

void prelude_include(struct list *argv, const struct prelude *p,
                     const struct job *job)
{
    if (p->ready && !job->places.clang)
        list_add(argv, "-fpch-preprocess");
    list_add(argv, "-include");
    list_add(argv, p->ready ? p->header : "cuda_runtime.h");
}

void prelude_cut(const struct prelude *p, const struct job *job,
                 struct buffer *text)
{
    if (!p->ready || !job->places.clang)
        return;
    char *name = memmem(text->bytes, text->length, p->header,
                        strlen(p->header));
    char *start = name ? memrchr(text->bytes, '\n',
                                 (size_t)(name - text->bytes)) : NULL;
    char *back = name ? strstr(name, "\"<built-in>\" 2\n") : NULL;
    char *end = back ? strchr(back, '\n') : NULL;
    if (!start || !end)
        return;
    memmove(start, end, text->length - (size_t)(end - text->bytes) + 1);
    text->length -= (size_t)(end - start);
}

void prelude_bring(struct list *argv, const struct prelude *p,
                   const struct job *job)
{
    if (!p->ready || !job->places.clang)
        return;
    list_add(argv, "-Xclang");
    list_add(argv, "-include-pch");
    list_add(argv, "-Xclang");
    list_add(argv, p->compiled);
}

bool prelude_failed(struct prelude *p, const struct result *r)
{
    const char *err = r->err.bytes ? r->err.bytes : "";
    if (!p->ready || r->status == 0)
        return false;
    if (r->status == 1 && !strstr(err, p->folder) && !strstr(err, "PCH")
        && !strstr(err, "precompiled"))
        return false;
    p->ready = false;
    unlink(p->compiled); /* not tried again until something changes */
    return true;
}
