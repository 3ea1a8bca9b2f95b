/* SPDX-License-Identifier: MIT */
/* Bounded fuzzing of the readers: the inputs of the corpus as they are, then
 * seeded mutations of them.  A crash, a finding of a sanitizer, a hang or a
 * broken promise is a failure; the input is kept as BUILD/fuzz/TARGET.
 *
 *     fuzz_test [TARGET SECONDS]
 *
 * An input that failed becomes a file of the corpus. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/random.h"
#include "common/base/tests/mutate.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "fuzz_targets.h"

enum { MAX_CORPUS = 256, HANG_SECONDS = 300 };

static double seconds = 0.25; /* of each target */
static const char *only;      /* this target alone */
static struct input corpus[MAX_CORPUS];
static int inputs;

/* The present input: a mapped file, which outlives a crash. */
static struct input map_input(const char *name)
{
    char folder[PATH_MAX], path[PATH_MAX];
    int fd;
    void *map;

    text_format(folder, sizeof folder, "%.4000s/fuzz", build_root());
    make_directories(folder);
    text_format(path, sizeof path, "%.4000s/%.60s", folder, name);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, MUTATE_BYTES + 1))
        return (struct input){0};
    map = mmap(NULL, MUTATE_BYTES + 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
               0);
    close(fd);
    return (struct input){.data = map == MAP_FAILED ? NULL : map};
}

/* Inputs that once broke a reader, or reach deep into it. */
static void read_corpus(const char *name)
{
    char folder[PATH_MAX], path[PATH_MAX], relative[128];
    struct dirent **list;
    int count;

    text_format(relative, sizeof relative, "grader/tests/corpus/%.60s", name);
    root_path(folder, "%s", relative);
    count = scandir(folder, &list, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct input *input = &corpus[inputs];

        text_format(path, sizeof path, "%.4000s/%.90s", folder,
                    list[i]->d_name);
        if (inputs < MAX_CORPUS)
            input->data = (unsigned char *)read_file(path, MUTATE_BYTES,
                                                     &input->length);
        inputs += input->data != NULL; /* a folder is no input */
        free(list[i]);
    }
    if (count >= 0)
        free(list);
}

/* All inputs of a target. */
static void free_corpus(void)
{
    while (inputs > 0) {
        free(corpus[--inputs].data);
        corpus[inputs].data = NULL;
    }
}

/* Keep an input that failed; the mapped file would have zeros behind it. */
static void keep(const struct fuzz_target *target, const struct input *input)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%.4000s/fuzz/%.60s.failed", build_root(),
                target->name);
    write_file(path, (const char *)input->data, input->length);
    printf("%s: a promise is broken: %s\n", target->name, path);
}

/* A reader that hangs is ended by SIGALRM.  An input that failed is kept as it
 * was: the process that reads it may have written to it. */
static bool try_input(const struct fuzz_target *target,
                      const struct input *input)
{
    static unsigned char copy[MUTATE_BYTES + 1];
    const struct input before = {.data = copy, .length = input->length};
    bool ok;

    memcpy(copy, input->data, input->length);
    alarm(HANG_SECONDS);
    ok = target->read(input->data, input->length);
    alarm(0);
    if (!ok)
        keep(target, &before);
    return ok;
}

/* Inputs end with a NUL, which belongs to no length. */
static void copy_input(struct input *to, const struct input *from)
{
    memcpy(to->data, from->data, from->length + 1);
    to->length = from->length;
}

/* The corpus as it is, then mutations until the time is over. */
static void fuzz(const struct fuzz_target *target)
{
    const double end = clock_seconds() + seconds;
    struct input input = map_input(target->name);
    bool ok = true;
    long tried = 0;

    read_corpus(target->name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(input.data);
    CU_ASSERT_TRUE_FATAL(inputs > 0);
    if (target->begin)
        target->begin();
    for (int i = 0; i < inputs; i++, tried++) {
        copy_input(&input, &corpus[i]);
        CU_ASSERT(try_input(target, &input));
    }
    while (ok && clock_seconds() < end && (only || !target->on_demand)) {
        copy_input(&input, &corpus[random_int(0, inputs - 1)]);
        mutate(&input, target->words, &corpus[random_int(0, inputs - 1)]);
        ok = try_input(target, &input);
        tried++;
    }
    CU_ASSERT(ok);
    printf("%s: %ld inputs\n", target->name, tried);
    munmap(input.data, MUTATE_BYTES + 1);
    free_corpus();
}

/* Each target, or the one that an argument names. */
static void all(void)
{
    int found = 0;

    for (int i = 0; fuzz_targets[i]; i++)
        if (!only || !strcmp(only, fuzz_targets[i]->name)) {
            fuzz(fuzz_targets[i]);
            found++;
        }
    CU_ASSERT(found > 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"mutated inputs", all}, CU_TEST_INFO_NULL};
    uint64_t seed = random_system_seed();

    if (!paths_init())
        return 2;
    if (argc > 2) {
        only = argv[1];
        seconds = atof(argv[2]);
    }
    random_seed(seed, "fuzz");
    return run_tests("readers, mutated input", tests);
}
