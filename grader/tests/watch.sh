#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# warpbook watch in a terminal of its own (script(1) makes one), driven by saves,
# keys and changes of the window.
set -u
. "$(dirname "$0")/../../.ci/check.sh"
. "$(dirname "$0")/desk.bash"

cp solutions/01_vector_add/host.h "${file%/*}" # for steps of the ladder

until_says() { # TEXT: within ten minutes
    local i
    for ((i = 0; i < 6000; i++)); do
        says "$1" && return 0
        sleep 0.1
    done
    return 1
}

# The keys are shown after a score: a save before that ends a grade, and the
# next one has no failing test to begin with.
asks_after_score() {
    awk '/Score: / { asks = 0; score = 1 } /q quit/ { asks = score }
         END { exit !asks }' "$out"
}
until_asks() { # within ten minutes
    local i
    for ((i = 0; i < 6000; i++)); do
        asks_after_score && return 0
        sleep 0.1
    done
    return 1
}

# A narrow window, and no lab is done: n leads on all the same.
mkfifo "$tmp/keys"
: >"$out"
export WARPBOOK_PROGRESS=$tmp/watched
script -aqefc "stty cols 44; tty >'$tmp/tty'
    exec '$warpbook' watch 15 --device soft" "$out" <"$tmp/keys" \
    >/dev/null 2>&1 &
watcher=$!
exec 7>"$tmp/keys"
check "watch says what it does" until_says "building optimizers.cu, then"
printf h >&7
check "a key that ends a grade says so" until_says \
    "The grade was not finished: r grades again."
printf nn >&7
check "n leads from lab to lab, and to the first" until_says "Score: 5 of 100"
check "it says what it builds" says "building vector_add.cu, then 8 tests"
check "and what to type" until_asks
fits() { # COLUMNS ROWS: no line is longer, but paths, and there are enough
    awk -v most="$1" -v least="$2" '
        { gsub(/\r|\033\[[0-9;]*[A-Z]/, "\n")
          for (i = split($0, row, "\n"); i; i--)
              if (length(row[i]) > most && row[i] !~ /^Script |\/home\/labs\//) {
                  print row[i]
                  long = 1
              } }
        END { exit long || NR < least }' "$out"
}
check "all but paths in the window's columns" fits 44 30

# The window gets other columns: the same once more, neither graded nor counted.
columns() { # NUMBER
    : >"$out"
    stty -F "$(cat "$tmp/tty")" cols "$1"
}
press() { # KEY: what it shows is all that $out has
    : >"$out"
    printf %s "$1" >&7
}
lines_of() { # KIND: of lab 01 in the journal
    grep -c " 01 $1 " "$WARPBOOK_PROGRESS"
}
tries=$(lines_of grade)
columns 60
check "a wider window gets wider lines" until_says "q quit"
check "of the whole grade" says "PASS empty 5/5 no element at all"
check "where titles are in the row" grep -qa \
    "PASS       empty .* no element at all" "$out"
check "in its columns" fits 60 20
press h
until_says "q quit"
check "a hint is shown" says "Hint 1 of 3"
columns 50
check "a hint is shown again" until_says "One more: key h"
until_says "q quit"
check "the same one" says "Hint 1 of 3"
check "in narrower lines" fits 50 10
check "and is counted once" test "$(lines_of hint)" = 1
for key in d l; do
    press $key
    until_says "q quit"
    columns $([ $key = d ] && echo 60 || echo 44)
    check "so is what $key shows" until_says "q quit"
done
check "the list in 44 columns" fits 44 20
printf x >&7
until_says "[y/N]"
columns 80
check "a question is asked again" until_says "Yours is kept. [y/N]"
printf n >&7
until_says "q quit"
press l
until_says "q quit"
check "the list, its footer and the cursor fit 24 rows of 80 columns" awk \
    'END { exit NR > 23 || NR < 20 }' "$out"
: >"$out"
kill -CONT "$(pgrep -P "$watcher")"
check "after ctrl-Z and fg the screen is drawn, too" until_says "q quit"
check "no grade was made for any of that" test "$(lines_of grade)" = "$tries"
: >"$out"
sed 's/if (i < n)/if (i + 1 < n)/' solutions/01_vector_add/1_*.cu >"$tmp/new.cu"
cp "$tmp/new.cu" "$file"
until_says "then 1 test"
mv "$tmp/new.cu" "$file"
check "after a save the failing test is alone" until_says \
    "No score: only the test small was run"
check "then the rest" until_says "Score: "
until_asks
check "which is alone on the screen at last" awk -v RS='\033\\[H\033\\[2J' '
    { heads = gsub(/Lab 01: /, ""); alone = gsub(/No score/, "") }
    END { exit heads != 1 || alone }' "$out"
check "in the columns that the window has now" grep -qa \
    "PASS       empty .* no element at all" "$out"
check "a grade that a save ends ends without a word" silent_about "nterrupted"
printf x >&7
check "x asks" until_says "Yours is kept. [y/N]"
press $'\033'
check "Escape is a no" until_says "q quit"
printf x >&7
until_says "Yours is kept. [y/N]"
: >"$out"
echo >>"$file"
until_says "Score: "
cp "$file" "$tmp/new.cu"
printf y >&7
sleep 1
check "a save takes the question back" cmp -s "$file" "$tmp/new.cu"
: >"$out"
sed 's/if (i < n)/if (i < m)/' solutions/01_vector_add/1_*.cu >"$file"
check "a file that does not build" until_says "Score: 0 of 100 (BUILD)"
check "and a caret" says "19 | if (i < m)"
check "is not compiled twice" test "$(grep -ac 'was not declared' "$out")" = 1
printf h >&7
check "h gives a hint" until_says "Hint 2 of 3"
: >"$out"
cp solutions/01_vector_add/3_vectorized.cu "$file"
check "it stops at full points" until_says \
    "Lab 01 has full points. Next is 02_blur: n"
for key in p c; do
    press $key
    until_says "q quit"
    columns $([ $key = p ] && echo 44 || echo 80)
    check "what $key shows is drawn again" until_says "q quit"
    check "and is not made again" silent_about "building"
    check "$key: what it says" says \
        "$([ $key = p ] && echo sectors || echo '0 findings in the cases')"
    check "$key: in the columns" fits $([ $key = p ] && echo 44 || echo 80) 5
done
rows() { # NUMBER
    : >"$out"
    stty -F "$(cat "$tmp/tty")" rows "$1"
    until_says "q quit"
}
rows 24
press p
check "a long profile comes a screen at a time" until_says "Screen 1 of"
until_says "q quit"
check "which says how to go on" says "; more: p"
check "and fits 24 rows" awk 'END { exit NR > 24 || NR < 16 }' "$out"
first=$(grep -m 1 'registers per thread' "$out")
press p
check "the same key shows the next" until_says "Screen 2 of"
until_says "q quit"
check "which is another" silent_about "$first"
press c
until_says "q quit"
check "a short text is one screen" silent_about "Screen"
rows 200
press p
until_says "q quit"
check "so is a long one in a high window" silent_about "Screen"
check "with its beginning" says "registers per thread"
rows 0
: >"$out"
sed '/c\[i\] = /d; s/if (i < n).*/if (i < n) for (;;);/' \
    solutions/01_vector_add/1_*.cu >"$file"
check "a test that takes long says so" until_says \
    "running small: 2 s, ended after 10 s"
check "and then where it was" until_says "did not return within 10 s; it was \
running at vector_add.cu:$(grep -n 'for (;;)' "$file" | cut -d: -f1)"
: >"$out"
cp solutions/01_vector_add/3_vectorized.cu "$file"
until_says "Lab 01 has full points"
mv "$file" "$tmp/moved.cu"
check "it says that the file is gone" until_says \
    "vector_add.cu is gone. x puts the handout back."
: >"$out"
printf xy >&7
check "x puts the handout back after y" until_says "Score: 5 of 100"
: >"$out"
mv "$tmp/moved.cu" "$file"
check "a file that comes back is graded" until_says "Lab 01 has full points"
stty -F "$(cat "$tmp/tty")" cols 110
printf n >&7
check "n goes on" until_says "Lab 02: Blur an image"
check "all keys are in one line of 110 columns" timeout 300 bash -c \
    "until grep -qa 'x reset  q quit' '$out'; do sleep 0.1; done"
printf s >&7
check "s shows the sheet" until_says "Section 1 of 5; the next is: Contract"
: >"$out"
printf s >&7
check "again its next section" until_says "Section 2 of 5; the next is: Steps"
printf h >&7
until_says "Hint 1 of"
: >"$out"
printf s >&7
check "after something else the same" until_says "Section 2 of 5"
printf 99 >&7
check "a lab that is not there" until_says "There is no lab 99."
: >"$out"
printf 0d >&7
check "a digit is of the last key alone" until_says "out:"
printf 01 >&7
check "two digits lead to a lab" until_says "building vector_add.cu"
until_says "q quit"
: >"$out"
printf 0 >&7
until_says "Lab 0"
printf q >&7
wait "$watcher"
check "q ends it with status 0" test $? = 0
check "and the line that a digit began" grep -qa $'^Lab 0\r$' "$out"
exec 7>&-
check "and leaves no process" test -z "$(pgrep -f "$tmp/home" || true)"

# Keys that are typed ahead of the shell are the shell's; an arrow is none.
: >"$out"
script -aqefc "'$warpbook' watch 01 --device soft; read -r rest; echo \"<\$rest>\"" \
    "$out" <"$tmp/keys" >/dev/null 2>&1 &
watcher=$!
exec 7>"$tmp/keys"
until_says "q quit"
printf '\033[1;5Bqtyped ahead\n' >&7
check "keys behind q are left to the shell" until_says "<typed ahead>"
wait "$watcher"
exec 7>&-

# What cannot be cleared is not drawn again.
: >"$out"
TERM=dumb script -aqefc "stty cols 80; tty >'$tmp/tty'
    exec '$warpbook' watch 01 --device soft" "$out" <"$tmp/keys" \
    >/dev/null 2>&1 &
watcher=$!
exec 7>"$tmp/keys"
until_says "q quit"
sleep 0.5
columns 50
sleep 1
check "a dumb terminal keeps its lines" test ! -s "$out"
printf q >&7
wait "$watcher"
exec 7>&-

# Without a terminal, and, where root may make such a user namespace, without
# any instance of inotify: saves are noticed by polling, until a signal.
polling=()
unshare -U sleep 3000 &
holder=$!
limited="nsenter -U -t $holder"
for ((i = 0; i < 300; i++)); do
    [[ $(readlink "/proc/$holder/ns/user") == $(readlink /proc/self/ns/user) \
        ]] || break
    sleep 0.1
done
if { echo 0 0 4294967295 >"/proc/$holder/uid_map" &&
    echo 0 0 4294967295 >"/proc/$holder/gid_map"; } 2>/dev/null &&
    $limited bash -c 'echo 0 >/proc/sys/user/max_inotify_instances' &&
    [[ $($limited python3 -c \
        'import ctypes; print(ctypes.CDLL(None).inotify_init1(0))') == -1 ]]; \
        then
    read -ra polling <<<"$limited"
else
    echo "polling was not tested: no user namespace of root's"
fi
: >"$out"
"${polling[@]}" "$warpbook" watch 01 --device soft >>"$out" 2>&1 </dev/null &
watcher=$!
check "without a terminal it watches too" until_says "ctrl-C ends"
: >"$out"
sed 's/if (i < n)/if (i < m)/' solutions/01_vector_add/1_*.cu >"$file"
check "a save is noticed${polling:+, without inotify}" until_says \
    "'m' was not declared"
check "it waits again" until_says "ctrl-C ends"
kill -INT "$watcher"
wait "$watcher"
check "a signal ends it" test $? = 130
kill "$holder"
finish
