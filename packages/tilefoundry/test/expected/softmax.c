#include "softmax.h"

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

typedef float tf_f32x4 __attribute__((vector_size(16)));
typedef int32_t tf_i32x4 __attribute__((vector_size(16)));
typedef float tf_f32x4_mem __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t tf_u32x4 __attribute__((vector_size(16)));
static inline float tf_max_f32(float a, float b) {
    if (a != a || b != b) return a + b;
    if (a == b) return signbit(a) ? b : a;
    return a > b ? a : b;
}
static inline int32_t tf_sub_i32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline int32_t tf_bits_f32_to_i32(float a) {
    int32_t b;
    memcpy(&b, &a, sizeof b);
    return b;
}
static inline int32_t tf_shr_i32(int32_t a, int32_t b) { return (int32_t)(a >> (b & 31)); }
static inline float tf_bits_i32_to_f32(int32_t a) {
    float b;
    memcpy(&b, &a, sizeof b);
    return b;
}
static inline int32_t tf_shl_i32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a << (b & 31)); }
static inline int32_t tf_add_i32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

static void softmax_r(const void *context, int64_t begin, int64_t end, void *arena_start) {
    const softmax_args *const args = context;
    const float *restrict x = args->x;
    float *restrict y = args->y;
    char *const arena = arena_start;
    for (int64_t r = begin; r < end; r++) {
        tf_f32x4 acc = (tf_f32x4){-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        tf_f32x4 acc_1 = (tf_f32x4){-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        tf_f32x4 acc_2 = (tf_f32x4){-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        tf_f32x4 acc_3 = (tf_f32x4){-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        for (int64_t k = 0; k < 992; k += 16) {
            const tf_f32x4 b = *(const tf_f32x4_mem *)&x[r * 1003 + k];
            const tf_i32x4 wins = acc > b;
            const tf_i32x4 loses = b > acc;
            const tf_i32x4 equal = acc == b;
            const tf_f32x4 b_1 = *(const tf_f32x4_mem *)&x[r * 1003 + k + 4];
            const tf_i32x4 wins_1 = acc_1 > b_1;
            const tf_i32x4 loses_1 = b_1 > acc_1;
            const tf_i32x4 equal_1 = acc_1 == b_1;
            const tf_f32x4 b_2 = *(const tf_f32x4_mem *)&x[r * 1003 + k + 8];
            const tf_i32x4 wins_2 = acc_2 > b_2;
            const tf_i32x4 loses_2 = b_2 > acc_2;
            const tf_i32x4 equal_2 = acc_2 == b_2;
            const tf_f32x4 b_3 = *(const tf_f32x4_mem *)&x[r * 1003 + k + 12];
            const tf_i32x4 wins_3 = acc_3 > b_3;
            const tf_i32x4 loses_3 = b_3 > acc_3;
            const tf_i32x4 equal_3 = acc_3 == b_3;
            acc = (tf_f32x4)((wins & (tf_i32x4)acc) | (loses & (tf_i32x4)b) | (equal & ((tf_i32x4)acc & (tf_i32x4)b)) | (~(wins | loses | equal) & (tf_i32x4)(acc + b)));
            acc_1 = (tf_f32x4)((wins_1 & (tf_i32x4)acc_1) | (loses_1 & (tf_i32x4)b_1) | (equal_1 & ((tf_i32x4)acc_1 & (tf_i32x4)b_1)) | (~(wins_1 | loses_1 | equal_1) & (tf_i32x4)(acc_1 + b_1)));
            acc_2 = (tf_f32x4)((wins_2 & (tf_i32x4)acc_2) | (loses_2 & (tf_i32x4)b_2) | (equal_2 & ((tf_i32x4)acc_2 & (tf_i32x4)b_2)) | (~(wins_2 | loses_2 | equal_2) & (tf_i32x4)(acc_2 + b_2)));
            acc_3 = (tf_f32x4)((wins_3 & (tf_i32x4)acc_3) | (loses_3 & (tf_i32x4)b_3) | (equal_3 & ((tf_i32x4)acc_3 & (tf_i32x4)b_3)) | (~(wins_3 | loses_3 | equal_3) & (tf_i32x4)(acc_3 + b_3)));
        }
        const tf_f32x4 row_max_part = acc;
        const tf_f32x4 row_max_part_1 = acc_1;
        const tf_f32x4 row_max_part_2 = acc_2;
        const tf_f32x4 row_max_part_3 = acc_3;
        const tf_i32x4 wins_4 = row_max_part > row_max_part_1;
        const tf_i32x4 loses_4 = row_max_part_1 > row_max_part;
        const tf_i32x4 equal_4 = row_max_part == row_max_part_1;
        const tf_f32x4 a = (tf_f32x4)((wins_4 & (tf_i32x4)row_max_part) | (loses_4 & (tf_i32x4)row_max_part_1) | (equal_4 & ((tf_i32x4)row_max_part & (tf_i32x4)row_max_part_1)) | (~(wins_4 | loses_4 | equal_4) & (tf_i32x4)(row_max_part + row_max_part_1)));
        const tf_i32x4 wins_5 = row_max_part_2 > row_max_part_3;
        const tf_i32x4 loses_5 = row_max_part_3 > row_max_part_2;
        const tf_i32x4 equal_5 = row_max_part_2 == row_max_part_3;
        const tf_f32x4 b_4 = (tf_f32x4)((wins_5 & (tf_i32x4)row_max_part_2) | (loses_5 & (tf_i32x4)row_max_part_3) | (equal_5 & ((tf_i32x4)row_max_part_2 & (tf_i32x4)row_max_part_3)) | (~(wins_5 | loses_5 | equal_5) & (tf_i32x4)(row_max_part_2 + row_max_part_3)));
        const tf_i32x4 wins_6 = a > b_4;
        const tf_i32x4 loses_6 = b_4 > a;
        const tf_i32x4 equal_6 = a == b_4;
        tf_f32x4 acc_4 = (tf_f32x4)((wins_6 & (tf_i32x4)a) | (loses_6 & (tf_i32x4)b_4) | (equal_6 & ((tf_i32x4)a & (tf_i32x4)b_4)) | (~(wins_6 | loses_6 | equal_6) & (tf_i32x4)(a + b_4)));
        for (int64_t k_next = 992; k_next < 1000; k_next += 4) {
            const tf_f32x4 b_5 = *(const tf_f32x4_mem *)&x[r * 1003 + k_next];
            const tf_i32x4 wins_7 = acc_4 > b_5;
            const tf_i32x4 loses_7 = b_5 > acc_4;
            const tf_i32x4 equal_7 = acc_4 == b_5;
            acc_4 = (tf_f32x4)((wins_7 & (tf_i32x4)acc_4) | (loses_7 & (tf_i32x4)b_5) | (equal_7 & ((tf_i32x4)acc_4 & (tf_i32x4)b_5)) | (~(wins_7 | loses_7 | equal_7) & (tf_i32x4)(acc_4 + b_5)));
        }
        const tf_f32x4 row_max_part_4 = acc_4;
        float acc_5 = tf_max_f32(tf_max_f32(row_max_part_4[0], row_max_part_4[2]), tf_max_f32(row_max_part_4[1], row_max_part_4[3]));
        for (int64_t k_tail = 1000; k_tail < 1003; k_tail++) {
            acc_5 = tf_max_f32(acc_5, x[r * 1003 + k_tail]);
        }
        const float row_max = acc_5;
        float *const e = (float *)arena;
        const tf_f32x4 row_max_v = (tf_f32x4){row_max, row_max, row_max, row_max};
        tf_f32x4 acc_6 = (tf_f32x4){0.0f, 0.0f, 0.0f, 0.0f};
        for (int64_t j = 0; j < 1000; j += 4) {
            const tf_f32x4 exp_x = *(const tf_f32x4_mem *)&x[r * 1003 + j] - row_max_v;
            const tf_i32x4 m = (exp_x > (tf_f32x4){89.0f, 89.0f, 89.0f, 89.0f});
            const tf_f32x4 exp_x_1 = (tf_f32x4)((m & (tf_i32x4)(tf_f32x4){89.0f, 89.0f, 89.0f, 89.0f}) | (~m & (tf_i32x4)exp_x));
            const tf_i32x4 m_1 = (exp_x_1 < (tf_f32x4){-104.5f, -104.5f, -104.5f, -104.5f});
            const tf_f32x4 exp_x_2 = (tf_f32x4)((m_1 & (tf_i32x4)(tf_f32x4){-104.5f, -104.5f, -104.5f, -104.5f}) | (~m_1 & (tf_i32x4)exp_x_1));
            const tf_f32x4 exp_t = exp_x_2 * (tf_f32x4){1.442695f, 1.442695f, 1.442695f, 1.442695f} + (tf_f32x4){12582912.0f, 12582912.0f, 12582912.0f, 12582912.0f};
            const tf_f32x4 exp_n = exp_t - (tf_f32x4){12582912.0f, 12582912.0f, 12582912.0f, 12582912.0f};
            const tf_f32x4 exp_r = exp_x_2 - exp_n * (tf_f32x4){0.6933594f, 0.6933594f, 0.6933594f, 0.6933594f} - exp_n * (tf_f32x4){-0.00021219444f, -0.00021219444f, -0.00021219444f, -0.00021219444f};
            const tf_f32x4 exp_y = ((((((tf_f32x4){0.00019891103f, 0.00019891103f, 0.00019891103f, 0.00019891103f} * exp_r + (tf_f32x4){0.0013933751f, 0.0013933751f, 0.0013933751f, 0.0013933751f}) * exp_r + (tf_f32x4){0.0083333105f, 0.0083333105f, 0.0083333105f, 0.0083333105f}) * exp_r + (tf_f32x4){0.041666463f, 0.041666463f, 0.041666463f, 0.041666463f}) * exp_r + (tf_f32x4){0.16666667f, 0.16666667f, 0.16666667f, 0.16666667f}) * exp_r + (tf_f32x4){0.5f, 0.5f, 0.5f, 0.5f}) * (exp_r * exp_r) + exp_r + (tf_f32x4){1.0f, 1.0f, 1.0f, 1.0f};
            const tf_i32x4 exp_k = (tf_i32x4)((tf_u32x4)((tf_i32x4)exp_t) - (tf_u32x4)(tf_i32x4){1262485504, 1262485504, 1262485504, 1262485504});
            const tf_i32x4 exp_h = exp_k >> 1;
            const tf_f32x4 e_1 = exp_y * (tf_f32x4)((tf_i32x4)((tf_u32x4)((tf_i32x4)((tf_u32x4)exp_h + (tf_u32x4)(tf_i32x4){127, 127, 127, 127})) << 23)) * (tf_f32x4)((tf_i32x4)((tf_u32x4)((tf_i32x4)((tf_u32x4)((tf_i32x4)((tf_u32x4)exp_k - (tf_u32x4)exp_h)) + (tf_u32x4)(tf_i32x4){127, 127, 127, 127})) << 23));
            *(tf_f32x4_mem *)&e[j] = e_1;
            acc_6 = acc_6 + e_1;
        }
        const tf_f32x4 row_sum_part = acc_6;
        float acc_7 = ((row_sum_part[0] + row_sum_part[2]) + (row_sum_part[1] + row_sum_part[3]));
        for (int64_t j_tail = 1000; j_tail < 1003; j_tail++) {
            const float exp_x_3 = x[r * 1003 + j_tail] - row_max;
            const float exp_x_4 = exp_x_3 > 89.0f ? 89.0f : exp_x_3;
            const float exp_x_5 = exp_x_4 < -104.5f ? -104.5f : exp_x_4;
            const float exp_t_1 = exp_x_5 * 1.442695f + 12582912.0f;
            const float exp_n_1 = exp_t_1 - 12582912.0f;
            const float exp_r_1 = exp_x_5 - exp_n_1 * 0.6933594f - exp_n_1 * -0.00021219444f;
            const float exp_y_1 = (((((0.00019891103f * exp_r_1 + 0.0013933751f) * exp_r_1 + 0.0083333105f) * exp_r_1 + 0.041666463f) * exp_r_1 + 0.16666667f) * exp_r_1 + 0.5f) * (exp_r_1 * exp_r_1) + exp_r_1 + 1.0f;
            const int32_t exp_k_1 = tf_sub_i32(tf_bits_f32_to_i32(exp_t_1), 1262485504);
            const int32_t exp_h_1 = tf_shr_i32(exp_k_1, 1);
            const float e_2 = exp_y_1 * tf_bits_i32_to_f32(tf_shl_i32(tf_add_i32(exp_h_1, 127), 23)) * tf_bits_i32_to_f32(tf_shl_i32(tf_add_i32(tf_sub_i32(exp_k_1, exp_h_1), 127), 23));
            e[j_tail] = e_2;
            acc_7 = acc_7 + e_2;
        }
        const float row_sum = acc_7;
        const tf_f32x4 row_sum_v = (tf_f32x4){row_sum, row_sum, row_sum, row_sum};
        for (int64_t j_1 = 0; j_1 < 1000; j_1 += 4) {
            *(tf_f32x4_mem *)&y[r * 1003 + j_1] = *(const tf_f32x4_mem *)&e[j_1] / row_sum_v;
        }
        for (int64_t j_tail_1 = 1000; j_tail_1 < 1003; j_tail_1++) {
            y[r * 1003 + j_tail_1] = e[j_tail_1] / row_sum;
        }
    }
}

int softmax(const softmax_args *args, tf_parallel_for *parallel_for) {
    const int64_t M = args->M;
    if (M > 0) parallel_for(softmax_r, args, M, (size_t)args->arena_bytes);
    return 0;
}
