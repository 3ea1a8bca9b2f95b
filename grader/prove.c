/* SPDX-License-Identifier: MIT */
/* Proofs about a lab: listing them, trying one. */
#include "prove.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "house.h"
#include "text.h"
#include "verbs/common.h"

/* "# expect: c[17]" or "// expect: ...": the value, or NULL. */
static const char *header_value(const char *line, const char *key)
{
    size_t length = strlen(key);

    line += strspn(line, "#/ ");
    return strncmp(line, key, length) ? NULL : line + length;
}

/* Reads what a mutant's first lines ask for. */
static bool read_header(const char *path, struct proof *proof)
{
    char *text, name[32];
    size_t length;
    const char *value, *line;

    text = read_whole(path, 1 << 20, &length);
    proof->verdict = VERDICTS;
    line = text;
    for (int i = 0; line && i < 2; i++) {
        if ((value = header_value(line, "verdict: "))) {
            text_put(name, sizeof name, "%.*s", (int)strcspn(value, " \n"),
                     value);
            proof->verdict = verdict_named(name);
            if (!strcmp(name, "CHECK")) {
                proof->claim = CLAIM_FOUND;
                proof->verdict = PASS;
            } else if (!strcmp(name, "UNDONE")) {
                proof->claim = CLAIM_UNDONE;
                proof->verdict = WRONG;
            }
        }
        if ((value = header_value(line, "expect: ")))
            text_put(proof->fragment, sizeof proof->fragment, "%.*s",
                     (int)strcspn(value, "\n"), value);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    free(text);
    return proof->verdict < VERDICTS && *proof->fragment;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);

    return length > end && !strcmp(name + length - end, ending);
}

static bool add_mutant(const struct lab *lab, const char *name,
                       struct proof *proof, char *error)
{
    char path[PATH_MAX];
    bool diff = ends_with(name, ".diff");

    *proof = (struct proof){.claim = CLAIM_CAUGHT};
    text_put(proof->name, sizeof proof->name, "%.*s",
             (int)(strrchr(name, '.') - name), name);
    house_path(path, "grader/mutants/%s/%s", lab->stem, name);
    text_put(diff ? proof->mutant : proof->source, sizeof proof->source, "%s",
             path);
    if (read_header(path, proof))
        return true;
    text_put(error, LAB_ERROR, "%s: its first lines must give verdict: and "
                               "expect:", path);
    return false;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static size_t add_mutants(const struct lab *lab, struct proof *proofs,
                          size_t most, char *error)
{
    char path[PATH_MAX];
    struct dirent **entries = NULL;
    size_t count = 0;
    int found = scandir(house_path(path, "grader/mutants/%s", lab->stem),
                        &entries, NULL, by_name);

    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;

        if ((ends_with(name, ".diff") || ends_with(name, ".cu"))
            && count < most)
            count += add_mutant(lab, name, &proofs[count], error);
        free(entries[i]);
    }
    free(entries);
    return count;
}

/* The handout that the reference gives now. */
static bool add_handout(const struct lab *lab, const char *folder,
                        struct proof *proof, char *error)
{
    char *handout = cut_lab(lab, error);
    bool ok;

    if (!handout)
        return false;
    *proof = (struct proof){.claim = CLAIM_HANDOUT, .name = "handout"};
    text_put(proof->source, sizeof proof->source, "%s/%s.cu", folder,
             lab->name);
    ok = write_whole(proof->source, handout, strlen(handout));
    free(handout);
    if (!ok)
        text_put(error, LAB_ERROR, "%s: %s", proof->source, strerror(errno));
    return ok;
}

size_t proofs_list(const struct lab *lab, const char *folder,
                   struct proof *proofs, char *error)
{
    size_t count = 0;
    char path[PATH_MAX];

    *error = 0;
    if (!add_handout(lab, folder, &proofs[count++], error))
        return 0;
    for (size_t i = 0; i < lab->steps; i++) {
        struct proof *proof = &proofs[count++];

        *proof = (struct proof){.claim = CLAIM_STEP,
                                .points = lab->ladder[i]};
        text_put(proof->name, sizeof proof->name, "%s", lab->step[i]);
        text_put(proof->source, sizeof proof->source, "%s",
                 house_path(path, "solutions/%s/%s", lab->stem,
                            lab->step[i]));
    }
    count += add_mutants(lab, proofs + count, PROOFS_MOST - count, error);
    return *error ? 0 : count;
}

static void say_outcome(const struct lab *lab, const struct report *report,
                        struct proof *proof)
{
    size_t i = 0;

    while (i < lab->tests && report->test[i].verdict == PASS)
        i++;
    if (i < lab->tests)
        text_put(proof->why, PROOF_TEXT, "%s: %s %.400s", lab->test[i].name,
                 verdict_name(report->test[i].verdict),
                 report->test[i].message);
    else if (report->clean.verdict != PASS)
        text_put(proof->why, PROOF_TEXT, "all tests passed; %s %.400s",
                 verdict_name(report->clean.verdict), report->clean.message);
    else
        text_put(proof->why, PROOF_TEXT, "all tests passed; %g of %g points",
                 report->score, report->max_score);
}

/* Does a finding say so: its kind, or its sentence? */
static bool is_found(const struct watch *watch, const char *fragment)
{
    for (size_t i = 0; i < watch->findings; i++)
        if (strstr(watch->finding[i].kind, fragment)
            || strstr(watch->finding[i].message, fragment))
            return true;
    return false;
}

/* Right, clean, and in its tier; the reference at the top of them. */
static bool is_in_tier(const struct lab *lab, const struct target *target,
                       const struct report *report, const struct proof *proof)
{
    bool last = !strcmp(proof->name, lab->reference);
    double wanted = last ? report->max_score : proof->points;

    if (report->verdict != PASS || report->clean.verdict != PASS)
        return false;
    return target->kind != DEVICE_SOFT || wanted < 0
           || report->score == wanted;
}

/* Does a test end as the mutant's header says? */
static bool says_so(const struct outcome *outcome, const void *wanted)
{
    const struct proof *proof = wanted;

    return outcome->verdict == proof->verdict
           && strstr(outcome->message, proof->fragment);
}

static bool is_caught(const struct lab *lab, const struct report *report,
                      const struct proof *proof)
{
    size_t i = 0;

    while (i < lab->tests && !says_so(&report->test[i], proof))
        i++;
    return i < lab->tests;
}

static bool is_student(enum verdict verdict)
{
    return verdict == WRONG || verdict == CRASHED || verdict == TIMEOUT
           || verdict == MEMORY || verdict == OUTPUT;
}

/* The lab's question is answered by what this step counts, if by any. */
static bool is_answer(const struct lab *lab, const struct report *report,
                      struct proof *proof)
{
    const struct lab_question *question = &lab->question;
    const struct counted *counted =
        &report->watch.cases[question->watched].cost[question->cost];

    if (strcmp(proof->name, question->step) || !report->watched)
        return true;
    if (counted->seen
        && question_right(question, counted->value / question->unit))
        return true;
    text_put(proof->why, PROOF_TEXT,
             "[question]: the answer should be %.10g, as counted",
             counted->value / question->unit);
    return false;
}

void proof_try(const struct lab *lab, const struct target *target,
               const char *folder, uint64_t seed, struct proof *proof)
{
    static struct report report;
    bool watch = proof->claim != CLAIM_HANDOUT && proof->claim != CLAIM_CAUGHT;
    struct task task = {.lab = lab, .target = target, .source = proof->source,
                        .seed = seed, .watch = watch,
                        .apart = proof->claim == CLAIM_STEP, .wanted = proof};

    if (*proof->mutant && !mutant_make(lab, folder, proof))
        return;
    if (proof->claim == CLAIM_CAUGHT) /* once is enough */
        task.enough = says_so;
    grade(&task, &report);
    switch (proof->claim) {
    case CLAIM_STEP:
        proof->modelled = report.watch.cases[lab_modelled(lab)].modelled;
        proof->held = is_in_tier(lab, target, &report, proof)
                      && is_answer(lab, &report, proof);
        break;
    case CLAIM_FOUND: /* the gpu device has no watchers */
        proof->held = target->kind != DEVICE_SOFT
                      || is_found(&report.watch, proof->fragment);
        break;
    case CLAIM_HANDOUT:
        proof->held = is_student(report.verdict);
        break;
    case CLAIM_UNDONE: /* nor can it tell there who did the work */
        proof->held = target->kind != DEVICE_SOFT
                      || is_caught(lab, &report, proof);
        break;
    case CLAIM_CAUGHT:
        proof->held = is_student(report.verdict)
                      && is_caught(lab, &report, proof);
        break;
    }
    if (!proof->held && !*proof->why)
        say_outcome(lab, &report, proof);
}
