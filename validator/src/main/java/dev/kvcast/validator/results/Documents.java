package dev.kvcast.validator.results;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.kvcast.model.InputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The JSON objects of a file, one at a time: a single object, the elements of an array, the lines of a JSONL file or
 * objects written one after another are all the same.
 */
final class Documents implements AutoCloseable {

    /** Largest file accepted, in bytes. */
    static final long LARGEST_FILE = 1L << 30;

    private static final int DEEPEST_NESTING = 64;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            // Python writes NaN and Infinity; a check names the cell that has one.
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST_NESTING)
                    .maxDocumentLength(LARGEST_FILE)
                    .maxNumberLength(100)
                    .maxStringLength(1 << 22)
                    .build())
            .build();

    private final String name;
    private final JsonParser parser;
    private Optional<Fields> pushedBack = Optional.empty();
    private int read;
    private boolean inArray;

    private Documents(String name, JsonParser parser) {
        this.name = name;
        this.parser = parser;
    }

    /** The objects of a file, opened. */
    static Documents open(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw InputException.badInput(file + " is a folder; give the result file itself");
            }
            if (Files.size(file) > LARGEST_FILE) {
                throw InputException.badInput(
                        file + " has " + Files.size(file) + " bytes; a result file has at most " + LARGEST_FILE);
            }
            return new Documents(
                    file.toString(), FACTORY.createParser(new BufferedInputStream(Files.newInputStream(file))));
        } catch (NoSuchFileException e) {
            throw InputException.badInput(file + " does not exist").because(e);
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
    }

    /** The objects of a stream. */
    static Documents of(String name, InputStream stream) {
        try {
            return new Documents(name, FACTORY.createParser(stream));
        } catch (IOException e) {
            throw InputException.badInput(name + " cannot be read: " + e.getMessage())
                    .because(e);
        }
    }

    /** File name, for messages. */
    String name() {
        return name;
    }

    /** The next object without taking it. */
    Optional<Fields> peek() {
        if (pushedBack.isEmpty()) {
            pushedBack = next();
        }
        return pushedBack;
    }

    /** The next object, or empty at the end. */
    Optional<Fields> next() {
        Optional<Fields> waiting = pushedBack;
        if (waiting.isPresent()) {
            pushedBack = Optional.empty();
            return waiting;
        }
        try {
            return advance();
        } catch (StreamConstraintsException e) {
            throw InputException.badInput(name + " is beyond what a result file needs (nesting over " + DEEPEST_NESTING
                            + ", a number over 100 digits, or a text over 4 MiB)")
                    .because(e);
        } catch (JsonProcessingException e) {
            throw InputException.badInput(name + " is not valid JSON" + position(e)
                            + "; give a tool's JSON or JSONL results, complete")
                    .because(e);
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            throw InputException.badInput(name + " cannot be read: "
                            + message.lines().findFirst().orElse(""))
                    .because(e);
        }
    }

    private Optional<Fields> advance() throws IOException {
        JsonToken token = parser.nextToken();
        while (token == (inArray ? JsonToken.END_ARRAY : JsonToken.START_ARRAY)) {
            inArray = token == JsonToken.START_ARRAY;
            token = parser.nextToken();
        }
        if (token == null) {
            return Optional.empty();
        }
        if (token != JsonToken.START_OBJECT) {
            throw InputException.badInput(
                    name + " holds " + (read == 0 ? "no JSON object" : "something that is no JSON object after " + read)
                            + "; give a tool's JSON or JSONL results");
        }
        read++;
        String where = read == 1 ? name : name + " record " + read;
        return Optional.of(new Fields(where, new JsonTree(parser, name).object()));
    }

    private static String position(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    @Override
    public void close() {
        try {
            parser.close();
        } catch (IOException e) {
            // Everything that was wanted has been read.
        }
    }
}
