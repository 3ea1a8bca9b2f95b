#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The interactive figures show what the software GPU counts, and the last
# chapter of the book what its commands print.
set -u
. .ci/check.sh
case $BUILD in
*/san)
    echo "skipped: the plain build compares the same numbers"
    exit 77
    ;;
esac
for tool in duk python3; do
    command -v "$tool" >/dev/null || {
        echo "skipped: no $tool here (make test installs it)"
        exit 77
    }
done
source=docs/figures/interactive
"$BUILD/softcc" --profile "$source/counts.cu" -o "$tmp/counts" || exit 1

# counted [CHUNKS [1]]: the report of a run of the kernels
counted() { SOFTGPU_JSON=$tmp/report.json "$tmp/counts" "$@" >/dev/null 2>&1; }

# figure EXPRESSION: its value by counts.js
figure() {
    { cat "$source/counts.js" && echo "print($1);"; } >"$tmp/figure.js" &&
        duk "$tmp/figure.js"
}

# equal KERNEL COUNTER EXPRESSION
equal() {
    local of_gpu of_figure
    of_gpu=$(python3 - "$tmp/report.json" "$1" "$2" <<'END_OF_PYTHON'
import json
import sys

report, kernel, counter = sys.argv[1:]
for one in json.load(open(report))["kernels"]:
    if one["name"] == kernel:
        print(one[counter])
END_OF_PYTHON
    )
    of_figure=$(figure "$3")
    [[ -n $of_gpu && $of_gpu == "$of_figure" ]] ||
        { echo "$1: counted $2 $of_gpu, the figure has $of_figure"; false; }
}

sectors_of_a_stride() {
    local stride offset
    while read -r stride offset; do
        equal "stride_${stride}_$offset" global_load_sectors \
            "countSectors($stride, $offset)" || return 1
    done <<<$'1 0\n1 3\n2 0\n3 1\n7 0\n8 5\n32 0'
}
conflicts_of_a_padding() {
    local padding
    for padding in 0 1 2 3 4 6 8; do
        equal "padding_$padding" shared_store_wavefronts \
            "countWavefronts($padding)" || return 1
    done
}
wavefronts_of_a_tree() {
    equal reduce_interleaved shared_wavefronts 'countReduction(256, 0)' &&
        equal reduce_sequential shared_wavefronts 'countReduction(256, 1)'
}
additions_of_a_scan() {
    equal scan_hillis_steele flop_float 'countScan(16, 0)' &&
        equal scan_blelloch flop_float 'countScan(16, 1)'
}
sectors_of_a_tiling() {
    local side
    for side in 4 8 16 32; do
        equal "gemm_$side" global_load_sectors "countGemm(64, $side)" ||
            return 1
    done
}

# The spans that the timeline has, and its whole length.
time_of_a_pipeline() {
    local chunks one
    while read -r chunks one; do
        # shellcheck disable=SC2086 # no word, or one
        counted "$chunks" $one &&
            figure "JSON.stringify([countChunkTimes[$chunks],
                countPipelineTime($chunks, !'$one')])" >"$tmp/figure" &&
            python3 - "$tmp/report.json" "$tmp/figure" <<'END_OF_PYTHON' \
            || return 1
import json
import sys

timeline = json.load(open(sys.argv[1]))["timeline"]
times, length = json.load(open(sys.argv[2]))
spans = [s for s in timeline["spans"] if s[1] != "host"][:3]
counted = [round(s[4] - s[3]) for s in spans]
if max(abs(a - b) for a, b in zip(counted, times)) > 1 \
        or abs(timeline["ns"] - length) > len(timeline["spans"]):
    sys.exit("the timeline has %s in %s, the figure %s in %s"
             % (counted, timeline["ns"], times, length))
END_OF_PYTHON
    done <<<"$1"
}

# Each solid arrow of a call graph is a call that the runtime makes.
arrows_are_calls() {
    python3 - docs/figures/calls_*.dot <<'END_OF_PYTHON'
import glob
import re
import sys

bodies = {}
for path in glob.glob("common/softgpu/*/*.c"):
    text = open(path).read()
    for found in re.finditer(r"^\w[^;{}#/]*?\b(\w+)\([^;{}]*\)\n\{\n(.*?)^\}",
                             text, re.M | re.S):
        bodies.setdefault(found.group(1), []).append(found.group(2))
arrows = 0
for path in sys.argv[1:]:
    for line in re.sub(r"//.*", "", open(path).read()).split(";\n"):
        names = re.findall(r"\w+", line.split("[")[0]) if "->" in line else []
        if "dashed" in line:
            continue
        for caller, called in zip(names, names[1:]):
            arrows += 1
            if not any(re.search(r"\b%s\b" % called, body)
                       for body in bodies.get(caller, [])):
                sys.exit("%s: %s does not call %s" % (path, caller, called))
if arrows < 10:
    sys.exit("only %d arrows" % arrows)
END_OF_PYTHON
}

# Each indented "COMMAND  # TEXT" of the book, or "# TEXT" below its command:
# the command prints the text, in which runs of blanks count as one.  Without
# FIGURES=all not those that take long.
the_book_is_what_its_commands_print() {
    local command text bad=0 count=0 \
        long='counts [0-9]|blocks 1320|profile 0[1269]'
    [[ ${FIGURES-} != all ]] || long='^$'
    "$BUILD/softcc" --profile docs/examples/laws.cu -o "$tmp/laws" || return 1
    while IFS= read -r line; do
        command=${line%% # *} text=${line#* # } count=$((count + 1))
        [[ ! $command =~ $long ]] || continue
        command=${command//build\/counts/$tmp/counts}
        command=${command//build\/laws/$tmp/laws}
        command=${command//build\/warpbook/$BUILD/warpbook}
        printed "$command" | grep -qF -- "$text" ||
            { echo "no '$text': $command" && bad=1; }
    done < <(awk '/^    # / { print before "  " substr($0, 5) }
        /^    [^# ].*  # / { print substr($0, 5) }
        { before = substr($0, 5) }' docs/chapters/book.md)
    ((count >= 20 && !bad))
}

# printed COMMAND: its output in one line; of two equal commands one is run
printed() {
    local file
    file=$tmp/printed.$(cksum <<<"$1" | tr ' ' .)
    [[ -f $file ]] || bash -c "$1" 2>&1 </dev/null | tr -s ' \n' '  ' >"$file"
    cat "$file"
}

# The counts, drawings and traffic of the page's three reports.  Registers,
# times and instructions are of the machine that has ptxas.
the_profile_page_is_what_softcc_prints() {
    counts_of() {
        grep -E '^ *([a-z]+  \(|1 launch|[0-9]+ |all |global |shared |barrier |[0-9,]+  \[|L2:|DRAM:)' |
            grep -v instructions
    }
    "$BUILD/softcc" --profile docs/examples/transpose.cu -o "$tmp/transpose" &&
        "$tmp/transpose" 2>&1 | sed '/^Roofline/,$d' | counts_of \
            >"$tmp/counts_printed" &&
        [[ $(wc -l <"$tmp/counts_printed") -gt 50 ]] &&
        sed -n '/^    naive/,/^## The table/s/^    //p' docs/pages/profile.md |
        grep -vE '^[0-9]+  [a-z_]' | counts_of |
            diff "$tmp/counts_printed" - &&
        profile_quotes_its_source
}

# Lines of the source that the page shows stand where it says.
profile_quotes_its_source() {
    local number text count=0
    while read -r number text; do
        count=$((count + 1))
        sed -n "${number}p" docs/examples/transpose.cu | grep -qF -- "$text" ||
            { echo "profile.md: line $number is not: $text" && return 1; }
    done < <(grep -E '^    [0-9]+  [a-z_]' docs/pages/profile.md)
    ((count == 5))
}

# The findings of the page's example, whatever its lines.
the_checks_page_is_what_softcc_prints() {
    "$BUILD/softcc" --check docs/examples/reverse.cu -o "$tmp/reverse" || return
    "$tmp/reverse" 2>&1 | sed "s,$PWD/,,g" | tr -s ' \n' '  ' \
        >"$tmp/findings"
    sed -n '/^    docs.*reverse.cu:/,/^    softgpu/p' docs/pages/checks.md |
        tr -s ' \n' '  ' | sed 's/^ //' | diff "$tmp/findings" -
}

check "the arrows of a call graph are calls" arrows_are_calls
check "checks.md is what softcc prints" the_checks_page_is_what_softcc_prints
check "profile.md is what softcc prints" the_profile_page_is_what_softcc_prints
check "the kernels run" counted
check "coalescing: the sectors of a stride" sectors_of_a_stride
check "banks: the wavefronts of a padding" conflicts_of_a_padding
check "reduction: the wavefronts of both trees" wavefronts_of_a_tree
check "scan: the additions of both algorithms" additions_of_a_scan
check "tiling: the sectors of each side" sectors_of_a_tiling
# FIGURES=all: every number of chunks, in one stream and in several, and all
# commands of the book.
case ${FIGURES-} in
all) runs=$(for n in 1 2 4 8 16; do printf '%s\n%s 1\n' "$n" "$n"; done) ;;
*) runs=4 ;;
esac
check "the book is what its commands print" the_book_is_what_its_commands_print
check "streams: the modeled time of a pipeline" time_of_a_pipeline "$runs"
finish
