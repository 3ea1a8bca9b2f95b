#!/bin/sed -Ef
# SPDX-License-Identifier: MIT
# Doxygen takes every word that is also the name of some structure for that
# structure: a variable "row" of a kernel led to a row of the profiler.  A link
# stays behind "struct" or "union", in lists of structures, and, in code and
# prototypes, where what follows makes it a type.
/href="(struct|union)/!b
s/(\b(struct|union)( |&#160;)?(<\/span>)? ?)<a class="(el|code hl_(struct|union))"/\1<a class="type \5"/g
s/((bottom|entry|navelem|indexentry|memtitle)"[^<>]*>(<b>)?)<a class="(el)"/\1<a class="type \4"/g
/class="(line|mem[A-Za-z]*|param[a-z]*)"/s/<a class="(el|code hl_(struct|union))"( href="[^"]*">[A-Za-z0-9_]*<\/a>( [*]*(&amp;)?[A-Za-z_<]|&lt;|&gt;|::|&amp;|\{))/<a class="type \1"\3/g
s/<a class="(el|code hl_(struct|union))" href="(struct|union)[^"]*\.html">([A-Za-z0-9_]+)<\/a>/\4/g
s/<a class="type /<a class="/g
