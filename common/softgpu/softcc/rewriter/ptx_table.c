/* SPDX-License-Identifier: MIT */
/* Inline PTX: the instructions that the software GPU has.  The functions are in
 * include/softgpu/inline_ptx.h. */
#include <stddef.h>
#include <string.h>

#include "ptx.h"

static const struct ptx_instruction instructions[] = {
    { "mov", "mov", "busfp", 2 },
    { "add", "add", "usf", 3 },
    { "sub", "sub", "usf", 3 },
    { "mul", "mul", "f", 3 },
    { "mul.lo", "mul", "us", 3 },
    { "mul.hi", "mul_hi", "us", 3 },
    { "mul.wide", "mul_wide", "us", 3 },
    { "mad", "fma", "f", 4 },
    { "mad.lo", "mad", "us", 4 },
    { "mad.hi", "mad_hi", "us", 4 },
    { "mad.wide", "mad_wide", "us", 4 },
    { "fma", "fma", "f", 4 },
    { "div", "div", "usf", 3 },
    { "rem", "rem", "us", 3 },
    { "min", "min", "usf", 3 },
    { "max", "max", "usf", 3 },
    { "abs", "abs", "sf", 2 },
    { "neg", "neg", "sf", 2 },
    { "and", "and_", "bp", 3 },
    { "or", "or_", "bp", 3 },
    { "xor", "xor_", "bp", 3 },
    { "not", "not_", "b", 2 },
    { "shl", "shl", "b", 3 },
    { "shr", "shr", "bus", 3 },
    { "shf.l.wrap", "shf_l_wrap", "b", 4 },
    { "shf.l.clamp", "shf_l_clamp", "b", 4 },
    { "shf.r.wrap", "shf_r_wrap", "b", 4 },
    { "shf.r.clamp", "shf_r_clamp", "b", 4 },
    { "lop3", "lop3", "b", 5 },
    { "prmt", "prmt", "b", 4 },
    { "bfe", "bfe", "us", 4 },
    { "bfi", "bfi", "b", 5 },
    { "bfind", "bfind", "us", 2 },
    { "brev", "brev", "b", 2 },
    { "popc", "popc", "b", 2 },
    { "clz", "clz", "b", 2 },
    { "sad", "sad", "us", 4 },
    { "rcp", "rcp", "f", 2 },
    { "sqrt", "sqrt", "f", 2 },
    { "rsqrt", "rsqrt", "f", 2 },
    { "ex2", "ex2", "f", 2 },
    { "lg2", "lg2", "f", 2 },
    { "sin", "sin", "f", 2 },
    { "cos", "cos", "f", 2 },
    { "tanh", "tanh", "f", 2 },
    { "setp.eq", "setp_eq", "busf", 3 },
    { "setp.ne", "setp_ne", "busf", 3 },
    { "setp.lt", "setp_lt", "usf", 3 },
    { "setp.le", "setp_le", "usf", 3 },
    { "setp.gt", "setp_gt", "usf", 3 },
    { "setp.ge", "setp_ge", "usf", 3 },
    { "selp", "selp", "busf", 4 },
    { "ld", "ld", "busf", 2 },
    { "ld.volatile", "ld_volatile", "busf", 2 },
    { "ld.v2", "ld_v2", "busf", 3 },
    { "ld.v4", "ld_v4", "busf", 5 },
    { "ld.volatile.v2", "ld_volatile_v2", "busf", 3 },
    { "st", "st", "busf", 2 },
    { "st.volatile", "st_volatile", "busf", 2 },
    { "st.volatile.v2", "st_volatile_v2", "busf", 3 },
    { "st.v2", "st_v2", "busf", 3 },
    { "st.v4", "st_v4", "busf", 5 },
    { "atom.add", "atom_add", "usf", 3 },
    { "atom.min", "atom_min", "us", 3 },
    { "atom.max", "atom_max", "us", 3 },
    { "atom.and", "atom_and", "b", 3 },
    { "atom.or", "atom_or", "b", 3 },
    { "atom.xor", "atom_xor", "b", 3 },
    { "atom.exch", "atom_exch", "b", 3 },
    { "atom.cas", "atom_cas", "b", 4 },
    { "red.add", "red_add", "usf", 2 },
    { "red.min", "red_min", "us", 2 },
    { "red.max", "red_max", "us", 2 },
    { "red.and", "red_and", "b", 2 },
    { "red.or", "red_or", "b", 2 },
    { "red.xor", "red_xor", "b", 2 },
    { "shfl.sync.up", "shfl_sync_up", "b", 5 },
    { "shfl.sync.down", "shfl_sync_down", "b", 5 },
    { "shfl.sync.bfly", "shfl_sync_bfly", "b", 5 },
    { "shfl.sync.idx", "shfl_sync_idx", "b", 5 },
    { "shfl.sync.up", "shfl_sync_up", "b", 6 }, /* also: was it inside? */
    { "shfl.sync.down", "shfl_sync_down", "b", 6 },
    { "shfl.sync.bfly", "shfl_sync_bfly", "b", 6 },
    { "shfl.sync.idx", "shfl_sync_idx", "b", 6 },
    { "vote.sync.ballot", "vote_sync_ballot", "b", 3 },
    { "vote.ballot.sync", "vote_sync_ballot", "b", 3 }, /* as CUB writes it */
    { "vote.sync.any", "vote_sync_any", "p", 3 },
    { "vote.sync.all", "vote_sync_all", "p", 3 },
    { "activemask", "activemask", "b", 1 },
    { "bar.sync", "bar_sync", "", 1 },
    { "barrier.sync", "bar_sync", "", 1 },
    { "bar.warp.sync", "bar_warp_sync", "", 1 },
    { "ldmatrix.sync.m8n8.x1", "ldmatrix_x1", "b", 2 },
    { "ldmatrix.sync.m8n8.x2", "ldmatrix_x2", "b", 3 },
    { "ldmatrix.sync.m8n8.x4", "ldmatrix_x4", "b", 5 },
    { "ldmatrix.sync.m8n8.x1.trans", "ldmatrix_trans_x1", "b", 2 },
    { "ldmatrix.sync.m8n8.x2.trans", "ldmatrix_trans_x2", "b", 3 },
    { "ldmatrix.sync.m8n8.x4.trans", "ldmatrix_trans_x4", "b", 5 },
    { "cp.async", "cp_async", "", 3 },
    { "cp.async", "cp_async", "", 4 },
    { "cp.async.commit_group", "cp_async_commit", "", 0 },
    { "cp.async.wait_group", "cp_async_wait", "", 1 },
    { "cp.async.wait_all", "cp_async_wait_all", "", 0 },
    { "membar", "fence", "", 0 },
    { "fence", "fence", "", 0 },
    { "nanosleep", "nanosleep", "u", 1 },
};

const struct ptx_instruction *find_ptx_instruction(const char *opcode,
                                                   int operands)
{
    const struct ptx_instruction *found = NULL;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const struct ptx_instruction *row = &instructions[i];
        if (strcmp(row->opcode, opcode) == 0
            && (!found || row->operands == operands))
            found = row;
    }
    return found;
}

/* Is the word one of a NULL-terminated list? */
static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

bool is_ignored_modifier(const char *word)
{
    static const char *const words[] = {
        "ftz", "rn", "approx", "full", "global", "shared", "local", "const",
        "shared::cta", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc", "weak",
        "relaxed", "acquire", "release", "acq_rel", "sc", "cta", "gpu", "sys",
        "gl", "aligned", "L1::no_allocate", "L1::evict_last",
        "L1::evict_first", "L1::evict_normal", "L2::64B", "L2::128B",
        "L2::256B", NULL };
    return is_one_of(word, words);
}

const char *ptx_type(const char *word)
{
    static const struct {
        const char *ptx, *type;
    } types[] = {
        { "b16", "uint16_t" }, { "b32", "uint32_t" }, { "b64", "uint64_t" },
        { "u16", "uint16_t" }, { "u32", "uint32_t" }, { "u64", "uint64_t" },
        { "s16", "int16_t" },  { "s32", "int32_t" },  { "s64", "int64_t" },
        { "u8", "uint8_t" },   { "s8", "int8_t" },    { "b8", "uint8_t" },
        { "f32", "float" },    { "f64", "double" },   { "pred", "bool" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].ptx, word) == 0)
            return types[i].type;
    return NULL;
}

const char *special_register(const char *name)
{
    static const struct {
        const char *name, *function;
    } registers[] = {
        { "laneid", "r_laneid" },     { "warpid", "r_warpid" },
        { "tid.x", "r_tid_x" },       { "tid.y", "r_tid_y" },
        { "tid.z", "r_tid_z" },       { "ntid.x", "r_ntid_x" },
        { "ntid.y", "r_ntid_y" },     { "ntid.z", "r_ntid_z" },
        { "ctaid.x", "r_ctaid_x" },   { "ctaid.y", "r_ctaid_y" },
        { "ctaid.z", "r_ctaid_z" },   { "nctaid.x", "r_nctaid_x" },
        { "nctaid.y", "r_nctaid_y" }, { "nctaid.z", "r_nctaid_z" },
        { "lanemask_eq", "r_lanemask_eq" },
        { "lanemask_lt", "r_lanemask_lt" },
        { "lanemask_le", "r_lanemask_le" },
        { "lanemask_gt", "r_lanemask_gt" },
        { "lanemask_ge", "r_lanemask_ge" },
        { "clock", "r_clock" },       { "clock64", "r_clock64" },
        { "globaltimer", "r_globaltimer" },
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (strcmp(registers[i].name, name) == 0)
            return registers[i].function;
    return NULL;
}
