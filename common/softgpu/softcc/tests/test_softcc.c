/* SPDX-License-Identifier: MIT */
/* softcc by cases.  A case is a file in cases/ whose comments say what must
 * come of it; the table below says how it is looked at.
 *
 *     // expect: TEXT      --show has it (white space does not count)
 *     // absent: TEXT      --show has it not
 *     // flags: NAME N     the kernel's flags
 *     // at: L:C WORD      the compiler or softcc says "error" there, of WORD
 *
 * Run from the top of the tree, as `make test` does. */
#include <CUnit/Basic.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../driver.h"
#include "../tokens.h"

#define HERE "common/softgpu/softcc/tests/"

/* How a case is looked at. */
enum look {
    SHOWN = 1,    /* rewritten and printed */
    CLEAN = 2,    /* the compiler accepts it, -Wall -Werror */
    REFUSED = 4,  /* softcc refuses it at each `at:` */
    ERRORS = 8    /* the compiler reports each `at:` */
};

static const struct case_file {
    const char *name;
    int look;
} files[] = {
    { "forms", CLEAN | SHOWN },   { "shared", CLEAN | SHOWN },
    { "launch", SHOWN },          { "flags", SHOWN },
    { "words", SHOWN },           { "unroll", SHOWN },
    { "plain", SHOWN },           { "guard", CLEAN | SHOWN },
    { "refuse", REFUSED },
    { "incomplete", REFUSED },    { "errors", ERRORS },
};

static const char *compiler; /* the one under test */

static void squeeze(char *text)
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
    list_add(&argv, compiler);
    for (; *words; words++)
        list_add(&argv, *words);
    return argv;
}

static struct buffer preprocess(const char *path)
{
    const char *const words[] = {
        "-E", "-x", "c++", "-std=gnu++17", "-D__SOFTCC__=1", "-D__CUDACC__=1",
        "-isystem", "common/softgpu/include", "-include", "cuda_runtime.h",
        path, NULL };
    struct list argv = command(words);
    struct result r = run_program(&argv, NULL, true);
    if (r.status)
        printf("%s", r.err.bytes ? r.err.bytes : path);
    CU_ASSERT_EQUAL(r.status, 0);
    free(argv.at);
    free(r.err.bytes);
    return r.out;
}

/* What the compiler says of the rewritten text. */
static struct result check_syntax(const struct buffer *text)
{
    static const char *const words[] = {
        "-fsyntax-only", "-std=gnu++17", "-Wall", "-Wno-unused-variable",
        "-Wno-unused-but-set-variable", "-x", "c++-cpp-output", "-", NULL };
    struct list argv = command(words);
    struct result r = run_program(&argv, text, true);
    free(argv.at);
    return r;
}

/* --- the expectations ------------------------------------------------------------- */

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

/* "case.cu:L:C: error: ... WORD"; clang has no "fatal" among ours. */
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
        squeeze(text);
        expect(strstr(o->shown, text) != NULL, o, line);
    } else if (strncmp(line, "absent:", 7) == 0 && o->shown) {
        squeeze(text);
        expect(strstr(o->shown, text) == NULL, o, line);
    } else if (strncmp(line, "flags:", 6) == 0 && o->shown) {
        bool read = sscanf(text, "%63s %u", name, &flags) == 2;
        expect(read && has_flags(o->unit, name, flags), o, line);
    } else if (strncmp(line, "at:", 3) == 0 && o->messages) {
        expect(has_message(o, text), o, line);
    }
}

/* Every "// word: ..." comment of the case. @return how many */
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
    squeeze(shown.bytes);
    o->shown = shown.bytes;
    CU_ASSERT(check_lines(o, path) > 0);
    o->shown = NULL;
    free(shown.bytes);
}

static void compile_case(struct unit *u, struct outcome *o, int look,
                         const char *path)
{
    struct buffer text = { 0 };
    emit_unit(u, &text);
    struct result r = check_syntax(&text);
    if (look & CLEAN)
        expect(r.status == 0 && r.err.length == 0, o,
               r.err.bytes ? r.err.bytes : "not accepted");
    if (look & ERRORS) {
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
    struct unit u = { .dialect = { .clang = strstr(compiler, "clang") } };
    struct outcome o = { .name = c->name, .unit = &u };
    struct buffer text = preprocess(path);
    analyse(&u, text.bytes, text.length);
    int refused = rewrite(&u);
    if (c->look & REFUSED) {
        o.messages = u.messages.bytes;
        expect(refused > 0 && check_lines(&o, path) == refused, &o,
               u.messages.bytes ? u.messages.bytes : "not refused");
    } else {
        expect(refused == 0, &o, u.messages.bytes ? u.messages.bytes : "");
    }
    if (c->look & SHOWN)
        show_case(&u, &o, path);
    if (c->look & (CLEAN | ERRORS))
        compile_case(&u, &o, c->look, path);
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

static void cases_with_clang(void)
{
    static const char *const names[] = { "/usr/bin/clang++-19",
                                         "/usr/bin/clang++" };
    for (size_t i = 0; i < 2; i++)
        if (access(names[i], X_OK) == 0) {
            run_cases(names[i]);
            return;
        }
    puts("no clang here: skipped");
}

/* --- the lexer -------------------------------------------------------------------- */

static void lexes(void)
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
            buffer_print(&b, "%.*s|", t.length, t.text);
        CU_ASSERT_STRING_EQUAL(b.bytes, table[i].tokens);
        free(b.bytes);
    }
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite rewriter = CU_add_suite("softcc, cases", NULL, NULL);
    CU_add_test(rewriter, "lexer", lexes);
    CU_add_test(rewriter, "cases with gcc", cases_with_gcc);
    CU_add_test(rewriter, "cases with clang", cases_with_clang);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
