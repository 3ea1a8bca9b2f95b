/* SPDX-License-Identifier: MIT */
/* The numbers of the interactive figures, worked out by the rules that the
 * chapters teach.  docs/tests/figures.sh compares them with what the software
 * GPU counts of the kernels in counts.cu.  No browser is needed here. */
"use strict";

/* Distinct values in a list. */
function countDistinct(list) {
    return list.filter(function (v, i) {
        return list.indexOf(v) === i;
    }).length;
}

/* The numbers 0 .. n - 1. */
function countRange(n) {
    var list = [];

    for (var i = 0; i < n; i++) list.push(i);
    return list;
}

/* The sectors of 32 bytes that a warp touches: lane i loads float
 * offset + i * stride. */
function countSectors(stride, offset) {
    return countDistinct(countRange(32).map(function (lane) {
        return Math.floor((offset + lane * stride) / 8);
    }));
}

/* The bank of a lane that loads its element of a column of a tile, whose rows
 * have 32 + padding words. */
function countBank(lane, padding) {
    return lane * (32 + padding) % 32;
}

/* Wavefronts for that load: the most lanes with words of one bank. */
function countWavefronts(padding) {
    var lanes = [], most = 0;

    countRange(32).forEach(function (lane) {
        var bank = countBank(lane, padding);

        lanes[bank] = (lanes[bank] || 0) + 1;
        most = Math.max(most, lanes[bank]);
    });
    return most;
}

/* The threads of a block of n that add in a round (0, 1, ...) of a tree. */
function countAdders(n, sequential, round) {
    var active = n >> (round + 1);

    return countRange(active).map(function (i) {
        return sequential ? i : i << (round + 1);
    });
}

/* The partner whose value a thread adds in that round. */
function countPartner(n, sequential, round, thread) {
    return thread + (sequential ? n >> (round + 1) : 1 << round);
}

/* Wavefronts of a block of n: each thread stores its value; in each round an
 * active warp loads twice and stores once; thread 0 loads the result. */
function countReduction(n, sequential) {
    var wavefronts = n / 32 + 1;

    for (var round = 0; n >> (round + 1); round++)
        wavefronts += 3 * countDistinct(countAdders(n, sequential, round)
            .map(function (thread) { return thread >> 5; }));
    return wavefronts;
}

/* The rounds of a scan of n values: pairs [to, from] that are added at once.
 * Blelloch's way down also moves: [to, from, true] gives `from` the old
 * `to`. */
function countScanRounds(n, blelloch) {
    var rounds = [], distance, pairs;

    function pair(i) { pairs.push([i, i - distance]); }
    for (distance = 1; distance < n; distance *= 2) {
        pairs = [];
        countRange(n).filter(function (i) {
            return blelloch ? i % (2 * distance) === 2 * distance - 1
                : i >= distance;
        }).forEach(pair);
        rounds.push(pairs);
    }
    for (distance = n / 2; blelloch && distance >= 1; distance /= 2) {
        pairs = [];
        for (var i = 2 * distance - 1; i < n; i += 2 * distance)
            pairs.push([i, i - distance, true]);
        rounds.push(pairs);
    }
    return rounds;
}

/* Additions of a scan of n values. */
function countScan(n, blelloch) {
    return countScanRounds(n, blelloch).reduce(function (sum, pairs) {
        return sum + pairs.length;
    }, 0);
}

/* The sectors that a block's warps load of an n by n matrix for one tile. */
function countTileSectors(n, side) {
    var sectors = 0;

    for (var first = 0; first < side * side; first += 32) {
        var touched = [];

        for (var t = first; t < Math.min(first + 32, side * side); t++)
            touched.push(Math.floor(
                (Math.floor(t / side) * n + t % side) / 8));
        sectors += countDistinct(touched);
    }
    return sectors;
}

/* Sectors loaded for a product of n by n matrices in tiles of a side: each of
 * the (n / side)^2 blocks loads n / side tiles of both matrices. */
function countGemm(n, side) {
    return 2 * Math.pow(n / side, 3) * countTileSectors(n, side);
}

/* Nanoseconds of a chunk's copies and kernel when 8 MiB are cut into so many
 * chunks, as the software GPU models them for an H200: see counts.cu. */
var countChunkTimes = {
    1: [159775, 18792, 159775],
    2: [80637, 10770, 80637],
    4: [41068, 6635, 41068],
    8: [21284, 4567, 21284],
    16: [11392, 3635, 11392]
};

/* The spans of a pipeline of chunks: [chunk, engine, begin, end].  An engine
 * does one thing at a time; a chunk's parts follow each other; with one stream
 * a part waits for all parts before it. */
function countPipeline(chunks, overlap) {
    var free = [0, 0, 0], spans = [], last = 0, times = countChunkTimes[chunks];

    countRange(chunks).forEach(function (chunk) {
        var ready = overlap ? 0 : last;

        times.forEach(function (ns, engine) {
            var begin = Math.max(ready, free[engine]);

            ready = free[engine] = begin + ns;
            spans.push([chunk, engine, begin, ready]);
        });
        last = ready;
    });
    return spans;
}

/* Nanoseconds from the first begin to the last end. */
function countPipelineTime(chunks, overlap) {
    return Math.max.apply(null, countPipeline(chunks, overlap)
        .map(function (span) { return span[3]; }));
}
