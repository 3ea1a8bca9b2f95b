/* SPDX-License-Identifier: MIT */
/* Collecting the lines of [function NAME] sections, strictly. */
#include "contract.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "prototype.h"

static bool fail(char *error, const char *format, const char *what)
{
    snprintf(error, CONTRACT_ERROR, format, what);
    return false;
}

/* The function that a section adds to; NULL before its prototype. */
static struct function *current(struct contract *contract, const char *name)
{
    struct function *last = contract->function + contract->functions - 1;

    return contract->functions && !strcmp(last->name, name) ? last : NULL;
}

static bool add_function(struct contract *contract, const char *name,
                         const char *prototype, char *error)
{
    struct function *function = &contract->function[contract->functions];

    for (size_t i = 0; i < contract->functions; i++)
        if (!strcmp(contract->function[i].name, name))
            return fail(error, "%s has a prototype already", name);
    if (contract->functions >= CONTRACT_FUNCTIONS)
        return fail(error, "%s is one function too many", name);
    *function = (struct function){.name = ""};
    if (!parse_prototype(prototype, function, error))
        return false;
    if (strcmp(function->name, name))
        return fail(error, "the prototype declares %s, not the section's "
                    "function", function->name);
    contract->functions++;
    return true;
}

/* "u.d_params": the parameter's index and the member, or "". */
static bool find_pointer(const struct function *function, const char *key,
                         size_t *parameter, const char **member)
{
    const size_t length = strcspn(key, ".");

    *member = key[length] ? key + length + 1 : "";
    for (size_t i = 0; i < function->parameters; i++) {
        const char *name = function->parameter[i].name;

        if (strlen(name) == length && !strncmp(name, key, length)) {
            *parameter = i;
            return function->parameter[i].is_pointer;
        }
    }
    return false;
}

const struct array *find_array(const struct function *function,
                               size_t parameter, const char *member)
{
    for (size_t i = 0; i < function->arrays; i++) {
        const struct array *array = &function->array[i];

        if (array->parameter == parameter && !strcmp(array->member, member))
            return array;
    }
    return NULL;
}

static bool add_array(struct function *function, const char *key,
                      const char *value, char *error)
{
    struct array *array = &function->array[function->arrays];
    const struct parameter *parameter;
    const char *member;
    size_t index;

    if (!find_pointer(function, key, &index, &member))
        return fail(error, "the prototype has no pointer %s", key);
    if (find_array(function, index, member))
        return fail(error, "%s has a size already", key);
    if (function->arrays >= CONTRACT_ARRAYS || strlen(member) >= CONTRACT_NAME)
        return fail(error, "%s is one array too many", key);
    parameter = &function->parameter[index];
    *array = (struct array){.parameter = index};
    strcpy(array->member, member);
    array->direction = *member || parameter->is_const ? DIRECTION_IN
                                                      : DIRECTION_OUT;
    if (!parse_array(value, array, error))
        return false;
    function->arrays++;
    return true;
}

static bool add_size(struct function *function, const char *name,
                     const char *value, char *error)
{
    struct named_size *size = &function->size[function->sizes];

    if (function->sizes >= CONTRACT_SIZES)
        return fail(error, "size %s is one size too many", name);
    if (strlen(name) >= sizeof size->name
        || strlen(value) >= sizeof size->value || !*name || !*value)
        return fail(error, "size %s: it is empty or too long", name);
    strcpy(size->name, name);
    strcpy(size->value, value);
    function->sizes++;
    return true;
}

static bool add_thunk(struct function *function, const char *path, char *error)
{
    if (strlen(path) >= sizeof function->thunk)
        return fail(error, "%s: the path is too long", "thunk");
    strcpy(function->thunk, path);
    return true;
}

bool contract_add(struct contract *contract, const char *name, const char *key,
                  const char *value, char *error)
{
    struct function *function = current(contract, name);

    if (!strcmp(key, "prototype"))
        return add_function(contract, name, value, error);
    if (!function)
        return fail(error, "the first key of [function %s] is prototype",
                    name);
    if (!strcmp(key, "thunk"))
        return add_thunk(function, value, error);
    if (!strncmp(key, "size ", 5))
        return add_size(function, key + 5, value, error);
    return add_array(function, key, value, error);
}

bool is_struct_value(const struct function *function, size_t parameter)
{
    const struct parameter *p = &function->parameter[parameter];

    return p->is_pointer && p->is_const && !strncmp(p->type, "struct ", 7)
           && !find_array(function, parameter, "");
}

/* The array that another one may be: a parameter before it. */
static bool check_in_place(const struct function *function,
                           const struct array *array, char *error)
{
    for (size_t i = 0; i < array->parameter && !*array->member; i++)
        if (!strcmp(function->parameter[i].name, array->in_place_of)
            && find_array(function, i, ""))
            return true;
    return fail(error, "\"in place of %s\" wants an array before this one",
                array->in_place_of);
}

static bool check_function(const struct function *function, char *error)
{
    for (size_t i = 0; i < function->parameters; i++)
        if (function->parameter[i].is_pointer
            && !find_array(function, i, "") && !is_struct_value(function, i)) {
            snprintf(error, CONTRACT_ERROR,
                     "[function %s]: no line says how large %s is",
                     function->name, function->parameter[i].name);
            return false;
        }
    for (size_t i = 0; i < function->arrays; i++)
        if (*function->array[i].in_place_of
            && !check_in_place(function, &function->array[i], error))
            return false;
    return true;
}

bool contract_check(const struct contract *contract, char *error)
{
    if (contract->functions == 0)
        return fail(error, "%s", "there is no section [function NAME]");
    for (size_t i = 0; i < contract->functions; i++)
        if (!*contract->function[i].thunk
            && !check_function(&contract->function[i], error))
            return false;
    return true;
}

/* Settings being read.  inih continues after an error; the first one counts. */
struct reading {
    struct contract *contract;
    char *error;
};

static int read_line(void *user, const char *section, const char *key,
                     const char *value)
{
    struct reading *reading = user;
    char unused[CONTRACT_ERROR];

    if (strncmp(section, "function ", 9))
        return 1;
    return contract_add(reading->contract, section + 9, key, value,
                        *reading->error ? unused : reading->error);
}

bool contract_read(const char *path, struct contract *contract, char *error)
{
    struct reading reading = {contract, error};
    char what[CONTRACT_ERROR];
    int line;

    *contract = (struct contract){.functions = 0};
    *error = 0;
    line = ini_parse(path, read_line, &reading);
    if (line == 0 && contract_check(contract, error))
        return true;
    strcpy(what, *error ? error : "it cannot be read");
    if (line > 0)
        snprintf(error, CONTRACT_ERROR, "%s:%d: %.160s", path, line, what);
    else
        snprintf(error, CONTRACT_ERROR, "%s: %.160s", path, what);
    return false;
}
