/* SPDX-License-Identifier: MIT */
/* warpbook doctor: one line for each tool and library, found or missing, and
 * what is not available without it. */
#include <CUnit/CUnit.h>
#include <dlfcn.h>
#include "common/data/fashion.h"
#include <jansson.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/text.h"
#include "common.h"

/* A tool or library: how to find it, and what needs it. */
struct part {
    const char *name;
    bool (*find)(char *text, size_t bytes); /* describes it */
    const char *without;
};

/* A C compiler builds the project itself. */
static bool find_cc(char *text, size_t bytes)
{
    return program_first_line("cc", "--version", text, bytes);
}

/* A C++ compiler is behind softcc. */
static bool find_cxx(char *text, size_t bytes)
{
    return program_first_line("g++", "--version", text, bytes);
}

/* The compiler driver of the software GPU, built with the project. */
static bool find_softcc(char *text, size_t bytes)
{
    struct target target;
    char error[512];

    if (!target_find("soft", &target, error))
        return false;
    text_format(text, bytes, "%s", target.compiler);
    return true;
}

/* CUDA's compiler, found in PATH or in its usual folder. */
static bool find_nvcc(char *text, size_t bytes)
{
    char path[PATH_MAX];

    if (!find_program("nvcc", path))
        return false;
    text_format(text, bytes, "%s", path);
    return true;
}

/* nvidia-smi answers with a name and a compute capability. */
static bool find_gpu(char *text, size_t bytes)
{
    char card[128], *comma;

    if (!gpu_query(card, sizeof card))
        return false;
    comma = strrchr(card, ',');
    if (comma)
        *comma = 0;
    text_format(text, bytes, "%s, compute capability%s", card,
                comma ? comma + 1 : " unknown");
    return true;
}

/* The program is linked with it, so its version is known. */
static bool find_cunit(char *text, size_t bytes)
{
    text_format(text, bytes, "CUnit %s", CU_VERSION);
    return true;
}

/* The first library that the dynamic linker finds. */
static bool find_library(const char *const *names, char *text, size_t bytes)
{
    for (; *names; names++) {
        void *handle = dlopen(*names, RTLD_LAZY);

        if (!handle)
            continue;
        dlclose(handle);
        text_format(text, bytes, "%s", *names);
        return true;
    }
    return false;
}

/* Versions 8 and 9 have the interface that labs use. */
static bool find_cudnn(char *text, size_t bytes)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8",
                                        "libcudnn.so", NULL};

    return find_library(names, text, bytes);
}

/* Also where CUDA is installed but not in the linker's path. */
static bool find_cublas(char *text, size_t bytes)
{
    static const char *const names[] = {
        "libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
        "libcublas.so", "/usr/local/cuda/lib64/libcublas.so", NULL};

    return find_library(names, text, bytes);
}

/* By the names of the development packages, with which softcc links. */
static bool find_openblas(char *text, size_t bytes)
{
    static const char *const names[] = {"libopenblas.so", NULL};

    return find_library(names, text, bytes);
}

/* Behind cuDNN's functions on the software GPU. */
static bool find_onednn(char *text, size_t bytes)
{
    static const char *const names[] = {"libdnnl.so", NULL};

    return find_library(names, text, bytes);
}

/* The pass that make build makes where clang 19 and LLVM's headers are. */
static bool find_vectors(char *text, size_t bytes)
{
    char path[PATH_MAX];

    if (!find_program("clang++-19", path))
        return false;
    text_format(text, bytes, "%s", path);
    return access("/usr/lib/llvm-19/include/llvm/Passes", F_OK) == 0;
}

/* The data set of the trainer. */
static bool find_fashion(char *text, size_t bytes)
{
    char path[PATH_MAX];

    text_format(path, sizeof path, "%s/train-images-idx3-ubyte.gz",
                fashion_folder());
    text_format(text, bytes, "Fashion-MNIST in %s", fashion_folder());
    return access(path, R_OK) == 0;
}

/* The site needs doxygen and dot. */
static bool find_docs(char *text, size_t bytes)
{
    char dot[PATH_MAX];

    return find_program("dot", dot)
           && program_first_line("doxygen", "--version", text, bytes);
}

/* Can a child process create namespaces? */
static bool has_namespaces(void)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0)
        _exit(unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET) != 0);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* The tier of isolation that is possible on this machine. */
static bool find_tier(char *text, size_t bytes)
{
    bool root = geteuid() == 0, spaces = has_namespaces();
    char bwrap[PATH_MAX];
    bool boxes = find_program("bwrap", bwrap);
    const char *tier = root && spaces && boxes ? "A (root, namespaces, "
                                                 "bubblewrap)"
                       : spaces && boxes ? "B (user, namespaces, bubblewrap)"
                       : root ? "C (root, no namespaces or bubblewrap)"
                              : "D (user, no namespaces or bubblewrap)";

    text_format(text, bytes, "%s possible; grading your own file uses limits, "
                "not a sandbox", tier);
    return true;
}

static const struct part parts[] = {
    {"C compiler", find_cc, "nothing can be built"},
    {"C++ compiler", find_cxx, "no soft device"},
    {"softcc", find_softcc, "no soft device; run make build"},
    {"nvcc", find_nvcc, "no gpu device; all labs run on the soft one"},
    {"GPU", find_gpu, "no gpu device: hardware times are not measured"},
    {"CUnit", find_cunit, "no tests"},
    {"cuBLAS", find_cublas, "no vendor baseline on the gpu device"},
    {"cuDNN", find_cudnn, "no vendor baseline for the network layers"},
    {"OpenBLAS", find_openblas, "no cuBLAS on the soft device; apt install "
                                "libopenblas-dev"},
    {"oneDNN", find_onednn, "no cuDNN on the soft device (lab 13); apt "
                            "install libdnnl-dev"},
    {"clang 19, LLVM", find_vectors, "no vector engine (softcc --engine "
                                     "vectors); apt install clang-19 "
                                     "llvm-19-dev"},
    {"data sets", find_fashion, "no photographs for lab 02's picture; apt "
                                "install dataset-fashion-mnist"},
    {"isolation", find_tier, ""},
    {"doxygen, dot", find_docs, "no make docs"},
};

/* A line a part, and what its absence turns off. */
static int run(const struct options *options)
{
    struct target target;
    char error[512];

    (void)options;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[PATH_MAX + 64] = "";
        bool there = parts[i].find(text, sizeof text);

        const int column = printf("%-14s %-3s  ", parts[i].name,
                                  there ? "yes" : "no");

        text_wrap_after(stdout, column, there ? text : parts[i].without);
    }
    if (!target_find("auto", &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    printf("\nDEVICE=auto means: %s (%s)\n", device_name(target.kind),
           target.model);
    return EXIT_FULL;
}

const struct verb verb_doctor = {
    "doctor", "", "report which tools and libraries are found",
    "Exit status 4 when there is no device to grade on.", "", 0, 0, run};
