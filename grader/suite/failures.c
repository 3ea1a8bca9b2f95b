/* SPDX-License-Identifier: MIT */
/* The submission's calls of the runtime are made to fail, one after another. */
#include <string.h>

#include "state.h"
#include "suite.h"

/* A call that failed was not noticed. */
static void fail_without_error(const char *failed_text)
{
    static const char launch[] = "kernel launch";

    suite_fail(WRONG, "returned 0; the contract asks for an error here");
    if (!strncmp(failed_text, launch, strlen(launch)))
        suite_state.outcome->hint =
            "<<<...>>> returns nothing: return cudaGetLastError() after it.";
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
        expect_no_leak();
    }
}
