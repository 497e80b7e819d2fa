/* To be preloaded: every message that MPI_Isend sends begins HOLD_MS milliseconds later, as it would arrive later on a
 * longer line. For kernels without netem. It stands in front of MPI by MPI's profiling interface. */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 8 };
typedef struct message {
    MPI_Request request; /* MPI_REQUEST_NULL: none */
    double due;
    bool sent;
} message;
static message held[MOST];
static int n_held;

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    const char *delay = getenv("HOLD_MS");
    if (!delay || n_held == MOST)
        return PMPI_Isend(data, n, type, to, tag, comm, request);
    int status = PMPI_Send_init(data, n, type, to, tag, comm, request);
    held[n_held++] = (message){*request, now() + 1e-3 * strtod(delay, NULL), false};
    return status;
}

/* Those that are due go, whichever is asked for. */
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    message *m = NULL;
    for (int i = 0; i < n_held; i++) {
        if (!held[i].sent && now() >= held[i].due) {
            PMPI_Start(&held[i].request);
            held[i].sent = true;
        }
        if (held[i].request == *request)
            m = &held[i];
    }
    *flag = 0;
    if (m && !m->sent)
        return MPI_SUCCESS;
    int result = PMPI_Test(m ? &m->request : request, flag, status);
    if (m && *flag) {
        PMPI_Request_free(&m->request);
        *m = held[--n_held];
        *request = MPI_REQUEST_NULL;
    }
    return result;
}
