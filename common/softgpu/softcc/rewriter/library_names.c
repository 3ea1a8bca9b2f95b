/* SPDX-License-Identifier: MIT */
/* A kernel that has the name and the parameters of a function of the C library
 * whose header the program includes: `__global__ void wait(int *)` beside
 * <sys/wait.h>.  In C++ both are one function, which nvcc refuses, and which
 * the host compiler would report at generated text, or take for the library's.
 * Declarations are searched in the text of system headers, as glibc writes
 * them: `extern RESULT name (TYPE __parameter, ...)`. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* Append the types of one parameter, tokens [t, t + n), without its name. */
static void add_parameter(struct buffer *b, const struct token *t, int n)
{
    static const char *const ignored[] = { "__restrict", "__restrict__",
                                           NULL };
    bool named = n > 1 && is_word(&t[n - 1]) && !is_type_word(&t[n - 1]);
    if (n == 1 && is(t, "void"))
        return;
    for (int i = 0; i < n - named; i++)
        if (!is_any(&t[i], ignored))
            buffer_printf(b, "%.*s ", t[i].length, t[i].text);
    buffer_printf(b, ",");
}

/* The types in the parameter list after `open`, a '(', one after the other;
 * to be freed.  NULL if the list does not end, or is a long one. */
static char *parameter_list(const char *open, const char *end)
{
    enum { LONGEST = 64 };
    struct lexer x = { open + 1, end, open, 1, false };
    struct token t[LONGEST];
    struct buffer b = { 0 };
    int depth = 0, n = 0;
    buffer_printf(&b, " ");
    while (n < LONGEST && lex(&x, &t[n])) {
        bool closes = is(&t[n], ")");
        if (depth == 0 && (closes || is(&t[n], ","))) {
            if (n)
                add_parameter(&b, t, n);
            n = 0;
            if (closes)
                return b.bytes;
            continue;
        }
        depth += is(&t[n], "(") - closes;
        n++;
    }
    free(b.bytes);
    return NULL;
}

/* Does the declaration that p lies in begin with `extern`? */
static bool in_extern_declaration(const char *text, const char *p)
{
    static const char word[] = "extern ";
    const char *name = p;
    while (p > text && !strchr(";{}#", p[-1]))
        p--;
    if (p > text && p[-1] == '#') /* a directive: the next line */
        while (p < name && *p != '\n')
            p++;
    while (isspace((unsigned char)*p))
        p++;
    return strncmp(p, word, sizeof word - 1) == 0;
}

/* Is the name at p a word of its own, and what follows a '('?
 * @return the '(' or NULL */
static const char *opens_parameters(const char *text, const char *p, size_t n,
                                    const char *end)
{
    if (p == text || (!isspace((unsigned char)p[-1]) && p[-1] != '*'))
        return NULL;
    p += n;
    while (p < end && *p == ' ')
        p++;
    return p < end && *p == '(' ? p : NULL;
}

/* Does the text of a system header declare a function like this? */
static bool declares(const struct token *raw, const char *name,
                     const char *parameters)
{
    const char *end = raw->text + raw->length;
    const size_t n = strlen(name);
    bool found = false;
    for (const char *p = raw->text; !found && p < end; p += n) {
        p = memmem(p, (size_t)(end - p), name, n);
        if (p == NULL)
            break;
        const char *open = opens_parameters(raw->text, p, n, end);
        if (open == NULL || !in_extern_declaration(raw->text, p))
            continue;
        char *list = parameter_list(open, end);
        found = list && strcmp(list, parameters) == 0;
        free(list);
    }
    return found;
}

static void check_kernel(struct unit *u, const struct function *f)
{
    const char *text = text_of(u, f->open, next_code(f->close));
    char *parameters = parameter_list(text, text + strlen(text));
    const char *name = name_of(u, f->name);
    for (struct token *t = u->first; t && parameters; t = t->next)
        if (t->kind == T_RAW && declares(t, name, parameters)) {
            report_error(u, f->name, "the C library has a function %s with "
                         "these parameters: rename the kernel (nvcc refuses "
                         "it, too)", name);
            break;
        }
    free(parameters);
}

void check_kernel_names(struct unit *u)
{
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->global && !f->templated && f->qualifier
            && strcmp(f->qualifier, "::") == 0)
            check_kernel(u, f);
    }
}
