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
# A submission runs as another user: it gets no further than here.
chmod 700 .
