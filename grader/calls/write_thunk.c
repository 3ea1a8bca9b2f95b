/* SPDX-License-Identifier: MIT */
/* The runner's end of a call: arguments out of the frame, then the call. */
#include "generate.h"

#include <string.h>

/* The index of a parameter's own argument. */
static size_t argument_index(const struct argument *arguments, size_t count,
                             size_t parameter)
{
    for (size_t i = 0; i < count; i++)
        if (arguments[i].parameter == parameter)
            return i;
    return 0; /* each parameter has one */
}

/* A copy of each struct whose members point to arrays, with these set. */
static void write_structs(FILE *out, const struct function *function,
                          const struct argument *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct parameter *p =
            &function->parameter[arguments[i].parameter];

        if (arguments[i].is_struct)
            fprintf(out, "    %s %s = *(const %s *)frame_array(f, %zu);\n",
                    p->type, p->name, p->type, i);
    }
    for (size_t i = 0; i < count; i++) {
        const struct array *array = arguments[i].array;

        if (array && *array->member)
            fprintf(out, "    %s.%s = frame_pointer(f, %zu);\n",
                    function->parameter[arguments[i].parameter].name,
                    array->member, i);
    }
}

static void write_argument(FILE *out, const struct parameter *parameter,
                           const struct argument *argument, size_t index)
{
    const char *type = parameter->type;

    if (argument->is_struct)
        fprintf(out, "&%s", parameter->name);
    else if (argument->array)
        fprintf(out, "frame_pointer(f, %zu)", index);
    else if (!strcmp(type, "float") || !strcmp(type, "double"))
        fprintf(out, "(%s)frame_real(f, %zu)", type, index);
    else
        fprintf(out, "(%s)frame_integer(f, %zu)", type, index);
}

static void write_call(FILE *out, const struct function *function)
{
    struct argument arguments[ARGUMENTS];
    const size_t count = list_arguments(function, arguments);
    const bool is_void = !strcmp(function->result, "void");

    fprintf(out, "\n/* Call %s() with the arguments of a frame. */\n"
                 "static int64_t call_%s(const struct frame *f)\n{\n",
            function->name, function->name);
    write_structs(out, function, arguments, count);
    fprintf(out, "    %s%s(", is_void ? "" : "return (int64_t)",
            function->name);
    for (size_t i = 0; i < function->parameters; i++) {
        const size_t index = argument_index(arguments, count, i);

        fputs(i ? ",\n        " : "\n        ", out);
        write_argument(out, &function->parameter[i], &arguments[index],
                       index);
    }
    fprintf(out, ");\n%s}\n", is_void ? "    return 0;\n" : "");
}

void write_thunk(FILE *out, const char *stem, const struct contract *contract)
{
    fprintf(out, "/* SPDX-License-Identifier: MIT */\n"
                 "/* Generated from grader/labs/%s.ini: do not edit. */\n"
                 "#include \"labs/%s/%s.h\"\n"
                 "#include \"grader/runner/thunk.h\"\n",
            stem, stem, stem + 3);
    if (*contract->function[0].thunk)
        return;
    for (size_t i = 0; i < contract->functions; i++)
        write_call(out, &contract->function[i]);
    fputs("\n/* Call the function that a frame names. */\n"
          "int64_t runner_call(const struct frame *f)\n{\n"
          "    switch (f->function) {\n", out);
    for (size_t i = 0; i < contract->functions; i++)
        fprintf(out, "    case %zu:\n        return call_%s(f);\n", i,
                contract->function[i].name);
    fputs("    default:\n        return -1;\n    }\n}\n", out);
}
