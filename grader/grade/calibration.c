/* SPDX-License-Identifier: MIT */
/* The calibration file. */
#include "calibration.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/json_file.h"
#include "common/base/json_member.h"
#include "common/base/text.h"
#include "score.h"

static const char schema[] = "warpbook-calibration/1";

void calibration_default_path(char *path)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

    *path = 0;
    if (state && *state == '/')
        text_format(path, PATH_MAX, "%s/warpbook/calibration.json", state);
    else if (home && *home)
        text_format(path, PATH_MAX, "%s/.local/state/warpbook/calibration.json",
                    home);
}

bool calibration_read(const char *path, const struct card_facts *facts,
                      struct calibration *calibration, char *error)
{
    size_t length;
    char *text = read_file(path, 1 << 20, &length);
    json_error_t where;

    *calibration = (struct calibration){.facts = *facts};
    text_format(calibration->path, PATH_MAX, "%s", path);
    if (!text) {
        if (errno != ENOENT)
            text_format(error, LAB_ERROR_SIZE, "%s: %s", path,
                        strerror(errno));
        return errno == ENOENT;
    }
    calibration->root = json_loadb(text, length, 0, &where);
    free(text);
    if (!strcmp(member_text(calibration->root, "schema", ""), schema))
        return true;
    text_format(error, LAB_ERROR_SIZE, "%s: not a calibration (%s); warpbook "
                "calibrate writes one", path,
                calibration->root ? "its schema is another" : where.text);
    calibration_free(calibration);
    return false;
}

void calibration_free(struct calibration *calibration)
{
    json_decref(calibration->root);
    calibration->root = NULL;
}

/* Was the file written on this card, with this driver? */
static bool is_of_card(const struct calibration *calibration)
{
    const json_t *root = calibration->root;

    return !strcmp(member_text(root, "card", ""), calibration->facts.name)
           && !strcmp(member_text(root, "driver", ""),
                      calibration->facts.driver);
}

/* The ladder may have changed since. */
static bool read_steps(const json_t *run, const struct lab *lab,
                       struct calibrated_run *result)
{
    const json_t *steps = json_object_get(run, "steps");

    if (json_array_size(steps) != lab->steps)
        return false;
    for (size_t i = 0; i < lab->steps; i++) {
        const json_t *step = json_array_get(steps, i);

        result->ratio[i] = member_number(step, "ratio");
        if (result->ratio[i] <= 0
            || strcmp(member_text(step, "step", ""), lab->step[i]))
            return false;
    }
    return true;
}

static bool read_run(const json_t *run, const struct lab *lab,
                     struct calibrated_run *result)
{
    text_format(result->date, sizeof result->date, "%.15s",
                member_text(run, "date", ""));
    make_printable(result->date);
    result->baseline = member_number(run, "baseline_seconds");
    result->reference = member_number(run, "reference_seconds");
    return result->baseline > 0 && result->reference > 0
           && read_steps(run, lab, result);
}

bool calibration_find(const struct calibration *calibration,
                      const struct lab *lab, size_t index,
                      struct calibrated_run *run, char *reason)
{
    const json_t *labs = json_object_get(calibration->root, "labs");
    const json_t *found = json_object_get(json_object_get(labs, lab->stem),
                                          lab->speed[index].name);
    const char *why = NULL;

    if (!found)
        why = "the ladder was not measured on this card";
    else if (!is_of_card(calibration))
        why = "the ladder was measured on another card, or with another "
              "driver";
    else if (!read_run(found, lab, run))
        why = "the ladder has changed since it was measured";
    if (why)
        text_format(reason, LAB_ERROR_SIZE, "%s: run warpbook calibrate %02d",
                    why, lab->number);
    return !why;
}

/* Object `key` of an object, which is created when it is missing. */
static json_t *open_object(json_t *object, const char *key)
{
    if (!json_is_object(json_object_get(object, key)))
        json_object_set_new(object, key, json_object());
    return json_object_get(object, key);
}

static void start_file(struct calibration *calibration)
{
    const struct card_facts *facts = &calibration->facts;

    calibration_free(calibration);
    calibration->root = json_pack(
        "{s:s,s:s,s:s,s:i,s:i,s:{}}", "schema", schema, "card", facts->name,
        "driver", facts->driver, "sm_mhz", (int)facts->sm_mhz, "memory_mhz",
        (int)facts->memory_mhz, "labs");
}

void calibration_set(struct calibration *calibration, const struct lab *lab,
                     size_t index, const struct calibrated_run *run)
{
    json_t *steps = json_array(), *labs;

    if (!calibration->root || !is_of_card(calibration))
        start_file(calibration);
    for (size_t i = 0; i < lab->steps; i++)
        json_array_append_new(steps, json_pack("{s:s,s:f}", "step",
                                               lab->step[i], "ratio",
                                               run->ratio[i]));
    labs = open_object(open_object(calibration->root, "labs"), lab->stem);
    json_object_set_new(
        labs, lab->speed[index].name,
        json_pack("{s:s,s:f,s:f,s:o}", "date", run->date, "baseline_seconds",
                  run->baseline, "reference_seconds", run->reference, "steps",
                  steps));
}

bool calibration_write(const struct calibration *calibration)
{
    char folder[PATH_MAX];
    char *slash;

    text_format(folder, sizeof folder, "%s", calibration->path);
    slash = strrchr(folder, '/');
    if (slash && slash > folder) {
        *slash = 0;
        if (!make_directories(folder))
            return false;
    }
    return write_json(calibration->path, calibration->root,
                      JSON_INDENT(1) | JSON_REAL_PRECISION(6));
}

bool calibration_has_drifted(const struct calibrated_run *run,
                             const struct lab *lab, double baseline,
                             double reference, double limit, char *reason)
{
    const double changes[] = {score_change(baseline, run->baseline),
                              score_change(reference, run->reference)};
    static const char *const names[] = {"baseline", "reference"};

    for (int i = 0; i < 2; i++)
        if (fabs(changes[i]) > limit) {
            text_format(reason, LAB_ERROR_SIZE, "the %s takes %.1f %% %s than "
                        "on %s: measure the ladder again by warpbook calibrate "
                        "%02d", names[i], 100 * fabs(changes[i]),
                        changes[i] > 0 ? "longer" : "less", run->date,
                        lab->number);
            return true;
        }
    return false;
}
