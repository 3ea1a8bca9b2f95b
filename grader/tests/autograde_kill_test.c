/* SPDX-License-Identifier: MIT */
/* The supervisor is killed at random moments: nothing is lost, doubled or
 * changed, and no process, mount, cgroup or folder is left.  This test is the
 * subreaper of all that autograde starts, so what survives becomes its child.
 *
 *     autograde_kill_test [KILLS]
 *
 * With a number the class has 40 submissions; after 50 kills, or when a batch
 * is complete, the results are compared, and the next begins with no folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "class_fixture.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/random.h"
#include "common/base/remove_tree.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

enum { FEW_KILLS = 20, MANY_SUBMISSIONS = 40, KILLS_A_BATCH = 50 };

static int kills = FEW_KILLS, longest_ms = 700, submissions = 7;

/* Files that hold on: a kernel without end, and host code that sleeps. */
static const char endless[] =
    "#include \"vector_add.h\"\n"
    "__global__ void spin(volatile float *c) { while (*c == 0) ; }\n"
    "int vector_add(const float *, const float *, float *, size_t)\n"
    "{ float *d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); spin<<<1, 1>>>(d);\n"
    "  return (int)cudaDeviceSynchronize(); }\n";
static const char sleeping[] =
    "#include <unistd.h>\n#include \"vector_add.h\"\n"
    "int vector_add(const float *, const float *, float *, size_t)\n"
    "{ if (fork() == 0) setsid(); pause(); return 0; }\n";

static void add_text(const char *name, int number, const char *text)
{
    char file[64];

    text_format(file, sizeof file, "%.40s%d.cu", name, number);
    class_add(file, text, strlen(text));
}

/* Files that do not compile are cheap; one is correct; of many, some run until
 * they are stopped, start processes, or are refused. */
static void make_class(void)
{
    class_begin(submissions < MANY_SUBMISSIONS ? "" : "[lab 01]\ntime = 1\n");
    class_add_correct("correct");
    for (int i = 1; i < submissions; i++) {
        char text[64];

        text_format(text, sizeof text, "int x%d = ;\n", i);
        if (submissions < MANY_SUBMISSIONS || i > 12)
            add_text("broken", i, text);
        else if (i <= 2)
            add_text("endless", i, endless);
        else if (i <= 4)
            add_text("sleeping", i, sleeping);
        else if (i <= 8)
            class_add(text_format(text, sizeof text, "binary%d.cu", i), "\0",
                      1);
        else
            add_text("blank", i, i % 2 ? "\n" : " \n");
    }
}

/* Wait until every orphan has ended.  @return false after ten minutes: on a
 * busy machine a box's end takes seconds */
static bool all_ended(void)
{
    double deadline = clock_seconds() + 600;
    char command[80];

    while (clock_seconds() < deadline) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);

        if (pid < 0 && errno == ECHILD)
            return true;
        if (pid == 0)
            usleep(5000);
    }
    fflush(stdout);
    text_format(command, sizeof command, "ps -o pid,stat,etime,wchan:20,args "
                "--ppid %d", (int)getpid());
    if (system(command))
        puts("what is left cannot be listed");
    return false;
}

/* --- what must not be left ------------------------------------------------ */

static int count_mounts(void)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    int count = 0, c;

    while (file && (c = fgetc(file)) != EOF)
        count += c == '\n';
    if (file)
        fclose(file);
    return count;
}

static int cgroups;

static int count_cgroup(const char *path, const struct stat *about, int type,
                        struct FTW *at)
{
    (void)about;
    cgroups += type == FTW_D && strstr(path + at->base, "warpbook");
    return 0;
}

/* Of all processes of this machine: others may work beside us. */
static int count_cgroups(void)
{
    cgroups = 0;
    nftw("/sys/fs/cgroup", count_cgroup, 8, FTW_PHYS);
    return cgroups;
}

/* A folder of a process that lives is locked.  @return how many are not */
static int count_stale_folders(void)
{
    char parent[PATH_MAX];
    struct dirent *entry;
    DIR *folder;
    int count = 0;

    text_format(parent, sizeof parent, "%.4000s/tmp", build_root());
    folder = opendir(parent);
    while (folder && (entry = readdir(folder))) {
        int fd = strncmp(entry->d_name, "warpbook.", 9)
                 ? -1 : openat(dirfd(folder), entry->d_name,
                               O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0) {
            printf("left: %s/%s\n", parent, entry->d_name);
            count++;
        }
        if (fd >= 0)
            close(fd);
    }
    if (folder)
        closedir(folder);
    return count;
}

/* Another process may just begin or end: looked at for a while. */
static bool falls_to(int (*count)(void), int most)
{
    for (int i = 0; i < 100; i++) {
        if (count() <= most)
            return true;
        usleep(50000);
    }
    return false;
}

/* --- the test ------------------------------------------------------------- */

static void complete(void)
{
    CU_ASSERT_EQUAL(class_finish(class_start_autograde(class_fixture.results,
                                                       "2", NULL)), 0);
    CU_ASSERT(all_ended());
    CU_ASSERT(class_is_equal("results"));
    CU_ASSERT(class_is_equal("entries"));
    CU_ASSERT_EQUAL(class_count_files(class_fixture.results, "files"),
                    class_count_files(class_fixture.expected, "files"));
}

static void killed_at_random(void)
{
    int killed = 0, batches = 0, mounts = count_mounts();
    int groups = count_cgroups();

    make_class();
    CU_ASSERT_EQUAL(class_finish(class_start_autograde(class_fixture.expected,
                                                       "2", NULL)), 0);
    for (int i = 0; i < kills; i++) {
        pid_t pid = class_start_autograde(class_fixture.results, "2", NULL);
        bool was_killed;

        usleep((useconds_t)random_int(5, longest_ms) * 1000);
        kill(pid, SIGKILL);
        was_killed = class_finish(pid) == -1;
        killed += was_killed;
        CU_ASSERT(all_ended());
        if (kills == FEW_KILLS || (was_killed && i % KILLS_A_BATCH))
            continue;
        complete();
        remove_tree(class_fixture.results);
        batches++;
    }
    CU_ASSERT(killed > kills / 4); /* the others had nothing left to do */
    complete();
    printf("%d of %d killed, %d batches of %d complete\n", killed, kills,
           batches + 1, submissions);
    if (kills == FEW_KILLS)
        return; /* tests beside this one have mounts and folders, too */
    CU_ASSERT(falls_to(count_mounts, mounts));
    CU_ASSERT(falls_to(count_cgroups, groups));
    CU_ASSERT(falls_to(count_stale_folders, 0));
}

/* The grader is killed while it starts a box: bubblewrap has made its child,
 * but not yet let it go on.  About one kill of sixty meets that moment. */
static void killed_at_start(void)
{
    static const char *const words[] = {"verify-box", NULL};
    const int starts = kills == FEW_KILLS ? FEW_KILLS : 2 * kills;

    for (int i = 0; i < starts; i++) {
        pid_t pid = class_start(words, "/dev/null", NULL);

        usleep((useconds_t)random_int(5, 300) * 1000);
        kill(pid, SIGKILL);
        class_finish(pid);
    }
    CU_ASSERT(all_ended());
}

/* Another process holds the lock: exit status 4, and nothing is written. */
static void second_refuses(void)
{
    const char *results = class_fixture.expected;
    char path[PATH_MAX];
    int lock;

    text_format(path, sizeof path, "%.4000s/warpbook-results", results);
    lock = open(path, O_RDWR | O_CLOEXEC);
    CU_ASSERT_EQUAL_FATAL(flock(lock, LOCK_EX | LOCK_NB), 0);
    CU_ASSERT_EQUAL(class_finish(class_start_autograde(results, "2", NULL)),
                    4);
    CU_ASSERT(class_has_message());
    close(lock);
    CU_ASSERT_EQUAL(class_finish(class_start_autograde(results, "2", NULL)),
                    0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"killed at random moments", killed_at_random},
                           {"killed while it starts a box", killed_at_start},
                           {"a second one refuses", second_refuses},
                           CU_TEST_INFO_NULL};

    if (!paths_init())
        return 2;
    if (argc > 1) {
        kills = atoi(argv[1]);
        longest_ms = 3000;
        submissions = MANY_SUBMISSIONS;
    }
    random_seed(random_system_seed(), "kill");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return run_tests("autograde, killed", tests);
}
