# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What test scripts share; to be sourced.  A folder $tmp that is removed at the
# end, check() for one test, finish() for the line that .ci/run-tests reads.
export SOFTCC_ENGINE=${SOFTCC_ENGINE:-fibers} # as .ci/run-tests
. "${BASH_SOURCE[0]%/*}/../common/base/temp_dir.sh"
passed=0 failed=0

# check WORDS COMMAND...: one test, named for what must be true.
check() {
    local words=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $words"
    fi
}

# The counts, and the exit status.
finish() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
