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
#include "handout.h"
#include "house.h"
#include "options.h"
#include "process.h"
#include "target.h"

/* Step 1 of lab 16 and the labs that it is made of: the learner's file, and
 * the reference's, which the handout is cut from. */
static const struct part {
    const char *lab, *own, *reference;
} parts[] = {
    {"16_cnn_trainer", "cnn_trainer.cu", "1_layers.cu"},
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
    char key[2 * OPTION_TEXT];  /* whose kernels, for its name */
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

static char *part_path(char *path, const struct part *part, bool own)
{
    return house_path(path, "%s/%s/%s", own ? "labs" : "solutions", part->lab,
                      own ? part->own : part->reference);
}

/* A learner who has not come to lab 11 can train all the same. */
static bool is_begun(const struct part *part)
{
    char path[PATH_MAX], folder[PATH_MAX];

    return !handout_untouched(part_path(path, part, true),
                              house_path(folder, "solutions/%s", part->lab),
                              part->reference);
}

/* The files of some parts: the learner's, or the reference's.  The program's
 * name says whose they are: another choice is another program. */
static bool part_files(struct recipe *recipe, int first, bool own)
{
    char path[PATH_MAX], missing[64] = "";

    for (int i = first; i < PARTS; i++) {
        const bool begun = own && is_begun(&parts[i]);

        if (own)
            strncat(begun ? recipe->key : missing,
                    (char[]){begun ? '-' : ' ', parts[i].lab[0],
                             parts[i].lab[1], 0}, 4);
        if (!source(recipe, part_path(path, &parts[i], begun)))
            return false;
    }
    if (*missing)
        fprintf(stderr, "train: not begun, so the reference's kernels: "
                        "lab%s\n", missing);
    return true;
}

/* Does a step's file call what the labs before made? */
static bool calls_labs(const char *path)
{
    size_t length;
    char *text = read_whole(path, 1 << 24, &length);
    const bool does = text && strstr(text, "#include \"labs/08_fast_gemm/");

    free(text);
    return does;
}

/* The step's own file, and what it is made of. */
static bool kernels(struct recipe *recipe, const char *whose)
{
    char path[PATH_MAX];

    if (!strcmp(whose, "labs"))
        return part_files(recipe, 0, true);
    if (!strcmp(whose, "solutions"))
        return source(recipe,
                      house_path(path, "solutions/16_cnn_trainer/2_fused.cu"));
    if (!strcmp(whose, "cudnn")) {
        command_add(&recipe->command, "-lcudnn");
        command_add(&recipe->command, "-lcublas");
        return source(recipe,
                      house_path(path, "solutions/16_cnn_trainer/3_cudnn.cu"));
    }
    if (!strchr(whose, '.') && access(whose, R_OK) != 0) {
        fprintf(stderr, "train: --kernels: there is no \"%.100s\"; labs, "
                        "solutions, cudnn, or a .cu file\n", whose);
        return false;
    }
    return source(recipe, whose)
           && (!calls_labs(whose)
               || part_files(recipe, 1, strstr(whose, "labs/") != NULL));
}

static void includes(struct recipe *recipe)
{
    static const char *const folders[] = {"", "common", "common/data",
                                          "common/train"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        word(recipe, "-I%s%s", house_path(path, "%s", folders[i]), "");
    for (int i = 0; i < PARTS; i++)
        word(recipe, "-I%s%s", house_path(path, "labs/%s", parts[i].lab), "");
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

    /* Everything that is compiled or included counts, the library too: headers
     * of ours are known by the folders they lie in. */
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

/* Where the program lies.  It is built under a name of its own and then moved
 * there, so that two that build at once do not meet. */
static void name_it(struct recipe *recipe, enum device_kind device)
{
    for (char *at = recipe->key; *at; at++)
        if (*at == '/')
            *at = '-';
    snprintf(recipe->out, PATH_MAX, "%s/trainers/%s-%s", house_build(),
             recipe->key, device_name(device));
    snprintf(recipe->part, PATH_MAX, "%s.%d", recipe->out, (int)getpid());
}

/* Build the program for these options.  @return false after a message */
static bool build(const struct train_options *options, struct recipe *recipe)
{
    static struct target target;
    char error[512];

    if (!target_find(options->device, &target, error)) {
        fprintf(stderr, "train: %s\n", error);
        return false;
    }
    snprintf(recipe->key, sizeof recipe->key, "%s", options->kernels);
    command_add(&recipe->command, target.compiler);
    if (target.kind == DEVICE_GPU)
        command_add(&recipe->command, target.arch);
    command_add(&recipe->command, "-O3");
    command_add(&recipe->command, "-D_GNU_SOURCE");
    /* The default stream of a thread may be captured; that of all may not. */
    command_add(&recipe->command, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
    command_add(&recipe->command, "-o");
    command_add(&recipe->command, recipe->part);
    includes(recipe);
    if (!kernels(recipe, options->kernels) || !common(recipe))
        return false;
    name_it(recipe, target.kind); /* command_add() kept the pointer alone */
    return compile(recipe);
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
