#!/bin/sed -Ef
# SPDX-License-Identifier: MIT
# Colors that Doxygen forgets: a statement behind a declaration with an initial
# value looks like another declaration to it, and it knows C++, not CUDA.  Code
# alone is meant, no message that has a line "for 3 elements".
/<div class="line">/!b
s/^(.*<div class="line">(<a .*<span class="lineno">.*<\/span>)? *)(if|for|while|switch)( \()/\1<span class="keywordflow">\3<\/span>\4/
s/^(.*<div class="line">(<a .*<span class="lineno">.*<\/span>)? *)(else)( \{| if|<\/div>)/\1<span class="keywordflow">\3<\/span>\4/
s/^(.*<div class="line">(<a .*<span class="lineno">.*<\/span>)? *)(return)\b(.*;)/\1<span class="keywordflow">\3<\/span>\4/
s/^(.*<div class="line">(<a .*<span class="lineno">.*<\/span>)? *)(#pragma unroll[^<]*)/\1<span class="preprocessor">\3<\/span>/
/class="(comment|stringliteral)"/b
s/\b__(global|device|host|shared|constant|managed|restrict|forceinline)__\b/<span class="keyword">&<\/span>/g
