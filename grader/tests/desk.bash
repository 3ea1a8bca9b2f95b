# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For tests of the learner's verbs, to be sourced after .ci/check.sh: $warpbook,
# a copy of the labs with lab 01 as handed out ($file), a journal, and what a
# command printed ($out).
warpbook=$(realpath "${BUILD:-build}")/warpbook
root=$PWD
export WARPBOOK_PROGRESS=$tmp/progress NO_COLOR=1 TERM=xterm
out=$tmp/out

says() { # TEXT: the last output has it, whatever the line ends
    [[ $(tr -d '\0' <"$out" | tr -s ' \r\n' ' ') == *"$1"* ]]
}

silent_about() { ! says "$1"; }

# A copy of the labs, so that saves and resets do not touch the tree.
mkdir -p "$tmp/home"
cp -r labs "$tmp/home/labs"
ln -s "$root"/{solutions,grader,common,docs} "$tmp/home"
export WARPBOOK_HOME=$tmp/home
file=$tmp/home/labs/01_vector_add/vector_add.cu
"$warpbook" cut 01 --output "$file"
