/* SPDX-License-Identifier: MIT */
/* A lab's dependencies: other labs' references and C files of the project
 * that its submissions may call ([lab] with). */
#include <string.h>

#include "common/base/paths.h"
#include "common/base/text.h"
#include "recipe.h"

static bool is_c_file(const char *word)
{
    const size_t length = strlen(word);

    return length > 2 && !strcmp(word + length - 2, ".c");
}

/* Another lab's reference, compiled as a submission is. */
static bool add_reference(struct recipe *recipe, const struct target *target,
                          const char *name, const char *folder, char *error)
{
    static struct lab lab; /* only its stem and reference are used later */
    char reason[LAB_ERROR_SIZE];
    struct action *action;

    if (!lab_open(name, &lab, reason)) {
        text_format(error, LAB_ERROR_SIZE, "grader/labs/*.ini, with: %.900s",
                    reason);
        return false;
    }
    action = recipe_add(recipe, target->compiler,
                        recipe_text(recipe, "%s/solutions/%s/%s",
                                    source_root(), lab.stem, lab.reference),
                        recipe_text(recipe, "%s/%s.o", folder, lab.stem));
    add_submission_options(recipe, action, target, &lab, EFFORT_FULL);
    add_compile_arguments(recipe, action);
    return true;
}

bool recipe_add_dependencies(struct recipe *recipe,
                             const struct target *target,
                             const struct lab *lab, const char *folder,
                             char *error)
{
    char words[sizeof lab->dependencies], *rest = words, *word;

    memcpy(words, lab->dependencies, sizeof words);
    while ((word = strsep(&rest, " "))) {
        if (!*word)
            continue;
        if (is_c_file(word))
            recipe_add_object(recipe, target, recipe_text(recipe, "%s", word),
                              folder);
        else if (!add_reference(recipe, target, word, folder, error))
            return false;
    }
    return true;
}
