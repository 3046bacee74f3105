/* Runs the pinned vectors through the C library: vectors TABLE CSV CSV. Exits with 0 if all of them hold. */
#include "lookalike_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);      \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

struct given {
    uint64_t words[2];
    size_t left, taken;
};

static int give(void *context, uint64_t *word) {
    struct given *given = context;
    if (given->left == 0) return -1;
    given->left--;
    *word = given->words[given->taken++];
    return 0;
}

static uint8_t *whole(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, 0, SEEK_END) == 0);
    *length = (size_t)ftell(file);
    rewind(file);
    /* Room for one byte more, which a test adds. */
    uint8_t *bytes = calloc(*length + 1, 1);
    CHECK(bytes != NULL && fread(bytes, 1, *length, file) == *length);
    fclose(file);
    return bytes;
}

static int is(const char *name, size_t length, const char *expected) {
    return name != NULL && strlen(expected) == length && memcmp(name, expected, length) == 0;
}

static size_t draws(const struct lookalike_device_table *table, const char *path) {
    FILE *file = fopen(path, "r");
    char line[256], profile[32], value[32], words[64], output[32];
    size_t rows = 0;
    CHECK(file != NULL && fgets(line, sizeof line, file) != NULL);
    for (; fgets(line, sizeof line, file) != NULL; rows++) {
        uint32_t code, released, found;
        int fields = sscanf(line, "%31[^,],%31[^,],%u,%63[^,],%u,%31[^\n]", profile, value, &code, words, &released, output);
        CHECK(fields == 6);
        struct given given = {{0, 0}, 0, 0};
        char *rest = words;
        size_t count = 0;
        while (*rest != 0) {
            CHECK(count < 2);
            given.words[count++] = strtoull(rest, &rest, 16);
        }
        CHECK(count == lookalike_device_words_a_value(table));
        CHECK(lookalike_device_draw(table, code, given.words, count, &found) == LOOKALIKE_DEVICE_OK);
        CHECK(found == released);
        given.left = count;
        CHECK(lookalike_device_privatize(table, code, give, &given, &found) == LOOKALIKE_DEVICE_OK);
        CHECK(found == released && given.left == 0);
        /* With a word too few nothing is released. */
        given.left = count - 1, given.taken = 0, found = 5;
        CHECK(lookalike_device_privatize(table, code, give, &given, &found) == LOOKALIKE_DEVICE_GENERATOR);
        CHECK(found == LOOKALIKE_DEVICE_NOTHING);
        size_t length;
        const char *name = lookalike_device_input_name(table, code, &length);
        CHECK(is(name, length, value));
        name = lookalike_device_output_name(table, released, &length);
        CHECK(is(name, length, output));
    }
    fclose(file);
    return rows;
}

static void misuse(const struct lookalike_device_table *table, const uint8_t *bytes, size_t length) {
    struct lookalike_device_table unread = {{0}};
    struct given given = {{0, 0}, 2, 0};
    uint64_t words[3] = {0, 0, 0};
    uint32_t output = 5;
    CHECK(lookalike_device_draw(&unread, 0, words, 1, &output) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(output == LOOKALIKE_DEVICE_NOTHING);
    CHECK(lookalike_device_privatize(&unread, 0, give, &given, &output) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_privatize(table, 0, NULL, NULL, &output) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_privatize(table, 0, give, &given, NULL) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_draw(table, 0, NULL, 1, &output) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_draw(NULL, 0, words, 1, &output) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_draw(table, 0, words, 3, &output) == LOOKALIKE_DEVICE_WORDS);
    CHECK(lookalike_device_read(NULL, bytes, length) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_read(&unread, NULL, length) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_read_expected(&unread, bytes, length, NULL) == LOOKALIKE_DEVICE_MISUSE);
    CHECK(lookalike_device_inputs(&unread) == 0 && lookalike_device_outputs(NULL) == 0);
    CHECK(lookalike_device_input_name(table, UINT32_MAX, NULL) == NULL);
    CHECK(given.left == 2);
    CHECK(lookalike_device_privatize(table, lookalike_device_inputs(table), give, &given, &output) ==
          LOOKALIKE_DEVICE_UNKNOWN_VALUE);
    CHECK(given.left == 2 && output == LOOKALIKE_DEVICE_NOTHING);
}

/* Every flipped bit, every cut and one byte more. */
static void damage(uint8_t *bytes, size_t length) {
    struct lookalike_device_table table;
    uint64_t words[2] = {0, 0};
    uint32_t output;
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(lookalike_device_read(&table, bytes, length) != LOOKALIKE_DEVICE_OK);
        CHECK(lookalike_device_draw(&table, 0, words, 1, &output) == LOOKALIKE_DEVICE_MISUSE);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < length; cut++) {
        CHECK(lookalike_device_read(&table, bytes, cut) == LOOKALIKE_DEVICE_LENGTH);
    }
    CHECK(lookalike_device_read(&table, bytes, length + 1) == LOOKALIKE_DEVICE_LENGTH);
}

int main(int count, char **arguments) {
    CHECK(count == 4);
    size_t length;
    uint8_t *bytes = whole(arguments[1], &length);
    struct lookalike_device_table table;
    uint8_t digest[32];
    memcpy(digest, bytes + length - 32, 32);
    CHECK(lookalike_device_read_expected(&table, bytes, length, digest) == LOOKALIKE_DEVICE_OK);
    digest[31] ^= 1;
    CHECK(lookalike_device_read_expected(&table, bytes, length, digest) == LOOKALIKE_DEVICE_OTHER_DIGEST);
    CHECK(lookalike_device_inputs(&table) == 0);
    CHECK(lookalike_device_read(&table, bytes, length) == LOOKALIKE_DEVICE_OK);
    size_t rows = draws(&table, arguments[2]) + draws(&table, arguments[3]);
    CHECK(rows > 200);
    misuse(&table, bytes, length);
    damage(bytes, length);
    free(bytes);
    printf("%s: %zu draws as pinned, damage refused\n", arguments[1], rows);
    return 0;
}
