/* SPDX-License-Identifier: MIT */
/* train: builds the program that trains, with the kernels and for the device
 * asked for, unless it is there already, and becomes it. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "house.h"
#include "options.h"
#include "process.h"
#include "target.h"

/* The labs that step 1 is made of, and the reference's files. */
static const char *const parts[][3] = {
    {"03_transpose", "transpose.cu", "4_wide.cu"},
    {"08_fast_gemm", "fast_gemm.cu", "5_double_buffer.cu"},
    {"11_conv_layer", "conv_layer.cu", "4_winograd.cu"},
    {"12_layers", "layers.cu", "3_rows.cu"},
    {"15_optimizers", "optimizers.cu", "3_wide.cu"}};
enum { PARTS = sizeof parts / sizeof *parts, WORDS = 48 };

/* What to compile: sources first. */
struct recipe {
    struct command command;
    char word[WORDS][PATH_MAX]; /* memory of the command's words */
    size_t used;                /* of them */
    double newest;              /* of all that it is made of */
    char out[PATH_MAX];         /* the program */
    char part[PATH_MAX];        /* the same while it is being built */
};

static char *word(struct recipe *recipe, const char *format, const char *a,
                  const char *b)
{
    char *to = recipe->word[recipe->used++];

    snprintf(to, PATH_MAX, format, a, b);
    command_add(&recipe->command, to);
    return to;
}

static void newer(struct recipe *recipe, double when)
{
    if (when > recipe->newest)
        recipe->newest = when;
}

static bool source(struct recipe *recipe, const char *path)
{
    char folder[PATH_MAX];

    if (access(path, R_OK) != 0) {
        fprintf(stderr, "train: %s: %s\n", path, strerror(errno));
        return false;
    }
    word(recipe, "%s%s", path, "");
    newer(recipe, changed_at(path));
    snprintf(folder, sizeof folder, "%s", path);
    if (strrchr(folder, '/')) {
        *strrchr(folder, '/') = 0;
        newer(recipe, newest(folder, ".h"));
    }
    return true;
}

/* The files of labs 03 to 15: the learner's, or the reference's. */
static bool lab_files(struct recipe *recipe, bool own)
{
    char path[PATH_MAX], name[128];

    for (int i = 0; i < PARTS; i++) {
        snprintf(name, sizeof name, "%s/%s", parts[i][0],
                 parts[i][own ? 1 : 2]);
        house_path(path, "%s/%s", own ? "labs" : "solutions", name);
        if (!source(recipe, path))
            return false;
    }
    return true;
}

/* The step's own file, and what it is made of. */
static bool kernels(struct recipe *recipe, const char *whose)
{
    char path[PATH_MAX];

    if (!strcmp(whose, "labs"))
        return source(recipe,
                      house_path(path, "solutions/16_cnn_trainer/1_layers.cu"))
               && lab_files(recipe, true);
    if (!strcmp(whose, "solutions"))
        return source(recipe,
                      house_path(path, "solutions/16_cnn_trainer/2_fused.cu"));
    if (!strcmp(whose, "cudnn")) {
        command_add(&recipe->command, "-lcudnn");
        command_add(&recipe->command, "-lcublas");
        return source(recipe,
                      house_path(path, "solutions/16_cnn_trainer/3_cudnn.cu"));
    }
    if (!source(recipe, whose))
        return false;
    return !strstr(whose, "1_layers") || lab_files(recipe, false);
}

static void includes(struct recipe *recipe)
{
    static const char *const folders[] = {"", "common", "common/data",
                                          "common/train",
                                          "labs/16_cnn_trainer"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        word(recipe, "-I%s%s", house_path(path, "%s", folders[i]), "");
    for (int i = 0; i < PARTS; i++)
        word(recipe, "-I%s%s", house_path(path, "labs/%s", parts[i][0]), "");
    newer(recipe, newest(house_path(path, "common/net"), ".h"));
    newer(recipe, newest(house_path(path, "common/train"), ".h"));
    newer(recipe, newest(house_path(path, "labs/16_cnn_trainer"), ".h"));
}

/* The trainer's own files, and the libraries. */
static bool common(struct recipe *recipe)
{
    static const char *const last[] = {"-ljansson", "-lpng", "-lz",
                                       "-lpthread", "-lm"};
    char path[PATH_MAX];
    glob_t found;
    bool ok = glob(house_path(path, "common/train/device/*.c"), 0, NULL,
                   &found) == 0;

    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = source(recipe, found.gl_pathv[i]);
    if (ok)
        globfree(&found);
    snprintf(path, sizeof path, "%s/lib/libwarpbook.a", house_build());
    ok = ok && source(recipe, path);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        command_add(&recipe->command, (char *)last[i]);
    return ok;
}

static bool compile(struct recipe *recipe)
{
    char *log, folder[PATH_MAX];
    bool ok;

    if (changed_at(recipe->out) > recipe->newest)
        return true;
    fprintf(stderr, "train: building %s\n", recipe->out);
    snprintf(folder, sizeof folder, "%s", recipe->out);
    *strrchr(folder, '/') = 0;
    make_folders(folder);
    ok = command_run(&recipe->command, house_root(), &log)
         && rename(recipe->part, recipe->out) == 0;
    if (!ok)
        fprintf(stderr, "%s\ntrain: the kernels do not compile\n",
                log ? log : "");
    free(log);
    return ok;
}

/* Build the program for these options.  @return false after a message */
static bool build(const struct train_options *options, struct recipe *recipe)
{
    static struct target target;
    char error[512], key[OPTION_TEXT];

    if (!target_find(options->device, &target, error)) {
        fprintf(stderr, "train: %s\n", error);
        return false;
    }
    snprintf(key, sizeof key, "%s", options->kernels);
    for (char *at = key; *at; at++)
        if (*at == '/')
            *at = '-';
    snprintf(recipe->out, PATH_MAX, "%s/trainers/%s-%s", house_build(), key,
             device_name(target.kind));
    command_add(&recipe->command, target.compiler);
    if (target.kind == DEVICE_GPU)
        command_add(&recipe->command, target.arch);
    command_add(&recipe->command, "-O3");
    command_add(&recipe->command, "-D_GNU_SOURCE");
    command_add(&recipe->command, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
    command_add(&recipe->command, "-o");
    snprintf(recipe->part, PATH_MAX, "%s.%d", recipe->out, (int)getpid());
    command_add(&recipe->command, recipe->part);
    includes(recipe);
    return kernels(recipe, options->kernels) && common(recipe)
           && compile(recipe);
}

int main(int argc, char **argv)
{
    static struct recipe recipe;
    struct train_options options;

    train_options_default(&options);
    if (!train_options_read(argc, argv, &options))
        return TRAIN_USAGE;
    if (options.help) {
        train_help(stdout);
        return TRAIN_DONE;
    }
    if (!house_find() || !build(&options, &recipe))
        return TRAIN_TROUBLE;
    if (!options.predict && !make_folders(options.out)) {
        fprintf(stderr, "train: %s: %s\n", options.out, strerror(errno));
        return TRAIN_TROUBLE;
    }
    setenv("WARPBOOK_HOME", house_root(), 0);
    execv(recipe.out, argv);
    fprintf(stderr, "train: %s: %s\n", recipe.out, strerror(errno));
    return TRAIN_TROUBLE;
}
