/* SPDX-License-Identifier: MIT */
/* Temporary directories: removed with their process, however it ends. */
#include "scratch.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/process.h"
#include "common/base/remove_tree.h"
#include "common/base/temp_dir.h"

/* Also folders. */
static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A small file. */
static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

/* A process that makes a directory with a file in it, says where, and waits.
 * @return its pid */
static pid_t start_process(char *path)
{
    int ends[2];
    pid_t child;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        temp_dirs_forget();
        if (!temp_dir_create(path))
            _exit(1);
        strcat(path, "/file");
        close(open(path, O_CREAT | O_WRONLY, 0600));
        (void)!write(ends[1], path, PATH_MAX);
        pause();
        _exit(0);
    }
    CU_ASSERT_EQUAL(read(ends[0], path, PATH_MAX), PATH_MAX);
    close(ends[0]);
    close(ends[1]);
    return child;
}

/* All folders of the process are removed at once. */
static void test_removed_at_end(void)
{
    char path[PATH_MAX], other[PATH_MAX];

    CU_ASSERT_FATAL(temp_dir_create(path));
    CU_ASSERT_FATAL(temp_dir_create(other));
    CU_ASSERT(strcmp(path, other) != 0 && exists(path) && exists(other));
    temp_dirs_remove();
    CU_ASSERT_FALSE(exists(path) || exists(other));
}

/* Files of a killed process go when another makes its directory; what a
 * running one has, stays. */
static void test_killed_process(void)
{
    char killed[PATH_MAX], running[PATH_MAX], path[PATH_MAX];
    pid_t a = start_process(killed), b = start_process(running);

    kill(a, SIGKILL);
    waitpid(a, NULL, 0);
    CU_ASSERT(exists(killed));
    temp_dirs_remove();
    CU_ASSERT_FATAL(temp_dir_create(path));
    CU_ASSERT_FALSE(exists(killed));
    CU_ASSERT(exists(running));
    kill(b, SIGKILL);
    waitpid(b, NULL, 0);
    temp_dirs_remove();
    CU_ASSERT_FATAL(temp_dir_create(path));
    CU_ASSERT_FALSE(exists(running));
    temp_dirs_remove();
}

/* The file is at its place with its mode, and nothing lies beside it. */
static void publish_to(const char *target)
{
    char temp[PATH_MAX], text[8] = "";
    struct stat about;
    FILE *file;

    CU_ASSERT_FATAL(temp_file_path(temp, "new"));
    write_text(temp, "new");
    chmod(temp, 0750);
    CU_ASSERT(temp_file_publish(temp, target));
    CU_ASSERT_FALSE(exists(temp));
    CU_ASSERT_EQUAL(stat(target, &about), 0);
    CU_ASSERT_EQUAL(about.st_mode & 0777, 0750);
    file = fopen(target, "r");
    CU_ASSERT(file && fread(text, 1, sizeof text, file) == 3);
    CU_ASSERT_STRING_EQUAL(text, "new");
    if (file)
        fclose(file);
}

/* On one file system: a new target, an existing one, and a link. */
static void publish_in(const char *directory)
{
    char folder[PATH_MAX], target[PATH_MAX + 8];

    snprintf(folder, sizeof folder, "%s/publish.XXXXXX", directory);
    if (!mkdtemp(folder))
        return; /* there is no such file system here */
    snprintf(target, sizeof target, "%s/target", folder);
    publish_to(target);
    write_text(target, "older");
    publish_to(target);
    unlink(target);
    CU_ASSERT_EQUAL(rmdir(folder), 0); /* nothing else was in it */
}

/* On the build folder's file system and on two others, where rename() cannot
 * work. */
static void test_publish(void)
{
    publish_in(temp_process_dir());
    publish_in("/dev/shm");
    publish_in("/tmp");
    temp_dirs_remove();
}

/* A folder cannot be replaced, and a device is written into. */
static void test_publish_fails(void)
{
    char temp[PATH_MAX], target[PATH_MAX];

    CU_ASSERT_FATAL(temp_file_path(temp, "new"));
    CU_ASSERT_FATAL(temp_dir_create(target));
    write_text(temp, "new");
    CU_ASSERT_FALSE(temp_file_publish(temp, target)); /* a directory */
    CU_ASSERT_FALSE(exists(temp));
    write_text(temp, "new");
    CU_ASSERT(temp_file_publish(temp, "/dev/null"));
    CU_ASSERT(exists("/dev/null"));
    temp_dirs_remove();
}

/* Folders in folders, 6,000 deep: longer than any path. */
static void make_deep(void)
{
    for (int i = 0; i < 6000; i++)
        if (mkdir("d", 0700) || chdir("d"))
            _exit(2);
}

/* In the folder: closed folders with files, many entries, a link to `victim`;
 * then, as the owner, removes it all.  @return exit status */
static int fill_and_remove(const char *folder, const char *victim)
{
    char name[32];

    if (!process_drop_privileges(geteuid() ? 0 : 598999) || chdir(folder)
        || mkdir("tree", 0700) || chdir("tree") || mkdir("x", 0700)
        || mkdir("x/y", 0700) || symlink(victim, "x/y/link"))
        return 1;
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "x/y/%d", i);
        mkdir(name, i % 2 ? 0 : 0700);
    }
    chmod("x/y", 0);
    chmod("x", 0);
    make_deep();
    if (chdir(folder))
        return 3;
    remove_tree("tree");
    return exists("tree");
}

/* Another user's tree is removed without following its links. */
static void test_hostile_tree(void)
{
    char folder[PATH_MAX], victim[PATH_MAX];
    int status = -1;
    pid_t child;

    CU_ASSERT_FATAL(temp_dir_create(folder) && temp_dir_create(victim));
    chmod(folder, 0777);
    child = fork();
    if (child == 0)
        _exit(fill_and_remove(folder, victim));
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT(exists(victim));
    temp_dirs_remove();
    CU_ASSERT_FALSE(exists(folder));
}

CU_TestInfo temp_dir_tests[] = {
    {"removed at the end", test_removed_at_end},
    {"removed after SIGKILL", test_killed_process},
    {"closed and deep folders", test_hostile_tree},
    {"published whole", test_publish},
    {"publishing that fails", test_publish_fails},
    CU_TEST_INFO_NULL};
