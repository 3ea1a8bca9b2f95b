#!/bin/sh
# SPDX-License-Identifier: MIT
# Install what is missing on Debian: install.sh SET..., of
# student, grader, libraries, test, docs, bench, cluster, vectors, compilers
#
# Prints what apt will install and asks nothing; without missing packages it
# ends at once and needs no network.
set -eu
. "${0%/*}/../../common/base/temp_dir.sh"

student="gcc g++ make binutils patch libarchive-dev libcunit1-dev libdw-dev
         libinih-dev libdnnl-dev libjansson-dev libjpeg62-turbo-dev
         libmd-dev libopenblas-dev libpng-dev libseccomp-dev libyaml-dev zlib1g-dev
         dataset-fashion-mnist"
# Boxes in which a class is graded; tests use them, too.
grader="bubblewrap"
# The library behind cuFFT on the software GPU.
libraries="libfftw3-single3 libfftw3-double3"
test="$libraries clang cmake python3 tidy similarity-tester unzip zip strace
      $grader"
docs="doxygen graphviz doxygen-awesome-css duktape"
bench="gnuplot-nox"
# A Slurm of one node, for the test of grading on a cluster.
cluster="munge slurm-client slurmctld slurmd"

# The second engine of the software GPU: softcc --engine vectors.
vectors="clang-19 llvm-19-dev"
# Other compilers of the project itself, with their sanitizers: make
# CC=clang-14.
compilers="clang-14 clang-19 libclang-rt-14-dev libclang-rt-19-dev"

stop() {
    echo "setup: $*" >&2
    exit 1
}

wanted=
for set in "$@"; do
    case $set in
    student) wanted="$wanted $student" ;;
    grader) wanted="$wanted $grader" ;;
    libraries) wanted="$wanted $libraries" ;;
    test) wanted="$wanted $test" ;;
    docs) wanted="$wanted $docs" ;;
    bench) wanted="$wanted $bench" ;;
    cluster) wanted="$wanted $cluster" ;;
    vectors) wanted="$wanted $vectors" ;;
    compilers) wanted="$wanted $compilers" ;;
    *) stop "no package set '$set'; see the top of $0" ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    # shellcheck disable=SC2086 # the list is split on purpose
    echo "setup: not a Debian system; wanted, under Debian's names:" $wanted >&2
    exit 0
fi

# shellcheck disable=SC2086 # one argument a package
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted \
    2>/dev/null | sed -n 's/^installed //p')
missing=
for package in $wanted; do
    case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || stop "no apt-get here; install:$missing"
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        stop "not root and no sudo; as root: apt-get install$missing"
    sudo="sudo -n"
    [ ! -t 0 ] || sudo=sudo
    $sudo true || stop "sudo refused; as root: apt-get install$missing"
fi

echo "setup: apt will install:$missing" | fold -s -w 80
log=$tmp/log
apt() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
        -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >"$log" 2>&1
}
# The lists that came with the image may name versions that are gone by now.
# shellcheck disable=SC2086
if ! { apt update && apt install --no-install-recommends $missing; }; then
    tail -n 5 "$log" >&2
    stop "apt failed (is there a network?); wanted:$missing"
fi
