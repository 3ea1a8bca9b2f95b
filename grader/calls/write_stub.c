/* SPDX-License-Identifier: MIT */
/* The trusted end of a call: describe each argument, send the frame. */
#include "generate.h"

#include <string.h>

static const char *const kinds[] = {"ARG_IN", "ARG_OUT", "ARG_INOUT"};

/* The pointer as C of the stub: "d_a", "u->d_params". */
static void write_pointer(FILE *out, const struct function *function,
                          const struct array *array)
{
    fputs(function->parameter[array->parameter].name, out);
    if (*array->member)
        fprintf(out, "->%s", array->member);
}

static bool is_on_device(const struct function *function,
                         const struct array *array)
{
    const char *name = *array->member
                           ? array->member
                           : function->parameter[array->parameter].name;

    return !strncmp(name, "d_", 2);
}

/* Bytes of an element: a void has one, as its dimensions are bytes. */
static void write_element(FILE *out, const struct function *function,
                          const struct array *array)
{
    const char *type = function->parameter[array->parameter].type;

    if (!*array->member && !strcmp(type, "void")) {
        fputs("1", out);
        return;
    }
    fputs("sizeof *", out);
    write_pointer(out, function, array);
}

static void write_kind(FILE *out, const struct array *array)
{
    if (*array->condition)
        fprintf(out, "%s ? %s : %s", array->condition,
                kinds[array->direction], kinds[array->otherwise]);
    else
        fputs(kinds[array->direction], out);
}

/* The output that may lie where this input does: its index, or -1. */
static int find_output(const struct function *function,
                            const struct argument *arguments, size_t count,
                            const char *name)
{
    char other[2 * CONTRACT_NAME];

    for (size_t i = 0; i < count; i++) {
        const struct array *array = arguments[i].array;

        if (array && !strcmp(array->in_place_of, name)) {
            argument_name(function, &arguments[i], other);
            return (int)i;
        }
    }
    return -1;
}

/* The index of the argument of that name. */
static size_t find_argument(const struct function *function,
                            const struct argument *arguments, size_t count,
                            const char *name)
{
    char other[2 * CONTRACT_NAME];

    for (size_t i = 0; i < count; i++) {
        argument_name(function, &arguments[i], other);
        if (!strcmp(other, name))
            return i;
    }
    return 0; /* contract_check() has found it */
}

/* The array's size: bytes for `[all]`, else elements and their dimensions. */
static void write_size(FILE *out, const struct function *function,
                       const struct array *array)
{
    if (array->dims == 1 && !strcmp(array->dim[0], "all")) {
        fputs(",\n        .element = 1, .dims = 1,\n"
              "        .dim = (const int64_t[]){suite_allocated(", out);
        write_pointer(out, function, array);
        fputs(")}", out);
        return;
    }
    fputs(",\n        .element = ", out);
    write_element(out, function, array);
    fputs(",\n        .shown_as = CALL_SHOWN_AS(", out);
    write_pointer(out, function, array);
    fprintf(out, "), .dims = %zu,\n        .dim = (const int64_t[]){",
            array->dims);
    for (size_t i = 0; i < array->dims; i++)
        fprintf(out, "%s%s", i ? ",\n            " : "", array->dim[i]);
    fputs("}", out);
}

static void write_array(FILE *out, const struct function *function,
                        const struct argument *arguments, size_t count,
                        size_t index)
{
    const struct array *array = arguments[index].array;
    char name[2 * CONTRACT_NAME];
    int output;

    argument_name(function, &arguments[index], name);
    output = find_output(function, arguments, count, name);
    fprintf(out,
            "    call_array(&(struct call_array){\n"
            "        .name = \"%s\",\n        .kind = ",
            name);
    write_kind(out, array);
    fprintf(out, ",\n        .place = %s, .data = ",
            is_on_device(function, array) ? "ON_DEVICE" : "ON_HOST");
    write_pointer(out, function, array);
    write_size(out, function, array);
    if (output >= 0) {
        fputs(",\n        .overwritten_by = ", out);
        write_pointer(out, function, arguments[output].array);
    }
    if (*array->in_place_of)
        fprintf(out, ",\n        .in_place = true, .in_place_of = %zu",
                find_argument(function, arguments, count,
                              array->in_place_of));
    fputs("});\n", out);
}

/* The struct's bytes; what its members point to follows as arrays. */
static void write_struct(FILE *out, const struct parameter *parameter)
{
    fprintf(out, "    call_struct(&passed_%s, sizeof passed_%s);\n",
            parameter->name, parameter->name);
}

/* A copy of each struct whose members point to arrays: these are sent by
 * themselves, since a pointer means nothing in the runner's process. */
static void write_copies(FILE *out, const struct function *function)
{
    for (size_t i = 0; i < function->parameters; i++) {
        const struct parameter *p = &function->parameter[i];

        if (!is_struct_value(function, i))
            continue;
        fprintf(out, "    %s passed_%s = *%s;\n", p->type, p->name, p->name);
    }
    for (size_t i = 0; i < function->sizes; i++)
        fprintf(out, "    const int64_t %s = %s;\n", function->size[i].name,
                function->size[i].value);
    for (size_t i = 0; i < function->arrays; i++)
        if (*function->array[i].member)
            fprintf(out, "    passed_%s.%s = NULL;\n",
                    function->parameter[function->array[i].parameter].name,
                    function->array[i].member);
}

static void write_scalar(FILE *out, const struct parameter *parameter)
{
    const bool real = !strcmp(parameter->type, "float")
                      || !strcmp(parameter->type, "double");

    fprintf(out, "    call_%s(%s%s);\n", real ? "real" : "integer",
            real ? "" : "(int64_t)", parameter->name);
}

/* "relu(shape, d_x, d_y)": function and arguments as messages name them, a
 * string of several lines where one is too long. */
static void write_names(FILE *out, const struct function *function,
                        const struct argument *arguments, size_t count)
{
    enum { LINE = 64 };
    char name[2 * CONTRACT_NAME];
    size_t column = strlen(function->name);

    fprintf(out, "    call_parameters(\"%s(", function->name);
    for (size_t i = 0; i < count; i++) {
        argument_name(function, &arguments[i], name);
        fputs(i ? ", " : "", out);
        if (column + strlen(name) > LINE) {
            fputs("\"\n        \"", out);
            column = 0;
        }
        column += strlen(name) + 2;
        fputs(name, out);
    }
    fputs(")\");\n", out);
}

static void write_stub(FILE *out, const struct function *function,
                       size_t number)
{
    const bool is_signed = !strcmp(function->result, "int");
    struct argument arguments[ARGUMENTS];
    const size_t count = list_arguments(function, arguments);

    fprintf(out,
            "\n/* Send the arguments of %s() to the runner, and wait. */\n",
            function->name);
    write_declaration(out, function);
    write_copies(out, function);
    fprintf(out, "    call_begin(%zu);\n", number);
    write_names(out, function, arguments, count);
    for (size_t i = 0; i < count; i++) {
        const struct parameter *p =
            &function->parameter[arguments[i].parameter];

        if (arguments[i].is_struct)
            write_struct(out, p);
        else if (arguments[i].array)
            write_array(out, function, arguments, count, i);
        else
            write_scalar(out, p);
    }
    if (is_signed)
        fputs("    return (int)call_end();\n}\n", out);
    else
        fprintf(out, "    return (%s)call_end();\n}\n", function->result);
}

void write_stubs(FILE *out, const char *stem, const struct contract *contract)
{
    fprintf(out, "/* SPDX-License-Identifier: MIT */\n"
                 "/* Generated from grader/labs/%s.ini: do not edit. */\n"
                 "#include \"labs/%s/%s.h\"\n"
                 "#include \"grader/suite/stub.h\"\n",
            stem, stem, stem + 3);
    for (size_t i = 0; i < contract->functions; i++)
        if (!*contract->function[i].thunk)
            write_stub(out, &contract->function[i], i);
}
