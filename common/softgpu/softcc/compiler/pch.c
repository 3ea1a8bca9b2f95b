/* SPDX-License-Identifier: MIT */
/* The cache of precompiled headers: see pch.h.
 *
 * A directory <build>/prelude/HASH has prelude.h, which includes CUDA's
 * headers, its precompiled form, and the stamp "made".  The stamp is written
 * last and removed first, each file appears as a whole, and a lock lets one
 * process build at a time; the others continue without a precompiled header. */
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

#include "command.h"
#include "common/base/files.h"
#include "common/base/paths.h"
#include "output.h"
#include "pch.h"

#define MAX_FOLDERS 12 /* cached; 25 MB each with gcc */
#define MIN_IDLE_SECONDS (10 * 60) /* until one can be replaced */
#define PATH_BYTES 5000

/* --- whether -------------------------------------------------------------- */

/* Do the options ask for a list of all files, which must be read then?  -MMD
 * leaves out CUDA's headers, and a grader (-MD) asks what a submission reads
 * besides. */
static bool lists_headers(const struct options *o)
{
    static const char *const others[] = { "-MMD", "-MF", "-MT", "-MQ" };
    for (int i = 0; i < o->preprocess.count; i++) {
        bool lists = strncmp(o->preprocess.at[i], "-M", 2) == 0;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            lists = lists && strcmp(o->preprocess.at[i], others[k]) != 0;
        if (o->graded && strcmp(o->preprocess.at[i], "-MD") == 0)
            lists = false;
        if (lists)
            return true;
    }
    return false;
}

/* Do the options allow a precompiled header?  They must not change the meaning
 * of the headers. */
static bool options_allow_pch(const struct options *o)
{
    static const char *const starts[] = { "-O", "-g", "-w", "-W", "-fPIC",
                                          "-fopenmp", "-ffast-math",
                                          "-fno-finite-math-only",
                                          "-fdiagnostics", "-fno-diagnostics",
                                          "-fsanitize=", "-fno-sanitize" };
    for (int i = 0; i < o->compile.count; i++) {
        bool known = false; /* -Wp, passes any option */
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            known |= strncmp(o->compile.at[i], starts[k], strlen(starts[k]))
                     == 0;
        if (!known || strncmp(o->compile.at[i], "-Wp", 3) == 0)
            return false;
    }
    if (lists_headers(o))
        return false;
    return o->mode == LINK || o->mode == COMPILE;
}

/* Is a precompiled header wanted and possible: a known compiler, and no
 * environment variable that changes where it finds headers? */
static bool is_pch_enabled(const struct job *job)
{
    static const char *const path_variables[] = {
        "CPATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
        "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CCC_OVERRIDE_OPTIONS" };
    const char *setting = getenv("SOFTCC_PRELUDE");
    const char *slash = strrchr(job->toolchain.compiler, '/');
    const char *name = slash ? slash : job->toolchain.compiler;
    for (size_t i = 0; i < sizeof path_variables / sizeof *path_variables; i++)
        if (getenv(path_variables[i]))
            return false;
    return !(setting && strcmp(setting, "0") == 0)
           && options_allow_pch(job->options)
           && (strstr(name, "g++") || strstr(name, "clang"))
           && access("cuda_runtime.h", F_OK) != 0;
}

/* --- making it ------------------------------------------------------------ */

static bool is_directory(const char *folder)
{
    struct stat s;
    return stat(folder, &s) == 0 && S_ISDIR(s.st_mode);
}

static void remove_files(const char *folder)
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

/* How long a directory was not used, in seconds. */
static double idle_seconds(const char *folder)
{
    struct stat s;
    return stat(folder, &s) == 0 ? difftime(time(NULL), s.st_mtime) : 0;
}

/* How many directories are kept: SOFTCC_PRELUDE=N for another number. */
static int max_folders(void)
{
    const char *setting = getenv("SOFTCC_PRELUDE");
    const int wanted = setting ? atoi(setting) : 0;

    return wanted > 1 ? wanted : MAX_FOLDERS;
}

/* Make room for one more: when all places are taken, remove the directory that
 * was unused for longest, unless that is not long.
 * @return whether there is room */
static bool evict_oldest(const char *all)
{
    char path[PATH_BYTES], oldest[PATH_BYTES] = "";
    int folder_count = 0;
    double longest = MIN_IDLE_SECONDS;
    DIR *d = opendir(all);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", all, e->d_name);
        if (e->d_name[0] == '.' || !is_directory(path))
            continue;
        folder_count++;
        if (idle_seconds(path) > longest) {
            longest = idle_seconds(path);
            snprintf(oldest, sizeof oldest, "%s", path);
        }
    }
    if (d)
        closedir(d);
    if (folder_count < max_folders())
        return true;
    remove_files(oldest);
    return *oldest && rmdir(oldest) == 0;
}

static bool is_clangs(const struct pch *p)
{
    return strcmp(strrchr(p->compiled, '.'), ".pch") == 0;
}

/* What the preprocessor includes in place of cuda_runtime.h. */
static const char *included(const struct pch *p)
{
    return is_clangs(p) ? p->macros : p->header;
}

static bool write_atomically(const char *path, const struct buffer *text)
{
    const char *new = create_output(path);
    FILE *f = new ? fopen(new, "w") : NULL;
    bool good = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    if (f && fclose(f) != 0)
        good = false;
    return new && commit_output(new, path, good);
}

/* Run the compiler. */
static bool build_pch(const struct pch *p, const struct list *command,
                      const char *dependencies)
{
    const char *output = create_output(p->compiled);
    struct list argv = { 0 };
    if (output == NULL)
        return false;
    list_extend(&argv, command);
    list_append(&argv, "-MD");
    list_append(&argv, "-MF");
    list_append(&argv, dependencies);
    list_append(&argv, "-x");
    list_append(&argv, "c++-header");
    list_append(&argv, p->header);
    list_append(&argv, "-o");
    list_append(&argv, output);
    struct result r = run_program(&argv, NULL);
    free_result(&r);
    free(argv.at);
    return commit_output(output, p->compiled, r.status == 0);
}

/* The macros that the header defines, for clang's preprocessor. */
static bool build_macros(const struct pch *p, const struct list *command)
{
    struct buffer macros = { 0 };
    struct list argv = { 0 };
    list_extend(&argv, command);
    list_append(&argv, "-E");
    list_append(&argv, "-dD");
    list_append(&argv, "-x");
    list_append(&argv, "c++");
    list_append(&argv, p->header);
    struct result r = run_program(&argv, NULL);
    bool good = r.status == 0 && r.out.bytes;
    if (good) {
        pch_keep_macros(&macros, r.out.bytes);
        good = write_atomically(p->macros, &macros);
    }
    free(macros.bytes);
    free(argv.at);
    free_result(&r);
    return good;
}

/* Fill the directory, which can have files of a process that was killed.  If
 * the compiler fails, the stamp is written all the same: the next process does
 * not try again until something changes. */
static void build_folder(const struct pch *p, const struct list *command,
                         struct buffer *stamp)
{
    struct buffer text = { 0 };
    unlink(p->stamp);
    remove_files(p->folder);
    const char *dependencies = create_temporary("pch.d");
    buffer_printf(&text, "#include <cuda_runtime.h>\n");
    if (dependencies && write_atomically(p->header, &text)) {
        if (build_pch(p, command, dependencies) && is_clangs(p))
            build_macros(p, command);
        if (stamp_files(stamp, dependencies))
            write_atomically(p->stamp, stamp);
    }
    if (dependencies)
        commit_output(dependencies, p->stamp, false);
    free(text.bytes);
}

/* Build it, unless the directory cannot be written or another process builds
 * it. */
static void build_if_unlocked(const struct pch *p, const struct list *command,
                              struct buffer *stamp)
{
    char all[4200];
    snprintf(all, sizeof all, "%s", p->folder);
    *strrchr(all, '/') = 0;
    make_directories(all);
    if (access(all, W_OK) != 0
        || (!is_directory(p->folder) && !evict_oldest(all)))
        return;
    mkdir(p->folder, 0777);
    int lock = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && access(p->folder, W_OK) == 0
        && flock(lock, LOCK_EX | LOCK_NB) == 0)
        build_folder(p, command, stamp);
    if (lock >= 0)
        close(lock);
}

/* --- the whole ------------------------------------------------------------ */

/* The cache is in the build folder. */
static void set_paths(struct pch *p, const struct job *job,
                      const struct buffer *stamp)
{
    snprintf(p->folder, sizeof p->folder, "%s/prelude/%016llx", build_root(),
             stamp_hash(stamp));
    snprintf(p->header, sizeof p->header, "%s/prelude.h", p->folder);
    snprintf(p->compiled, sizeof p->compiled, "%s/prelude.%s", p->folder,
             job->toolchain.clang ? "pch" : "h.gch");
    snprintf(p->macros, sizeof p->macros, "%s/macros.h", p->folder);
    snprintf(p->stamp, sizeof p->stamp, "%s/made%s", p->folder,
             job->toolchain.clang ? "_with_macros" : "");
}

void pch_find_or_build(struct pch *p, const struct job *job)
{
    struct buffer stamp = { 0 };
    struct list command = { 0 };
    char include[PATH_MAX];
    p->ready = false;
    if (!is_pch_enabled(job)
        || realpath(job->toolchain.include, include) == NULL)
        return;
    add_pch_command(&command, job);
    list_append(&command, "-isystem");
    list_append(&command, include);
    if (stamp_command(&stamp, &command)) {
        size_t command_stamp = stamp.length;
        set_paths(p, job, &stamp);
        enum stamp state = stamp_check(p->stamp, &stamp, job);
        if (state == STAMP_STALE) {
            build_if_unlocked(p, &command, &stamp);
            stamp.bytes[stamp.length = command_stamp] = 0;
            state = stamp_check(p->stamp, &stamp, job);
        }
        p->ready = state == STAMP_VALID && access(p->compiled, R_OK) == 0
                   && (!is_clangs(p) || access(p->macros, R_OK) == 0);
    }
    if (p->ready)
        utimensat(AT_FDCWD, p->folder, NULL, 0); /* it is in use */
    free(stamp.bytes);
    free(command.at);
}

void pch_add_include(struct list *argv, const struct pch *p,
                     const struct job *job)
{
    if (p->ready && !job->toolchain.clang)
        list_append(argv, "-fpch-preprocess");
    list_append(argv, "-include");
    list_append(argv, p->ready ? included(p) : "cuda_runtime.h");
}

void pch_strip_headers(const struct pch *p, const struct job *job,
                       struct buffer *text)
{
    if (!p->ready || !job->toolchain.clang)
        return;
    char *name = memmem(text->bytes, text->length, included(p),
                        strlen(included(p)));
    char *start = name
                      ? memrchr(text->bytes, '\n', (size_t)(name - text->bytes))
                      : NULL;
    char *back = name ? strstr(name, "\"<built-in>\" 2\n") : NULL;
    char *end = back ? strchr(back, '\n') : NULL;
    if (!start || !end)
        return;
    memmove(start, end, text->length - (size_t)(end - text->bytes) + 1);
    text->length -= (size_t)(end - start);
}

/* Make's rule names it as " PATH"; a path with characters that make escapes is
 * left, since to depend on it is only too careful. */
void pch_strip_dependency(const struct pch *p, const struct job *job,
                          const char *object)
{
    const char *path = dependency_file(job, object);
    size_t length;
    char *text = p->ready && path ? read_file(path, 1 << 24, &length) : NULL;
    char *name = text ? strstr(text, included(p)) : NULL;
    if (name && name > text && name[-1] == ' ') {
        char *end = name + strlen(included(p));
        memmove(name, end, strlen(end) + 1);
        write_file(path, text, strlen(text));
    }
    free(text);
}

void pch_add_compile_options(struct list *argv, const struct pch *p,
                             const struct job *job)
{
    if (!p->ready || !job->toolchain.clang)
        return;
    list_append(argv, "-Xclang");
    list_append(argv, "-include-pch");
    list_append(argv, "-Xclang");
    list_append(argv, p->compiled);
}

bool pch_set_aside(struct pch *p, const struct result *r)
{
    const char *err = r->err.bytes ? r->err.bytes : "";
    if (!p->ready || r->status == 0)
        return false;
    if (r->status == 1 && !strstr(err, p->folder) && !strstr(err, "PCH")
        && !strstr(err, "precompiled"))
        return false;
    p->ready = false;
    p->suspected = true;
    return true;
}

void pch_remove_broken(const struct pch *p)
{
    if (p->suspected)
        unlink(p->compiled); /* not tried again until something changes */
}
