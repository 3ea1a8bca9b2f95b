/* SPDX-License-Identifier: MIT */
/* Builds the training program with the selected kernels for the selected
 * device, unless it is up to date. */
#include "build_program.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/command.h"
#include "common/base/file_time.h"
#include "common/base/files.h"
#include "common/base/handout.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/target.h"

/* Step 1 of lab 16 and the labs that it uses: the learner's file, and the
 * reference file that the handout is made from. */
static const struct part {
    const char *lab, *own, *reference;
} lab_files[] = {
    {"16_cnn_trainer", "cnn_trainer.cu", "1_layers.cu"},
    {"03_transpose", "transpose.cu", "4_vectorized.cu"},
    {"08_fast_gemm", "fast_gemm.cu", "5_double_buffer.cu"},
    {"11_conv_layer", "conv_layer.cu", "4_winograd.cu"},
    {"12_layers", "layers.cu", "3_vectorized.cu"},
    {"15_optimizers", "optimizers.cu", "3_vectorized.cu"}};
enum { LAB_FILE_COUNT = sizeof lab_files / sizeof *lab_files, WORDS = 48 };

/* The compiler command: sources first. */
struct build_command {
    struct command command;
    char argument[WORDS][PATH_MAX]; /* memory of formatted arguments */
    size_t used;               /* of them */
    double newest_mtime;       /* newest modification time of its inputs */
    char key[2 * OPTION_TEXT]; /* kernels, for the program's name */
    char out[PATH_MAX];        /* the program */
    char part[PATH_MAX];       /* its temporary name during the build */
};

/* The argument's memory lives as long as the command. */
static char *add_formatted(struct build_command *build_command,
                           const char *format, const char *a, const char *b)
{
    char *to = build_command->argument[build_command->used++];

    snprintf(to, PATH_MAX, format, a, b);
    command_add(&build_command->command, to);
    return to;
}

/* The newest time of all inputs decides whether the program is built again. */
static void update_newest(struct build_command *build_command, double when)
{
    if (when > build_command->newest_mtime)
        build_command->newest_mtime = when;
}

/* A source, with the headers in its folder as inputs. */
static bool add_source(struct build_command *build_command, const char *path)
{
    char folder[PATH_MAX];

    if (access(path, R_OK) != 0) {
        fprintf(stderr, "train: %s: %s\n", path, strerror(errno));
        return false;
    }
    add_formatted(build_command, "%s%s", path, "");
    update_newest(build_command, file_mtime(path));
    snprintf(folder, sizeof folder, "%s", path);
    if (strrchr(folder, '/')) {
        *strrchr(folder, '/') = 0;
        update_newest(build_command, newest_mtime(folder, ".h"));
    }
    return true;
}

/* The learner's file of a lab, or its reference. */
static char *kernel_path(char *path, const struct part *part, bool own)
{
    return root_path(path, "%s/%s/%s", own ? "labs" : "solutions", part->lab,
                     own ? part->own : part->reference);
}

/* Has the learner started this lab?  Reference kernels replace the others. */
static bool is_started(const struct part *part)
{
    char path[PATH_MAX], folder[PATH_MAX];

    return !handout_is_unmodified(kernel_path(path, part, true),
                                  root_path(folder, "solutions/%s", part->lab),
                                  part->reference);
}

/* Add the learner's or the reference's files.  The program's name says which:
 * another selection is another program. */
static bool add_lab_files(struct build_command *build_command, int first,
                          bool own)
{
    char path[PATH_MAX], missing[64] = "";

    for (int i = first; i < LAB_FILE_COUNT; i++) {
        const bool begun = own && is_started(&lab_files[i]);

        if (own)
            strncat(begun ? build_command->key : missing,
                    (char[]){begun ? '-' : ' ', lab_files[i].lab[0],
                             lab_files[i].lab[1], 0}, 4);
        if (!add_source(build_command, kernel_path(path, &lab_files[i], begun)))
            return false;
    }
    if (*missing)
        fprintf(stderr,
                "train: not started, so reference kernels are used: "
                "lab%s\n",
                missing);
    return true;
}

/* Does a kernel file include earlier labs? */
static bool calls_labs(const char *path)
{
    size_t length;
    char *text = read_file(path, 1 << 24, &length);
    const bool does = text && strstr(text, "#include \"labs/08_fast_gemm/");

    free(text);
    return does;
}

/* Add the kernel file, and the labs' files that it uses. */
static bool add_kernels(struct build_command *build_command,
                        const char *kernels)
{
    char path[PATH_MAX];

    if (!strcmp(kernels, "labs"))
        return add_lab_files(build_command, 0, true);
    if (!strcmp(kernels, "solutions"))
        return add_source(
            build_command,
            root_path(path, "solutions/16_cnn_trainer/2_fused.cu"));
    if (!strcmp(kernels, "cudnn")) {
        command_add(&build_command->command, "-lcudnn");
        command_add(&build_command->command, "-lcublas");
        return add_source(
            build_command,
            root_path(path, "solutions/16_cnn_trainer/3_cudnn.cu"));
    }
    if (!strchr(kernels, '.') && access(kernels, R_OK) != 0) {
        fprintf(stderr,
                "train: --kernels: there is no \"%.100s\"; labs, "
                "solutions, cudnn, or a .cu file\n",
                kernels);
        return false;
    }
    return add_source(build_command, kernels)
           && (!calls_labs(kernels)
               || add_lab_files(build_command, 1,
                                strstr(kernels, "labs/") != NULL));
}

/* The folders that labs include from; headers of the interface to the trainer
 * count as inputs. */
static void add_includes(struct build_command *build_command)
{
    static const char *const folders[] = {"", "common/include"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add_formatted(build_command, "-I%s%s",
                      root_path(path, "%s", folders[i]), "");
    for (int i = 0; i < LAB_FILE_COUNT; i++)
        add_formatted(build_command, "-I%s%s",
                      root_path(path, "labs/%s", lab_files[i].lab), "");
    update_newest(build_command,
                  newest_mtime(root_path(path, "common/net"), ".h"));
    update_newest(build_command,
                  newest_mtime(root_path(path, "common/train"), ".h"));
    update_newest(build_command,
                  newest_mtime(root_path(path, "labs/16_cnn_trainer"), ".h"));
}

/* Add the trainer's own files and the libraries. */
static bool add_common_sources(struct build_command *build_command)
{
    static const char *const archives[] = {"libtrainer.a", "libbase.a"};
    static const char *const last[] = {"-ljansson", "-lpng", "-ljpeg",
                                       "-lz", "-lpthread", "-lm"};
    char path[PATH_MAX];
    glob_t found;
    bool ok = glob(root_path(path, "common/train/device/*.c"), 0, NULL,
                   &found) == 0;

    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = add_source(build_command, found.gl_pathv[i]);
    if (ok)
        globfree(&found);
    for (size_t i = 0; ok && i < sizeof archives / sizeof *archives; i++) {
        snprintf(path, sizeof path, "%s/%s", library_root(), archives[i]);
        ok = add_source(build_command, path);
    }
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        command_add(&build_command->command, (char *)last[i]);
    return ok;
}

static const char *half_built; /* the program being built, or NULL */

/* Ctrl-C while the compiler runs: nothing half-built is left. */
static void remove_half_built(int number)
{
    if (half_built)
        unlink(half_built);
    signal(number, SIG_DFL);
    raise(number);
}

/* Compile into a file beside the target and rename it, so that an interrupted
 * build leaves no program. */
static bool compile(struct build_command *build_command)
{
    char *log, folder[PATH_MAX];
    bool ok;

    /* Up to date if newer than all sources, libraries and the headers in their
     * folders. */
    if (file_mtime(build_command->out) > build_command->newest_mtime)
        return true;
    fprintf(stderr, "train: building %s\n", build_command->out);
    snprintf(folder, sizeof folder, "%s", build_command->out);
    *strrchr(folder, '/') = 0;
    make_directories(folder);
    half_built = build_command->part;
    signal(SIGINT, remove_half_built);
    signal(SIGTERM, remove_half_built);
    ok = command_run(&build_command->command, source_root(), &log)
         && rename(build_command->part, build_command->out) == 0;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (!ok)
        unlink(build_command->part);
    if (!ok)
        fprintf(stderr, "%s\ntrain: the kernels do not compile\n",
                log ? log : "");
    free(log);
    return ok;
}

/* Path of the program.  It is built under a temporary name and then renamed,
 * so that concurrent builds do not interfere.  The name has softcc's engine:
 * another SOFTCC_ENGINE is another program.  The report names it, too. */
static void set_output_path(struct build_command *build_command,
                            enum device_kind device)
{
    const char *engine = getenv("SOFTCC_ENGINE");

    if (device == DEVICE_GPU)
        engine = "nvcc";
    else if (!engine || !*engine)
        engine = "auto";
    setenv("TRAIN_ENGINE", engine, 1);
    for (char *at = build_command->key; *at; at++)
        if (*at == '/')
            *at = '-';
    snprintf(build_command->out, PATH_MAX, "%s/trainers/%s-%s-%.20s",
             build_root(), build_command->key, device_name(device), engine);
    snprintf(build_command->part, PATH_MAX, "%s.%d", build_command->out,
             (int)getpid());
}

bool build_program(const struct train_options *options, char *program)
{
    static struct build_command memory, *const build_command = &memory;
    static struct target target;
    char error[512];

    if (!target_find(options->device, &target, error)) {
        fprintf(stderr, "train: %s\n", error);
        return false;
    }
    snprintf(build_command->key, sizeof build_command->key, "%s",
             options->kernels);
    command_add(&build_command->command, target.compiler);
    if (target.kind == DEVICE_GPU)
        command_add(&build_command->command, target.arch);
    command_add(&build_command->command, "-O3");
    command_add(&build_command->command, "-D_GNU_SOURCE");
    /* The per-thread default stream can be captured; the legacy one cannot. */
    command_add(&build_command->command,
                "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
    command_add(&build_command->command, "-o");
    command_add(&build_command->command, build_command->part);
    add_includes(build_command);
    if (!add_kernels(build_command, options->kernels)
        || !add_common_sources(build_command))
        return false;
    setenv("TRAIN_DEVICE", device_name(target.kind), 1); /* for the report */
    /* command_add() has stored only the pointer to the path. */
    set_output_path(build_command, target.kind);
    strcpy(program, build_command->out);
    return compile(build_command);
}
