#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The site builds without a warning, works offline, and an undocumented public
# name breaks it.
set -u
. .ci/check.sh
command -v doxygen >/dev/null || {
    echo "skipped: no doxygen here (make docs installs it)"
    exit 77
}
# With the profile of one lab, where there is a build that can make it.
site_builds() {
    local profiles=
    if [[ $BUILD != */san && -x $BUILD/warpbook ]]; then
        profiles=$tmp/profiles
        docs/make-profiles "$BUILD" "$profiles" 01 || return 1
    fi
    docs/make-site "$tmp/site" $profiles 2>&1
}

a_ladder_leads_to_its_profile() {
    local html=$tmp/site/html
    grep -q 'href="profile_01.html"' "$html/ladder_01.html" &&
        grep -q 'add_vectorized\|vector_add' "$html/profile_01.html" &&
        grep -qi roofline "$html/profile_01.html" &&
        ! grep -q 'href="profile_02.html"' "$html/ladder_02.html"
}

undocumented_name_breaks_it() {
    mkdir -p "$tmp/tree"
    cp -r docs labs solutions common grader datasets "$tmp/tree"
    echo 'int nobody_says_what_this_is(int x);' \
        >>"$tmp/tree/common/include/grid.h"
    ! "$tmp/tree/docs/make-site" "$tmp/broken" >"$tmp/log" 2>&1 &&
        grep -q 'nobody_says_what_this_is.*not documented' "$tmp/log"
}

# The slot of lab 14 is not the grader's, nor its layer that of the trainer's.
code_leads_to_its_own_structures() {
    ! grep -n 'class="code[^>]*href="struct\(slot\|matrix\|layer\)\.' \
        "$tmp"/site/html/{chapter,ladder}_{09,11,14}.html &&
        grep -q 'class="code[^>]*href="structupdate\.' \
            "$tmp/site/html/chapter_15.html"
}

# Nothing that a page loads (src, href of link) is on another machine.
pages_are_offline() {
    ! grep -rnE '(src|<link[^>]* href)="(https?:)?//' "$tmp/site/html" \
        --include='*.html' | head -n 3 | grep .
}

# The labs of the table in README.md.
every_lab_is_a_chapter() {
    local lab count=0
    for lab in labs/*/README.md; do
        grep -qF "]($lab)" README.md || continue
        count=$((count + 1))
        grep -q "$(head -n 1 "$lab" | sed 's/^#* *//; s/ *{.*//')" \
            "$tmp/site/html/labs.html" || return 1
    done
    ((count >= 16))
}

# Doxygen begins a list at 1: what parts a list has to be inside an item.
lists_keep_their_numbers() {
    ! awk 'FNR == 1 { inside = 0 }
        /^[2-9]\. / && !inside { print FILENAME ":" FNR ": " $0 }
        /^[0-9]+\. / { inside = 1; next }
        /^[^ ]/ { inside = 0 }' labs/*/README.md docs/pages/*.md | grep .
}

# A line of a paragraph that begins with "2. " or "- " would begin a list.
no_line_becomes_a_list() {
    ! awk '/^```/ { fenced = !fenced }
        FNR == 1 || fenced || /^ *$/ { text = list = 0; next }
        /^(    |\||<|#)/ && !text { next }
        /^ *([0-9]+\.|[-+*]) / {
            if (text && !list) print FILENAME ":" FNR ": " $0
            list = 1
        }
        { text = 1 }' labs/*/README.md docs/chapters/*.md docs/pages/*.md | grep .
}

# Every link of the pages that were written by hand leads somewhere.
no_link_is_dead() {
    local page to
    while IFS=: read -r page to; do
        to=${to#href=\"} to=${to%\"} to=${to%%#*}
        [[ -z $to || $to == http*://* || $to == javascript:* ||
            -e $tmp/site/html/$to ]] && continue
        echo "$page: $to"
    done < <(cd "$tmp/site/html" && grep -oE 'href="[^"]*"' -- *.html |
        grep -vE '^[^:]*(_8|_source\.html:|^struct)' | sort -u) | grep . &&
        return 1
    return 0
}

# Each anchor that a link names is there, and stands once in its page.
anchors_are_there_once() (
    cd "$tmp/site/html" || exit 1
    ! grep -oE '(href="[^":]*#[^"]+"|(id|name)="[^"]*")' /dev/null ./*.html |
        awk '
        {
            page = substr($0, 3, index($0, ":") - 3)
            split(substr($0, index($0, ":") + 1), part, "\"")
        }
        part[1] == "href=" {
            if (part[2] ~ /^#/) part[2] = page part[2]
            wanted[part[2]] = page
            next
        }
        part[1] == "id=" && there[page "#" part[2]] ~ /id/ {
            print page ": twice: " part[2]
        }
        { there[page "#" part[2]] = there[page "#" part[2]] part[1] }
        END {
            for (link in wanted)
                if (!(link in there)) print wanted[link] ": no anchor " link
        }' | grep .
)

# Doxygen takes "page.html" for member html of structure page.
no_file_is_taken_for_a_member() {
    ! grep -oE '<a class="el" href="struct[^>]*>[a-z_]+\.[a-z]+</a>' \
        "$tmp"/site/html/{chapter,ladder,md}_*.html | grep .
}

# Doxygen begins nothing bold at a code span, keeps the \ of \| in one, and
# makes the -- of an option in HTML's a dash.
no_markup_is_left() {
    ! grep -nE '(<p *>|^)\*\*|<code>[^<]*(\\\||&[mn]dash;)' \
        "$tmp"/site/html/{chapter,md}_*.html \
        "$tmp"/site/html/{softgpu,grader,workbench}.html | grep .
}

# search [COUNT] <LIST: of each line "WORDS | ..." the addresses that the site's
# own search finds, best first.
search() {
    {
        echo 'var document = { addEventListener: function () {} };'
        cat "$tmp/site/html/search-index.js" docs/theme/search.js
        sed "s/ *|.*//; s/.*/searchFind('&', ${1:-1}).forEach(function (s) { \
            print('& | ' + s[0]); });/"
    } >"$tmp/search.js" && duk "$tmp/search.js"
}

# What a learner types, and the page that explains it: md_labs_03 or chapter_03.
words_to_find() {
    cat <<'END'
coalescing | 01
bank conflicts | 03
Blelloch | 05
__syncthreads() | 02
occupancy | 01
warp divergence | 04
atomicAdd | 04
tensor core | 09
wmma | 09
im2col | 11
softmax | 12
backpropagation | 11
cudaMemcpyAsync | 14
cudaMemcpy | 01
pinned | 14
roofline | 07
shuffle | 04
look-back | 05
halo | 02
constant memory | 10
float4 | 01
cp.async | 08
double buffering | 08
register spill | 08
cuDNN | 13
workspace | 13
epsilon | 12
ReLU | 12
race condition | 03
deadlock | 05
block | 01
global memory | 01
shared memory | 02
transpose | 03
reduction | 04
prefix sum | 05
bf16 | 09
dim3 | 02
cuda graph | 14
segfault | 01
momentum | 15
END
}

search_finds_words_of_the_text() {
    local words want found bad=0
    words_to_find | search >"$tmp/found"
    while IFS='|' read -r words want; do
        found=$(grep -F -m 1 "$words|" "$tmp/found")
        [[ ${found#*| } =~ ^(md_labs_|chapter_)${want# }[_.] ]] ||
            { echo "$words is in lab$want, not ${found#*| }" && bad=1; }
    done < <(words_to_find)
    [[ $(words_to_find | wc -l) -gt 30 && $bad == 0 ]] &&
        echo Amdahl | search | grep -q '| book' &&
        echo coalescing | search 3 | grep -q md_labs_03_transpose &&
        echo vector_add | search | grep -q '| vector__add_8h' &&
        printf '%s\n' 'nosuchword bank' '((.*' | search >"$tmp/found" &&
        [[ ! -s $tmp/found ]]
}

what_search_finds_is_there() {
    local address page
    [[ $(grep -c '^\["' "$tmp/site/html/search-index.js") -gt 500 ]] || return 1
    while read -r address; do
        page=$tmp/site/html/${address%%#*}
        if [[ ! -e $page ]] || { [[ $address == *#* ]] &&
            ! grep -qF "id=\"${address#*#}\"" "$page"; }; then
            echo "$address"
        fi
    done < <(grep -oE '^\["[^"]*"' "$tmp/site/html/search-index.js" |
        tr -d '["' |
        grep -E '^md_|^[a-z_]+\.html' | head -n 300) | grep . && return 1
    return 0
}

# Doxygen takes a link out of a paragraph that has a class.
front_page_has_its_button() {
    grep -q 'class="start"> *<span> *<a [^>]*md_labs_01_vector_add' \
        <(tr '\n' ' ' <"$tmp/site/html/index.html")
}

chapters_are_in_a_row() {
    local html=$tmp/site/html folders last
    folders=(labs/[0-9]*/)
    last=${folders[-1]#labs/} last=${last%/} # a new lab may have no chapter
    [[ ! -f docs/chapters/$last.md ]] || last=chapter_${last%%_*}
    [[ $last == chapter_* ]] || last=md_labs_${last}_README
    grep -q 'class="after".*md_labs_02_blur_README' "$html/chapter_01.html" &&
        grep -q '&larr;.*chapter_14' "$html/md_labs_15_optimizers_README.html" \
        &&
        grep -q 'class="after".*chapter_01' \
        "$html/md_labs_01_vector_add_README.html" &&
        grep -q 'class="after".*chapter_16' \
            "$html/md_labs_16_cnn_trainer_README.html" &&
        ! grep -q 'class="after"' "$html/$last.html" &&
        ! grep -q '&larr; <a' "$html/md_labs_01_vector_add_README.html"
}

each_lab_has_its_ladder() {
    local folder number html=$tmp/site/html
    for folder in solutions/[0-9]*/; do
        folder=${folder%/} number=${folder#*/} number=${number%%_*}
        [[ $(grep -c '<pre class="fragment' "$html/ladder_$number.html") == \
            $(($(find "$folder" -name '[0-9]*.cu' | wc -l) - 1)) ]] || return 1
        grep -q 'class="keyword' "$html/ladder_$number.html" || return 1
    done
    grep -q '<ins>+    __syncthreads();</ins>' "$html/ladder_03.html" &&
        grep -qF 'r[j] = *(const float4 *)&amp;in' "$html/ladder_03.html" &&
        [[ $(grep -c '<details class="header"' "$html/ladder_10.html") == \
            $(find solutions/10_convolution -name '*.h' | wc -l) ]] &&
        sed -n '/3_tile.cu/,/4_separable.cu/p' "$html/ladder_10.html" |
        grep -q 's_tile'
}

# Doxygen overlooks statements behind a declaration, and does not know CUDA.
code_is_in_color() {
    ! grep -nE '<div class="line"> *(if|for|while) \(' \
        "$tmp"/site/html/{chapter,ladder}_*.html | head -n 3 | grep . &&
        grep -q '<span class="keyword">__global__</span>' \
            "$tmp/site/html/chapter_01.html" &&
        ! grep -n '<span class="key[a-z]*">for</span> 65' \
            "$tmp"/site/html/chapter_*.html
}

# "step" is a variable of chapter 1, "batch" a parameter; "network" is a type.
variables_are_no_links() {
    ! grep -lE 'hl_struct" href="struct(step|row|lane)\.html"' \
        "$tmp"/site/html/chapter_0[124567].html | grep . &&
        grep -q 'const struct <a [^>]*structnetwork.html' \
            "$tmp/site/html/cnn__trainer_8h.html" &&
        ! grep -q 'int <a [^>]*structbatch' \
            "$tmp/site/html/cnn__trainer_8h.html"
}

# 2^31 is written 2<sup>31</sup>, but not in code.
powers_are_raised() {
    grep -q '4,096<sup>3</sup>' "$tmp/site/html/chapter_07.html" &&
        ! sed -E '/class="line"|<pre|<math/d; s,<(code|title)>[^<]*<,<,g' \
            "$tmp"/site/html/{chapter,md_labs}_*.html |
        grep -E '[0-9A-Za-z)]\^-?[0-9A-Z]' | head -n 3 | grep .
}

# Markdown would make __shared__ in a comment a bold "shared".
words_of_cuda_are_whole() {
    grep -q 'A __shared__ variable' "$tmp/site/html/abi_8h.html" &&
        ! grep -nE '<b>(global|shared|constant|managed|launch_bounds)</b>' \
            "$tmp"/site/html/*_8h.html | grep -v memItemRight | grep .
}

# A ladder's page has said the purpose of a step above its diff.
diffs_begin_with_code() {
    ! grep -nE 'SPDX|@file|@@ -' "$tmp"/site/html/ladder_*.html | grep .
}

# A chapter shows code, counts, a message, folded answers and a figure.
chapters_show_the_tree() {
    local page=$tmp/site/html/chapter_03.html
    grep -q '<math ' "$page" && grep -q 'data-figure="banks"' "$page" &&
        grep -q 'race in shared memory' "$page" && grep -q '18,432' "$page" &&
        [[ $(grep -c '<details class="question">' "$page") == 10 ]] &&
        ! grep -rlE '&lt;!-- |@htmlonly|@endhtmlonly|@ref ' "$tmp/site/html" \
            --include='chapter_*.html' --include=book.html | grep .
}

# Where there is a browser, it looks at some pages; docs/tests/browser at all.
a_browser_finds_no_fault() {
    docs/tests/browser "$tmp/site/html" \
        '(chapter|ladder|labs)_03|chapter_10|profile_01|abi_8h.html|^(book|testing|cudnn__layer_8h|record__pool_8h).html'
}

# What only a screen has is left out of the book: a browser that writes the page.
the_book_is_for_paper() {
    printf '#!/bin/sh\nfor page; do :; done\ncp "${page#file://}" "%s"\n' \
        "$tmp/book.html" >"$tmp/browser"
    chmod +x "$tmp/browser"
    CHROMIUM=$tmp/browser docs/make-pdf "$tmp/site/html" "$tmp/book.pdf" &&
        grep -q '^\.toc.* \.screen {' "$tmp/book.html" &&
        ! sed 's,<span class="screen">[^<]*</span>,,g' "$tmp/book.html" |
        grep -n 'the slider' &&
        ! grep -n '@media (max-width: 7' docs/theme/warpbook.css
}

# A heading, and the first rows of the table below it, are on one page; so are a
# line of code and the brace below it.
pages_end_where_they_may() {
    mkdir "$tmp/few"
    cp "$tmp"/site/html/{index,glossary,md_labs_{01,02,05,12,15}_*}.html \
        "$tmp"/site/html/{chapter_{01,02,05},ladder_{12,15}}.html \
        "$tmp"/site/html/*.css "$tmp/few"
    docs/make-pdf "$tmp/few" "$tmp/few.pdf" &&
        pdftotext -layout "$tmp/few.pdf" - | awk -v RS='\f' '
            /in the order of the chapters/ && /execution of a kernel/ { found = 1 }
            /^[ \n]*}\n/ { print "begins with a brace: page " NR; bad = 1 }
            END { exit bad || !found }'
}

drawings_are_of_their_source() {
    local figure stale=0
    while read -r figure; do
        grep -q "drawn from $(cksum <"$figure") " "${figure%.dot}.svg" || {
            echo "$figure: draw it again with docs/draw"
            stale=1
        }
    done < <(find docs/figures labs -name '*.dot')
    return $stale
}

check "the site builds without a warning" site_builds
check "an undocumented public name breaks it" undocumented_name_breaks_it
check "pages load nothing from elsewhere" pages_are_offline
check "every lab is a chapter" every_lab_is_a_chapter
check "a list goes on counting" lists_keep_their_numbers
check "no line of a paragraph begins a list" no_line_becomes_a_list
if command -v duk >/dev/null; then
    check "search finds words of the text" search_finds_words_of_the_text
fi
check "what search finds is there" what_search_finds_is_there
check "the front page has its button" front_page_has_its_button
check "each chapter names the one before and after" chapters_are_in_a_row
check "each lab has a page of its ladder" each_lab_has_its_ladder
if [[ -d $tmp/profiles ]]; then
    check "a ladder leads to its profile" a_ladder_leads_to_its_profile
fi
check "code is in color" code_is_in_color
check "no variable is a link to a structure" variables_are_no_links
check "nor a lab's structure one to another" code_leads_to_its_own_structures
check "powers are raised" powers_are_raised
check "words of CUDA stay whole" words_of_cuda_are_whole
check "diffs begin with code" diffs_begin_with_code
check "chapters show the tree as it is" chapters_show_the_tree
check "no link of a page is dead" no_link_is_dead
check "anchors are there, and once" anchors_are_there_once
check "no file name is a link to a member" no_file_is_taken_for_a_member
check "no markup is left in the text" no_markup_is_left
if command -v chromium >/dev/null; then
    check "a browser finds no fault in a chapter" a_browser_finds_no_fault
    if command -v pdftotext >/dev/null; then
        check "pages of the book end where they may" pages_end_where_they_may
    fi
    check "and writes no file beside its test" test ! -e docs/tests/__pycache__
fi
check "the book has what paper can show" the_book_is_for_paper
check "each drawing was made from the .dot beside it" \
    drawings_are_of_their_source
finish
