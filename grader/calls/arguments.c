/* SPDX-License-Identifier: MIT */
/* The order of a frame's arguments, which stub and thunk share. */
#include "generate.h"

#include <string.h>

size_t list_arguments(const struct function *function,
                      struct argument arguments[ARGUMENTS])
{
    size_t count = 0;

    for (size_t i = 0; i < function->parameters; i++) {
        arguments[count++] = (struct argument){
            i, find_array(function, i, ""), is_struct_value(function, i)};
        for (size_t k = 0; k < function->arrays; k++)
            if (function->array[k].parameter == i
                && *function->array[k].member)
                arguments[count++] =
                    (struct argument){i, &function->array[k], false};
    }
    return count;
}

void argument_name(const struct function *function,
                   const struct argument *argument,
                   char name[2 * CONTRACT_NAME])
{
    const bool member = argument->array && *argument->array->member;

    snprintf(name, 2 * CONTRACT_NAME, "%s%s%s",
             function->parameter[argument->parameter].name,
             member ? "." : "", member ? argument->array->member : "");
}

void write_declaration(FILE *out, const struct function *function)
{
    fprintf(out, "%s %s(", function->result, function->name);
    for (size_t i = 0; i < function->parameters; i++) {
        const struct parameter *p = &function->parameter[i];

        fprintf(out, "%s\n    %s%s %s%s", i ? "," : "",
                p->is_const ? "const " : "", p->type,
                p->is_pointer ? "*" : "", p->name);
    }
    fputs(")\n{\n", out);
}
