/* SPDX-License-Identifier: MIT */
/* oneDNN's primitives, run one at a time. */
#include "dnnl_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 8, DIMS = 4 };

static dnnl_engine_t engine;
static dnnl_stream_t stream;

void run_need(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "oneDNN: %s: status %d\n", what, (int)status);
    exit(2);
}

void run_open(void)
{
    run_need(dnnl_engine_create(&engine, dnnl_cpu, 0), "engine");
    run_need(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags),
             "stream");
}

void run_close(void)
{
    dnnl_stream_destroy(stream);
    dnnl_engine_destroy(engine);
}

dnnl_memory_desc_t run_layout(int n, int c, int h, int w)
{
    const dnnl_dims_t dims = {n, c, h, w};
    dnnl_memory_desc_t desc;

    run_need(dnnl_memory_desc_init_by_tag(&desc, DIMS, dims, dnnl_f32,
                                          dnnl_abcd), "layout");
    return desc;
}

dnnl_primitive_desc_t run_plan(const_dnnl_op_desc_t description,
                               const_dnnl_primitive_desc_t hint)
{
    dnnl_primitive_desc_t made;

    run_need(dnnl_primitive_desc_create(&made, description, NULL, engine,
                                        hint), "plan");
    return made;
}

size_t run_kept(const_dnnl_primitive_desc_t plan)
{
    return dnnl_memory_desc_get_size(
        dnnl_primitive_desc_query_md(plan, dnnl_query_workspace_md, 0));
}

void run_parts(const_dnnl_primitive_desc_t plan, const struct part *parts,
               int count, void *kept)
{
    dnnl_exec_arg_t args[PARTS + 1];
    dnnl_primitive_t primitive;

    for (int i = 0; i < count; i++) {
        args[i].arg = parts[i].name;
        run_need(dnnl_memory_create(&args[i].memory, parts[i].desc, engine,
                                    parts[i].data), "memory");
    }
    if (kept) {
        args[count].arg = DNNL_ARG_WORKSPACE;
        run_need(dnnl_memory_create(&args[count++].memory,
                                    dnnl_primitive_desc_query_md(
                                        plan, dnnl_query_workspace_md, 0),
                                    engine, kept), "work space");
    }
    run_need(dnnl_primitive_create(&primitive, plan), "primitive");
    run_need(dnnl_primitive_execute(primitive, stream, count, args), "run");
    run_need(dnnl_stream_wait(stream), "wait");
    dnnl_primitive_destroy(primitive);
    for (int i = 0; i < count; i++)
        dnnl_memory_destroy(args[i].memory);
}

void run_once(const_dnnl_op_desc_t description, const struct part *parts,
              int count)
{
    dnnl_primitive_desc_t plan = run_plan(description, NULL);

    run_parts(plan, parts, count, NULL);
    dnnl_primitive_desc_destroy(plan);
}
