/* SPDX-License-Identifier: MIT */
/* The supervisor is killed at random moments: nothing is lost, doubled or
 * changed, and no process survives.  This test is the subreaper of all that
 * autograde starts, so what survives becomes its child. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/random.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

enum { KILLS = 20, SUBMISSIONS = 7, LONGEST_MS = 700 };

static char class[PATH_MAX], results[2][PATH_MAX], seed[PATH_MAX + 8];

static void write_submission(const char *student, const char *text)
{
    char path[PATH_MAX + 64];

    text_format(path, sizeof path, "%s/%s.cu", class, student);
    CU_ASSERT_TRUE_FATAL(write_file(path, text, strlen(text)));
}

/* Files that do not compile are cheap; one is the handout, which runs. */
static void make_class(void)
{
    char path[PATH_MAX], folder[PATH_MAX];
    size_t length = 0;
    char *handout;

    CU_ASSERT_TRUE_FATAL(temp_dir_create(class) && temp_dir_create(folder));
    for (int i = 0; i < 2; i++)
        text_format(results[i], PATH_MAX, "%.4000s/results%d", folder, i);
    text_format(seed, sizeof seed, "%s/seed", folder);
    CU_ASSERT_TRUE_FATAL(write_file(seed, "secret", 6));
    for (int i = 1; i < SUBMISSIONS; i++) {
        char student[32], text[64];

        text_format(student, sizeof student, "student%d", i);
        text_format(text, sizeof text, "int x%d = ;\n", i);
        write_submission(student, text);
    }
    handout = read_file(root_path(path, "labs/01_vector_add/vector_add.cu"),
                        1 << 20, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(handout);
    write_submission("handout", handout);
    free(handout);
}

static pid_t start(const char *into)
{
    char program[PATH_MAX + 16];
    pid_t pid = fork();

    text_format(program, sizeof program, "%s/warpbook", program_root());
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, 1);
        dup2(null, 2);
        execl(program, "warpbook", "autograde", class, "-o", into, "--lab",
              "01", "--device", "soft", "--jobs", "2", "--seed-file", seed,
              (char *)NULL);
        _exit(127);
    }
    return pid;
}

static int finish(pid_t pid)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Wait until every orphan has ended.  @return false after 10 seconds */
static bool all_ended(void)
{
    double deadline = clock_seconds() + 10;

    while (clock_seconds() < deadline) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);

        if (pid < 0 && errno == ECHILD)
            return true;
        if (pid == 0)
            usleep(5000);
    }
    return false;
}

static int skip_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* A JSON file without times. */
static char *without_times(const char *path)
{
    json_t *json = json_load_file(path, 0, NULL);
    json_t *inner = json_object_get(json, "result");
    char *text;

    json_object_del(json, "graded");
    json_object_del(json, "seen");
    json_object_del(inner, "seconds");
    json_object_del(inner, "speed");
    text = json_dumps(json, JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

/* Both results folders have the same files, but for times. */
static void compare(const char *subfolder, int expected)
{
    char path[2][2 * PATH_MAX];
    struct dirent **list;
    int count;

    for (int i = 0; i < 2; i++)
        text_format(path[i], sizeof path[i], "%s/%s", results[i], subfolder);
    count = scandir(path[1], &list, skip_dots, alphasort);
    CU_ASSERT_EQUAL(count, expected); /* none doubled, none half written */
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    count = scandir(path[0], &list, skip_hidden, alphasort);
    CU_ASSERT_EQUAL(count, expected);
    for (int i = 0; i < count; i++) {
        char one[3 * PATH_MAX], other[3 * PATH_MAX], *a, *b;

        text_format(one, sizeof one, "%s/%s", path[0], list[i]->d_name);
        text_format(other, sizeof other, "%s/%s", path[1], list[i]->d_name);
        a = without_times(one);
        b = without_times(other);
        CU_ASSERT(a && b && !strcmp(a, b));
        free(a);
        free(b);
        free(list[i]);
    }
    free(list);
}

static void killed_at_random(void)
{
    int killed = 0;

    make_class();
    CU_ASSERT_EQUAL(finish(start(results[0])), 0);
    for (int i = 0; i < KILLS; i++) {
        pid_t pid = start(results[1]);

        usleep((useconds_t)random_int(5, LONGEST_MS) * 1000);
        kill(pid, SIGKILL);
        killed += finish(pid) == -1;
        CU_ASSERT(all_ended());
    }
    CU_ASSERT(killed > KILLS / 4); /* the others had nothing left to do */
    CU_ASSERT_EQUAL(finish(start(results[1])), 0);
    CU_ASSERT(all_ended());
    compare("results", SUBMISSIONS);
    compare("entries", SUBMISSIONS);
}

/* Another process holds the lock: exit status 4, and nothing is written. */
static void second_refuses(void)
{
    char path[PATH_MAX + 32];
    int lock;

    text_format(path, sizeof path, "%s/warpbook-results", results[0]);
    lock = open(path, O_RDWR | O_CLOEXEC);
    CU_ASSERT_EQUAL_FATAL(flock(lock, LOCK_EX | LOCK_NB), 0);
    CU_ASSERT_EQUAL(finish(start(results[0])), 4);
    close(lock);
    CU_ASSERT_EQUAL(finish(start(results[0])), 0);
}

int main(void)
{
    CU_TestInfo tests[] = {{"killed at random moments", killed_at_random},
                           {"a second one refuses", second_refuses},
                           CU_TEST_INFO_NULL};

    if (!paths_init())
        return 2;
    random_seed(random_system_seed(), "kill");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return run_tests("autograde, killed", tests);
}
