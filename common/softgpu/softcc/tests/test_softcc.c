/* SPDX-License-Identifier: MIT */
/* The rewriter, case by case.  A case is a file in cases/ with comments that
 * say what is expected; the table below says what is checked.
 *
 *     // expect: TEXT      the rewritten text has it (white space is ignored)
 *     // absent: TEXT      the rewritten text does not have it
 *     // flags: NAME N     the flags of a kernel
 *     // at: L:C WORD      softcc or the compiler reports an error there that
 *                          contains WORD
 *
 * Run from the root of the source tree, as `make test` does. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"
#include "common/base/files.h"
#include "common/base/temp_dir.h"
#include "common/softgpu/softcc/compiler/excerpt.h"
#include "common/softgpu/softcc/compiler/reword.h"
#include "common/softgpu/softcc/compiler/run.h"
#include "common/softgpu/softcc/rewriter/tokens.h"

#define HERE "common/softgpu/softcc/tests/"

/* The cases that are checked. */
enum checks {
    CHECK_SHOWN = 1,       /* the rewritten text */
    CHECK_WARNINGS = 2,    /* the compiler accepts it without warnings */
    CHECK_UNSUPPORTED = 4, /* softcc reports an error at each `at:` */
    CHECK_ERRORS = 8,      /* the compiler reports an error at each `at:` */
    NOTE_POLLS = 16        /* as for --check */
};

static const struct case_file {
    const char *name;
    int checks;
} files[] = {
    { "forms", CHECK_WARNINGS | CHECK_SHOWN },
    { "shared", CHECK_WARNINGS | CHECK_SHOWN },
    { "launch", CHECK_SHOWN },
    { "flags", CHECK_SHOWN },
    { "implicit", CHECK_SHOWN },
    { "specifiers", CHECK_SHOWN },
    { "unroll", CHECK_SHOWN },
    { "volatile", CHECK_WARNINGS | CHECK_SHOWN },
    { "lockstep_note", CHECK_WARNINGS | CHECK_SHOWN },
    { "polling", CHECK_WARNINGS | CHECK_SHOWN },
    { "polls_noted", CHECK_WARNINGS | CHECK_SHOWN | NOTE_POLLS },
    { "plain", CHECK_SHOWN },
    { "ends", CHECK_WARNINGS | CHECK_SHOWN },
    { "guard", CHECK_WARNINGS | CHECK_SHOWN },
    { "unsupported", CHECK_UNSUPPORTED },
    { "incomplete", CHECK_UNSUPPORTED },
    { "library_names", CHECK_UNSUPPORTED },
    { "launched_names", CHECK_UNSUPPORTED },
    { "launched_pointers", CHECK_WARNINGS | CHECK_SHOWN },
    { "library_overloads", CHECK_WARNINGS | CHECK_SHOWN },
    { "errors", CHECK_ERRORS },
    { "initializers", CHECK_ERRORS },
};

static const char *compiler; /* the one under test */

static void remove_spaces(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++)
        if (!isspace((unsigned char)*p))
            *to++ = *p;
    *to = 0;
}

static struct list command(const char *const *words)
{
    struct list argv = { 0 };
    list_append(&argv, compiler);
    for (; *words; words++)
        list_append(&argv, *words);
    return argv;
}

static struct buffer preprocess(const char *path)
{
    const char *const words[] = {
        "-E", "-x", "c++", "-std=gnu++17", "-D__SOFTCC__=1", "-D__CUDACC__=1",
        "-isystem", "common/softgpu/include", "-include", "cuda_runtime.h",
        path, NULL };
    struct list argv = command(words);
    struct result r = run_program(&argv, NULL);
    if (r.status)
        printf("%s", r.err.bytes ? r.err.bytes : path);
    CU_ASSERT_EQUAL(r.status, 0);
    free(argv.at);
    free(r.err.bytes);
    return r.out;
}

/* Let the compiler check the rewritten text. */
static struct result check_syntax(const struct buffer *text)
{
    static const char *const words[] = {
        "-fsyntax-only", "-std=gnu++17", "-Wall", "-Wno-unused-variable",
        "-Wno-unused-but-set-variable", "-x", "c++-cpp-output", "-", NULL };
    struct list argv = command(words);
    struct result r = run_program(&argv, text);
    free(argv.at);
    return r;
}

/* --- the expectations ----------------------------------------------------- */

struct outcome {
    const char *name;
    const struct unit *unit;
    char *shown;          /* without white space */
    const char *messages; /* softcc's or the compiler's */
};

static void expect(bool good, const struct outcome *o, const char *line)
{
    if (!good)
        printf("\n%s.cu, %s: %s\n", o->name, compiler, line);
    CU_ASSERT(good);
}

static bool has_flags(const struct unit *u, const char *name, unsigned flags)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && is(f->name, name))
            return f->flags == flags;
    }
    return false;
}

/* Is there a message "case.cu:L:C: error: ... WORD"? */
static bool has_message(const struct outcome *o, const char *text)
{
    char place[64], word[128] = "", start[256];
    if (sscanf(text, "%63s %127s", place, word) < 1)
        return false;
    snprintf(start, sizeof start, "%s.cu:%s: error: ", o->name, place);
    const char *at = o->messages ? strstr(o->messages, start) : NULL;
    if (at == NULL)
        return false;
    const char *found = strstr(at, word), *end = strchr(at, '\n');
    return found && found < end;
}

static void check_line(const struct outcome *o, char *line)
{
    char name[64];
    unsigned flags;
    char *text = strchr(line, ':') + 1;
    if (strncmp(line, "expect:", 7) == 0 && o->shown) {
        remove_spaces(text);
        expect(strstr(o->shown, text) != NULL, o, line);
    } else if (strncmp(line, "absent:", 7) == 0 && o->shown) {
        remove_spaces(text);
        expect(strstr(o->shown, text) == NULL, o, line);
    } else if (strncmp(line, "flags:", 6) == 0 && o->shown) {
        bool read = sscanf(text, "%63s %u", name, &flags) == 2;
        expect(read && has_flags(o->unit, name, flags), o, line);
    } else if (strncmp(line, "at:", 3) == 0 && o->messages) {
        expect(has_message(o, text), o, line);
    }
}

/* Check every "// word: ..." comment of the case. @return their number */
static int check_lines(const struct outcome *o, const char *path)
{
    char line[512];
    int n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *comment = strstr(line, "// ");
        line[strcspn(line, "\n")] = 0;
        if (comment && strchr(comment, ':')) {
            check_line(o, comment + 3);
            n++;
        }
    }
    if (f)
        fclose(f);
    return n;
}

static void show_case(struct unit *u, struct outcome *o, const char *path)
{
    struct buffer shown = { 0 };
    show_unit(u, &shown);
    remove_spaces(shown.bytes);
    o->shown = shown.bytes;
    CU_ASSERT(check_lines(o, path) > 0);
    o->shown = NULL;
    free(shown.bytes);
}

static void compile_case(struct unit *u, struct outcome *o, int checks,
                         const char *path)
{
    struct buffer text = { 0 };
    emit_unit(u, &text);
    struct result r = check_syntax(&text);
    if (checks & CHECK_WARNINGS)
        expect(r.status == 0 && r.err.length == 0, o,
               r.err.bytes ? r.err.bytes : "not accepted");
    if (checks & CHECK_ERRORS) {
        reword_initializers(&r.err);
        o->messages = r.err.bytes;
        expect(r.status != 0 && check_lines(o, path) > 0, o, "accepted");
    }
    free(text.bytes);
    free(r.err.bytes);
    free(r.out.bytes);
}

static void run_case(const struct case_file *c)
{
    char path[256];
    snprintf(path, sizeof path, HERE "cases/%s.cu", c->name);
    struct unit u = { .dialect = { .clang = strstr(compiler, "clang") },
                      .notes_polls = (c->checks & NOTE_POLLS) != 0,
                      .notes_lockstep = true };
    struct outcome o = { .name = c->name, .unit = &u };
    struct buffer text = preprocess(path);
    analyze_unit(&u, text.bytes, text.length);
    int error_count = rewrite_unit(&u);
    if (c->checks & CHECK_UNSUPPORTED) {
        o.messages = u.messages.bytes;
        expect(error_count > 0 && check_lines(&o, path) == error_count, &o,
               u.messages.bytes ? u.messages.bytes : "not refused");
    } else {
        expect(error_count == 0, &o, u.messages.bytes ? u.messages.bytes : "");
    }
    if (c->checks & CHECK_SHOWN)
        show_case(&u, &o, path);
    if (c->checks & (CHECK_WARNINGS | CHECK_ERRORS))
        compile_case(&u, &o, c->checks, path);
    free_unit(&u);
    free(text.bytes);
}

static void run_cases(const char *with)
{
    compiler = with;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        run_case(&files[i]);
}

static void cases_with_gcc(void)
{
    run_cases("g++");
}

/* With each clang that is installed. */
static void cases_with_clang(void)
{
    static const char *const names[] = { "/usr/bin/clang++-14",
                                         "/usr/bin/clang++-19",
                                         "/usr/bin/clang++" };
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (access(names[i], X_OK) == 0 && (i < 2 || count == 0)) {
            run_cases(names[i]);
            count++;
        }
    if (count == 0)
        puts("no clang here: skipped");
}

/* --- the lexer ------------------------------------------------------------ */

static void test_lexer(void)
{
    static const struct {
        const char *text, *tokens;
    } table[] = {
        { "a<<<b>>>c", "a|<|<|<|b|>|>|>|c|" },
        { "x>>=1", "x|>|>=|1|" },
        { "1e+5f 0x1p-3 1'000 .5", "1e+5f|0x1p-3|1'000|.5|" },
        { "\"a\\\"<<<\" 'x' L'\\''", "\"a\\\"<<<\"|'x'|L'\\''|" },
        { "R\"z(a)\")z\" u8R\"(\")\"", "R\"z(a)\")z\"|u8R\"(\")\"|" },
        { "a/*<<<*/b//>>>\nc", "a|b|c|" },
        { "a->*b...c::d", "a|->*|b|...|c|::|d|" },
        { "ab\\\ncd", "ab|cd|" },
        { "\"open\nx", "\"open|x|" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *s = table[i].text;
        struct lexer x = { s, s + strlen(s), s, 1, true };
        struct buffer b = { 0 };
        struct token t;
        while (lex(&x, &t))
            buffer_printf(&b, "%.*s|", t.length, t.text);
        CU_ASSERT_STRING_EQUAL(b.bytes, table[i].tokens);
        free(b.bytes);
    }
}

/* --- excerpts in messages ------------------------------------------------- */

/* Messages name lines of a file; those lines stand in the excerpts. */
static void test_excerpts(void)
{
    char path[PATH_MAX], in[2 * PATH_MAX], out[2 * PATH_MAX], *shown;
    static const char source[] = "one\n\tf<<<1, 2>>>(\u00e9);\nthree";
    size_t size;
    FILE *stream = open_memstream(&shown, &size);
    CU_ASSERT_TRUE_FATAL(temp_file_path(path, "excerpt.cu"));
    CU_ASSERT_TRUE(write_file(path, source, strlen(source)));
    int n = snprintf(in, sizeof in,
                     "    2 |  before any message\n"
                     "\033[1m%s:2:5: \033[0m\033[31merror: \033[0mwrong\n"
                     "    2 |         f  (\u00e9);\033[0m\n"
                     "      |         ^\n"
                     "    9 |  no such line\n"
                     "%s:3:1: note: here\n    3 | 3\n"
                     "/no/file.h:3:1: error: x\n    3 | as it was", path, path);
    snprintf(out, sizeof out,
             "    2 |  before any message\n"
             "\033[1m%s:2:5: \033[0m\033[31merror: \033[0mwrong\n"
             "    2 |         f<<<1, 2>>>(\u00e9);\033[0m\n"
             "      |         ^\n"
             "    9 |  no such line\n"
             "%s:3:1: note: here\n    3 | three\n"
             "/no/file.h:3:1: error: x\n    3 | as it was", path, path);
    write_messages(stream, &(struct buffer){ .bytes = in,
                                             .length = (size_t)n });
    fclose(stream);
    CU_ASSERT_STRING_EQUAL(shown, out);
    free(shown);
    unlink(path);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"lexer", test_lexer},
        {"excerpts", test_excerpts},
        {"cases with gcc", cases_with_gcc},
        {"cases with clang", cases_with_clang},
        CU_TEST_INFO_NULL,
    };

    return run_tests("softcc, cases", tests);
}
