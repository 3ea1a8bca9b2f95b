/* SPDX-License-Identifier: MIT */
/* Proofs about a lab: listing them and running one. */
#include "prove.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"

/* Lines of a mutant that are read: verdict, expected text, test, hint. */
enum { HEADER_LINES = 4 };

/* "# expect: c[17]" or "// expect: ...": the value, or NULL. */
static const char *header_value(const char *line, const char *key)
{
    size_t length = strlen(key);

    line += strspn(line, "#/ ");
    return strncmp(line, key, length) ? NULL : line + length;
}

/* "60 84 right": the claim of a file whose points are proved. */
static bool read_score(struct proof *proof)
{
    char word[8] = "";

    proof->claim = CLAIM_SCORE;
    proof->verdict = PASS;
    if (sscanf(proof->expected_text, "%lf %lf %7s", &proof->least,
               &proof->most, word) != 3)
        return false;
    proof->is_right = !strcmp(word, "right");
    return proof->is_right || !strcmp(word, "wrong");
}

/* Parse a mutant's first lines. */
static bool read_header(const char *path, struct proof *proof)
{
    char *text, name[32];
    size_t length;
    const char *value, *line;
    bool is_score = false;

    text = read_file(path, 1 << 20, &length);
    proof->verdict = VERDICTS;
    line = text;
    for (int i = 0; line && i < HEADER_LINES; i++) {
        if ((value = header_value(line, "verdict: "))) {
            text_format(name, sizeof name, "%.*s", (int)strcspn(value, " \n"),
                        value);
            proof->verdict = verdict_named(name);
            if (!strcmp(name, "CHECK")) {
                proof->claim = CLAIM_FINDING;
                proof->verdict = PASS;
            } else if (!strcmp(name, "UNDONE")) {
                proof->claim = CLAIM_NO_DEVICE_WORK;
                proof->verdict = WRONG;
            }
            is_score = !strcmp(name, "SCORE");
        }
        if ((value = header_value(line, "expect: ")))
            text_format(proof->expected_text, sizeof proof->expected_text,
                        "%.*s", (int)strcspn(value, "\n"), value);
        if ((value = header_value(line, "hint: ")))
            text_format(proof->hint, sizeof proof->hint, "%.*s",
                        (int)strcspn(value, "\n"), value);
        if ((value = header_value(line, "test: ")))
            text_format(proof->test, sizeof proof->test, "%.*s",
                        (int)strcspn(value, " \n"), value);
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    free(text);
    if (is_score)
        return read_score(proof);
    return proof->verdict < VERDICTS && *proof->expected_text;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);

    return length > end && !strcmp(name + length - end, ending);
}

/* Does the suite have the test that the mutant names? */
static bool has_test(const struct lab *lab, const char *name)
{
    size_t i = 0;

    while (i < lab->tests && strcmp(lab->test[i].name, name))
        i++;
    return i < lab->tests;
}

static bool add_mutant(const struct lab *lab, const char *name,
                       struct proof *proof, char *error)
{
    char path[PATH_MAX];
    bool diff = ends_with(name, ".diff");

    *proof = (struct proof){.claim = CLAIM_KILLED};
    text_format(proof->name, sizeof proof->name, "%.*s",
                (int)(strrchr(name, '.') - name), name);
    root_path(path, "grader/mutants/%s/%s", lab->stem, name);
    text_format(diff ? proof->mutant : proof->source, sizeof proof->source,
                "%s", path);
    if (!read_header(path, proof))
        text_format(error, LAB_ERROR_SIZE,
                    "%s: its first lines must give verdict: and expect:",
                    path);
    else if (*proof->test && !has_test(lab, proof->test))
        text_format(error, LAB_ERROR_SIZE, "%s: the suite has no test %s",
                    path, proof->test);
    return !*error;
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
    int found = scandir(root_path(path, "grader/mutants/%s", lab->stem),
                        &entries, NULL, by_name);

    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;

        if ((ends_with(name, ".diff") || ends_with(name, ".cu"))
            && strcmp(name, "handout.diff") && count < most)
            count += add_mutant(lab, name, &proofs[count], error);
        free(entries[i]);
    }
    free(entries);
    return count;
}

/* The handout of the current reference. */
static bool add_handout(const struct lab *lab, const char *folder,
                        struct proof *proof, char *error)
{
    char *handout = lab_extract_handout(lab, error);
    bool ok;

    if (!handout)
        return false;
    *proof = (struct proof){.claim = CLAIM_HANDOUT, .name = "handout"};
    text_format(proof->source, sizeof proof->source, "%s/%s.cu", folder,
                lab->name);
    ok = write_file(proof->source, handout, strlen(handout));
    free(handout);
    if (!ok)
        text_format(error, LAB_ERROR_SIZE, "%s: %s", proof->source,
                    strerror(errno));
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
        text_format(proof->name, sizeof proof->name, "%s", lab->step[i]);
        text_format(proof->source, sizeof proof->source, "%s",
                    root_path(path, "solutions/%s/%s", lab->stem,
                              lab->step[i]));
    }
    count += add_mutants(lab, proofs + count, MAX_PROOFS - count, error);
    return *error ? 0 : count;
}

static void explain_outcome(const struct lab *lab, const struct report *report,
                            struct proof *proof)
{
    size_t i = 0;

    while (i < lab->tests && report->test[i].verdict == PASS)
        i++;
    if (i < lab->tests)
        text_format(proof->reason, PROOF_SIZE, "%s: %s %.400s",
                    lab->test[i].name, verdict_name(report->test[i].verdict),
                    report->test[i].message);
    else if (report->clean.verdict != PASS)
        text_format(proof->reason, PROOF_SIZE, "all tests passed; %s %.400s",
                    verdict_name(report->clean.verdict), report->clean.message);
    else
        text_format(proof->reason, PROOF_SIZE,
                    "all tests passed; %g of %g points", report->score,
                    report->max_score);
}

/* Does a finding contain this, in its kind or its message, or the message of a
 * watched case? */
static bool has_finding(const struct watch *watch, const char *expected_text)
{
    for (size_t i = 0; i < watch->findings; i++)
        if (strstr(watch->finding[i].kind, expected_text)
            || strstr(watch->finding[i].message, expected_text))
            return true;
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        if (watch->cases[i].was_run
            && strstr(watch->cases[i].outcome.message, expected_text))
            return true;
    return false;
}

/* Does a test fail, if the finding says that outputs are right by luck? */
static bool fails_if_unreliable(const struct report *report)
{
    return report->verdict != PASS
           || !has_unreliable_outputs(&report->watch);
}

/* All tests pass, nothing is found, and the points are those of the step; the
 * reference gets all points. */
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

/* Does a test have the verdict, the message and the hint of the mutant's
 * header? */
static bool matches_expectation(const struct outcome *outcome,
                                const void *wanted)
{
    const struct proof *proof = wanted;

    return outcome->verdict == proof->verdict
           && strstr(outcome->message, proof->expected_text)
           && (!*proof->hint
               || (outcome->hint && strstr(outcome->hint, proof->hint)));
}

static bool is_killed(const struct lab *lab, const struct report *report,
                      const struct proof *proof)
{
    size_t i = 0;

    while (i < lab->tests && !matches_expectation(&report->test[i], proof))
        i++;
    return i < lab->tests;
}

static bool is_student_fault(enum verdict verdict)
{
    return verdict == WRONG || verdict == CRASHED || verdict == TIMEOUT
           || verdict == MEMORY || verdict == OUTPUT;
}

/* The answer of the lab's question must be what this step counts. */
static bool check_answer(const struct lab *lab, const struct report *report,
                         struct proof *proof)
{
    const struct lab_question *question = &lab->question;
    const struct counter *counter =
        &report->watch.cases[question->watched].counter[question->metric];

    if (strcmp(proof->name, question->step) || !report->watched)
        return true;
    if (counter->is_complete
        && is_right_answer(question, counter->value / question->unit))
        return true;
    text_format(proof->reason, PROOF_SIZE,
                "[question]: the answer should be %.10g, as counted",
                counter->value / question->unit);
    return false;
}

/* Is the claim true of the report? */
static bool claim_holds(const struct lab *lab, const struct target *target,
                        const struct report *report, struct proof *proof)
{
    switch (proof->claim) {
    case CLAIM_STEP:
        proof->modeled = report->watch.cases[lab_model_case(lab)].modeled;
        return is_in_tier(lab, target, report, proof)
               && check_answer(lab, report, proof);
    case CLAIM_FINDING: /* a card has no instrumentation */
        return target->kind != DEVICE_SOFT
               || (has_finding(&report->watch, proof->expected_text)
                   && fails_if_unreliable(report));
    case CLAIM_HANDOUT:
        return is_student_fault(report->verdict);
    case CLAIM_NO_DEVICE_WORK: /* a card has no counters */
        return target->kind != DEVICE_SOFT
               || is_killed(lab, report, proof);
    case CLAIM_SCORE: /* a card has other points */
        return (report->verdict == PASS) == proof->is_right
               && (target->kind != DEVICE_SOFT
                   || (report->score >= proof->least
                       && report->score <= proof->most));
    case CLAIM_KILLED:
        return is_student_fault(report->verdict)
               && is_killed(lab, report, proof);
    }
    return false;
}

void proof_run(const struct lab *lab, const struct target *target,
               uint64_t seed, struct proof *proof)
{
    static struct report report;
    const char *engine = getenv("SOFTCC_ENGINE"); /* set in main() */
    const bool other = engine && strcmp(engine, "fibers") != 0;
    char kept[PATH_MAX];
    bool watch = proof->claim != CLAIM_HANDOUT && proof->claim != CLAIM_KILLED;
    struct task task = {.lab = lab,
                        .target = target,
                        .source = proof->source,
                        .seed = seed,
                        .watch = watch,
                        .model_case = proof->claim == CLAIM_STEP,
                        .stop_data = proof};

    if (proof->claim == CLAIM_STEP) {
        task.step = proof->name;
    } else if (proof->claim != CLAIM_HANDOUT) {
        text_format(kept, sizeof kept, "%s/mutants%s%s/%s/%s", build_root(),
                    other ? "-" : "", other ? engine : "", lab->stem,
                    proof->name);
        task.object_folder = kept;
        if (!make_directories(kept)
            || (*proof->mutant && !mutant_prepare(lab, kept, proof)))
            return;
    }
    if (proof->claim == CLAIM_KILLED) { /* one test that fails is enough */
        task.should_stop = matches_expectation;
        if (*proof->test && target->kind == DEVICE_SOFT)
            task.only = proof->test;
        /* misaligned accesses crash only as the vector code of -O3 */
        task.effort = proof->verdict == WRONG ? EFFORT_LEAST : EFFORT_FULL;
    }
    task.watch_only = proof->claim == CLAIM_FINDING
                      && target->kind == DEVICE_SOFT;
    grade(&task, &report);
    proof->score = report.score;
    proof->holds = claim_holds(lab, target, &report, proof);
    if (!proof->holds && !*proof->reason)
        explain_outcome(lab, &report, proof);
}
