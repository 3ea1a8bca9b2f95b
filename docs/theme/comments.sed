#!/bin/sed -Ef
# SPDX-License-Identifier: MIT
# A header as Doxygen is to see it: __shared__ in a comment is a word of CUDA,
# not a bold "shared".
/^ *\*|\/\*/s/(^|[^`A-Za-z0-9_])__([A-Za-z_]*[A-Za-z])__/\1\\_\\_\2__/g
