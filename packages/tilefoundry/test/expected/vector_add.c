#include "vector_add.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A product and a sum are two roundings. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

typedef float tf_f32x4_mem __attribute__((vector_size(16), aligned(4), may_alias));
typedef float tf_f32x4 __attribute__((vector_size(16)));
static inline int64_t tf_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline uint64_t tf_trips(int64_t start, int64_t stop, int64_t step) {
    if (step > 0) return start < stop ? ((uint64_t)stop - (uint64_t)start - 1) / (uint64_t)step + 1 : 0;
    if (step < 0) return start > stop ? ((uint64_t)start - (uint64_t)stop - 1) / (0 - (uint64_t)step) + 1 : 0;
    return 0;
}

static void vector_add_i(const void *context, int64_t begin, int64_t end, void *arena_start) {
    const vector_add_args *const args = context;
    const float *restrict x = args->x;
    const float *restrict y = args->y;
    float *restrict z = args->z;
    const int64_t N = args->N;
    (void)arena_start;
    for (int64_t n = begin; n < end; n++) {
        const int64_t i = n * 1024;
        const int64_t n_1 = tf_min_i64(1024, N - i);
        const int64_t n_main = n_1 - n_1 % 4;
        for (int64_t i_1 = 0; i_1 < n_main; i_1 += 4) {
            *(tf_f32x4_mem *)&z[i + i_1] = *(const tf_f32x4_mem *)&x[i + i_1] + *(const tf_f32x4_mem *)&y[i + i_1];
        }
        for (int64_t i_tail = n_main; i_tail < n_1; i_tail++) {
            z[i + i_tail] = x[i + i_tail] + y[i + i_tail];
        }
    }
}

int vector_add(const vector_add_args *args, tf_parallel_for *parallel_for) {
    const int64_t N = args->N;
    const int64_t i_trips = (int64_t)tf_trips(0, N, 1024);
    if (i_trips > 0) parallel_for(vector_add_i, args, i_trips, 0);
    return 0;
}
