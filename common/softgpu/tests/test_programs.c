/* SPDX-License-Identifier: MIT */
/* The corpus: every program is built by softcc and run as it is, on one OS
 * thread, on four, and with seeded orders; each run must print exactly the
 * output that CUDA's documentation defines.  Two worker threads run all
 * programs first, then CUnit reports the results.
 *
 * Arguments select programs by name or by the start of a name.  Without any,
 * the sanitizers see every sixth program and the plain build a third, those
 * after them; it moves on by one each day, and with PROGRAMS=all both see all.
 * SOFTCC_ENGINE selects the engine that they are compiled for, each in a folder
 * of its own. */
#include <dlfcn.h>
#include <ftw.h>
#include <libgen.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "process.h"
#include "program.h"

#define HERE "common/softgpu/tests/programs"

#define TEXT(macro) TEXT_OF(macro)
#define TEXT_OF(text) #text

enum { WORKERS = 2, BUILD_SECONDS = 900, RUN_SECONDS = 300, MESSAGE = 900 };

struct mode {
    const char *name;
    char *env;
};

#ifdef __SANITIZE_ADDRESS__
static const int sanitized = 1;
static char *flags[] = { "-O1", "-g1", "-fsanitize=address,undefined",
                         "-fno-sanitize-recover=undefined",
#ifdef __clang__
                         "-Xcompiler", "-shared-libasan",
#endif
                         NULL };
static const struct mode modes[] = { { "plain", NULL },
                                     { "seed 7", "SOFTGPU_SEED=7" } };
#else
static const int sanitized = 0;
static char *flags[] = { NULL };
static const struct mode modes[] = {
    { "plain", NULL },
    { "one OS thread", "SOFTGPU_THREADS=1" },
    { "four OS threads", "SOFTGPU_THREADS=4" },
    { "seed 1", "SOFTGPU_SEED=1" },
    { "seed 2", "SOFTGPU_SEED=2" },
    { "seed 3", "SOFTGPU_SEED=3" },
};
#endif
enum { MODES = sizeof modes / sizeof *modes };

static struct program programs[MAX_PROGRAMS];
static char messages[MAX_PROGRAMS][MESSAGE]; /* "": passed */
static int wanted[MAX_PROGRAMS], n_programs, n_wanted;
static atomic_int next_program;
static const char *build;  /* the build folder */
static char folder[512];   /* of the executables */
static struct timespec newest_header;

/* --- is the executable up to date? ---------------------------------------- */

static int is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static int note_header(const char *path, const struct stat *s, int kind,
                       struct FTW *ftw)
{
    (void)path, (void)ftw;
    if (kind == FTW_F && is_later(s->st_mtim, newest_header))
        newest_header = s->st_mtim;
    return 0;
}

static int is_newer(const char *path, struct timespec than)
{
    struct stat s;

    return stat(path, &s) || is_later(s.st_mtim, than);
}

static int up_to_date(const struct program *p, const char *exe)
{
    char path[600];
    struct stat s;

    if (stat(exe, &s) || is_later(newest_header, s.st_mtim))
        return 0;
    for (int i = 0; p->sources[i]; i++)
        if (is_newer(p->sources[i], s.st_mtim))
            return 0;
    static const char *const parts[] = { "softcc", "lib/libsoftgpu.a",
                                         "lib/softcc-vectors.so" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(path, sizeof path, "%s/%s", build, parts[i]);
        if (access(path, F_OK) == 0 && is_newer(path, s.st_mtim))
            return 0;
    }
    return 1;
}

/* --- build one program, run it, compare ----------------------------------- */

static void add_all(char **argv, int *n, char *const *more)
{
    while (*more)
        argv[(*n)++] = *more++;
}

/* Returns 0 when the executable is there. */
static int build_program(const struct program *p, char *exe, char *message)
{
    char softcc[512], *argv[40] = { softcc }, *none[] = { NULL };
    struct outcome o;
    int n = 1, failed;

    if (up_to_date(p, exe))
        return 0;
    snprintf(softcc, sizeof softcc, "%s/softcc", build);
    add_all(argv, &n, flags);
    add_all(argv, &n, p->flags);
    argv[n++] = "-I" HERE;
    add_all(argv, &n, p->sources);
    argv[n++] = "-o";
    argv[n++] = exe;
    run_process(argv, none, BUILD_SECONDS, exe, &o);
    failed = o.status != 0;
    if (failed)
        snprintf(message, MESSAGE, "softcc: status %d: %.600s", o.status,
                 o.err);
    free_outcome(&o);
    return failed;
}

/* Report the first difference of two texts. */
static void report_difference(const char *got, const char *expected,
                              const char *mode, char *message)
{
    int line = 1;
    size_t start = 0, i = 0;

    for (; got[i] && got[i] == expected[i]; i++)
        if (got[i] == '\n') {
            line++;
            start = i + 1;
        }
    snprintf(message, MESSAGE, "%s: line %d is '%.*s', should be '%.*s'", mode,
             line, (int)strcspn(got + start, "\n"), got + start,
             (int)strcspn(expected + start, "\n"), expected + start);
}

static int check(const struct program *p, struct outcome *o, const char *mode,
                 char *message)
{
    if (p->sorted)
        sort_lines(o->out);
    if (strcmp(o->out, p->expected)) {
        report_difference(o->out, p->expected, mode, message);
        size_t n = strlen(message);
        snprintf(message + n, MESSAGE - n, "; status %d %.300s", o->status,
                 o->err);
        return 1;
    }
    if (o->status != p->exit_status) {
        snprintf(message, MESSAGE, "%s: exit status %d, should be %d: %.500s",
                 mode, o->status, p->exit_status, o->err);
        return 1;
    }
    for (int i = 0; p->errors[i]; i++)
        if (!strstr(o->err, p->errors[i])) {
            snprintf(message, MESSAGE, "%s: no '%s' in stderr: %.500s", mode,
                     p->errors[i], o->err);
            return 1;
        }
    return 0;
}

static int run_mode(const struct program *p, char *exe, const struct mode *mode,
                    char *message)
{
    char *env[MAX_DIRECTIVES + 2] = { NULL }, *argv[] = { exe, NULL };
    struct outcome o;
    int n = 0, failed;

    add_all(env, &n, p->env);
    env[n] = mode->env;
    run_process(argv, env, RUN_SECONDS, exe, &o);
    failed = check(p, &o, mode->name, message);
    free_outcome(&o);
    return failed;
}

static void test_program(struct program *p, char *message)
{
    char exe[512];

    snprintf(exe, sizeof exe, "%s/%s", folder, p->name);
    if (!p->expected) {
        snprintf(message, MESSAGE, "no expected output");
        return;
    }
    if (p->sorted)
        sort_lines(p->expected);
    if (build_program(p, exe, message))
        return;
    for (int m = 0; m < (p->once ? 1 : MODES); m++)
        if (run_mode(p, exe, &modes[m], message))
            return;
}

static void *run_worker(void *unused)
{
    int i;

    while ((i = atomic_fetch_add(&next_program, 1)) < n_wanted)
        test_program(&programs[wanted[i]], messages[wanted[i]]);
    return unused;
}

/* --- results for CUnit ---------------------------------------------------- */

/* The name of the current CUnit test is that of a program. */
static void report_result(void)
{
    const char *name = CU_get_current_test()->pName;

    for (int i = 0; i < n_programs; i++)
        if (!strcmp(programs[i].name, name)) {
            if (messages[i][0])
                printf("\n    FAIL %s: %s\n", name, messages[i]);
            CU_ASSERT_STRING_EQUAL(messages[i], "");
        }
}

static int is_wanted(const struct program *p, int argc, char **argv)
{
    const char *part = getenv("PROGRAMS");
    const bool all = (part && !strcmp(part, "all")) || p->plain;
    const long number = (p - programs) + time(NULL) / 86400;

    if (sanitized && p->plain)
        return 0;
    for (int a = 1; a < argc; a++)
        if (!strncmp(p->name, argv[a], strlen(argv[a])))
            return 1;
    return argc < 2 && (all || (sanitized ? number % 6 == 0
                                          : number % 3 == 1));
}

static void test_all(void)
{
    pthread_t workers[WORKERS];
    setenv("SOFTCC_ENGINE", "fibers", 0);
    const char *engine = getenv("SOFTCC_ENGINE");
    const bool other = strcmp(engine, "fibers") != 0;

    snprintf(folder, sizeof folder, "%s/programs%s%s", build, other ? "-" : "",
             other ? engine : "");
    mkdir(folder, 0755);
    nftw("common/softgpu/include", note_header, 16, FTW_PHYS);
    for (int w = 0; w < WORKERS; w++)
        pthread_create(&workers[w], NULL, run_worker, NULL);
    for (int w = 0; w < WORKERS; w++)
        pthread_join(workers[w], NULL);
}

#ifdef __clang__
/* The compiler of the runtime, and its sanitizer as the shared library that
 * this program uses: in the program itself it would be code that a signal may
 * preempt. */
static void use_own_clang(void)
{
    Dl_info library;
    char folder[512];

    setenv("SOFTCC_CXX", "clang++-" TEXT(__clang_major__), 0);
    if (sanitized && dladdr(dlsym(RTLD_DEFAULT, "__asan_init"), &library)) {
        snprintf(folder, sizeof folder, "%s", library.dli_fname);
        setenv("LD_LIBRARY_PATH", dirname(folder), 1);
    }
}
#endif

int main(int argc, char **argv)
{
    CU_pSuite suite;
    unsigned failed;

    if (sanitized) /* most programs do not free their memory */
        setenv("ASAN_OPTIONS",
               "detect_leaks=0:detect_stack_use_after_return=0", 0);
#ifdef __clang__
    if (sanitized) /* they link the sanitizers that the runtime calls */
        use_own_clang();
#endif
    build = getenv("BUILD") ? getenv("BUILD")
            : sanitized     ? "build/san"
                            : "build";
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    suite = CU_add_suite(sanitized ? "programs, sanitized" : "programs", NULL,
                         NULL);
    n_programs = find_programs(HERE, programs);
    for (int i = 0; i < n_programs; i++)
        if (is_wanted(&programs[i], argc, argv)) {
            wanted[n_wanted++] = i;
            CU_add_test(suite, programs[i].name, report_result);
        }
    test_all();
    CU_basic_run_tests();
    failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failed || !n_wanted;
}
