/* SPDX-License-Identifier: MIT */
/* Has a hundred thousand errors. */
#define E10 wrong wrong; wrong wrong; wrong wrong; wrong wrong; wrong wrong;
#define E100 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10
#define E1000 E100 E100 E100 E100 E100 E100 E100 E100 E100 E100
#define E10000 E1000 E1000 E1000 E1000 E1000 E1000 E1000 E1000 E1000 E1000
int x = 0;
E10000 E10000 E10000
