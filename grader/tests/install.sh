#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make install: an ordinary user installs into an empty folder, grades and
# compiles from there with nothing of the source tree in reach, and removes it.
set -u
. .ci/check.sh
build=$(realpath "${BUILD:-build}")
[[ $build != */san ]] || {
    echo "skipped: what is installed is the plain build"
    exit 77
}
top=$tmp/top
prefix=$top/new/prefix home=$tmp/home
mkdir "$top" "$home"

# Root's tests run as somebody who owns nothing but these folders.
as_user=()
if [[ $(id -u) == 0 ]]; then
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chown -R 65534:65534 "$tmp"
fi

run() { # FOLDER COMMAND...: as the user, with a bare environment
    local folder=$1
    shift
    (cd "$folder" && "${as_user[@]}" env -i HOME="$home" \
        PATH="$prefix/bin:$PATH" \
        "$@" </dev/null)
}

# The tree may lie where only root can read: then root installs for the user.
installer=("${as_user[@]}")
"${as_user[@]}" test -r Makefile -a -r "$build/softcc" || installer=()
files() {
    "${installer[@]}" env TMPDIR="$home" grader/setup/files "$@"
    local status=$?
    [[ ${#as_user[@]} == 0 ]] || chown -R 65534:65534 "$top"
    return $status
}

check "it installs" files install "$build" "$prefix" >"$tmp/out"
check "it says how to get the labs" grep -q \
    "cp -r $prefix/share/warpbook/labs" "$tmp/out"
check "the bin folder has the three programs" test -x "$prefix/bin/softcc" \
    -a -x "$prefix/bin/warpbook" -a -x "$prefix/bin/train"
for page in softcc warpbook train; do
    check "$page has a manual page" test -s "$prefix/share/man/man1/$page.1"
    check "with a date, as man and mandoc expect" grep -qE \
        '^\.TH [A-Z]+ 1 20[0-9]{2}-[0-9]{2}-[0-9]{2} ' \
        "$prefix/share/man/man1/$page.1"
    check "$page has a completion" test -s \
        "$prefix/share/bash-completion/completions/$page"
done

mkdir "$home/class"
cp -r "$prefix/share/warpbook/labs" "$home/class/labs"
cp solutions/01_vector_add/*.h "$home/class/labs/01_vector_add"
cp solutions/01_vector_add/3_*.cu \
    "$home/class/labs/01_vector_add/vector_add.cu"
[[ ${#as_user[@]} == 0 ]] || chown -R 65534:65534 "$home"
run "$home/class" warpbook grade 01 --device soft --no-speed >"$tmp/out" 2>&1
check "the learner's own file is graded, and right" grep -Eq \
    'Score: ([0-9]+) of \1' \
    "$tmp/out"
run "$home" warpbook grade 01 --device soft --no-speed --no-watch >"$tmp/out" \
    2>&1
check "elsewhere the file that was installed is" grep -q 'WRONG .*small' \
    "$tmp/out"

write_program "$home/sum.cu"
check "CMake finds the layout of a Toolkit" test -x \
    "$prefix/lib/warpbook/cuda/bin/nvcc" -a -e \
    "$prefix/lib/warpbook/cuda/include/cuda_runtime.h" -a -s \
    "$prefix/lib/warpbook/cuda/lib64/libcudart.so"
check "softcc compiles there" run "$home" softcc sum.cu -o sum
check "its program runs" test "$(run "$home" ./sum)" = 31
check "so does an instrumented one" run "$home" softcc --check sum.cu -o checked
check "and is silent" test "$(run "$home" ./checked 2>&1)" = 31
check "nothing was written beside what was installed" test -z \
    "$(find "$prefix" -type f -printf '%P\n' | sort |
        comm -13 "$prefix/share/warpbook/MANIFEST" - |
        grep -v '^share/warpbook/MANIFEST$')"

# Completion, as bash asks for it.
cat >"$tmp/complete" <<'END'
. "$1/share/bash-completion/completions/warpbook"
COMP_WORDS=(warpbook gr) COMP_CWORD=1
_warpbook "$1/bin/warpbook" gr warpbook && echo "verbs: ${COMPREPLY[*]}"
COMP_WORDS=(warpbook grade 03) COMP_CWORD=2
_warpbook "$1/bin/warpbook" 03 grade && echo "labs: ${COMPREPLY[*]}"
COMP_WORDS=(warpbook grade --js) COMP_CWORD=2
_warpbook "$1/bin/warpbook" --js grade && echo "options: ${COMPREPLY[*]}"
COMP_WORDS=(warpbook grade --device s) COMP_CWORD=3
_warpbook "$1/bin/warpbook" s --device && echo "values: ${COMPREPLY[*]}"
COMP_WORDS=(warpbook gradebook --format c) COMP_CWORD=3
_warpbook "$1/bin/warpbook" c --format && echo "formats: ${COMPREPLY[*]}"
COMP_WORDS=(train --net ml) COMP_CWORD=2
_train "$1/bin/train" ml --net && echo "networks: ${COMPREPLY[*]}"
COMP_WORDS=(train comp) COMP_CWORD=1
_train "$1/bin/train" comp train && echo "commands: ${COMPREPLY[*]}"
END
run "$home" bash "$tmp/complete" "$prefix" >"$tmp/out" 2>&1
check "bash completes verbs" grep -qx 'verbs: grade gradebook' "$tmp/out"
check "and labs" grep -qx 'labs: 03' "$tmp/out"
check "and options" grep -qx 'options: --json' "$tmp/out"
check "and values of options" grep -qx 'values: soft' "$tmp/out"
check "all of them" grep -qx 'formats: csv canvas classroom cunit' "$tmp/out"
check "and train's networks" grep -qx 'networks: mlp' "$tmp/out"
check "and its commands" grep -qx 'commands: compare' "$tmp/out"

if command -v fish >/dev/null; then
    fish_completes() { # LINE: what fish offers for it
        run "$home" fish -c "
            source '$prefix/share/fish/vendor_completions.d/warpbook.fish'
            source '$prefix/share/fish/vendor_completions.d/train.fish'
            complete -C '$1'"
    }
    check "fish completes values" grep -qx soft <(fish_completes \
        'warpbook grade --device s')
    check "and train's commands" grep -qx compare <(fish_completes \
        'train comp')
    check "and no lab as a device" test -z "$(fish_completes \
        'warpbook grade --device 0')"
fi

if command -v zsh >/dev/null; then
    # What zsh would offer for the last of these words: zsh_completes WORD...
    zsh_completes() {
        run "$home" zsh -fc '
            compadd() { print -l $found }
            _files() { print FILES }
            file=$1 service=$2 words=($3/$2 $@[4,-1])
            CURRENT=$#words PREFIX=$words[-1]
            source $file' zsh "$prefix/share/zsh/site-functions/_warpbook" \
            "$1" "$prefix/bin" "${@:2}"
    }
    check "zsh completes values, and no files then" test \
        "$(zsh_completes warpbook grade --device s | tr '\n' ' ')" = \
        "auto gpu soft "
    check "but files where an option has no list" grep -qx FILES \
        <(zsh_completes warpbook grade --json x)
    check "and verbs" grep -qx sheet <(zsh_completes warpbook sh)
    check "and train's networks" grep -qx mlp <(zsh_completes train --net m)
fi

check "it installs over itself" files install "$build" "$prefix" >"$tmp/out"
check "it uninstalls" files uninstall "$build" "$prefix" >"$tmp/out"
check "and leaves neither a file nor a folder" test -z "$(ls "$top")"
mkdir -p "$prefix/share/man" "$prefix/bin" && echo mine >"$prefix/bin/train"
files install "$build" "$prefix" >"$tmp/out" 2>&1
check "a file of another program is kept" test "$(cat "$prefix/bin/train")" = \
    mine
check "and nothing is installed beside it" test "$(find "$top" -type f)" = \
    "$prefix/bin/train"
check "and one line says so" grep -q 'is there already' "$tmp/out"
rm "$prefix/bin/train"
files install "$build" "$prefix" >"$tmp/log" 2>&1
echo mine >"$prefix/share/warpbook/labs/notes"
files uninstall "$build" "$prefix" >>"$tmp/log" 2>&1
check "folders that were there stay" test -d "$prefix/share/man" -a -d \
    "$prefix/bin"
check "so do those with files of others, and no other folder" test \
    "$(cd "$top" && find . -depth -type d -empty -o -type f | sort)" = "\
./new/prefix/bin
./new/prefix/share/man
./new/prefix/share/warpbook/labs/notes"
files install "$build" relative >"$tmp/out" 2>&1
check "a relative prefix is refused" grep -q 'absolute path' "$tmp/out"
files uninstall "$build" "$tmp/never" >"$tmp/out" 2>&1
check "so is a folder where nothing was installed" grep -q \
    'nothing to uninstall' \
    "$tmp/out"
finish
