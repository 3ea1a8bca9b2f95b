#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Hidden tests: they are graded with the others, and what they found reaches
# students only when the settings say so.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
device=(--device soft --jobs 2 --tier "$("$warpbook" verify-box --best)")
stem=01_vector_add
store=$tmp/results

# Right but for one size, which only the hidden test has.
mkdir -p "$tmp"/{class,hidden,none}
sed -e '/#include "host.h"/{r solutions/01_vector_add/host.h' -e 'd}' \
    -e 's/c\[i\] = a\[i\] + b\[i\];/c[i] = n == 2187 ? 7 : a[i] + b[i];/' \
    solutions/01_vector_add/1_*.cu >"$tmp/class/ann.cu"
cat >"$tmp/hidden/$stem.c" <<'END'
#include "grader/suite/suite.h"
#include "labs/01_vector_add/vector_add.h"

static void powers(void)
{
    for (size_t n = 3; n < 3000; n *= 3) {
        float *a = suite_floats(n), *b = suite_floats(n), *c = suite_floats(n);
        double *want = suite_doubles(n);

        suite_case("a power of three, n = %zu", n);
        random_floats(a, n, -1, 1);
        random_floats(b, n, -1, 1);
        for (size_t i = 0; i < n; i++)
            want[i] = (float)((double)a[i] + b[i]);
        expect_success(vector_add(a, b, c, n));
        expect_elements(&(struct expected){.name = "c", .got = c, .want = want,
                                           .type = FLOAT32, .size = {n}});
        expect_kernel();
        expect_inputs_copied();
    }
}

const struct suite_test hidden_tests[] = {
    {"powers", "sizes that are powers of three", powers}, {0}};
END
printf '[points]\npowers = 25\n[hints]\npowers = Which n?\n' \
    >"$tmp/hidden/$stem.ini"

lacks() { # FRAGMENT FILE
    ! holds "$1" "$2"
}
run() { # ARGUMENT...: autograde into $store
    "$warpbook" autograde "$tmp/class" -o "$store" --lab 01 "${device[@]}" \
        "$@" >"$tmp/out" 2>&1
}
book() { # FORMAT
    "$warpbook" gradebook "$store" --format "$1" --lab 01 >"$tmp/book" 2>&1
}
secret="a power of three, n = 2187: c[0] is 7"

run --hidden "$tmp/hidden"
check "a class is graded with hidden tests" holds "1 graded" "$tmp/out"
check "they count" holds "80/125" "$tmp/out"
for format in csv gradescope moodle junit cunit; do
    book "$format"
    case $format in
    csv) check "the gradebook has the mark" holds "ann,,,,no,80,125,WRONG" \
        "$tmp/book" ;;
    gradescope)
        check "Gradescope hides the test" \
            test "$(grep -A1 '"status": "failed"' "$tmp/book" |
            grep -c '"visibility": "hidden"')" = 1
        check "the feedback tells the points" holds 'hidden tests: 0/25' \
            "$tmp/book"
        sed -i '/"tests":/,$d' "$tmp/book"
        check "and no message" lacks "2187" "$tmp/book" ;;
    *) check "$format has no message of a hidden test" lacks "2187" \
        "$tmp/book" ;;
    esac
done
"$warpbook" evidence "$store" ann >"$tmp/evidence"
check "evidence has the message" holds "$secret" "$tmp/evidence"
check "and the digest of the hidden tests" holds "hidden " "$tmp/evidence"
again=$(grep -A1 "The same inputs again" "$tmp/evidence" | tail -1)
check "its command has the hidden tests, too" holds "--hidden $store/hidden" \
    <(echo "$again")
printf '[lab 01]\nhidden = visible\n' >"$tmp/course.ini"
"$warpbook" gradebook "$store" --format gradescope --lab 01 \
    --course "$tmp/course.ini" >"$tmp/book"
check "visible: students see the test" lacks '"visibility": "hidden"' \
    "$tmp/book"
check "and its message" holds "powers: WRONG 0/25 $secret" "$tmp/book"
printf '[lab 01]\nhidden = after_due\ndeadline = 2020-01-01\n' \
    >"$tmp/course.ini"
"$warpbook" gradebook "$store" --format gradescope --lab 01 \
    --course "$tmp/course.ini" >"$tmp/book"
check "after the due date too" holds "powers: WRONG 0/25 $secret" "$tmp/book"
sed -i 's/2020/2999/' "$tmp/course.ini"
"$warpbook" gradebook "$store" --format gradescope --lab 01 \
    --course "$tmp/course.ini" | sed '/"tests":/,$d' >"$tmp/book"
check "but not before it" lacks "2187" "$tmp/book"


# Every visibility with every other and each level of feedback: what students
# see of the hidden test in each format, as its platform shows it to them.
cat >"$tmp/seen.py" <<'END'
import json, os, sys
folder, open_words = sys.argv[1], sys.argv[2].split()
def seen(format, text):
    if format == "classroom":
        return json.dumps(json.loads(text)["tests"])
    if format != "gradescope":
        return text
    result = json.loads(text)
    default = result["visibility"]
    return result.get("output", "") + "".join(  # which is always shown
        json.dumps(test) for test in result.get("tests", [])
        if test.get("visibility", default) in open_words)
for name in sorted(os.listdir(folder)):
    format, lab, hidden, level = name.split(".")
    shown = seen(format, open(os.path.join(folder, name)).read())
    may = lab in open_words, hidden in open_words
    knows = "powers" in shown or "2187" in shown
    if (knows and not all(may) or "edges" in shown and not may[0]
            or "edges" in shown and level != "all"
            or all(may) and level == "all" and not knows):
        print(name)
END
leaks() { # DUE WORD...: prints what is wrong; visibilities that are open then
    local format lab hidden level due=$1
    rm -rf "$tmp/seen" && mkdir "$tmp/seen"
    for lab in visible hidden after_due; do
        for hidden in visible hidden after_due; do
            for level in all first score; do
                printf '%s\n' "[course]" "feedback = $level" "[lab 01]" \
                    "visibility = $lab" "hidden = $hidden" "deadline = $due" \
                    >"$tmp/course.ini"
                for format in gradescope classroom autoresult moodle; do
                    "$warpbook" gradebook "$store" --format $format --lab 01 \
                        --student ann --course "$tmp/course.ini" 2>"$tmp/log" \
                        >"$tmp/seen/$format.$lab.$hidden.$level"
                done
            done
        done
    done
    python3 "$tmp/seen.py" "$tmp/seen" "${*:2}" 2>&1 | tee "$tmp/leaks"
}
check "before the due date no format shows more than it may" \
    test -z "$(leaks 2999-01-01 visible)"
cat "$tmp/leaks"
check "nor after it" \
    test -z "$(leaks 2020-01-01 visible after_due after_due_date)"
cat "$tmp/leaks"

sed -i 's/25/50/' "$tmp/hidden/$stem.ini"
mv "$tmp/hidden" "$tmp/moved"
run
check "the results folder has a copy" holds "0 graded, 1 had" "$tmp/out"
check "nobody else may read it" test "$(stat -c %a "$store/hidden")" = 700

# A finding of one test can cost the points of all: their messages do not tell
# what a hidden test did.  The host adds, where only the hidden test looks.
mkdir "$tmp/host"
sed -e '/#include "host.h"/{r solutions/01_vector_add/host.h' -e 'd}' \
    solutions/01_vector_add/1_*.cu >"$tmp/host/bo.cu"
python3 - "$tmp/host/bo.cu" <<'END'
import sys
with open(sys.argv[1]) as file:
    text = file.read()
text = text.replace("    if (!err) err = launch(d_a, d_b, d_c, n);", """
    for (size_t i = 0; !err && n == 2187 && i < n; i += 729) {
        struct sums sums;
        for (int k = 0; k < 729; k++) sums.of[k] = a[i + k] + b[i + k];
        put<<<1, 729>>>(d_c + i, sums);
    }
    if (!err && n != 2187) err = launch(d_a, d_b, d_c, n);""")
text = text.replace("int vector_add(", """struct sums { float of[729]; };
__global__ void put(float *c, struct sums sums)
{
    c[threadIdx.x] = sums.of[threadIdx.x];
}
int vector_add(""", 1)
with open(sys.argv[1], "w") as file:
    file.write(text)
END
"$warpbook" autograde "$tmp/host" -o "$tmp/host.results" --lab 01 \
    --hidden "$tmp/moved" "${device[@]}" >"$tmp/out" 2>&1
check "the host's work in a hidden test costs all points" \
    holds "WRONG      0/150" "$tmp/out"
check "the instructor sees where" holds "a power of three, n = 2187: the device got" \
    <("$warpbook" evidence "$tmp/host.results" bo)
for format in moodle junit cunit classroom; do
    "$warpbook" gradebook "$tmp/host.results" --format $format --lab 01 \
        --student bo >"$tmp/book" 2>&1
    check "$format does not" lacks "2187" "$tmp/book"
done
check "students see that it was one" \
    holds "in a hidden test the host did" "$tmp/book"

# --- folders that do not work -------------------------------------------------
store=$tmp/other
run --hidden "$tmp/none"
check "a folder without tests" holds "no hidden tests, such as" "$tmp/out"
sed -i '/powers/d' "$tmp/moved/$stem.ini"
run --hidden "$tmp/moved"
check "points are needed" holds 'does not name test "powers"' "$tmp/out"
sed 's/"powers"/"small"/' "$tmp/moved/$stem.c" >"$tmp/none/$stem.c"
cp "$tmp/moved/$stem.ini" "$tmp/none/"
run --hidden "$tmp/none"
check "names must be new" holds 'there is a test "small" already' "$tmp/out"
echo 'int x = ;' >"$tmp/none/$stem.c"
run --hidden "$tmp/none"
check "a file that does not compile" holds "does not compile: " "$tmp/out"
finish
