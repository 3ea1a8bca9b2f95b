/* SPDX-License-Identifier: MIT */
/* train: reads the command line, builds the training program (build_program.c)
 * and executes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_program.h"
#include "common/base/paths.h"
#include "host_commands.h"
#include "metrics.h"
#include "options.h"
#include "run_folder.h"

/* @return the exit status of a failed run */
static int report_failure(const struct failure *why)
{
    /* One line, whatever characters names of files and tensors have. */
    fprintf(stderr, "train: ");
    print_name(stderr, why->text);
    fprintf(stderr, "\n");
    return TRAIN_FAILED;
}

/* A checkpoint keeps the name of its kernels: unless the command line names
 * others, the program is built with those. */
static bool find_kernels(struct train_options *options,
                         struct failure *failure)
{
    char path[PATH_MAX] = "";
    const char *kernels;
    struct tensors file;

    if (*options->resume)
        snprintf(path, sizeof path, "%s/checkpoint.safetensors",
                 options->resume);
    else if (options->file_count)
        snprintf(path, sizeof path, "%s", options->files[0]);
    if (!*path || train_option_given(options, "kernels"))
        return true;
    if (!safetensors_read(path, &file, failure))
        return false;
    kernels = tensors_metadata(&file, "kernels");
    if (kernels && strlen(kernels) < OPTION_TEXT)
        strcpy(options->kernels, kernels);
    tensors_free(&file);
    return true;
}

/* Are there the network and the data of a new run?  The program would say so,
 * too, but only after it was built. */
static bool find_inputs(const struct train_options *options,
                        struct failure *failure)
{
    const char *root = getenv("WARPBOOK_HOME");
    const struct dataset_source data = train_data_source(options);
    char path[PATH_MAX];

    if (options->command != COMMAND_TRAIN || *options->resume)
        return true;
    train_net_path(options, root ? root : source_root(), path);
    return train_net_exists(options, path, failure)
           && dataset_exists(&data, failure);
}

/* The commit of the source tree, for the report.  An installed tree has
 * none. */
static void find_commit(void)
{
    char git[PATH_MAX], text[80] = "";
    FILE *out;

    if (access(root_path(git, "%s", ".git"), F_OK) != 0
        || setenv("GIT_DIR", git, 1) != 0)
        return;
    out = popen("git describe --always 2>/dev/null", "r");
    if (out && fgets(text, sizeof text, out)) {
        text[strcspn(text, "\n")] = 0;
        setenv("TRAIN_COMMIT", text, 1);
    }
    if (out)
        pclose(out);
    unsetenv("GIT_DIR");
}

int main(int argc, char **argv)
{
    char program[PATH_MAX];
    struct train_options options;
    struct failure why = {""};

    train_options_default(&options);
    if (!train_options_read(argc, argv, &options))
        return TRAIN_USAGE;
    if (options.help) {
        train_help(stdout);
        return TRAIN_DONE;
    }
    if (options.command == COMMAND_COMPARE)
        return compare_runs(&options, stdout, &why) ? TRAIN_DONE
                                                    : report_failure(&why);
    if (options.command == COMMAND_AVERAGE)
        return average_models(&options, &why) ? TRAIN_DONE
                                              : report_failure(&why);
    if (options.command == COMMAND_TRAIN && !run_folder_check(&options, &why))
        return report_failure(&why);
    if (options.command == COMMAND_ATTACK
        && !new_file_check(&options, options.files[1], &why))
        return report_failure(&why);
    if (!find_kernels(&options, &why))
        return report_failure(&why);
    if (!paths_init())
        return TRAIN_FAILED;
    if (!find_inputs(&options, &why))
        return report_failure(&why);
    if (!build_program(&options, program))
        return TRAIN_FAILED;
    setenv("WARPBOOK_HOME", source_root(), 0);
    find_commit();
    execv(program, argv);
    fprintf(stderr, "train: %s: %s\n", program, strerror(errno));
    return TRAIN_FAILED;
}
