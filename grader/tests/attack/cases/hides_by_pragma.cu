/* SPDX-License-Identifier: MIT */
/* Asks for a system header's silence and for other options by an operator in
 * place of a directive. */
#include "hostile.h"

_Pragma("GCC system_header")
_Pragma("GCC optimize(\"no-sanitize=thread\")")
_Pragma("GCC push_options") _Pragma("GCC target(\"avx512f\")")

RIGHT_IF(true)
