#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The chapters keep their promises: terms are explained before they are used,
# the messages are the grader's, each has its ten questions.
set -u
. .ci/check.sh

# The files a reader reads, in order: each lab's sheet to its questions, the
# chapter, the rest of the sheet.  First paragraphs say what a page is about;
# they and the captions of figures may name what comes.
in_order() {
    local lab name
    for lab in labs/[0-9]*/; do
        lab=${lab%/} name=$tmp/${lab#labs/}
        sed -e '1,/^## /{/^## /!d}' -e '/^## Check yourself/,$d' \
            "$lab/README.md" >"$name.1-sheet"
        sed -n '/^## /,$p' "docs/chapters/${lab#labs/}.md" 2>/dev/null \
            >"$name.2-chapter"
        sed -n '/^## Check yourself/,$p' "$lab/README.md" >"$name.3-sheet"
        echo "$name.1-sheet" "$name.2-chapter" "$name.3-sheet"
    done
}

# Where a term of the glossary's first table stands first, it stands as *term*:
# there it is explained.  Code and its names do not count.
terms_are_explained_first() {
    local pages
    read -ra pages < <(in_order | tr '\n' ' ')
    ! awk '
        # Look for each term in the text of a page that has been read.
        function look(  i) {
            for (i = 1; i <= terms; i++) {
                if (found[i] || !match(text, "(^|[^a-z-])" term[i] "(s|es)?([^a-z-]|$)"))
                    continue
                found[i] = 1
                if (substr(text, RSTART, 1) != "*")
                    print page ": " term[i] " is used and not explained before: " \
                        substr(text, RSTART > 30 ? RSTART - 30 : 1, 70)
            }
            text = ""
        }
        FNR == 1 {
            look()
            files++
            page = substr(FILENAME, match(FILENAME, "[^/]*$"))
        }
        files == 1 {
            if (/^## /) inside = /in the order/
            if (inside && /^\| [A-Za-z0-9]/ && !/^\| (term|---)/) {
                split($0, cell, / *\| */)
                term[++terms] = tolower(cell[2])
            }
            next
        }
        /^```/ { fenced = !fenced }
        fenced || /^(    |<!-- |!\[|#)/ { next }
        {
            gsub(/`[^`]*`/, "")
            gsub(/<\/?i>/, "*")
            text = text " " tolower($0)
        }
        END {
            look()
            for (i = 1; i <= terms; i++)
                if (!found[i]) print term[i] " is nowhere explained"
            if (terms < 90) print "only " terms + 0 " terms found"
        }' docs/pages/glossary.md "${pages[@]}" | grep .
}

# CUDA's additions to C in the files of a lab and the code of its chapter.
words_of_cuda() {
    grep -ohE '<<<|#pragma unroll|\b(__[a-z_]+|cuda[A-Z]\w*|atomic[A-Z]\w*|wmma::\w+|volatile|dim3|(u?int|float)[24]|(thread|block)(Idx|Dim))\b' \
        "$@" | grep -vxE '__cplusplus|__attribute__' | sort -u
}

# A learner meets each of them in a sheet or a chapter first, as text.
words_of_cuda_are_explained() {
    local lab bad=0 word name
    : >"$tmp/read"
    for lab in labs/[0-9]*/; do
        lab=${lab%/} name=${lab#labs/}
        sed 's/&lt;/</g' "$lab/README.md" >>"$tmp/read"
        words_of_cuda "$lab"/*.cu "$lab"/*.h >"$tmp/words"
        if [[ -f docs/chapters/$name.md ]]; then
            grep -vE '^ {4}' "docs/chapters/$name.md" >"$tmp/chapter"
            sed -n '/^```cpp/,/^```/p' "$tmp/chapters/$name.md" >"$tmp/shown"
            words_of_cuda "$tmp/shown" | grep -vxF -f "$tmp/words" \
                >"$tmp/more"
        fi
        while read -r word; do
            grep -qF -- "${word#wmma::}" "$tmp/read" ||
                { echo "$lab: $word is not explained before it is used" &&
                bad=1; }
        done <"$tmp/words"
        cat "$tmp/chapter" >>"$tmp/read"
        while read -r word; do
            grep -qF -- "$word" "$tmp/read" ||
                { echo "$lab: its chapter does not explain $word" && bad=1; }
        done <"$tmp/more"
    done
    [[ $(words_of_cuda labs/*/*.cu | wc -l) -gt 40 && $bad == 0 ]]
}

# Microseconds of the timeline in chapter 14 and on its sheet are the table's.
timelines_are_measured() {
    local us page bad=0
    for us in $(awk -F'|' '/^## / { inside = /^## 14/ }
        inside && /^\| step/ {
            for (i = 1; i < NF; i++) if ($i ~ /timeline $/) column = i
        }
        inside && /^\| `/ {
            gsub(/,/, "", $column)
            printf "%.0f\n", $column / 1000
        }' docs/results/ladders-soft.md); do
        for page in docs/chapters/14_streams.md labs/14_streams/README.md; do
            grep -qE "\b$us us" "$page" || { echo "$page: $us us" && bad=1; }
        done
    done
    return $bad
}

# Counts in a sheet's table of steps are those of the ladder's table, and those
# relative to a minimum are in its proportions, as far as their digits say.
sheets_have_the_counts_of_the_table() {
    ! awk -F' *[|] *' '
        function unit(text) { # half of the last digit
            return text !~ /[.]/ ? 0.5 : 0.5 / 10 ^ length(substr(text,
                index(text, ".") + 1))
        }
        function near(name, said, is, off) {
            compared++
            if (said < is - off - 1e-9 || said > is + off + 1e-9)
                print FILENAME ": " $2 ": " name ": " said ", not " is
        }
        FNR == 1 { files++; first = 0 }
        files == 1 && /^## [0-9]/ { lab = substr($0, 4, 2) + 0 }
        files > 1 && FNR == 1 { lab = substr(FILENAME, 6, 2) + 0 }
        /^[|] step/ { for (i = 2; i < NF; i++) head[i] = $i }
        !/^[|] `[0-9]_/ { next }
        files == 1 {
            gsub(/,/, "")
            for (i = 2; i < NF; i++) count[lab, $2, head[i]] = $i
            next
        }
        {
            if (!first) {
                for (i = 2; i < NF; i++) base[i] = $i
                first = $2
            }
            for (i = 3; i < NF; i++) {
                said = $i
                gsub(/,/, "", said)
                what = head[i] ~ /^thousand|to the minimum$/ ? "sectors" \
                    : head[i] ~ /likewise/ ? "requests" \
                    : head[i] == "modeled speedup" ? "modeled x" : head[i]
                if (!((lab, $2, what) in count) || said !~ /^[0-9]/) continue
                split(said, number, /[^0-9.]/)
                is = count[lab, $2, what]
                off = unit(number[1])
                if (head[i] ~ /^thousand/) is /= 1000
                if (head[i] ~ /minimum|likewise/) {
                    is /= count[lab, first, what]
                    split(base[i], least, /[^0-9.]/)
                    off += unit(least[1]) * is
                    is *= least[1]
                }
                near(head[i], number[1], is, off)
            }
        }
        END { if (compared < 40) print "only " compared + 0 " compared" }
        ' docs/results/ladders-soft.md labs/*/README.md | grep .
}

# "4.87 times as fast" in a chapter is the ratio of two times in its table, as far
# as the digits say.
ratios_are_those_of_the_table() {
    ! awk '
        # Is it the ratio of two of the times of a lab?
        function is_ratio(said, lab,  i, j, off) {
            off = said !~ /[.]/ ? 0.5 : 0.5 / 10 ^ length(substr(said,
                index(said, ".") + 1))
            off += said * 0.002 # the table is rounded, too
            for (i = 1; i <= times[lab]; i++)
                for (j = 1; j <= times[lab]; j++)
                    if (time[lab, i] / time[lab, j] >= said - off &&
                        time[lab, i] / time[lab, j] <= said + off)
                        return 1
            return 0
        }
        function look(  said, rest) {
            rest = text
            while (match(rest, / [0-9][0-9.,]* times (as (fast|long)|slower|faster)/)) {
                said = substr(rest, RSTART + 1)
                rest = substr(rest, RSTART + RLENGTH)
                sub(/ .*/, "", said)
                gsub(/,/, "", said)
                compared++
                if (!is_ratio(said, lab))
                    print page ": " said " is no ratio of two steps"
            }
            text = ""
        }
        FNR == 1 {
            look()
            page = FILENAME
            lab = substr(FILENAME, 15, 2) + 0
        }
        FILENAME ~ /ladders-soft/ && /^## [0-9]/ { lab = substr($0, 4, 2) + 0 }
        FILENAME ~ /ladders-soft/ {
            split($0, cell, / *[|] */)
            if (/^[|] `/) time[lab, ++times[lab]] = cell[3]
            next
        }
        { text = text " " $0 }
        END {
            look()
            if (compared < 8) print "only " compared + 0 " compared"
        }' docs/results/ladders-soft.md docs/chapters/[0-9]*.md | grep .
}

# A handout that was put together of several files reads as one: one comment of
# the file, no guard, a blank line behind each function.
handouts_are_whole() {
    local file bad=0
    for file in labs/*/*.cu; do
        awk '/@file/ { files++ }
            /^#ifndef .*_H$/ { print FILENAME ": a guard"; bad = 1 }
            last == "}" && $0 != "" { print FILENAME ":" NR ": tight"; bad = 1 }
            { last = $0 }
            END { exit bad || files != 1 }' "$file" || bad=1
    done
    return $bad
}

# A message is that of a wrong kernel that is still there, and was asked for.
messages_are_of_mutants() {
    local name bad=0
    while read -r name; do
        [[ -f grader/mutants/$name.diff || -f grader/mutants/$name.cu ]] ||
            { echo "no mutant $name" && bad=1; }
        [[ -s docs/results/messages/$name.txt ]] ||
            { echo "$name: run docs/make-messages" && bad=1; }
    done < <(sed -n 's/^<!-- message \(.*\) -->$/\1/p' docs/chapters/*.md)
    return $bad
}

# Their words are still those of the grader's sources.
words_are_the_graders() {
    docs/tests/messages.py
}

# One of them is asked for again; it has a finding, and a place whose long path
# stood on a line of its own.
a_message_is_the_graders() {
    local name=03_transpose/float4_everywhere
    docs/make-messages "$BUILD" $name "$tmp/again" >/dev/null &&
        diff docs/results/messages/$name.txt "$tmp/again/$name.txt"
}

each_has_its_parts() {
    local page bad=0 part
    for page in docs/chapters/[0-9]*.md; do
        [[ $(grep -c '^Q: ' "$page") == 10 &&
            $(grep -c '^A: ' "$page") == 10 ]] || {
            echo "$page: not ten questions with ten answers"
            bad=1
        }
        for part in 'Why this matters' 'The hardware behind it' \
            'A worked example' \
            'The ladder, step by step' 'Common mistakes' 'Further reading'; do
            grep -q "^## $part" "$page" || { echo "$page: no part '$part'" &&
                bad=1; }
        done
    done
    return $bad
}

each_step_is_told() {
    local page lab steps told
    for page in docs/chapters/[0-9]*.md; do
        lab=${page##*/} lab=${lab%.md}
        steps=$(find "solutions/$lab" -name '[0-9]*.cu' | wc -l)
        told=$(grep -cE '^\*\*Step [0-9]' "$page")
        [[ $steps == "$told" ]] || { echo "$page: $told of $steps steps" &&
            return 1; }
    done
}

# The words of a step are followed by its code.
each_step_has_code() {
    ! awk 'FNR == 1 || /^\*\*Step [0-9]/ || /^## / {
            if (step && !code) print step
            step = code = ""
        }
        /^\*\*Step [0-9]/ { step = FILENAME ": no code: " $0 }
        /^<!-- code / { code = 1 }' docs/chapters/[0-9]*.md | grep .
}

# A chapter shows the drawing of its lab, its sheet names the command, and the
# numbers are right.
problems_are_drawn() {
    local file stem bad=0
    for file in labs/*/problem.txt; do
        stem=$(basename "${file%/*}")
        grep -qx "<!-- problem $stem -->" "docs/chapters/$stem.md" ||
            { echo "chapter $stem: no drawing" && bad=1; }
        grep -q "build/warpbook problem ${stem%%_*} " "labs/$stem/README.md" ||
            { echo "sheet $stem: no command for it" && bad=1; }
    done
    docs/tests/problems.py && return "$bad"
}

# A learner's file numbers its TODOs, a sheet its steps, and a ladder its files:
# a sheet says which TODO is which step, and names a step of the ladder by its
# file.
sheets_name_their_steps() {
    local sheet bad=0
    for sheet in labs/*/README.md; do
        sed -n '/^## Steps/,/^## Check/p' "$sheet" | grep -q TODO ||
            { echo "$sheet: which TODO is which step?" && bad=1; }
        # the optimizers' steps are those of a training
        [[ $sheet == */15_* ]] || ! sed -n '/^## Go further/,$p' "$sheet" |
            grep -E '[Ss]teps? [0-9]' || bad=1
    done
    return "$bad"
}

# A chapter shows the output that an example prints.
examples_print_what_chapters_show() {
    "$BUILD/softcc" docs/examples/find_algorithms.cu -lcudnn -o "$tmp/find" &&
        "$tmp/find" 3 >"$tmp/found" || return 1
    awk '/^algorithm / { inside = 1 } /^```/ { inside = 0 } inside' \
        docs/chapters/13_cudnn_layer.md | diff - "$tmp/found"
}

# The code of a function begins with its type, also where that stands in a line
# of its own.
functions_begin_with_their_type() {
    grep -q '^store_transposed(' "$tmp/chapters/03_transpose.md" &&
        ! awk '/^```cpp/ { getline; if (/^[a-z0-9_]+\(/) print }' \
        "$tmp"/chapters/*.md |
            grep .
}

check "terms are explained before they are used" terms_are_explained_first
if docs/make-chapters "$tmp/chapters" >"$tmp/log" 2>&1; then
    check "CUDA's words are explained before code has them" \
        words_of_cuda_are_explained
    # a narrow window shows the first columns
    check "a table's second column is what the steps change" \
        grep -q '^| step | timeline, ns | times as fast | calls | launches |$' \
        "$tmp/chapters/14_streams.md"
fi
check "timelines are those of the table" timelines_are_measured
check "ratios of times are those of the table" ratios_are_those_of_the_table
check "sheets have the counts of the ladder's table" \
    sheets_have_the_counts_of_the_table
check "a handout reads as one file" handouts_are_whole
check "messages are of wrong kernels that are there" messages_are_of_mutants
check "messages have the words of the grader's sources" words_are_the_graders
case $BUILD in
*/san) ;;
*)
    check "a message is what the grader says" a_message_is_the_graders
    check "examples print what chapters show" examples_print_what_chapters_show
    if command -v duk >/dev/null; then
        check "functions begin with their type" functions_begin_with_their_type
    fi
    ;;
esac
check "each chapter has its parts and ten questions" each_has_its_parts
check "each step of a ladder is told" each_step_is_told
check "sheets say which step is meant" sheets_name_their_steps
check "with its code" each_step_has_code
check "small cases are drawn, with the right numbers" problems_are_drawn
finish
