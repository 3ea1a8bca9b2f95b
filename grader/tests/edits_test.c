/* SPDX-License-Identifier: MIT */
/* The edits that are tried on a wrong source: which ones there are, and that
 * each changes what it says. */
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/locate/edits.h"

enum { MOST = 4096 };

static const char kernel[] =
    "#include \"sum.h\"\n"                                        /* 1 */
    "#define RADIUS 3\n"                                          /* 2 */
    "// if (i < n)\n"                                             /* 3 */
    "__global__ void sum(const float *in, float *out, int width, int n)\n"
    "{\n"                                                         /* 5 */
    "    __shared__ float s_part[64];\n"                          /* 6 */
    "    int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / width;\n"
    "    for (int step = 32; step >= 1; step >>= 1)\n"            /* 8 */
    "        if (threadIdx.x < step)\n"                           /* 9 */
    "            s_part[i] += in[row * width + step];\n"          /* 10 */
    "    switch (n) {\n"                                          /* 11 */
    "    case 0:\n"                                               /* 12 */
    "        out[0] = 0.0f;\n"                                    /* 13 */
    "    case 1:\n"                                               /* 14 */
    "        out[1] = fmaxf(in[0], in[1]);\n"                     /* 15 */
    "        break;\n"                                            /* 16 */
    "    }\n"                                                     /* 17 */
    "}\n"                                                         /* 18 */
    "int launch(float *d_in, float *d_out, int n)\n"              /* 19 */
    "{\n"                                                         /* 20 */
    "    cudaMemset(d_out, 0, n);\n"                              /* 21 */
    "    sum<<<(n + 63) / 64, 64>>>(d_in, d_out, n, n);\n"        /* 22 */
    "    return cudaGetLastError();\n"                            /* 23 */
    "}\n";

static struct source source;
static struct edits edits = {&source, NULL, 0, MOST};

static int open_kernel(void)
{
    edits.edit = calloc(MOST, sizeof *edits.edit);
    if (!edits.edit || !source_open(kernel, &source))
        return 1;
    edits_list(&edits);
    return 0;
}

static int close_kernel(void)
{
    source_close(&source);
    free(edits.edit);
    return 0;
}

/* Is there an edit at this line after which the line has this text? */
static bool has(int line, const char *after)
{
    bool found = false;

    for (size_t i = 0; i < edits.count && !found; i++) {
        char *text;
        const char *at;

        if (edits.edit[i].line != line)
            continue;
        text = edit_apply(&source, &edits.edit[i]);
        at = text;
        for (int l = 1; at && l < line; l++)
            at = strchr(at, '\n') + 1;
        found = at && strstr(at, after)
                && strcspn(at, "\n") >= (size_t)(strstr(at, after) - at);
        free(text);
    }
    return found;
}

static void functions(void)
{
    CU_ASSERT_FATAL(source.functions == 2);
    CU_ASSERT(source.function[0].is_device && !source.function[1].is_device);
    CU_ASSERT(source.token[source.function[0].body].line == 5);
    CU_ASSERT(source.token[source.function[1].end].line == 24);
}

static void operators(void)
{
    CU_ASSERT(has(9, "(threadIdx.x <= step)"));
    CU_ASSERT(has(8, "step > 1;"));
    CU_ASSERT(has(8, "step <<= 1)"));
    CU_ASSERT(has(10, "s_part[i] = in"));
    CU_ASSERT(has(7, "row = i % width"));
    CU_ASSERT(has(7, "row = ((i + width - 1) / width)"));
    CU_ASSERT(has(22, "(n + 63) * 64"));
    CU_ASSERT(!has(3, "<="));        /* a comment */
    CU_ASSERT(!has(4, "const float /")); /* a declarator's star */
    CU_ASSERT(!has(22, "sum<="));
}

static void numbers(void)
{
    CU_ASSERT(has(2, "RADIUS 4"));
    CU_ASSERT(has(8, "step = 16;"));
    CU_ASSERT(has(13, "= -INFINITY;"));
    CU_ASSERT(has(22, "(n + 64) / 64"));
    CU_ASSERT(!has(1, "sum"));       /* a directive */
}

static void names(void)
{
    CU_ASSERT(has(10, "row * n + step"));
    CU_ASSERT(has(10, "(row + 1) * width"));
    CU_ASSERT(has(7, "blockIdx.y *"));
    CU_ASSERT(has(7, "gridDim.x"));
    CU_ASSERT(has(15, "fminf(in[0]"));
    CU_ASSERT(has(15, "out[1] = fmaxf(out[0]"));
    CU_ASSERT(!has(10, "row * in")); /* of another kind */
    CU_ASSERT(!has(22, "width"));    /* of another function */
}

static void statements(void)
{
    CU_ASSERT(has(10, "+ step]; __syncthreads();"));
    CU_ASSERT(has(14, "break; case 1:"));
    CU_ASSERT(!has(12, "break; case"));
    CU_ASSERT(has(10, "atomicAdd(&(s_part[i]), in[row * width + step]);"));
    CU_ASSERT(has(13, "        ;\n"));
    CU_ASSERT(has(9, "if (!(threadIdx.x < step))"));
    CU_ASSERT(has(21, "(n) * sizeof(float))"));
    CU_ASSERT(has(22, "(d_out, d_in, n"));
    CU_ASSERT(!has(21, "__syncthreads")); /* host code */
    CU_ASSERT(!has(8, "32; __sync"));     /* a loop's head */
}

/* The whole list, in its order, without a text twice. */
static void order(void)
{
    CU_ASSERT(edits.count > 100 && edits.count < MOST);
    for (size_t i = 0; i < edits.count; i++) {
        const struct edit *edit = &edits.edit[i];
        char *text = edit_apply(&source, edit);

        CU_ASSERT(i == 0 || edit[-1].rank <= edit->rank);
        CU_ASSERT(edit->at + edit->length <= strlen(kernel));
        CU_ASSERT(text && strcmp(text, kernel) != 0);
        CU_ASSERT(*edit->words != 0);
        free(text);
        for (size_t j = 0; j < i; j++)
            CU_ASSERT(edits.edit[j].at != edit->at
                      || edits.edit[j].length != edit->length
                      || strcmp(edits.edit[j].text, edit->text) != 0);
    }
}

/* Sources that no compiler takes are read without harm. */
static void broken(void)
{
    static const char *const texts[] = {
        "", "#", "{", "}", "(((", ")))", "int f(", "__global__ void f(int",
        "#define A", "#define A \\\n", "f(){if(", "f(){x+=", "f(){case",
        "f(){a/", "f(){a.b->c[", "f(){g(,,)}", "\"", "'", "/*", "f(){<<<>>>}",
        "f(int a){a/(", "enum {", "f(){int a[", "f(){-", "<", "f(){a<<=",
        "f(){for(;;", "f(){if()}", "x){}", "#define N 1"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct source one = {0};
        struct edits list = {&one, edits.edit, 0, MOST};

        CU_ASSERT_FATAL(source_open(texts[i], &one));
        edits_list(&list);
        for (size_t j = 0; j < list.count; j++)
            free(edit_apply(&one, &list.edit[j]));
        source_close(&one);
    }
    edits_list(&edits);
}

int main(void)
{
    CU_TestInfo tests[] = {{"functions", functions},
                           {"operators", operators},
                           {"numbers", numbers},
                           {"names", names},
                           {"statements", statements},
                           {"order", order},
                           {"broken sources", broken},
                           CU_TEST_INFO_NULL};
    int failed;

    if (open_kernel())
        return 1;
    failed = run_tests("edits", tests);
    close_kernel();
    return failed;
}
