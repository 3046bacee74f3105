/* lookalike_device.h: releases values of one device privately, from a table that `lookalike export` wrote.
 *
 * No allocation, no files, no threads, no global state. A table borrows the bytes that it was read from: these must stay as
 * they are for as long as the table is used. Several threads may draw from one table.
 *
 * Link with liblookalike_device.a. A panic, which no input leads to, calls abort().
 */
#ifndef LOOKALIKE_DEVICE_H
#define LOOKALIKE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every function returns. Only with LOOKALIKE_DEVICE_OK has anything been read or released. */
enum lookalike_device_status {
    LOOKALIKE_DEVICE_OK = 0,
    LOOKALIKE_DEVICE_MISUSE = 1,        /* a null pointer, or a table that was not read */
    LOOKALIKE_DEVICE_LENGTH = 2,        /* cut off, or something was added */
    LOOKALIKE_DEVICE_MAGIC = 3,         /* not a table */
    LOOKALIKE_DEVICE_VERSION = 4,       /* a version that this release does not read */
    LOOKALIKE_DEVICE_FORM = 5,          /* a form that does not exist */
    LOOKALIKE_DEVICE_SIZE = 6,          /* numbers of inputs and outputs that no channel has */
    LOOKALIKE_DEVICE_DIGEST = 7,        /* damaged: the digest is not that of the bytes */
    LOOKALIKE_DEVICE_OTHER_DIGEST = 8,  /* a whole table, but not the expected one */
    LOOKALIKE_DEVICE_KEEP = 9,          /* a value is kept with a weight above 2^53 */
    LOOKALIKE_DEVICE_COLUMN = 10,       /* a column draws an output that does not exist */
    LOOKALIKE_DEVICE_TEXTS = 11,        /* texts that are not as the table says */
    LOOKALIKE_DEVICE_UNKNOWN_VALUE = 20, /* the value is not one of the inputs */
    LOOKALIKE_DEVICE_WORDS = 21,        /* another number of words than a draw takes */
    LOOKALIKE_DEVICE_GENERATOR = 22     /* the generator gave no word */
};

/* What `output` holds when nothing was released. It is no code of any output. */
#define LOOKALIKE_DEVICE_NOTHING UINT32_MAX

/* A table. It may be copied and moved, needs no clean-up, and has no fields of yours. */
struct lookalike_device_table {
    uint64_t opaque[12];
};

/* Reads a table and checks all of its bytes. A damaged, cut or longer one is refused, and nothing can be drawn from it. */
int lookalike_device_read(struct lookalike_device_table *table, const uint8_t *bytes, size_t length);

/* The same, and refuses every table but that of a digest of 32 bytes, which came by another way than the table:
 * the digest in a table stops accidents, not a person who computes it anew. `lookalike export` prints it. */
int lookalike_device_read_expected(struct lookalike_device_table *table, const uint8_t *bytes, size_t length,
                                   const uint8_t *digest);

/* The platform's generator: writes a uniform word that nobody knows and that is never given again, and returns 0; or returns
 * anything else, and nothing is released. */
typedef int (*lookalike_device_generator)(void *context, uint64_t *word);

/* Releases a value, given as its code, with words of a generator. */
int lookalike_device_privatize(const struct lookalike_device_table *table, uint32_t value,
                               lookalike_device_generator generator, void *context, uint32_t *output);

/* The same with words that are given, as many as lookalike_device_words_a_value says: for tests. */
int lookalike_device_draw(const struct lookalike_device_table *table, uint32_t value, const uint64_t *words,
                          size_t count, uint32_t *output);

/* Numbers of a table that was read; 0 for any other. Codes of values are below the inputs, those of what is released below
 * the outputs. */
uint32_t lookalike_device_inputs(const struct lookalike_device_table *table);
uint32_t lookalike_device_outputs(const struct lookalike_device_table *table);
size_t lookalike_device_words_a_value(const struct lookalike_device_table *table);

/* The name of an input or an output, in UTF-8 without a zero at its end; NULL if the table has none. */
const char *lookalike_device_input_name(const struct lookalike_device_table *table, uint32_t value, size_t *length);
const char *lookalike_device_output_name(const struct lookalike_device_table *table, uint32_t output, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
