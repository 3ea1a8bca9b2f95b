/* SPDX-License-Identifier: MIT */
/* Loops whose number of turns is constant, from the host's machine code. */
#include "common/softgpu/profile/constant_loops.h"
#include "model_tests.h"

/* Lines of a loop, and which of them nvcc computes ('y'). */
static const char *folded_lines(const char *const *text, size_t count)
{
    static char said[40];
    struct machine_line lines[32] = {{0}};
    bool folded[32] = {false};

    for (size_t i = 0; i < count; i++)
        lines[i] = (struct machine_line){i, (char *)text[i]};
    find_constant_loops(lines, count, folded);
    for (size_t i = 0; i < count; i++)
        said[i] = folded[i] ? 'y' : '-';
    said[count] = 0;
    return said;
}

/* A loop over 1, 2, 4, ... 256: its variable, what depends on it alone, and
 * sums with what does not change.  Comparisons with a thread's own number, and
 * what was loaded, stay.  Of a division by it nvcc knows the divisor. */
static void test_constant_loops(void)
{
    const char *constant[] = {
        "mov    $0x1,%r14d",    "mov    -0x38(%rbp),%ebx",
        "sub    %r14d,%ebx",    "lea    (%r12,%rbx,4),%rdi",
        "cmp    %r14d,%r15d",   "jb     7 <k+0x7>",
        "call   99 <__tsan_read4>", "add    %eax,%r13d",
        "add    %r14d,%r14d",   "cmp    $0x1ff,%r14d",
        "jbe    1 <k+0x1>"};
    const char *runtime[] = {"mov    $0x1,%r14d", "lea    (%r12,%r14,4),%rdi",
                             "call   99 <__tsan_read4>", "inc    %r14d",
                             "cmp    %r13d,%r14d", "jb     1 <k+0x1>"};
    const char *divided[] = {"mov    $0x8,%ebx", "mov    %r12d,%eax",
                             "div    %ebx", "add    %edx,%r13d",
                             "shr    %ebx", "jne    1 <k+0x1>"};
    const char *turned[] = {"mov    $0x10,%r13d", "jmp    3 <k+0x3>",
                            "mov    %eax,%r13d", "mov    %r13d,%eax",
                            "sar    %eax", "cmp    $0x1,%r13d",
                            "jg     2 <k+0x2>"};

    CU_ASSERT_STRING_EQUAL(folded_lines(constant, 11), "--yy----yyy");
    CU_ASSERT_STRING_EQUAL(folded_lines(runtime, 6), "------");
    CU_ASSERT_STRING_EQUAL(folded_lines(divided, 6), "--y-yy");
    CU_ASSERT_STRING_EQUAL(folded_lines(turned, 7), "----yyy");
}

/* Thirty-two turns, counted by a pointer to rows of 128 bytes: its first and
 * its last value are sums of the same registers, one of them kept in the
 * frame. */
static void test_pointer_loops(void)
{
    const char *rows[] = {
        "lea    (%rdi,%rax,1),%rdx", "mov    %rdx,-0x70(%rbp)",
        "lea    0x1000(%rdi,%rax,1),%r15", "call   99 <softgpu_barrier>",
        "mov    -0x70(%rbp),%rbx", "call   99 <__tsan_read4>",
        "add    $0x4,%r12", "sub    $0xffffffffffffff80,%rbx",
        "cmp    %r15,%rbx", "jne    5 <k+0x5>"};
    const char *words[] = {"lea    0x40(%rbx),%r12", "call   99 <__tsan_read4>",
                           "add    $0x4,%rbx", "cmp    %rbx,%r12",
                           "jne    1 <k+0x1>"};

    CU_ASSERT_STRING_EQUAL(folded_lines(rows, 10), "------yyyy");
    CU_ASSERT_STRING_EQUAL(folded_lines(words, 5), "--yyy");
}

/* Near misses: a last value from an index, from another pointer, from a
 * register that a call or an addition changed in between; a pointer that grows
 * by what is not constant. */
static void test_other_pointer_loops(void)
{
    const char *indexed[] = {"lea    (%rbx,%rax,4),%r12",
                             "call   99 <__tsan_read4>", "add    $0x4,%rbx",
                             "cmp    %rbx,%r12", "jne    1 <k+0x1>"};
    const char *lost[] = {"lea    0x40(%rcx),%r12", "call   99 <k>",
                          "mov    %rcx,%rbx", "add    $0x4,%rbx",
                          "cmp    %rbx,%r12", "jne    3 <k+0x3>"};
    const char *changed[] = {"lea    0x40(%rcx),%r12", "add    %rax,%rcx",
                             "mov    %rcx,%rbx", "add    $0x4,%rbx",
                             "cmp    %rbx,%r12", "jne    3 <k+0x3>"};
    const char *strides[] = {"lea    0x40(%rbx),%r12",
                             "call   99 <__tsan_read4>", "add    %rax,%rbx",
                             "cmp    %rbx,%r12", "jne    1 <k+0x1>"};
    const char *scaled[] = {"lea    (%rdi,%rax,4),%rbx",
                            "lea    0x40(%rdi,%rax,8),%r12",
                            "add    $0x4,%rbx", "cmp    %rbx,%r12",
                            "jne    2 <k+0x2>"};

    CU_ASSERT_STRING_EQUAL(folded_lines(indexed, 5), "-----");
    CU_ASSERT_STRING_EQUAL(folded_lines(lost, 6), "------");
    CU_ASSERT_STRING_EQUAL(folded_lines(changed, 6), "------");
    CU_ASSERT_STRING_EQUAL(folded_lines(strides, 5), "-----");
    CU_ASSERT_STRING_EQUAL(folded_lines(scaled, 5), "-----");
}

CU_TestInfo constant_loop_tests[] = {
    {"loops of a constant number of turns", test_constant_loops},
    {"pointers that end a constant apart", test_pointer_loops},
    {"near-misses: other pointers", test_other_pointer_loops},
    CU_TEST_INFO_NULL};
