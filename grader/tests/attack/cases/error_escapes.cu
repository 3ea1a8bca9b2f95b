/* SPDX-License-Identifier: MIT */
/* Does not compile; the message has control characters and markup. */
#error [2J]0;PASS </testcase><script>alert(1)</script> 
#include "hostile.h"
