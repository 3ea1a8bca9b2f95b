/* SPDX-License-Identifier: MIT */
/* A program in namespaces of its own writes to its scratch folder only, which
 * is bounded, and nothing that it makes elsewhere outlives it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/sandbox.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

static char folder[PATH_MAX];

/* Runs a shell in the sandbox.
 *  @return its wait status, or -errno when it could not be started */
static int run_script(const char *script, bool drop_user, char *printed,
                      size_t bytes)
{
    char *const arguments[] = {"sh", "-c", (char *)script, NULL};
    char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    const struct program program = {.path = "/bin/sh", .arguments = arguments,
                                    .environment = environment,
                                    .folder = folder};
    const struct limits limits = {.seconds = 300, .memory = 1 << 30,
                                  .processes = 16, .drop_user = drop_user,
                                  .isolate = true};
    struct process process;
    int status = 0;
    int end = process_run(&process, &program, &limits, &status);

    *printed = 0;
    if (end < 0)
        return end;
    text_format(printed, bytes, "%s",
                process.out.text ? process.out.text : "");
    process_free(&process);
    return status;
}

/* Namespaces may be forbidden here; then nothing is tested. */
static bool can_isolate(void)
{
    char printed[8];

    if (run_script("true", true, printed, sizeof printed) == 0)
        return true;
    printf("no namespaces can be made here: not tested\n");
    return false;
}

/* Tries to write in many places.  Each name holds our process id. */
static void writes_only_to_its_folder(void)
{
    static const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm"};
    char script[2 * PATH_MAX], printed[64], path[PATH_MAX + 64];

    text_format(script, sizeof script,
                "for d in /tmp /var/tmp /dev/shm %s %s; do "
                "echo x >$d/left.%d; done 2>/dev/null; "
                "echo x >inside && cat inside", source_root(), build_root(),
                (int)getpid());
    /* also as root, who may write everywhere else */
    CU_ASSERT_EQUAL(run_script(script, false, printed, sizeof printed), 0);
    CU_ASSERT_STRING_EQUAL(printed, "x\n");
    CU_ASSERT_EQUAL(run_script(script, true, printed, sizeof printed), 512);
    for (size_t i = 0; i < 5; i++) {
        text_format(path, sizeof path, "%s/left.%d",
                    i < 3 ? places[i] : i == 3 ? source_root() : build_root(),
                    (int)getpid());
        CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
        unlink(path);
    }
}

/* The network namespace has one device, loopback. */
static void has_no_network(void)
{
    char printed[64];

    CU_ASSERT_EQUAL(run_script("grep -c : /proc/net/dev", true, printed,
                               sizeof printed), 0);
    CU_ASSERT_STRING_EQUAL(printed, "1\n");
}

/* Makes System V objects in namespaces.  @return exit status */
static int make_objects(key_t key)
{
    if (!sandbox_enter(folder, "/bin/sh"))
        return 1;
    return shmget(key, 4096, IPC_CREAT | 0600) < 0
           || semget(key, 1, IPC_CREAT | 0600) < 0;
}

/* System V objects of the sandbox end with it. */
static void leaves_no_objects(void)
{
    key_t key = 0x57420000 + getpid();
    int status = 1;
    pid_t child;

    while (shmget(key, 0, 0) >= 0 || semget(key, 0, 0) >= 0)
        key += 0x10000; /* another program's */
    child = fork();
    if (child == 0)
        _exit(make_objects(key));
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(shmget(key, 0, 0), -1);
    CU_ASSERT_EQUAL(semget(key, 0, 0), -1);
}

/* Bytes and files of the scratch folder. */
static void folder_is_bounded(void)
{
    char path[PATH_MAX + 32];
    static char block[1 << 20];
    int fd, files = 0;
    size_t mib = 0;

    CU_ASSERT_TRUE_FATAL(sandbox_bound_folder(folder));
    CU_ASSERT_TRUE(sandbox_bound_folder(folder)); /* it is already */
    text_format(path, sizeof path, "%s/big", folder);
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    while (mib < 2 * SCRATCH_MIB
           && write(fd, block, sizeof block) == (ssize_t)sizeof block)
        mib++;
    CU_ASSERT_EQUAL(mib, SCRATCH_MIB);
    close(fd);
    unlink(path);
    for (; files < 2 * SCRATCH_INODES; files++) {
        text_format(path, sizeof path, "%s/%d", folder, files);
        fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
        if (fd < 0)
            break;
        close(fd);
    }
    CU_ASSERT_TRUE(files <= SCRATCH_INODES);
    CU_ASSERT_EQUAL(errno, ENOSPC);
    temp_dirs_remove();
    CU_ASSERT_NOT_EQUAL(access(folder, F_OK), 0);
}

int main(void)
{
    CU_TestInfo all[] = {{"it writes to its folder", writes_only_to_its_folder},
                         {"it has no network", has_no_network},
                         {"it leaves no objects", leaves_no_objects},
                         {"its folder is bounded", folder_is_bounded},
                         CU_TEST_INFO_NULL};
    CU_TestInfo none[] = {{"namespaces", (void (*)(void))can_isolate},
                          CU_TEST_INFO_NULL};

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return run_tests("sandbox", geteuid() == 0 && can_isolate() ? all : none);
}
