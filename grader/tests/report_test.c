/* SPDX-License-Identifier: MIT */
/* An instrumented runner's report, at the edges of each range and changed at
 * random: it is read or refused, and nothing that is read ends the reader.
 *
 *     report_test [iterations [seed]] */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/grade/watch.h"

static char path[PATH_MAX + 16];
static unsigned long long state = 1;
static int iterations = 400;

/* The report of a kernel with a finding, shortened. */
static const char sample[] =
    "{\"schema\": 1, \"card\": \"h200\", \"findings\": [{\"kind\": "
    "\"race_shared\", \"kernel\": \"k\", \"file\": \"/a/b.cu\", \"line\": 7, "
    "\"column\": 3, \"other_file\": \"b.cu\", \"other_line\": 9, \"block\": "
    "[1, 2, 0], \"thread\": [31, 0, 0], \"count\": 2, \"message\": \"m\"}], "
    "\"sampled\": null, \"kernels\": [{\"name\": \"k\", \"file\": \"b.cu\", "
    "\"line\": 21, \"library\": false, \"launches\": 1, \"grid\": [64, 1, 1], "
    "\"block\": [256, 1, 1], \"blocks\": 64, \"blocks_watched\": 64, "
    "\"threads\": 16384, \"static_shared\": 0, \"dynamic_shared\": 4096, "
    "\"registers\": 30, \"registers_measured\": true, \"occupancy\": 1.0, "
    "\"modeled_us\": 2.99, \"ceilings\": {\"issue\": 0.5, \"dram\": 0.1}, "
    "\"global_load_requests\": 1024, \"global_load_sectors\": 16384, "
    "\"barriers\": 12, \"warp_instructions\": 13824, \"lines\": [{\"file\": "
    "\"b.cu\", \"line\": 11, \"branches\": 1536}], \"pictures\": [{\"kind\": "
    "\"global_load\", \"file\": \"b.cu\", \"line\": 30, \"bytes\": 16, "
    "\"block\": [0, 0, 0], \"warp\": 0, \"lanes\": [0, 16, -1]}], "
    "\"advice\": [{\"file\": \"b.cu\", \"line\": 11, \"gain_us\": -1.0, "
    "\"text\": \"t\"}]}], "
    "\"timeline\": {\"ns\": 41174, \"calls\": 4, \"spans\": [[0, \"host\", "
    "\"\", 1, 13393, 0]]}}";

static bool is_ours; /* of the last reading */

/* The report of a runner with this text. */
static json_t *read_text(const char *text, char *reason)
{
    FILE *file = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
    *reason = 0;
    return read_report(path, reason, &is_ours);
}

/* A good report that this machine cannot read, with `more` descriptors. */
static bool is_read_with(rlim_t more)
{
    struct rlimit limit, few;
    char reason[256];
    json_t *report;
    int next = dup(0);

    getrlimit(RLIMIT_NOFILE, &limit);
    few = (struct rlimit){(rlim_t)next + more, limit.rlim_max};
    close(next);
    setrlimit(RLIMIT_NOFILE, &few);
    report = read_report(path, reason, &is_ours);
    setrlimit(RLIMIT_NOFILE, &limit);
    json_decref(report);
    return report != NULL;
}

/* Of a user who may have no more processes: is a good report that no process
 * reads told as our fault? */
static bool is_ours_without_process(void)
{
    enum { OTHER_USER = 599998 };
    const struct rlimit none = {0, 0};
    int status = -1;
    char reason[256];
    const pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_NPROC, &none);
        if (geteuid() == 0 && (setgid(OTHER_USER) || setuid(OTHER_USER)))
            _exit(2);
        _exit(read_report(path, reason, &is_ours) || !is_ours);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* A report that cannot be read is not the fault of the submission if a
 * descriptor, a pipe or a process is missing. */
static void tells_whose_fault(void)
{
    char reason[256];

    json_decref(read_text(sample, reason));
    for (rlim_t more = 0; more < 3; more++) {
        CU_ASSERT_FALSE(is_read_with(more)); /* the file, then a pipe */
        CU_ASSERT_TRUE(is_ours);
    }
    CU_ASSERT_TRUE(is_read_with(8));
    CU_ASSERT_FALSE(is_ours);
    CU_ASSERT_TRUE(is_ours_without_process());
    CU_ASSERT_PTR_NULL(read_text("garbage", reason));
    CU_ASSERT_FALSE(is_ours);
    unlink(path);
    CU_ASSERT_PTR_NULL(read_report(path, reason, &is_ours));
    CU_ASSERT_FALSE(is_ours);
}

/* The sample with `was`, which is in it once, replaced. */
static json_t *read_changed(const char *was, const char *now, char *reason)
{
    static char text[2 * sizeof sample];
    const char *at = strstr(sample, was);

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    text_format(text, sizeof text, "%.*s%s%s", (int)(at - sample), sample, now,
                at + strlen(was));
    return read_text(text, reason);
}

/* All its values arrive. */
static void reads_the_sample(void)
{
    static struct watch watch;
    char reason[256];
    json_t *report = read_text(sample, reason);

    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    collect_findings(report, &watch);
    CU_ASSERT_EQUAL(watch.findings, 1);
    CU_ASSERT_TRUE(scaled_modeled_us(report) > 0);
    json_decref(report);
}

/* Each change, and the member that is out of range; NULL: still in range. */
static void checks_ranges(void)
{
    static const struct {
        const char *was, *now, *member;
    } changes[] = {
        {"\"registers\": 30", "\"registers\": 134217728", "registers"},
        {"\"registers\": 30", "\"registers\": 255", NULL},
        {"\"registers\": 30", "\"registers\": -1", "registers"},
        {"[256, 1, 1]", "[1024, 1, 1]", NULL},
        {"[256, 1, 1]", "[1025, 1, 1]", "block"},
        {"[256, 1, 1]", "[32, 33, 1]", "block"},
        {"[256, 1, 1]", "[1, 1, 1, 1]", "block"},
        {"[64, 1, 1]", "[2147483648, 1, 1]", "grid"},
        {"\"blocks\": 64", "\"blocks\": 1099511627777", "blocks"},
        {"\"launches\": 1", "\"launches\": 9223372036854775807", "launches"},
        {"\"dynamic_shared\": 4096", "\"dynamic_shared\": 2000000000",
         "dynamic_shared"},
        {"\"count\": 2", "\"count\": -2", "count"},
        {"\"bytes\": 16", "\"bytes\": 8192", NULL}, /* of a bulk copy */
        {"\"barriers\": 12", "\"barriers\": 1125899906842625", "barriers"},
        {"\"thread\": [31", "\"thread\": [1024", "thread"},
        {"2.99", "1e300", "modeled_us"},
        {"2.99", "-1.0", "modeled_us"},
        {"\"gain_us\": -1.0", "\"gain_us\": -1.5", "gain_us"},
        {"\"schema\": 1", "\"schema\": 2", "schema"},
        {"null", "[[[[[[[[[[1]]]]]]]]]]", "sampled"}};
    char reason[256];

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        json_t *report = read_changed(changes[i].was, changes[i].now, reason);
        const char *member = changes[i].member;

        CU_ASSERT_EQUAL(report == NULL, member != NULL);
        if (member && !strstr(reason, member)) {
            printf("    %s: %s\n", changes[i].now, reason);
            CU_FAIL("not the member that is out of range");
        }
        json_decref(report);
    }
}

/* A text of that length, which is a report of one megabyte and more. */
static void limits_sizes(void)
{
    enum { MOST = 1 << 20, LESS = 9000 };
    static char text[MOST + 200];
    char reason[256];
    int used = snprintf(text, sizeof text, "{\"findings\": [], \"kernels\": []"
                                           ", \"x\": \"");

    memset(text + used, 'a', LESS);
    strcpy(text + used + LESS, "\"}");
    CU_ASSERT_PTR_NULL(read_text(text, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "too long"));
    memset(text + used, 'a', MOST);
    CU_ASSERT_PTR_NULL(read_text(text, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "at most 1 MiB"));
    used = snprintf(text, sizeof text, "{\"kernels\": [], \"findings\": [0");
    while (used < MOST / 2)
        used += snprintf(text + used, 4, ",{}");
    strcpy(text + used, "]}");
    CU_ASSERT_PTR_NULL(read_text(text, reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "too many elements"));
}

/* xorshift64: the same sequence everywhere. */
static size_t random_below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return n > 0 ? (size_t)(state % n) : 0; /* of an empty text, too */
}

/* Replaces the number at or after a random place. */
static void change_number(char *text, size_t room)
{
    static const char *const numbers[] = {
        "0", "-1", "1", "134217728", "4294967296", "9223372036854775807",
        "-9223372036854775808", "1e308", "1e-308", "0.5", "4096", "1024",
        "1099511627776", "null", "\"\"", "[]", "{}", "true"};
    char *at = strpbrk(text + random_below(strlen(text)), "0123456789");
    char rest[2 * sizeof sample];

    if (!at)
        return;
    text_format(rest, sizeof rest, "%s", at + strspn(at, "0123456789"));
    text_format(at, room - (size_t)(at - text), "%s%s",
                numbers[random_below(sizeof numbers / sizeof *numbers)], rest);
}

/* One byte that matters to JSON, sometimes a NUL. */
static void change_bytes(char *text)
{
    text[random_below(strlen(text))] = "{}[]\",:0-e\\\x80"[random_below(12)];
    if (random_below(8) == 0)
        text[random_below(strlen(text))] = 0;
}

/* A changed report is read or refused; no value is out of range. */
static void survives_changes(void)
{
    static char text[2 * sizeof sample];
    int read = 0;

    for (int i = 0; i < iterations; i++) {
        char reason[256];
        json_t *report;

        strcpy(text, sample);
        for (size_t k = 1 + random_below(4); k > 0; k--)
            if (random_below(4))
                change_number(text, sizeof text);
            else
                change_bytes(text);
        report = read_text(*text ? text : "x", reason);
        read += report != NULL;
        if (strstr(reason, "ended the reader")) {
            printf("    %s\n", text);
            CU_FAIL("a report ended its reader");
        }
        json_decref(report);
    }
    CU_ASSERT_TRUE(read > iterations / 20 && read < iterations);
}

/* The whole text or false. */
static bool write_text(const char *to, const char *text)
{
    FILE *file = fopen(to, "w");
    const bool written = file && fputs(text, file) >= 0;

    return (file && fclose(file) == 0) && written;
}

/* Root of a container of an ordinary user has no other user id to take. */
static void reads_without_other_users(void)
{
    const pid_t child = fork();
    int status = 1;

    if (child == 0) {
        char map[32], reason[256];

        text_format(map, sizeof map, "0 %u 1", (unsigned)geteuid());
        if (unshare(CLONE_NEWUSER) || !write_text("/proc/self/uid_map", map))
            _exit(0); /* not allowed here */
        _exit(read_text(sample, reason) == NULL);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"an honest report", reads_the_sample},
                           {"in a container without users",
                            reads_without_other_users},
                           {"whose fault it is", tells_whose_fault},
                           {"ranges of members", checks_ranges},
                           {"sizes", limits_sizes},
                           {"changed at random", survives_changes},
                           CU_TEST_INFO_NULL};
    char folder[PATH_MAX];

    iterations = argc > 1 ? atoi(argv[1]) : iterations;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : state;
    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    text_format(path, sizeof path, "%s/report.json", folder);
    return run_tests("report", tests);
}
