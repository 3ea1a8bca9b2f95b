/* SPDX-License-Identifier: MIT */
/* Exactness: the programs in programs/ are built with each installed compiler
 * and run under several thread orders and numbers of OS threads.  The counters
 * of each kernel must be exactly those in the comment above it. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "common/softgpu/tests/process.h"

#define HERE "common/softgpu/profile/tests/programs/"

enum { MAX_KERNELS = 200, TEXT = 400, BUILD_SECONDS = 900, RUN_SECONDS = 300 };

/** Expected values of each group of counters, as in the comment. */
struct expected_counts {
    char kernel[64];
    char counts[TEXT];
};

/** Groups of counters, as comments name them; values are in this order. */
static const struct group {
    const char *name, *fields[4];
    int only_if_named; /* compared only if the comment names it */
} groups[] = {
    {"ld", {"global_load_requests", "global_load_sectors", "global_load_ideal",
            "global_load_bytes"}, 0},
    {"lw", {"global_load_wavefronts"}, 1},
    {"st", {"global_store_requests", "global_store_sectors",
            "global_store_ideal", "global_store_bytes"}, 0},
    {"at", {"global_atomic_requests", "global_atomic_sectors",
            "global_atomic_passes"}, 0},
    {"sl", {"shared_load_requests", "shared_load_wavefronts",
            "shared_load_conflicts"}, 0},
    {"ss", {"shared_store_requests", "shared_store_wavefronts",
            "shared_store_conflicts"}, 0},
    {"sa", {"shared_atomic_requests", "shared_atomic_passes"}, 0},
    {"co", {"constant_requests", "constant_passes"}, 0},
    {"lo", {"local_requests"}, 0},
    {"bar", {"barriers"}, 0},
    {"cr", {"constant_replays"}, 1},
    {"bp", {"barrier_phases"}, 1},
    {"bb", {"global_busiest_requests"}, 1},
    {"div", {"branches_divergent"}, 0},
    {"fp", {"flop_half", "flop_float", "flop_double", "flop_special"}, 1},
    {"mm", {"flop_tensor"}, 1},
    {"wc", {"warp_calls"}, 1},
    {"as", {"global_load_async", "global_load_bulk"}, 1},
    {"sj", {"shared_load_joined", "shared_load_saved"}, 1},
    {"wt", {"global_load_ahead", "waited_copies"}, 1},
    {"sm", {"static_shared"}, 1},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static const char *const programs[] = {"counts", "branches", "shared",
                                       "arithmetic", "prefetch", "structs",
                                       "small_structs"};
static const char *const compilers[] = {"g++", "clang++-19"};
static char *const modes[][3] = {
    {"SOFTGPU_SEED=0", "SOFTGPU_THREADS=1", NULL},
    {"SOFTGPU_SEED=1", "SOFTGPU_THREADS=4", NULL},
    {"SOFTGPU_SEED=2", "SOFTGPU_THREADS=1", NULL},
    {"SOFTGPU_SEED=0", "SOFTGPU_THREADS=4", NULL},
};
enum { PROGRAMS = 7, OF_CLANG = 6, /* without small_structs */
       COMPILERS = 2, MODES = sizeof modes / sizeof *modes };

static struct expected_counts expected_counts[PROGRAMS][MAX_KERNELS];
static int kernels[PROGRAMS];
static json_t *reports[PROGRAMS][MODES]; /* of the compiler under test */
static const char *folder;
static int program, kernel; /* of the next test */

/* --- expected counters --------------------------------------------------- */

static void read_expected(int p)
{
    char path[200], line[TEXT], counts[TEXT] = "", *at;
    FILE *in;

    snprintf(path, sizeof path, HERE "%s.cu", programs[p]);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        struct expected_counts *w = &expected_counts[p][kernels[p]];

        if (strncmp(line, "//", 2) == 0 && (at = strstr(line, "counts: ")))
            snprintf(counts, sizeof counts, " %s",
                     at + strlen("counts: "));
        counts[strcspn(counts, "\n")] = 0;
        if (kernels[p] < MAX_KERNELS
            && sscanf(line, "__global__ void %63[a-z0-9_]", w->kernel) == 1) {
            strcpy(w->counts, counts);
            counts[0] = 0;
            kernels[p]++;
        }
    }
    if (in)
        fclose(in);
}

/* The values of a group: "0/0/0" when the comment does not name it. */
static void format_expected(const struct expected_counts *w,
                            const struct group *g, char *out)
{
    char key[16];
    const char *at;

    snprintf(key, sizeof key, " %s=", g->name);
    at = strstr(w->counts, key);
    if (at && sscanf(at + strlen(key), "%63s", out) == 1)
        return;
    strcpy(out, g->only_if_named ? "?" : "0");
    for (int i = 1; !g->only_if_named && i < 4 && g->fields[i]; i++)
        strcat(out, "/0");
}

/* --- counted ------------------------------------------------------------- */

static json_t *find_kernel(json_t *report, const char *name)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(report, "kernels"), i, one)
        if (!strcmp(json_string_value(json_object_get(one, "name")), name))
            return one;
    return NULL;
}

static void format_counted(json_t *k, const struct group *g, char *out,
                           size_t room)
{
    size_t n = 0;

    for (int i = 0; i < 4 && g->fields[i]; i++)
        n += (size_t)snprintf(out + n, room - n, "%s%lld", i ? "/" : "",
                              (long long)json_integer_value(
                                  json_object_get(k, g->fields[i])));
}

/* The message is "" if all counters agree. */
static void compare(const struct expected_counts *w, json_t *k, char *message)
{
    char expected[64], got[100];

    for (int i = 0; i < GROUPS; i++) {
        format_expected(w, &groups[i], expected);
        format_counted(k, &groups[i], got, sizeof got);
        if (strcmp(expected, "?") && strcmp(expected, got))
            snprintf(message + strlen(message), TEXT - strlen(message),
                     " %s=%s, should be %s;", groups[i].name, got, expected);
    }
}

static void test_kernel(void)
{
    const struct expected_counts *w = &expected_counts[program][kernel];
    char message[TEXT] = "";

    for (int m = 0; m < MODES && !message[0]; m++) {
        json_t *k = find_kernel(reports[program][m], w->kernel);

        if (!k)
            snprintf(message, sizeof message, " is not in the report");
        else
            compare(w, k, message);
        if (message[0])
            printf("\n%s%s (%s %s)\n", w->kernel, message, modes[m][0],
                   modes[m][1]);
    }
    if (++kernel == kernels[program]) {
        kernel = 0;
        program++;
    }
    CU_ASSERT_STRING_EQUAL(message, "");
}

/* --- programs ------------------------------------------------------------ */

static int build(int p, const char *compiler, char *exe)
{
    char softcc[300], source[200], cxx[60], *env[] = {cxx, NULL};
    char *argv[] = {softcc, "--profile", source, "-o", exe, NULL};
    struct outcome o;
    int failed;

    snprintf(softcc, sizeof softcc, "%s/softcc", folder);
    snprintf(source, sizeof source, HERE "%s.cu", programs[p]);
    snprintf(cxx, sizeof cxx, "SOFTCC_CXX=%s", compiler);
    run_process(argv, env, BUILD_SECONDS, exe, &o);
    failed = o.status != 0;
    if (failed)
        printf("%s: softcc: status %d: %s\n", source, o.status, o.err);
    free_outcome(&o);
    return failed;
}

/* @param events  SOFTGPU_PROFILE_EVENTS=... or NULL */
static json_t *run(char *exe, int mode, char *events)
{
    char name[400], variable[430], *argv[] = {exe, NULL};
    char *env[] = {variable, modes[mode][0], modes[mode][1], events, NULL};
    struct outcome o;
    json_t *report;

    snprintf(name, sizeof name, "%s.json", exe);
    snprintf(variable, sizeof variable, "SOFTGPU_JSON=%s", name);
    unlink(name);
    run_process(argv, env, RUN_SECONDS, exe, &o);
    if (o.status != 0)
        printf("%s: status %d: %s\n", exe, o.status, o.err);
    report = o.status == 0 ? json_load_file(name, 0, NULL) : NULL;
    free_outcome(&o);
    return report;
}

/* Build and run all programs with this compiler. */
static void prepare(const char *compiler)
{
    char exe[300];

    for (int p = 0; p < PROGRAMS; p++) {
        snprintf(exe, sizeof exe, "%s/profiled/%s-%s", folder, programs[p],
                 compiler);
        for (int m = 0; m < MODES; m++) {
            json_decref(reports[p][m]);
            reports[p][m] = NULL;
        }
        if (build(p, compiler, exe) != 0)
            continue;
        for (int m = 0; m < MODES; m++)
            reports[p][m] = run(exe, m, NULL);
    }
    program = kernel = 0;
}

static int prepare_gcc(void)
{
    prepare(compilers[0]);
    return 0;
}

static int prepare_clang(void)
{
    prepare(compilers[1]);
    return 0;
}

static json_int_t number(json_t *kernel, const char *field)
{
    return json_integer_value(json_object_get(kernel, field));
}

/* A launch that is too large is sampled: the same blocks in any order, and the
 * counters are those of the sampled blocks. */
static void test_sample(void)
{
    static char events[] = "SOFTGPU_PROFILE_EVENTS=1";
    json_int_t sampled[2];
    char exe[300];

    snprintf(exe, sizeof exe, "%s/profiled/branches-g++", folder);
    for (int i = 0; i < 2; i++) {
        json_t *report = run(exe, i, events);
        json_t *k = find_kernel(report, "blocks_4000");

        sampled[i] = number(k, "blocks_watched");
        CU_ASSERT_EQUAL(number(k, "blocks"), 4000);
        CU_ASSERT_TRUE(sampled[i] >= 100 && sampled[i] < 4000);
        CU_ASSERT_EQUAL(number(k, "global_load_requests"), 2 * sampled[i]);
        CU_ASSERT_EQUAL(number(k, "global_store_sectors"), 8 * sampled[i]);
        json_decref(report);
    }
    CU_ASSERT_EQUAL(sampled[0], sampled[1]);
}

/* Of a program that is checked, too, the report has all its fields, and no
 * kernel in them. */
static void test_no_profile(void)
{
    static char off[] = "SOFTGPU_PROFILE=0";
    json_t *report, *all;
    char exe[300], command[1000];

    snprintf(exe, sizeof exe, "%s/profiled/branches-checked", folder);
    snprintf(command, sizeof command, "%s/softcc --check --profile "
             HERE "branches.cu -o %s", folder, exe);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    report = run(exe, 0, off);
    all = json_object_get(report, "kernels");
    CU_ASSERT_TRUE(json_is_array(all));
    CU_ASSERT_EQUAL(json_array_size(all), 0);
    json_decref(report);
    report = run(exe, 0, NULL);
    CU_ASSERT_TRUE(json_array_size(json_object_get(report, "kernels")) > 0);
    json_decref(report);
}

static void add_suite(const char *name, CU_InitializeFunc first, int count)
{
    CU_pSuite suite = CU_add_suite(name, first, NULL);

    for (int p = 0; p < count; p++)
        for (int k = 0; k < kernels[p]; k++)
            CU_add_test(suite, expected_counts[p][k].kernel, test_kernel);
}

static int is_there(const char *compiler)
{
    char command[100];

    snprintf(command, sizeof command, "command -v %s >/dev/null", compiler);
    return system(command) == 0;
}

int main(void)
{
    char path[300];

/* instrumented programs cannot be linked with ASan */
#ifdef __SANITIZE_ADDRESS__
    puts("counts: tested in the plain build");
    return 77;
#endif
    folder = getenv("BUILD") ? getenv("BUILD") : "build";
    snprintf(path, sizeof path, "%s/profiled", folder);
    mkdir(path, 0777);
    for (int p = 0; p < PROGRAMS; p++)
        read_expected(p);
    CU_initialize_registry();
    add_suite("counts with g++", prepare_gcc, PROGRAMS);
    if (is_there(compilers[1]))
        add_suite("counts with clang++-19", prepare_clang,
                  OF_CLANG);
    else
        puts("clang++-19 is not installed: counts are tested with g++ alone");
    CU_add_test(CU_add_suite("sampling", NULL, NULL), "by blocks",
                test_sample);
    CU_add_test(CU_add_suite("switched off", NULL, NULL), "no kernel",
                test_no_profile);
    CU_basic_run_tests();
    return CU_get_number_of_failures() != 0;
}
