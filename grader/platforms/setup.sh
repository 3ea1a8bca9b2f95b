#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the grader beside this script.  Gradescope runs it once, when it makes
# the image of the autograder; for Autolab run it in the image that you make.
set -eu
cd "$(dirname "$0")"

if [ ! -x warpbook/bin/warpbook ]; then
    command -v make >/dev/null || {
        apt-get -qq update
        DEBIAN_FRONTEND=noninteractive apt-get -qq -y install make
    }
    make -C warpbook build
fi
chmod 755 grade.sh
# A submission runs as another user, which may start what builds its box, and
# list nothing here.
chmod 711 .
# On Gradescope, what is compiled for every submission is compiled now, by a
# grade of the handout: its run_autograder lies here.
if [ -e run_autograder ] && [ ! -e cache ]; then
    rm -rf handout
    mkdir handout
    for labs in warpbook/share/warpbook/labs warpbook/labs; do
        [ ! -d $labs ] || cp "$labs/$(cat lab)"_*/*.cu handout
    done
    if ./grade.sh handout "$PWD/work" gradescope >/dev/null; then
        mv work/cache cache
    fi
    rm -rf handout work
fi
