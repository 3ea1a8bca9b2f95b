/* SPDX-License-Identifier: MIT */
/* Refusals by name.  The compiler's first quoted word after "error:" is the
 * name that it does not know; the linker's is after "undefined reference
 * to". */
#define _GNU_SOURCE
#include "refusal.h"

#include <ctype.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "excerpt.h"
#include "common/softgpu/softcc/rewriter/rewriter.h"

enum { NAME_ROOM = 128, NAMES = 256, DEPTH = 8 };

/* The names of one part of CUDA. */
struct family {
    const char *prefix;
    const char *libraries; /* the same for -l, or NULL: as the names */
    bool whole;            /* the prefix is the name: a namespace, a type */
    const char *advice;
};

#define TYPES                                                                  \
    "this type of values is not on the software GPU; library_types.h lists "   \
    "what there is"

#define SPARSE                                                                 \
    "of cuSPARSE the software GPU has the generic interface: vectors, CSR, "   \
    "CSC and COO matrices, SpMV, SpMM, SpSV, SpSM, SDDMM, SpGEMM, "            \
    "conversions, sorts; and incomplete LU"
#define SOLVER                                                                 \
    "of cuSOLVER the software GPU has dense LU, Cholesky, QR, symmetric and "  \
    "Hermitian eigenvalues (syevd, syevj, heevd) and singular values "         \
    "(gesvd), some with 64-bit sizes (Xgetrf): "                               \
    "cusolverDn.h"

/* The longest prefix comes first. */
static const struct family families[] = {
    { "cublasXt", NULL, false,
      "of cuBLASXt the software GPU has gemm for float and double" },
    { "cublas", NULL, false,
      "of cuBLAS the software GPU has levels 1 to 3 for float, double and "
      "complex numbers, gemm and gemv of batches, trsm, LU, QR and inverses of "
      "batches; and cublasLtMatmul" },
    { "cudnn", NULL, false,
      "of cuDNN the software GPU has convolutions, activations, pooling, "
      "softmax, normalization, dropout, tensor operations and reductions" },
    { "curand", NULL, false,
      "of cuRAND the software GPU has all generators: bits, uniform, normal, "
      "log-normal, Poisson and discrete numbers" },
    { "CURAND_", NULL, false,
      "of cuRAND's constants the software GPU has statuses, generators, orders "
      "and sets of direction vectors" },
    { "cufft", NULL, false,
      "of cuFFT the software GPU has plans for one device, transforms of float "
      "and double, and callbacks" },
    { "cusparse", NULL, false, SPARSE },
    { "csric02Info_t", NULL, true, SPARSE },
    { "csrsv2Info_t", NULL, true, SPARSE },
    { "csrsm2Info_t", NULL, true, SPARSE },
    { "bsrsv2Info_t", NULL, true, SPARSE },
    { "csrgemm2Info_t", NULL, true, SPARSE },
    { "cusolverMg", "cusolverMg", false,
      "solvers over several devices are not on the software GPU; solve on one "
      "(cusolverDn.h)" },
    { "cusolver", NULL, false, SOLVER },
    { "gesvdjInfo_t", NULL, true, SOLVER },
    { "csrqrInfo_t", NULL, true, SOLVER },
    { "csrcholInfo_t", NULL, true, SOLVER },
    { "nvrtc", NULL, false,
      "of NVRTC the software GPU has programs, their PTX and CUBIN, logs and "
      "lowered names" },
    { "nvml", NULL, false,
      "of NVML the software GPU has what a device is: count, names, places, "
      "memory, clocks' highest values" },
    { "nvJitLink", "nvJitLink", false,
      "there is no nvJitLink on the software GPU; load a module that softcc "
      "made (softcc -cubin)" },
    { "npp", "npp", false,
      "there is no NPP on the software GPU; write the kernel" },
    { "nvjpeg", "nvjpeg", false,
      "there is no nvJPEG on the software GPU; decode on the host" },
    { "nccl", "nccl", false,
      "there is no NCCL on the software GPU; copy with cudaMemcpyPeer()" },
    { "cupti", "cupti", false,
      "there is no CUPTI on the software GPU; softcc --profile counts" },
    { "cufile", "cufile", false,
      "there is no cuFile on the software GPU; read into host memory" },
    { "thrust", NULL, true,
      "Thrust's headers, which softcc finds where nvidia-cuda-cccl is "
      "installed, do not have this, or are not included" },
    { "cub", NULL, true,
      "CUB's headers, which softcc finds where nvidia-cuda-cccl is installed, "
      "do not have this, or are not included" },
    { "CUDA_R_", NULL, false, TYPES },
    { "CUDA_C_", NULL, false, TYPES },
    { "cuda", NULL, false,
      "the software GPU does not have this part of the runtime API; its "
      "headers in common/softgpu/include list what there is" },
    { "CU_", NULL, false,
      "the software GPU does not have this part of the driver API; use the "
      "runtime API (cuda_runtime.h)" },
    { "CU", NULL, false,
      "the software GPU does not have this part of the driver API; use the "
      "runtime API (cuda_runtime.h)" },
    { "cu", NULL, false,
      "the software GPU does not have this part of the driver API; use the "
      "runtime API (cuda_runtime.h)" },
};

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is the name one of a library's constants: CUSPARSE_ACTION_NUMERIC of
 * "cusparse", CUBLASLT_EPILOGUE_GELU of "cublas"?  Names with CUDA_ are often the program's. */
static bool is_constant_of(const struct family *f, const char *name)
{
    size_t n = 0;
    while (f->prefix[n] && toupper((unsigned char)f->prefix[n]) == name[n])
        n++;
    return !f->whole && !f->prefix[n] && islower((unsigned char)*f->prefix)
           && (name[n] == '_' || strncmp(name + n, "LT_", 3) == 0)
           && strcmp(f->prefix, "cuda") != 0
           && strcmp(f->prefix, "cu") != 0;
}

static bool has_family(const struct family *f, const char *name)
{
    const size_t n = strlen(f->prefix);
    if (is_constant_of(f, name))
        return true;
    if (strncmp(name, f->prefix, n) != 0)
        return false;
    if (f->whole)
        return name[n] == 0;
    if (strcmp(f->prefix, "cu") == 0) /* cuInit, not "current" */
        return isupper((unsigned char)name[n]);
    if (strcmp(f->prefix, "CU") == 0) /* CUdevice, not "CUT" */
        return islower((unsigned char)name[n]);
    return true;
}

static const struct family *find_family(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (has_family(&families[i], name))
            return &families[i];
    return NULL;
}

/* --- is the name in our headers? ------------------------------------------ */

static const char *wanted; /* by search_header() */

static bool has_whole_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += n)
        if ((at == text || !is_word_character(at[-1]))
            && !is_word_character(at[n]))
            return true;
    return false;
}

static int search_header(const char *path, const struct stat *s, int kind,
                         struct FTW *ftw)
{
    (void)s;
    (void)ftw;
    size_t n;
    char *text = kind == FTW_F ? read_file(path, SIZE_MAX - 1, &n) : NULL;
    const bool found = text && has_whole_word(text, wanted);
    free(text);
    return found;
}

static bool is_declared(const char *name, const char *include)
{
    wanted = name;
    return nftw(include, search_header, DEPTH, FTW_PHYS) == 1;
}

/* --- messages ------------------------------------------------------------- */

/* The first word in quotes ('x', `x' or the typographic ones) from p on.
 * @return false if there is none */
static bool quoted_word(const char *p, char *name)
{
    size_t n = 0;
    p += strcspn(p, "'`\xe2");
    while (*p && !is_word_character(*p) && *p != ' ')
        p++;
    while (n + 1 < NAME_ROOM && is_word_character(p[n]))
        n++;
    memcpy(name, p, n);
    name[n] = 0;
    return n > 0;
}

/* The name in a message that something is not declared or defined. */
static bool unknown_name(const char *line, char *name)
{
    static const char *const prefixes[] = {
        "error: ", "undefined reference to ",
        "warning: implicit declaration of function "
    };
    if (strstr(line, "fatal error: ")) /* a header is missing */
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *at = strstr(line, prefixes[i]);
        if (at)
            return quoted_word(at + strlen(prefixes[i]), name);
    }
    return false;
}

/* Does a message that begins with a whole name ("no conversion from 'cub::Pair'
 * to 'int'") say that there is no such namespace or type? */
static bool says_unknown(const char *line, const struct family *family)
{
    return !family->whole || strstr(line, "declared")
           || strstr(line, "does not name") || strstr(line, "namespace name")
           || strstr(line, "unknown type name")
           || strstr(line, "is not a namespace");
}

/* @param again  is the family's advice in a line above? */
static void print_refusal(const char *line, const char *name,
                          const struct family *family, bool again)
{
    const char *end = strstr(line, "error: ");
    end = end ? end : strstr(line, "warning: ");
    end = end ? end : strstr(line, "undefined reference");
    const char *advice = unsupported_advice(name);
    fprintf(stderr, "%.*serror: %s: %s\n", (int)(end - line), line, name,
            advice ? advice
            : again ? "not on the software GPU either" : family->advice);
}

bool refuse_missing_names(const struct buffer *messages, const char *include)
{
    static char told[NAMES][NAME_ROOM];
    bool advised[sizeof families / sizeof *families] = { 0 };
    char line[4096], name[NAME_ROOM];
    int count = 0;
    for (const char *p = messages->bytes; p && *p;) {
        const size_t n = strcspn(p, "\n");
        copy_plain(line, sizeof line, p, n);
        p += n + (p[n] == '\n');
        const struct family *family =
            unknown_name(line, name) ? find_family(name) : NULL;
        int i = 0;
        while (i < count && strcmp(told[i], name) != 0)
            i++;
        if (!family || !says_unknown(line, family) || i < count
            || count == NAMES
            || is_declared(name, include))
            continue;
        strcpy(told[count++], name);
        bool *again = &advised[family - families];
        print_refusal(line, name, family, *again);
        *again = true;
    }
    return count > 0;
}

/* --- libraries ------------------------------------------------------------ */

/* "/usr/lib/libcufft.so.11" and "-lcufft" are "cufft". */
static const char *library_name(const char *path)
{
    if (strncmp(path, "-l", 2) == 0)
        return path + 2;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return strncmp(name, "lib", 3) == 0 ? name + 3 : name;
}

const char *library_advice(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const char *library = families[i].libraries;
        if (library && strncmp(name, library, strlen(library)) == 0)
            return families[i].advice;
    }
    return NULL;
}

bool refuse_library(const char *path)
{
    const char *advice = library_advice(library_name(path));
    if (advice)
        fprintf(stderr, "softcc: error: %s: %s\n", path, advice);
    return advice != NULL;
}
