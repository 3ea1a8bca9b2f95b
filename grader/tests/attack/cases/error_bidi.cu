/* SPDX-License-Identifier: MIT */
/* A message of the compiler with marks that turn text around. */
#include "hostile.h"

#error "‮ desrever ⁦ ssap"
