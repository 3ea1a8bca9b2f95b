#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every lab is proved: its handout compiles and does not pass, its reference
# gets full marks, each wrong kernel its verdict.  One test a lab.
set -u
passed=0
failed=0
for settings in grader/labs/*.ini; do
    lab=$(basename "$settings" .ini)
    if "$BUILD/warpbook" prove "$lab"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $lab is not proved"
    fi
done
echo "$passed passed, $failed failed"
((failed == 0))
