// The thread pool of C kernels, as C: threads that stay, iterations given out in shrinking pieces, an arena for each thread.
// It is compiled once, by the kernels' compiler, and serves every kernel of the process.

export const POOL_SOURCE = String.raw`
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef void tf_body(const void *context, int64_t begin, int64_t end, void *arena);
typedef void tf_parallel_for(tf_body *body, const void *context, int64_t n, size_t arena_bytes);
typedef int tf_launch(const void *args, tf_parallel_for *parallel_for);

enum { MOST_THREADS = 256, KNOWN_BODIES = 256, PIECES = 4, PROBE_ITERATIONS_MOST = 1 << 20 };
/* Arenas larger than this are returned when their loop ends. */
static const size_t KEPT_ARENA_BYTES = (size_t)8 << 20;

/* The loop that runs now. Its fields are written under the lock while no worker is in it. */
static struct {
    tf_body *body;
    const void *context;
    int64_t n;
    size_t arena_bytes;
    int threads;
    _Atomic int64_t next;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static uint64_t generation; /* of loops; a worker takes part in each at most once */
static bool open;           /* workers may still join */
static int joined, running, started;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static _Thread_local int wanted_threads = 1;
/* A loop that takes less than this on one thread wakes no other. With 0 all loops are shared, and start when the workers are there. */
static _Thread_local int64_t wake_from_ns;
static _Thread_local bool inside, out_of_memory;

typedef struct {
    void *at;
    size_t bytes;
} arena;

static bool grow(arena *a, size_t bytes) {
    if (bytes <= a->bytes) return true;
    free(a->at);
    *a = (arena){NULL, 0};
    if (bytes > SIZE_MAX - 63) return false;
    bytes = (bytes + 63) / 64 * 64;
    if (posix_memalign(&a->at, 64, bytes) != 0) return a->at = NULL, false;
    a->bytes = bytes;
    return true;
}

static void shrink(arena *a) {
    if (a->bytes <= KEPT_ARENA_BYTES) return;
    free(a->at);
    *a = (arena){NULL, 0};
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* — what iterations of a loop have cost: guesses, which decide only who runs them — */

static struct {
    _Atomic(uintptr_t) body;
    _Atomic int64_t picoseconds;
} known[KNOWN_BODIES];

static unsigned slot_of(tf_body *body) { return (unsigned)(((uintptr_t)body >> 4) * 2654435761u % KNOWN_BODIES); }

static int64_t cost_of(tf_body *body) {
    const unsigned i = slot_of(body);
    return atomic_load_explicit(&known[i].body, memory_order_relaxed) == (uintptr_t)body ? atomic_load_explicit(&known[i].picoseconds, memory_order_relaxed) : -1;
}

static void learn(tf_body *body, int64_t ns, int64_t iterations) {
    if (iterations <= 0 || ns > INT64_MAX / 1000) return;
    const unsigned i = slot_of(body);
    atomic_store_explicit(&known[i].picoseconds, ns * 1000 / iterations, memory_order_relaxed);
    atomic_store_explicit(&known[i].body, (uintptr_t)body, memory_order_relaxed);
}

static bool worth_waking(int64_t picoseconds, int64_t n) {
    return wake_from_ns == 0 || (picoseconds > 0 && n > wake_from_ns * 1000 / picoseconds);
}

/* — running — */

/* Takes pieces of the loop until none is left: large ones first, single iterations at the end. Gives how many iterations it ran. */
static int64_t take_part(void *at) {
    int64_t ran = 0, begin = atomic_load_explicit(&job.next, memory_order_relaxed);
    while (begin < job.n) {
        int64_t size = (job.n - begin) / ((int64_t)job.threads * PIECES);
        if (size < 1) size = 1;
        if (!atomic_compare_exchange_weak_explicit(&job.next, &begin, begin + size, memory_order_relaxed, memory_order_relaxed)) continue;
        job.body(job.context, begin, begin + size, at);
        ran += size;
        begin = atomic_load_explicit(&job.next, memory_order_relaxed);
    }
    return ran;
}

static void *worker(void *unused) {
    (void)unused;
    arena own = {NULL, 0};
    uint64_t seen = 0;
    inside = true;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!open || seen == generation || joined >= job.threads - 1) pthread_cond_wait(&work, &lock);
        seen = generation;
        joined++;
        running++;
        pthread_mutex_unlock(&lock);
        /* a worker without memory leaves its share to the others */
        if (grow(&own, job.arena_bytes)) take_part(own.at);
        shrink(&own);
        pthread_mutex_lock(&lock);
        if (--running == 0) pthread_cond_signal(&finished);
    }
    return NULL;
}

/* In a forked child there are no workers, and the lock may have been held by one. */
static void after_fork(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&work, NULL);
    pthread_cond_init(&finished, NULL);
    open = false;
    joined = running = started = 0;
    atomic_flag_clear(&busy);
}

/* Starts what is missing of so many workers, under the lock. Fewer may come: the caller alone is enough. */
static void start(int workers) {
    static bool prepared;
    if (!prepared) {
        prepared = true;
        pthread_atfork(NULL, NULL, after_fork);
        /* threads run this code until the process ends: it must stay loaded */
        Dl_info here;
        if (dladdr((void *)&lock, &here) != 0) (void)dlopen(here.dli_fname, RTLD_NOW);
    }
    if (started >= workers) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the threads of the host */
    pthread_attr_t detached;
    if (pthread_attr_init(&detached) == 0) {
        pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
        pthread_t thread;
        while (started < workers && pthread_create(&thread, &detached, worker, NULL) == 0) started++;
        pthread_attr_destroy(&detached);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Iterations from begin on, shared with the workers. The caller owns the pool. */
static void run_shared(tf_body *body, const void *context, int64_t begin, int64_t n, size_t arena_bytes, void *at) {
    pthread_mutex_lock(&lock);
    start(wanted_threads - 1);
    job.body = body;
    job.context = context;
    job.n = n;
    job.arena_bytes = arena_bytes;
    job.threads = wanted_threads;
    atomic_store_explicit(&job.next, begin, memory_order_relaxed);
    joined = 0;
    generation++;
    open = true;
    pthread_cond_broadcast(&work);
    while (wake_from_ns == 0 && joined < started && joined < wanted_threads - 1) {
        pthread_mutex_unlock(&lock);
        sched_yield();
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    const int64_t before = now();
    const int64_t ran = take_part(at);
    learn(body, now() - before, ran);
    pthread_mutex_lock(&lock);
    open = false;
    while (running > 0) pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
}

/* Iterations on the calling thread until they are done or have taken long enough to wake others; gives the first that is left. */
static int64_t probe(tf_body *body, const void *context, int64_t n, void *at) {
    const int64_t before = now();
    int64_t done = 0, size = 1, spent = 0;
    /* the next piece may cost as much as all before it */
    while (done < n && spent <= wake_from_ns / 2) {
        if (size > n - done) size = n - done;
        body(context, done, done + size, at);
        done += size;
        if (size < PROBE_ITERATIONS_MOST) size *= 2;
        spent = now() - before;
    }
    learn(body, spent, done);
    return done;
}

/* Nested loops, and those that meet another thread's loop, run on their caller. */
static void pool_for(tf_body *body, const void *context, int64_t n, size_t arena_bytes) {
    static arena kept; /* of the pool's owner */
    if (n <= 0) return;
    const bool shared = wanted_threads > 1 && n > 1 && !inside && !atomic_flag_test_and_set_explicit(&busy, memory_order_acquire);
    arena own = {NULL, 0};
    arena *const mine = shared ? &kept : &own;
    if (!grow(mine, arena_bytes)) out_of_memory = true;
    else if (!shared) body(context, 0, n, mine->at);
    else {
        inside = true;
        const int64_t cost = cost_of(body);
        const int64_t first = worth_waking(cost, n) ? 0 : probe(body, context, n, mine->at);
        if (first < n) run_shared(body, context, first, n, arena_bytes, mine->at);
        inside = false;
    }
    if (shared) {
        shrink(mine);
        atomic_flag_clear_explicit(&busy, memory_order_release);
    } else free(own.at);
}

int tf_pool_launch(tf_launch *launch, const void *args, int threads, int64_t wake_from) {
    wake_from_ns = wake_from;
    wanted_threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    out_of_memory = false;
    const int status = launch(args, pool_for);
    return out_of_memory ? 1 : status;
}
`.trimStart();
