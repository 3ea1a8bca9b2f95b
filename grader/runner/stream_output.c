/* SPDX-License-Identifier: MIT */
/* Comparing outputs as a stream left them with what they become when all work
 * of the device is done. */
#include "stream_output.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "grader/channel/frame.h"

/* A copy of an array in device memory, enqueued on the stream. */
static void *copy_in_stream(cudaStream_t stream,
                            const struct stream_output *output)
{
    void *d_copy = device_alloc(output->bytes);

    if (d_copy)
        cudaMemcpyAsync(d_copy, output->d_data, output->bytes,
                        cudaMemcpyDeviceToDevice, stream);
    return d_copy;
}

/* Does the array differ from the copy? */
static bool has_changed(const struct stream_output *output, const void *d_copy)
{
    const size_t bytes = output->bytes;
    char *now = malloc(2 * bytes);
    const bool changed = now && !device_copy_to_host(now, output->d_data, bytes)
                         && !device_copy_to_host(now + bytes, d_copy, bytes)
                         && memcmp(now, now + bytes, bytes);

    free(now);
    return changed;
}

int64_t runner_wait_stream(cudaStream_t stream,
                           const struct stream_output *outputs, size_t count)
{
    void *d_copy[FRAME_MAX_ARGS] = {NULL};
    int64_t err;

    count = count < FRAME_MAX_ARGS ? count : FRAME_MAX_ARGS;
    device_set_in_submission(false);
    for (size_t i = 0; i < count; i++)
        d_copy[i] = copy_in_stream(stream, &outputs[i]);
    err = cudaStreamSynchronize(stream);
    if (!err)
        err = cudaDeviceSynchronize();
    for (size_t i = 0; i < count; i++) {
        if (!err && d_copy[i] && has_changed(&outputs[i], d_copy[i]))
            err = STREAM_IS_LATE;
        device_free(d_copy[i]);
    }
    device_set_in_submission(true);
    return err;
}
