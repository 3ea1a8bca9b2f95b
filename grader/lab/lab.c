/* SPDX-License-Identifier: MIT */
/* Finding a lab: by number or name, among the suites; its ladder. */
#include "lab.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/handout_extract.h"
#include "common/base/paths.h"

size_t lab_stems(const char **stems, size_t most)
{
    size_t count = 0;

    for (; suites[count] && count < most; count++)
        stems[count] = suites[count]->stem;
    return count;
}

/* The names of 01_vector_add: 01, 1, 01_vector_add, vector_add. */
static bool has_name(const char *stem, const char *name)
{
    char *end;
    long number = strtol(name, &end, 10);

    if (*name && *end == 0)
        return number == strtol(stem, NULL, 10);
    return !strcmp(name, stem) || !strcmp(name, strchr(stem, '_') + 1);
}

/* By number, stem or name. @return NULL if unknown */
static const struct suite *find_suite(const char *name)
{
    size_t i = 0;

    while (suites[i] && !has_name(suites[i]->stem, name))
        i++;
    return suites[i];
}

const char *lab_stem(const char *name)
{
    const struct suite *suite = find_suite(name);

    return suite ? suite->stem : NULL;
}

/* For qsort(): by number, then by text. */
static int by_name(const void *a, const void *b)
{
    return atoi(a) != atoi(b) ? atoi(a) - atoi(b) : strcmp(a, b);
}

/* The ladder: files N_step.cu of the lab's solutions, in order. */
static void find_steps(struct lab *lab)
{
    char path[PATH_MAX];
    DIR *folder = opendir(root_path(path, "solutions/%s", lab->stem));
    struct dirent *entry;

    if (!folder)
        return;
    while ((entry = readdir(folder)) && lab->steps < LAB_MAX_STEPS) {
        const char *dot = strrchr(entry->d_name, '.');

        if (atoi(entry->d_name) > 0 && dot && !strcmp(dot, ".cu"))
            snprintf(lab->step[lab->steps++], sizeof *lab->step, "%.63s",
                     entry->d_name);
    }
    closedir(folder);
    if (!lab->steps)
        return;
    qsort(lab->step, lab->steps, sizeof *lab->step, by_name);
    strcpy(lab->baseline, lab->step[0]);
    strcpy(lab->reference, lab->step[lab->steps - 1]);
}

/* The message lists all labs. @return false */
static bool unknown(const char *name, char *error)
{
    int used = snprintf(error, LAB_ERROR_SIZE,
                        "no lab is called \"%.40s\"; there "
                        "are:",
                        name);

    for (size_t i = 0; suites[i] && used < LAB_ERROR_SIZE; i++)
        used += snprintf(error + used, (size_t)(LAB_ERROR_SIZE - used), " %s",
                         suites[i]->stem);
    return false;
}

bool lab_open(const char *name, struct lab *lab, char *error)
{
    char path[PATH_MAX];

    *lab = (struct lab){0};
    lab->suite = find_suite(name);
    if (!lab->suite)
        return unknown(name, error);
    snprintf(lab->stem, sizeof lab->stem, "%s", lab->suite->stem);
    snprintf(lab->name, sizeof lab->name, "%s", strchr(lab->stem, '_') + 1);
    lab->number = atoi(lab->stem);
    find_steps(lab);
    if (!lab_read(root_path(path, "grader/labs/%s.ini", lab->stem), lab, error))
        return false;
    if (!*lab->handout)
        strcpy(lab->handout, lab->reference);
    if (!lab->memory_gpu)
        lab->memory_gpu = lab->memory;
    return true;
}

const struct suite_test *suite_watched(const struct suite *suite)
{
    return suite->watched ? suite->watched : suite->tests;
}

char *lab_extract_handout(const struct lab *lab, char *error)
{
    char folder[PATH_MAX], patch[PATH_MAX], reason[HANDOUT_ERROR_SIZE];
    char *handout;

    root_path(folder, "solutions/%s", lab->stem);
    root_path(patch, "grader/mutants/%s/handout.diff", lab->stem);
    handout = extract_handout(folder, lab->handout, patch, reason);
    if (!handout)
        snprintf(error, LAB_ERROR_SIZE, "%s", reason);
    return handout;
}
