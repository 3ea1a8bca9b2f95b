/* SPDX-License-Identifier: MIT */
/* Random kernels on both engines: each prints a hash of its results, which must
 * be the same, bit for bit, on fibers and on vectors.
 *
 *     fuzz_engines [FIRST-SEED [FILES [OPTIONS]]]
 *
 * A file has KERNELS kernels.  OPTIONS are for softcc, such as
 * "-Xcompiler -mno-avx512f" for rows of 8 lanes.
 *
 * A file whose hashes differ stays in the temporary folder, which is named. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/temp_dir.h"

enum {
    KERNELS = 12,   /* of a file */
    DEPTH = 3,      /* of nested statements */
    PATH = 512,     /* characters of a path */
    SKIPPED = 77    /* exit status without the vector engine */
};

static FILE *out;
static unsigned long long state;

/* A random number below `end`: xorshift64*. */
static unsigned below(unsigned end)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * 2685821657736338717ull) >> 33) % end;
}

static void line(int depth, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(out, "%*s", 4 * depth, "");
    vfprintf(out, format, arguments);
    fputc('\n', out);
    va_end(arguments);
}

/* --- expressions ----------------------------------------------------------- */

static const char *variable(void)
{
    static const char *const names[] = { "a", "b", "c", "t", "n" };
    return names[below(5)];
}

/* An expression of unsigned numbers. */
static void expression(char *text, size_t room)
{
    static const char *const forms[] = {
        "%s + %s", "%s - %s", "%s * %s", "%s ^ %s", "(%s & 15) + %s",
        "%s / ((%s & 7) + 1)", "%s %% ((%s & 15) + 1)", "%s << (%s & 3)",
        "%s >> (%s & 7)", "(unsigned)((int)%s / 3) + %s", "min(%s, %s)",
        "(%s < %s ? a + 1 : b)", "__popc(%s) + %s", "%s | (%s & 255)",
        "in[(%s + %s) & 255]", "(unsigned)(float)(%s & 1023) + %s" };
    const unsigned form = below(sizeof forms / sizeof *forms);
    snprintf(text, room, forms[form], variable(), variable());
}

/* A condition that differs between threads, or not. */
static void condition(char *text, size_t room)
{
    static const char *const forms[] = {
        "(%s & 1) == 0", "%s > 40", "t < 16 && %s != 3", "(t & 3) == (%s & 3)",
        "n > 2 || %s > 9", "(n & 1) == 1 && %s + 1 > 0", "x > 1.5f && %s > 2",
        "t < 32 || %s == 7" };
    snprintf(text, room, forms[below(sizeof forms / sizeof *forms)],
             variable());
}

/* --- statements ------------------------------------------------------------ */

static int loops; /* names of loop variables are numbered */

static void statements(int depth, int count, int in_loop);

static void simple_statement(int depth)
{
    char text[128];
    static const char *const targets[] = { "a", "b", "c" };
    expression(text, sizeof text);
    switch (below(9)) {
    case 0: line(depth, "x = x * 0.5f + (float)(%s & 63);", variable()); break;
    case 1: line(depth, "x = sqrtf(fabsf(x) + (float)(t & 7));"); break;
    case 2: line(depth, "l[%s & 3] = %s;", variable(), text); break;
    case 3: line(depth, "a += l[%s & 3];", variable()); break;
    case 4: line(depth, "out[g * 4 + (%s & 3)] = %s;", variable(), text); break;
    case 5: line(depth, "atomicAdd(&counts[%s & 15], %s & 7);", variable(),
                 variable()); break;
    default: line(depth, "%s = %s;", targets[below(3)], text); break;
    }
}

static void if_statement(int depth, int in_loop)
{
    char text[128];
    condition(text, sizeof text);
    line(depth, "if (%s) {", text);
    statements(depth + 1, 1 + (int)below(3), in_loop);
    if (below(2)) {
        line(depth, "} else {");
        statements(depth + 1, 1 + (int)below(3), in_loop);
    }
    line(depth, "}");
}

static void loop_statement(int depth)
{
    static const char *const ends[] = { "4", "n", "(a & 7)", "(t & 3) + 1",
                                        "(b & 3) + n" };
    const int i = loops++;
    char text[128];
    line(depth, "for (unsigned i%d = 0; i%d < %s && i%d < 9; i%d++) {", i, i,
         ends[below(5)], i, i);
    statements(depth + 1, 1 + (int)below(3), 1);
    condition(text, sizeof text);
    if (below(3) == 0)
        line(depth + 1, "if (%s) %s;", text, below(2) ? "break" : "continue");
    line(depth + 1, "a += i%d;", i);
    line(depth, "}");
}

static void switch_statement(int depth, int in_loop)
{
    line(depth, "switch (%s & 3) {", variable());
    for (int i = 0; i < 3; i++) {
        line(depth, "case %d:", i);
        statements(depth + 1, 1, in_loop);
        if (below(3))
            line(depth + 1, "break;");
    }
    line(depth, "default: c += 5;");
    line(depth, "}");
}

static void statements(int depth, int count, int in_loop)
{
    while (count--)
        switch (depth <= DEPTH ? below(8) : 7) {
        case 0:
        case 1: if_statement(depth, in_loop); break;
        case 2: loop_statement(depth); break;
        case 3: switch_statement(depth, 0); break;
        default: simple_statement(depth); break;
        }
}

/* What all threads of the block do together. */
static void exchange(void)
{
    static const char *const values[] = { "a", "b", "c" };
    const char *value = values[below(3)];
    switch (below(6)) {
    case 0:
        line(1, "__syncthreads(); s[tid] = %s; __syncthreads();", value);
        line(1, "b += s[(tid + %u) %% threads];", 1 + below(9));
        break;
    case 1:
        line(1, "%s += __shfl_xor_sync(~0u, %s, %u);", value, value,
             1u << below(5));
        break;
    case 2:
        line(1, "x += __shfl_down_sync(~0u, x, %u);", 1 + below(20));
        break;
    case 3:
        line(1, "c ^= __ballot_sync(~0u, %s & 1);", value);
        break;
    case 4:
        line(1, "a += __syncthreads_count(%s & 1);", value);
        break;
    default:
        line(1, "for (unsigned k = 0; k < n; k++) {");
        line(2, "__syncthreads(); s[tid] = %s; __syncthreads();", value);
        line(2, "if (%s & 1) %s += s[threads - 1 - tid];", value, value);
        line(1, "}");
    }
}

static void kernel(int number)
{
    line(0, "__global__ void kernel%d(const unsigned *in, unsigned *out, "
            "unsigned *counts, unsigned n)", number);
    line(0, "{");
    line(1, "__shared__ unsigned s[256];");
    line(1, "const unsigned threads = blockDim.x * blockDim.y;");
    line(1, "const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;");
    line(1, "const unsigned g = blockIdx.x * threads + tid;");
    line(1, "const unsigned t = %s;",
         (const char *[]){ "tid", "threadIdx.x", "tid % 32", "tid / 16" }
             [below(4)]);
    line(1, "unsigned a = in[tid], b = in[255 - tid] & 31, c = t * 3;");
    line(1, "unsigned l[4] = { 1, b, 3, a };");
    line(1, "float x = (float)(a & 255) * 0.25f;");
    for (int i = 0; i < 3; i++) {
        statements(1, 2 + (int)below(3), 0);
        exchange();
    }
    if (below(2)) {
        char text[128];
        condition(text, sizeof text);
        line(1, "if (%s) return;", text);
        statements(1, 2, 0);
    }
    line(1, "out[g * 4] = a + l[1]; out[g * 4 + 1] = b ^ l[2];");
    line(1, "out[g * 4 + 2] += c; out[g * 4 + 3] += __float_as_uint(x);");
    line(0, "}");
}

/* --- a file ------------------------------------------------------------------- */

static const char main_text[] =
    "typedef void kernel_t(const unsigned *, unsigned *, unsigned *,\n"
    "                      unsigned);\n"
    "static void run(int number, kernel_t *kernel, dim3 block)\n"
    "{\n"
    "    unsigned *in, *out, *counts, hash = 2166136261u;\n"
    "    cudaMallocManaged(&in, 1024);\n"
    "    cudaMallocManaged(&out, 2 * 256 * 16 + 64);\n"
    "    counts = out + 2 * 256 * 4;\n"
    "    for (int i = 0; i < 256; i++)\n"
    "        in[i] = (unsigned)i * 2654435761u >> 20;\n"
    "    memset(out, 0, 2 * 256 * 16 + 64);\n"
    "    kernel<<<2, block>>>(in, out, counts, 3);\n"
    "    int error = (int)cudaDeviceSynchronize();\n"
    "    for (int i = 0; i < 2 * 256 * 4 + 16; i++)\n"
    "        hash = (hash ^ out[i]) * 16777619u;\n"
    "    printf(\"%d %u %u: %d %08x\\n\", number, block.x, block.y, error,\n"
    "           hash);\n"
    "}\n";

static void write_file(const char *path, unsigned long long seed)
{
    out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(1);
    }
    state = seed * 0x9e3779b97f4a7c15ull + 1;
    line(0, "#include <stdio.h>\n#include <string.h>");
    for (int i = 0; i < KERNELS; i++)
        kernel(i);
    fputs(main_text, out);
    line(0, "int main()\n{");
    for (int i = 0; i < KERNELS; i++) {
        static const char *const blocks[] = { "32", "256", "dim3(16, 4)",
                                              "dim3(32, 8)", "dim3(48, 2)" };
        line(1, "run(%d, kernel%d, %s);", i, i, blocks[below(5)]);
    }
    line(0, "}");
    fclose(out);
}

static int shell(const char *format, ...)
{
    char command[4 * PATH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command);
}

/* @return is the output of both engines the same? */
static int engines_agree(const char *build, const char *options,
                         const char *folder, unsigned long long seed)
{
    char at[PATH];
    snprintf(at, sizeof at, "%s/%llu", folder, seed);
    char source[PATH + 8];
    snprintf(source, sizeof source, "%s.cu", at);
    write_file(source, seed);
    if (shell("SOFTCC_SHOW_ENGINE=1 %s/softcc --engine vectors -w %s -o %s %s "
              "2>%s.engines", build, options, at, source, at)) {
        printf("seed %llu: does not compile\n", seed);
        return 0;
    }
    if (shell("SOFTGPU_ENGINE=fibers %s >%s.fibers", at, at)
        || shell("SOFTGPU_ENGINE=vectors %s >%s.vectors", at, at)) {
        printf("seed %llu: does not run\n", seed);
        return 0;
    }
    if (shell("sed -n 's/^.*: fibers: /on fibers: /p' %s.engines; "
              "grep -q ': vectors$' %s.engines", at, at)) {
        printf("seed %llu: no kernel runs as vectors\n", seed);
        return 0;
    }
    return shell("diff %s.fibers %s.vectors", at, at) == 0;
}

int main(int argc, char **argv)
{
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    const unsigned long long first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const int files = argc > 2 ? atoi(argv[2]) : 1;
    const char *options = argc > 3 ? argv[3] : "";
    const char *folder = temp_process_dir();
    char plugin[PATH];
    int failed = 0;
    snprintf(plugin, sizeof plugin, "%s/lib/softcc-vectors.so", build);
    if (access(plugin, R_OK)) {
        puts("skipped: the vector engine is not built");
        return SKIPPED;
    }
    for (int i = 0; i < files; i++)
        if (!engines_agree(build, options, folder, first + (unsigned)i)) {
            printf("seed %llu: the engines differ: %s/%llu.cu\n",
                   first + (unsigned)i, folder, first + (unsigned)i);
            temp_dirs_keep();
            failed++;
        }
    printf("%d passed, %d failed\n", files - failed, failed);
    return failed != 0;
}
