/* SPDX-License-Identifier: MIT */
/* --graded: errors for what would hide a program's accesses from the checks, or
 * name the runtime's own parts.  They are found after preprocessing, so
 * comments, strings and macros that are not used may contain anything.
 * Assembly is refused where it is left after inline PTX has become calls. */
#define _GNU_SOURCE
#include <string.h>

#include "tokens.h"

/* Attributes, with or without underscores around them.  An interrupt handler
 * returns to where its stack says. */
static const char *const attributes[] = {
    "alias", "constructor", "copy", "destructor",
    "disable_sanitizer_instrumentation", "function_return", "ifunc",
    "indirect_branch", "init_priority", "interrupt", "naked",
    "no_caller_saved_registers",
    "no_instrument_function", "no_profile_instrument_function", "no_sanitize",
    "no_sanitize_address", "no_sanitize_coverage", "no_sanitize_memory",
    "no_sanitize_thread", "no_sanitize_undefined", "no_address_safety_analysis",
    "optimize", "optnone", "patchable_function_entry", "retain", "section",
    "symver", "target", "target_clones", "weakref", NULL };

/* Names of the runtime, of the instrumentation and of their mangled forms. */
static const char *const prefixes[] = { "softgpu", "__softgpu", "__tsan_",
                                        "__sanitizer_", "__ubsan_",
                                        "_ZN7softgpu", "_ZNK7softgpu",
                                        "__real_", "__wrap_", "warp_host_",
                                        "warp_device_", "__x86_indirect",
                                        "__cxa_", "__gxx_", "_Unwind_", NULL };

/* Builtins that set the stack pointer, or jump. */
static const char *const jumps[] = { "__builtin_setjmp", "__builtin_longjmp",
                                     "__builtin_eh_", "__builtin_unwind_init",
                                     "__builtin_apply", "__builtin_return",
                                     "__builtin_init_", "__builtin_frame_",
                                     "__builtin_dwarf_", "__builtin_stack_",
                                     "__builtin_frob_",
                                     "__builtin_extract_return_addr", NULL };

/* Instructions of the processor: their loads and stores are not instrumented,
 * and its clock goes on between two kernels. */
static const char *const instructions[] = { "__builtin_ia32_",
                                            "__builtin_aarch64_",
                                            "__builtin_neon_",
                                            "__builtin_sve_",
                                            "__builtin_arm_",
                                            "__builtin_nontemporal_",
                                            "__builtin_readcyclecounter",
                                            "__builtin_readsteadycounter",
                                            "_mm_", "_mm256_", "_mm512_",
                                            "_m_", "__rdtsc", "_rdtsc",
                                            "_fxsave", "_fxrstor", "_xsave",
                                            "_xrstor",
#ifdef __aarch64__
                                            "vld", "vst",
#endif
                                            NULL };

/* Functions that the compiler replaces by loads and stores of its own, after it
 * has instrumented those of the program. */
static const char *const unseen[] = { "__builtin_mem", "__builtin_str",
                                      "__builtin_stp", "__builtin_bcopy",
                                      "__builtin_bzero", "__builtin_bcmp",
                                      "__builtin___", "__builtin_va_arg_pack",
                                      NULL };

/* The program's own calls, as CUDA's headers change them. */
static const char *const from_headers[] = {
    "softgpu_copy_symbol", "softgpu_copy_symbol_async", "softgpu_symbol_copy",
    "softgpu_symbol_address", "softgpu_symbol_size", NULL };

static bool is_attribute(const struct token *t)
{
    const char *text = t->text;
    int length = t->length;

    if (length > 4 && !strncmp(text, "__", 2)
        && !strncmp(text + length - 2, "__", 2)) {
        text += 2;
        length -= 4;
    }
    for (const char *const *a = attributes; *a; a++)
        if ((int)strlen(*a) == length && !strncmp(text, *a, (size_t)length))
            return true;
    return false;
}

/* Report each refused attribute of the list in brackets that opens here. */
static void check_attributes(struct unit *u, struct token *open)
{
    struct token *end = skip_group(open);

    for (struct token *t = next_code(open); t && t != end; t = next_code(t))
        if (is_word(t) && is_attribute(t))
            report_error(u, t, "the attribute `%s' could hide code or "
                         "accesses from the checks: a graded file has none",
                         name_of(u, t));
}

static bool has_prefix(const struct token *t, const char *const *prefix)
{
    for (const char *const *p = prefix; *p; p++)
        if (t->length >= (int)strlen(*p) && !strncmp(t->text, *p, strlen(*p)))
            return true;
    return false;
}

/* An empty template is a barrier for the compiler only. */
static bool is_assembly(struct token *t)
{
    const struct token *text = t;

    while (text && text->kind != T_STRING && !is(text, ";")
           && !is(text, "{"))
        text = next_code(text);
    return !text || text->kind != T_STRING || text->length != 2
           || is(prev_code(t), ")");
}

static void check_word(struct unit *u, struct token *t)
{
    struct token *next = next_code(t);

    if ((is(t, "__attribute__") || is(t, "__attribute")) && is(next, "("))
        check_attributes(u, next);
    else if (has_prefix(t, unseen))
        report_error(u, t, "`%s' could hide accesses from the checks: call the "
                     "function without `__builtin_'", name_of(u, t));
    else if (has_prefix(t, instructions))
        report_error(u, t, "`%s' is an instruction of the host's processor, "
                     "which no check sees", name_of(u, t));
    else if (has_prefix(t, jumps))
        report_error(u, t, "`%s' could run code that no check sees: a graded "
                     "file has none", name_of(u, t));
    else if (has_prefix(t, prefixes) && !is_any(t, from_headers))
        report_error(u, t, "`%s' is a name of the software GPU, which no "
                     "program for a card uses", name_of(u, t));
}

/* Directives that change how functions are compiled, or hide text from us. */
static void check_pragma(struct unit *u, struct token *t)
{
    static const char *const refused[] = {
        "optimize", "optimise", "target", "attribute", "push_options",
        "system_header", "pop_options", "reset_options", "weak",
        "redefine_extname", "section" };
    char text[256];
    const size_t n = (size_t)t->length < sizeof text - 1
                         ? (size_t)t->length : sizeof text - 1;

    memcpy(text, t->text, n);
    text[n] = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(text, refused[i])) {
            report_error(u, t, "a pragma with `%s' could hide code or accesses "
                         "from the checks: a graded file has none",
                         refused[i]);
            return;
        }
}

/* Is the token in a file of the project's, which the lab gives? */
static bool is_given(const struct unit *u, const struct token *t)
{
    const char *name = t->file >= 0 ? u->files[t->file].name : "";

    return u->given && !strncmp(name, u->given, strlen(u->given));
}

/* Compilers look ahead for the other end of each bracket: 200,000 within each
 * other take gcc four minutes, or all of its stack. */
static void check_nesting(struct unit *u)
{
    static const char *const open[] = { "(", "[", "{", NULL };
    static const char *const close[] = { ")", "]", "}", NULL };
    enum { DEPTH = 1000 }; /* C++ asks for 256 */
    int depth = 0;

    for (struct token *t = u->first; t; t = t->next) {
        if (t->kind != T_PUNCT || t->is_removed)
            continue;
        depth += is_any(t, open) - is_any(t, close);
        if (depth > DEPTH) {
            report_error(u, t, "brackets are nested more than %d deep", DEPTH);
            return;
        }
    }
}

void check_graded(struct unit *u)
{
    check_nesting(u);
    for (struct token *t = u->first; t; t = t->next) {
        if (t->is_removed || is_given(u, t))
            continue;
        if (t->kind == T_PRAGMA)
            check_pragma(u, t);
        else if (is_word(t))
            check_word(u, t);
        else if (is(t, "[") && is(next_code(t), "[") && next_code(t) == t->next)
            check_attributes(u, t);
    }
}

void check_graded_assembly(struct unit *u)
{
    static const char *const words[] = { "asm", "__asm__", "__asm", NULL };

    for (struct token *t = u->first; t; t = t->next)
        if (!t->is_removed && is_any(t, words) && !is_given(u, t)
            && is_assembly(t))
            report_error(u, t, "assembly could do what no check sees: a graded "
                         "file has none but inline PTX in device code");
}
