/* A whole device: its table, the platform's generator and one release. Without WITH_LOOKALIKE it releases nothing, so that
 * the difference of the two programs is what the library and the table take. */
#include "lookalike_device.h"

#include <sys/random.h>

extern const uint8_t table_bytes[];
extern const uint32_t table_length;

/* Both programs ask the system for words. */
int word_of_the_platform(void *context, uint64_t *word) {
    (void)context;
    return getrandom(word, sizeof *word, 0) == (ssize_t)sizeof *word ? 0 : -1;
}

int main(int count, char **arguments) {
    (void)arguments;
    uint64_t word;
    if (word_of_the_platform(0, &word) != 0) return 2;
#ifdef WITH_LOOKALIKE
    struct lookalike_device_table table;
    uint32_t output;
    if (lookalike_device_read(&table, table_bytes, table_length) != LOOKALIKE_DEVICE_OK) return 3;
    if (lookalike_device_privatize(&table, (uint32_t)count, word_of_the_platform, 0, &output) != LOOKALIKE_DEVICE_OK) return 4;
    return (int)output;
#else
    return count;
#endif
}
