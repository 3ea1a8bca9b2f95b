#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# README.md shows outputs as they are: its marked blocks are made again and
# compared.  Numbers are random or depend on the machine: any number is equal to
# any other.  docs/pages/support.md names what each lab's points are for.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

warpbook=$(realpath "${BUILD:-build}")/warpbook
root=$PWD
home=$tmp/home
export WARPBOOK_PROGRESS=$tmp/progress WARPBOOK_HOME=$home NO_COLOR=1
mkdir -p "$home"
cp -r labs "$home"
for part in solutions grader common docs; do ln -s "$root/$part" \
    "$home/$part"; done
for lab in 01_vector_add 03_transpose; do
    cp solutions/$lab/*.h "$home/labs/$lab"
done

# block NAME: the lines of the block that follows <!-- block: NAME -->
block() {
    awk -v mark="<!-- block: $1 -->" '
        $0 == mark { on = 1; next }
        on && /^```/ { if (on++ == 2) exit; next }
        on == 2' README.md
}
# Numbers become #, all blanks and line ends one: longer numbers wrap lines.
plain() {
    sed -E 's/-?[0-9][0-9.,]*(e[-+][0-9]+)?/#/g' | tr -s ' \n' ' ' |
        sed 's/ \([.;:]\) /\1 /g'
    echo
}

# same NAME: the block and $tmp/NAME agree
same() {
    test -s "$tmp/$1" && test -n "$(block "$1")" &&
        diff <(block "$1" | plain) <(plain <"$tmp/$1")
}

# No answer of a question stands unfolded in the lab's README: in a table, or as
# a number of two digits or more that the question does not name.
answers_are_folded() {
    local settings lab
    for settings in grader/labs/*.ini; do
        lab=$(basename "$settings" .ini)
        awk '/^ask *=/ { ask = $0 } /^answer *=/ { answer = $3 }
             FNR == 1 && NR > 1 && answer == "" { exit }
             FNR == 1 { pages++ }
             pages < 2 { next }
             /<details>/ { folded = 1 }
             !folded {
                 text = " " $0 " "
                 gsub(/[^|0-9.,]+/, " ", text)
                 gsub(/,/, "", text)
                 gsub(/,/, "", ask)
                 if (index(text, "| " answer " |") || (length(answer) > 1 &&
                     index(text, " " answer " ") && !index(ask, answer)))
                     print FILENAME ":" FNR ": " $0
             }
             /<\/details>/ { folded = 0 }' "$settings" "labs/$lab/README.md"
    done | grep . && return 1
    return 0
}
check "answers are folded" answers_are_folded

file=$home/labs/01_vector_add/vector_add.cu
cd "$home" || exit 1
"$warpbook" cut 01 --output "$file"
cd "$root" || exit 1
in_home() { (cd "$home" && "$warpbook" "$@" --device soft 2>&1); }

in_home grade 01 >"$tmp/handout"
check "the handout's grade" same handout
sed 's/if (i < n)/if (i + 1 < n)/' solutions/01_vector_add/1_*.cu >"$file"
in_home grade 01 --seed 1 >"$tmp/wrong"
check "a wrong kernel's grade" same wrong
cp solutions/01_vector_add/1_*.cu "$file"
in_home grade 01 >"$tmp/green"
check "a right one's" same green
(cd "$home" && "$warpbook" next) >"$tmp/next"
check "what is next" same next
sed '/__syncthreads/d' solutions/03_transpose/2_tile.cu \
    >"$home/labs/03_transpose/transpose.cu"
# Findings come first; which cases are wrong, too, depends on the order of
# threads.
(cd "$home" && "$warpbook" check 03) | sed '/other access/q' >"$tmp/race"
check "a missing barrier" same race

# --- the page of what runs where, and the manual page -------------------------
# A lab that README.md lists.
while read -r lab; do
    settings=grader/labs/$lab.ini
    row=$(grep "^| ${lab%%_*} " docs/pages/support.md)
    check "support.md has lab $lab" test -n "$row"
    awk '/^\[cost /{on = 1; next} /^\[/{on = 0} on && /=/{print $1}' \
        "$settings" |
        sort -u >"$tmp/costs"
    while read -r cost; do
        check "support.md: lab $lab has $cost" grep -qw "$cost" <<<"$row"
    done <"$tmp/costs"
done < <(sed -nE 's,^\| \[.*\(labs/(.*)/README.md\).*,\1,p' README.md)

# README's map has each folder of the tree, and nothing else is committed beside
# them: a picture or a log that got in by `git add -A` is found here.
map_is_the_tree() {
    [[ -e .git ]] || return 0
    diff <(sed -nE '/^## Map/,/^## Lim/s,^    ([a-z]+)/? .*,\1,p' README.md |
        cat - <(printf 'LICENSE\nMakefile\nREADME.md\n') | sort) \
        <(git ls-files | sed 's,/.*,,' | grep -v '^\.' | sort -u)
}
check "the map is the tree" map_is_the_tree

# The container file sets packages up before the whole tree is there.
sets_up_alone() {
    local from to
    while read -r from to; do
        mkdir -p "$tmp/image/$to" && cp "$from" "$tmp/image/$to" || return 1
    done < <(sed -n '/^RUN/q; s/^COPY //p' grader/setup/Containerfile)
    "$tmp/image/grader/setup/install.sh"
}
check "the container file copies what the set-up needs" sets_up_alone
"$warpbook" --help | awk '/^  [a-z]/ {print $1}' >"$tmp/verbs"
while read -r verb; do
    check "the manual page has $verb" grep -q "^\.BI* ${verb/-/\\\\-}" \
        docs/man/warpbook.1
done <"$tmp/verbs"
man_has_all_options() { # the long options of all verbs
    while read -r verb; do "$warpbook" "$verb" --help; done <"$tmp/verbs" |
        sed -n 's/^  --\([a-z-]*\).*/\1/p' | sort -u | grep -vx help |
        while read -r option; do
            grep -qF -- "\\-\\-${option//-/\\-}" docs/man/warpbook.1 ||
                echo "the manual page has no --$option"
        done | grep . && return 1
    return 0
}
check "the manual page has the options" man_has_all_options
check "there are verbs" test "$(wc -l <"$tmp/verbs")" -gt 20
finish
