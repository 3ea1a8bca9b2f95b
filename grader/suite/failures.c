/* SPDX-License-Identifier: MIT */
/* The submission's calls of the runtime are made to fail, one after another. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "state.h"
#include "suite.h"

/* Did CUDA_CHECK print "vector_add.cu:31: " of the call that failed,
 * "cudaMalloc, vector_add.cu:31"? */
static bool was_printed(const char *failed_text)
{
    const char *comma = strstr(failed_text, ", ");
    char place[FACT_SIZE + 2];

    snprintf(place, sizeof place, "%s: ", comma ? comma + 2 : "");
    return comma && strstr(suite_state.outcome->printed, place);
}

/* A call that failed was not noticed. */
static void fail_without_error(const char *failed_text)
{
    static const char launch[] = "kernel launch";

    suite_fail(WRONG, "returned 0; the contract asks for an error here");
    if (was_printed(failed_text))
        suite_state.outcome->hint =
            "CUDA_CHECK printed this error, and yet the function returned 0: "
            "is its result not kept, or overwritten by that of a later call, "
            "as in err = cudaFree(...)? Keep the first error: if (!err) err = "
            "...";
    else if (!strncmp(failed_text, launch, strlen(launch)))
        suite_state.outcome->hint =
            "<<<...>>> returns nothing: return cudaGetLastError() after it.";
}

/* The call that failed returned cudaErrorMemoryAllocation; the lab must return
 * that, not what a later call says.  (The statuses of libraries are others.) */
static void expect_first_error(int64_t status, const char *failed_text)
{
    enum { MEMORY_ALLOCATION = 2 };

    if (status == 0 || status == MEMORY_ALLOCATION
        || (strncmp(failed_text, "cuda", 4)
            && strncmp(failed_text, "kernel launch", 13)))
        return;
    suite_fail(WRONG, "returned %s, should be cudaErrorMemoryAllocation, the "
               "error of this call: a later call's error took its place",
               suite_state.reply.facts.status_text);
    suite_state.outcome->hint = "Keep the first error: after it make no "
                                "further call but those that free, "
                                "if (!err) err = ...";
}

/* What the lab says of this error is no news of a later call. */
static void remember_failure(int64_t status)
{
    suite_forget_stderr();
    suite_state.failure_status = status;
}

void suite_check_kept_error(int64_t status)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (status == 0 || status != suite_state.failure_status || facts->error)
        return;
    suite_fail(WRONG, "returned %s, should be 0: that was the error of an "
               "earlier call, and none was left in this one: is it kept in a "
               "static or global variable?", facts->status_text);
    suite_hint("");
}

void suite_check_failures(int64_t (*call)(void))
{
    enum { MOST_CALLS = 200 }; /* of one call of a lab */
    struct facts *facts = &suite_state.reply.facts;

    for (unsigned k = 0; k <= MOST_CALLS && !suite_failed(); k++) {
        int64_t status;

        suite_case(k ? "call %u of those that can fail is made to fail"
                   : "no call is made to fail", k);
        suite_state.session->failing_call = k;
        status = call();
        suite_state.session->failing_call = 0;
        facts->failed_text[FACT_SIZE - 1] = 0;
        if (suite_failed() || (k > 0 && !facts->failed_text[0]))
            break;
        if (k == 0)
            expect_success(status);
        else
            suite_case("call %u of those that can fail is made to fail (%s)",
                       k, facts->failed_text);
        if (k > 0 && status == 0)
            fail_without_error(facts->failed_text);
        if (k > 0)
            remember_failure(status);
        if (k > 0)
            expect_first_error(status, facts->failed_text);
        if (suite_failed())
            break;
        expect_no_leak();
        if (suite_failed())
            suite_state.outcome->detail = LEAK_AFTER_ERROR;
        if (k > 0 && suite_failed())
            suite_state.outcome->hint =
                "What was created before the call that failed must be freed "
                "on this path, too: one exit for all errors is enough.";
    }
}

void suite_check_late_failure(int64_t (*call)(void), unsigned kernel)
{
    const struct facts *facts = &suite_state.reply.facts;
    int64_t status;

    if (suite_should_skip())
        return;
    suite_case("kernel %u fails when it runs", kernel);
    suite_state.session->failing_call = FAILING_KERNEL | kernel;
    status = call();
    suite_state.session->failing_call = 0;
    if (suite_failed() || !facts->failed_text[0] || status != 0)
        return;
    suite_fail(WRONG, "returned 0: an error of work that was pending is lost");
    suite_hint("Wait for each stream, and return what the wait returns, before "
               "its memory is freed: cudaStreamSynchronize(0) does not wait "
               "for non-blocking streams, and what cudaFree waits for, nobody "
               "learns.");
}
