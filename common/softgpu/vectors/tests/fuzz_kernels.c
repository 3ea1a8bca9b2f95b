/* SPDX-License-Identifier: MIT */
/* Random kernels: nested branches, loops and switches that threads take alike
 * or not, early returns, barriers in them, exchanges by shuffles, shared arrays
 * and structs, atomic functions.  No result depends on the order of the
 * threads, and no element is accessed by two threads without a barrier
 * between. */
#include <stdarg.h>

#include "common/softgpu/vectors/tests/fuzz_kernels.h"

enum { DEPTH = 3 }; /* of nested statements */

/* The file that is written, and the state of the generator. */
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

/* One line of the program, indented by its depth. */
static void line(int depth, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(out, "%*s", 4 * depth, "");
    vfprintf(out, format, arguments);
    fputc('\n', out);
    va_end(arguments);
}

/* --- expressions ---------------------------------------------------------- */

/* A variable of each thread, or n, which is the same for all of them.
 *
 *     a, b, c  unsigned numbers, which statements change
 *     t        a number of the thread: it rises by 1, or not, from lane to lane
 *     x, l, p  a float, a local array, and a struct: see kernel() */
static const char *variable(void)
{
    static const char *const names[] = { "a", "b", "c", "t", "n" };
    return names[below(5)];
}

/* An expression of unsigned numbers.  Divisors are never 0, shifts less than
 * the width, and indices within their arrays: no thread has undefined
 * behavior. */
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

/* A condition.  Some are the same for all threads, some for the threads of a
 * warp or of a row, and some differ from each thread to the next. */
static void condition(char *text, size_t room)
{
    static const char *const forms[] = {
        "(%s & 1) == 0", "%s > 40", "t < 16 && %s != 3", "(t & 3) == (%s & 3)",
        "n > 2 || %s > 9", "(n & 1) == 1 && %s + 1 > 0", "x > 1.5f && %s > 2",
        "t < 32 || %s == 7" };
    snprintf(text, room, forms[below(sizeof forms / sizeof *forms)],
             variable());
}

/* --- statements ----------------------------------------------------------- */

/* An atomic function on words of its own: the order of the threads does not
 * show. */
static void atomic_statement(int depth)
{
    static const char *const names[] = { "Add", "Max", "Min", "Or", "And",
                                         "Xor" };
    const unsigned at = below(6);
    line(depth, "atomic%s(&counts[%u + (%s & 1)], %s);", names[at], 2 * at,
         variable(), variable());
}

static int loops; /* names of loop variables are numbered */

static void statements(int depth, int count, int in_loop);

/* An access under a condition that keeps its index in bounds.  In threads for
 * which the condition does not hold, the index may wrap. */
static void guarded_access(int depth)
{
    const unsigned away = 1 + below(12);
    switch (below(5)) {
    case 0:
        line(depth, "if (t - %u < 200) a += in[t - %u];", away, away);
        break;
    case 1:
        line(depth, "if (t >= n + 1) b ^= in[t - n - 1];");
        break;
    case 2:
        line(depth, "if ((int)t - %u >= 0 && %s > 7) c += in[(int)t - %u];",
             away, variable(), away);
        break;
    case 3:
        line(depth, "if (((t + %u) & 3) == 0 && t < 240)", away);
        line(depth + 1, "a ^= in[t + %u];", away + 1 + below(3));
        break;
    default:
        line(depth, "if (t * 2 >= %u && t < 128) b += in[t * 2 - %u];", away,
             away);
    }
}

/* Different operations with constants on neighboring elements, which a compiler
 * may join. */
static void butterfly(int depth)
{
    const unsigned add = 1 + below(9999), bits = 1 + below(20);
    line(depth, "{ int p = (int)(%s + %u) >> %u, q = (int)%s >> %u & -4;",
         variable(), add, bits, variable(), bits + 1);
    line(depth + 1, "int r = (int)(%s + %u) >> %u, s = (int)%s >> %u & -4;",
         variable(), add, bits, variable(), bits + 1);
    line(depth + 1, "l[0] = (p + q) * 9; l[1] = (q - p) * 7;");
    line(depth + 1, "l[2] = (r + s) * 9; l[3] = (s - r) * 7; }");
}

/* A statement without branches: floats, the local array, the struct, stores to
 * the thread's own elements of `out`, and assignments, which are the most. */
static void simple_statement(int depth)
{
    char text[128];
    static const char *const targets[] = { "a", "b", "c" };
    expression(text, sizeof text);
    /* a kernel with an atomic function in a small loop is left to fibers */
    switch (below(depth > 1 ? 14 : 16)) {
    case 13: butterfly(depth); break;
    case 9: line(depth, "p = step(p, %s);", variable()); break;
    case 10: line(depth, "a += p.u ^ p.c[%s & 3];", variable()); break;
    case 11: line(depth, "x += p.f * 0.25f;"); break;
    case 12: guarded_access(depth); break;
    case 14: line(depth, "p.u = %s;", text); break;
    case 15: atomic_statement(depth); break;
    case 5: line(depth, "b = max(a, %s);", variable()); break;
    case 0: line(depth, "x = x * 0.5f + (float)(%s & 63);", variable()); break;
    case 1: line(depth, "x = sqrtf(fabsf(x) + (float)(t & 7));"); break;
    case 2: line(depth, "l[%s & 3] = %s;", variable(), text); break;
    case 3: line(depth, "a += l[%s & 3];", variable()); break;
    case 4: line(depth, "out[g * 4 + (%s & 3)] = %s;", variable(), text); break;
    default: line(depth, "%s = %s;", targets[below(3)], text); break;
    }
}

/* A branch, with or without `else`. */
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

/* A loop of at most nine iterations, whose number may differ between threads;
 * some threads leave it early or skip the rest of an iteration. */
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

/* A switch whose cases may go on in the next one. */
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

/* Some statements, one after the other. */
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

/* Operations of the threads of a warp together: shuffles by a constant and by a
 * variable, votes, a shuffle of the odd lanes alone, values in shared memory
 * that __syncwarp() orders, and a reduction.  All lanes reach the call. */
static void warp_exchange(int depth, const char *value)
{
    switch (below(8)) {
    case 6:
        line(depth, "__syncwarp(); w[tid] = %s; __syncwarp();", value);
        line(depth, "if (tid < 32) { a += w[tid ^ 1]; __syncwarp();");
        line(depth + 1, "w[tid] = a; __syncwarp(); b ^= w[tid ^ %u]; }",
             2 + below(30));
        line(depth, "__syncwarp();");
        break;
    case 0:
        line(depth, "%s += __shfl_xor_sync(~0u, %s, %u);", value, value,
             1u << below(5));
        break;
    case 1:
        line(depth, "x += __shfl_down_sync(~0u, x, %u);", 1 + below(20));
        break;
    case 2:
        line(depth, "%s ^= __shfl_sync(~0u, %s, (tid + %s) & 31);", value,
             value, variable());
        break;
    case 3:
        line(depth, "c ^= __ballot_sync(~0u, %s & 1);", value);
        break;
    case 4:
        line(depth, "if (__any_sync(~0u, %s > 9) && tid & 1)", value);
        line(depth + 1, "b += __shfl_up_sync(0xaaaaaaaau, b, 2);");
        break;
    case 5:
        line(depth, "__syncwarp(); w[tid] = %s; __syncwarp();", value);
        line(depth, "b += w[tid ^ %u]; __syncwarp();", 1 + below(15));
        break;
    default:
        line(depth, "c += __reduce_add_sync(~0u, %s & 1023);", value);
    }
}

/* Operations of the threads of a block together: numbers and structs in shared
 * memory, sums by atomic functions, votes of a barrier.  A barrier stands
 * before each store, since other threads may still read what the last exchange
 * left. */
static void block_exchange(int depth, const char *value)
{
    switch (below(5)) {
    case 0:
        line(depth, "__syncthreads(); s[tid] = %s; __syncthreads();", value);
        line(depth, "b += s[(tid + %u) %% threads];", 1 + below(9));
        break;
    case 1:
        line(depth, "__syncthreads(); sp[tid] = p; __syncthreads();");
        line(depth, "p.u += sp[(tid * %u) %% threads].u;", 1 + below(9));
        line(depth, "x += sp[threads - 1 - tid].f * 0.125f;");
        break;
    case 2:
        line(depth, "__syncthreads(); if (tid < 8) bins[tid] = %s & 7;", value);
        line(depth, "__syncthreads();");
        line(depth, "atomicAdd(&bins[%s & 7], b & 15);", value);
        line(depth, "__syncthreads(); c += bins[tid & 7];");
        break;
    case 3:
        line(depth, "if (__syncthreads_%s(%s & 1)) a += 3;",
             below(2) ? "or" : "and", value);
        break;
    default:
        line(depth, "a += __syncthreads_count(%s & 1);", value);
    }
}

/* An exchange, perhaps in branches and loops that all threads of the block take
 * alike: their conditions depend on n, on blockIdx, on an element that all
 * threads load, or on a vote.  These nest, with statements that diverge between
 * the barriers. */
static void exchange(int depth)
{
    static const char *const values[] = { "a", "b", "c" };
    const char *value = values[below(3)];
    switch (depth <= DEPTH ? below(9) : below(5)) {
    case 0:
    case 1: warp_exchange(depth, value); break;
    case 2:
    case 3:
    case 4: block_exchange(depth, value); break;
    case 5:
        line(depth, "for (unsigned k%d = 0; k%d < n; k%d++) {", depth, depth,
             depth);
        exchange(depth + 1);
        statements(depth + 1, 1, 0);
        if (below(3) == 0)
            line(depth + 1, "if (__syncthreads_or(%s > 900)) break;", value);
        line(depth, "}");
        break;
    case 6:
        line(depth, "if (%s) {", below(2) ? "n & 1" : "in[n] & 1");
        exchange(depth + 1);
        line(depth, "} else {");
        statements(depth + 1, 1, 0);
        exchange(depth + 1);
        line(depth, "}");
        break;
    case 7:
        line(depth, "switch (%s) {", below(2) ? "n" : "blockIdx.x");
        line(depth, "case %u:", below(4));
        exchange(depth + 1);
        line(depth, "default:");
        exchange(depth + 1);
        line(depth, "}");
        break;
    default:
        line(depth, "for (unsigned k%d = 0; k%d < n; k%d++) {", depth, depth,
             depth);
        line(depth + 1, "__syncthreads(); s[tid] = %s; __syncthreads();",
             value);
        line(depth + 1, "if (%s & 1) %s += s[threads - 1 - tid];", value,
             value);
        line(depth, "}");
    }
}

/* A kernel: three times statements and an exchange, then perhaps a return of
 * some threads, and the results.  Before, whole blocks may return.
 *
 *     tid  number of the thread in its block; t is a part of it g    number of
 *     the thread in the grid: it owns out[4 * g] to out[4 * g + 3] n    3 at
 *     run time, which the compiler does not know */
static void kernel(int number)
{
    line(0, "__global__ void kernel%d(const unsigned *in, unsigned *out, "
            "unsigned *counts, unsigned n)", number);
    line(0, "{");
    line(1, "__shared__ unsigned s[256], w[256], bins[8];");
    line(1, "__shared__ pair sp[256];");
    line(1, "const unsigned threads = blockDim.x * blockDim.y;");
    line(1, "const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;");
    line(1, "const unsigned g = blockIdx.x * threads + tid;");
    line(1, "const unsigned t = %s;",
         (const char *[]){ "tid", "threadIdx.x", "tid % 32", "tid / 16" }
             [below(4)]);
    line(1, "unsigned a = in[tid], b = in[255 - tid] & 31, c = t * 3;");
    line(1, "unsigned l[4] = { 1, b, 3, a };");
    line(1, "float x = (float)(a & 255) * 0.25f;");
    line(1, "pair p = { c, x, { 1, 2, 3, 4 } };");
    for (int i = 0; i < 3; i++) {
        statements(1, 2 + (int)below(3), 0);
        exchange(1);
        if (below(8) == 0)
            line(1, "if (blockIdx.x + n == %u) return;", 3 + below(2));
    }
    if (below(2)) {
        char text[128];
        condition(text, sizeof text);
        line(1, "if (%s) return;", text);
        statements(1, 2, 0);
    }
    line(1, "out[g * 4] = a + l[1]; out[g * 4 + 1] = b ^ l[2] ^ p.u;");
    line(1, "out[g * 4 + 2] += c; out[g * 4 + 3] += __float_as_uint(x);");
    line(0, "}");
}

/* --- a file --------------------------------------------------------------- */

void fuzz_write_kernels(FILE *to, unsigned long long seed, int kernels)
{
    out = to;
    state = seed * 0x9e3779b97f4a7c15ull + 1;
    line(0, "#include <stdio.h>\n#include <string.h>");
    fputs(fuzz_structure, out);
    for (int i = 0; i < kernels; i++)
        kernel(i);
    fputs(fuzz_host_code, out);
    line(0, "int main()\n{");
    for (int i = 0; i < kernels; i++) {
        static const char *const blocks[] = { "32", "256", "dim3(16, 4)",
                                              "dim3(32, 8)", "dim3(48, 2)",
                                              "dim3(8, 8)" };
        line(1, "run(%d, kernel%d, %s);", i, i, blocks[below(6)]);
    }
    line(0, "}");
}
