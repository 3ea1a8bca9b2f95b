/* SPDX-License-Identifier: MIT */
/* A class of submissions, graded by the program itself. */
#include "class_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/box/box.h"

struct class_fixture class_fixture;

/* --- the class ------------------------------------------------------------ */

void class_begin(const char *settings)
{
    struct class_fixture *f = &class_fixture;
    char folder[PATH_MAX];

    CU_ASSERT_TRUE_FATAL(temp_dir_create(folder));
    text_format(f->submissions, PATH_MAX, "%.4000s/class", folder);
    text_format(f->expected, PATH_MAX, "%.4000s/expected", folder);
    text_format(f->results, PATH_MAX, "%.4000s/results", folder);
    text_format(f->seed, PATH_MAX, "%.4000s/seed", folder);
    text_format(f->settings, PATH_MAX, "%.4000s/course.ini", folder);
    text_format(f->messages, PATH_MAX, "%.4000s/messages", folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(f->submissions, 0700), 0);
    CU_ASSERT_TRUE_FATAL(write_file(f->seed, "secret", 6));
    CU_ASSERT_TRUE_FATAL(write_file(f->settings, settings, strlen(settings)));
}

void class_add(const char *name, const char *text, size_t length)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%.3900s/%.100s", class_fixture.submissions,
                name);
    CU_ASSERT_TRUE_FATAL(write_file(path, text, length));
}

/* The first step of the ladder, with the header of its folder inside. */
void class_add_correct(const char *name)
{
    static const char include[] = "#include \"host.h\"";
    char path[PATH_MAX], file[64], *step, *header, *text;
    char *at = NULL;
    size_t length = 0, header_length = 0;

    step = read_file(root_path(path, "solutions/01_vector_add/"
                               "1_one_per_thread.cu"), 1 << 20, &length);
    header = read_file(root_path(path, "solutions/01_vector_add/host.h"),
                       1 << 20, &header_length);
    CU_ASSERT_TRUE_FATAL(step && header && (at = strstr(step, include)));
    text = calloc(1, length + header_length + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    text_format(text, length + header_length + 1, "%.*s%s%s",
                (int)(at - step), step, header, at + strlen(include));
    text_format(file, sizeof file, "%.50s.cu", name);
    class_add(file, text, strlen(text));
    free(step);
    free(header);
    free(text);
}

/* --- runs ----------------------------------------------------------------- */

/* A NULL path stands for /dev/null. */
static void redirect(int to, const char *path)
{
    int fd = open(path ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC,
                  0600);

    dup2(fd, to);
    close(fd);
}

pid_t class_start(const char *const *words, const char *output,
                  void (*before)(void))
{
    char program[PATH_MAX], *arguments[24] = {"warpbook"};
    pid_t pid = fork();

    for (int i = 0; words[i] && i < 20; i++)
        arguments[i + 1] = (char *)words[i];
    if (pid)
        return pid;
    text_format(program, sizeof program, "%.4000s/warpbook", program_root());
    redirect(STDOUT_FILENO, output);
    redirect(STDERR_FILENO, class_fixture.messages);
    if (before)
        before();
    execv(program, arguments);
    _exit(127);
}

pid_t class_start_autograde(const char *into, const char *jobs,
                            void (*before)(void))
{
    const char *words[] = {"autograde", class_fixture.submissions, "-o", into,
                           "--lab", "01", "--device", "soft", "--jobs", jobs,
                           "--seed-file", class_fixture.seed, "--course",
                           class_fixture.settings, "--tier",
                           class_fixture.tier
                           ? class_fixture.tier
                           : box_tier_name(box_best_tier()), NULL};

    return class_start(words, NULL, before);
}

int class_finish(pid_t pid)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool class_has_message(void)
{
    size_t length = 0;
    char *text = read_file(class_fixture.messages, 1 << 20, &length);
    bool any = text && length > 1 && text[length - 1] == '\n';

    free(text);
    return any;
}

/* --- results -------------------------------------------------------------- */

char *class_without_times(const char *path)
{
    json_t *json = json_load_file(path, 0, NULL);
    json_t *inner = json_object_get(json, "result");
    char *text = NULL;

    json_object_del(json, "graded");
    json_object_del(json, "seen");
    json_object_del(json, "read");
    json_object_del(inner, "sandbox"); /* of the moment: see session/canary.h */
    json_object_del(inner, "seconds");
    json_object_del(inner, "speed");
    if (json)
        text = json_dumps(json, JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

/* For scandir(). */
static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* The files of a subfolder by name. */
static int list_files(const char *folder, const char *subfolder,
                      struct dirent ***list)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%.4000s/%.80s", folder, subfolder);
    return scandir(path, list, skip_dots, alphasort);
}

/* The result of list_files(). */
static void free_list(struct dirent **list, int count)
{
    for (int i = 0; i < count; i++)
        free(list[i]);
    if (count >= 0)
        free(list);
}

int class_count_files(const char *folder, const char *subfolder)
{
    struct dirent **list;
    int count = list_files(folder, subfolder, &list);

    free_list(list, count);
    return count;
}

/* Bytes of a file in both results. */
static bool is_equal_file(const char *subfolder, const char *name)
{
    const char *folders[] = {class_fixture.expected, class_fixture.results};
    char path[PATH_MAX], *text[2];
    bool equal;

    for (int i = 0; i < 2; i++) {
        text_format(path, sizeof path, "%.3900s/%.40s/%.100s", folders[i],
                    subfolder, name);
        text[i] = class_without_times(path);
    }
    equal = text[0] && text[1] && !strcmp(text[0], text[1]);
    if (!equal)
        printf("expected %s\n     got %s\n", text[0] ? text[0] : "no file",
               text[1] ? text[1] : "no file");
    free(text[0]);
    free(text[1]);
    return equal;
}

bool class_is_equal(const char *subfolder)
{
    struct dirent **list;
    int count = list_files(class_fixture.expected, subfolder, &list);
    int got = class_count_files(class_fixture.results, subfolder);
    bool equal = count == got;

    if (!equal)
        printf("%d files in %s, expected %d\n", got, subfolder, count);
    for (int i = 0; i < count; i++)
        equal &= is_equal_file(subfolder, list[i]->d_name);
    free_list(list, count);
    return equal;
}
