package dev.kvcast.model.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import com.fasterxml.jackson.jr.ob.JSONObjectException;
import dev.kvcast.model.InputException;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Reads one JSON object within bounds: a model's config is a few kilobytes, and nothing larger is worth parsing. */
public final class JsonSource {

    /** Largest document accepted, in bytes. */
    public static final long LARGEST_DOCUMENT = 64L << 20;

    /** Deepest nesting accepted. */
    public static final int DEEPEST_NESTING = 64;

    private static final int LONGEST_NUMBER = 100;
    private static final int LONGEST_STRING = 1 << 22;

    private static final JSON READER = JSON.builder(JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST_NESTING)
                            .maxDocumentLength(LARGEST_DOCUMENT)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxStringLength(LONGEST_STRING)
                            .build())
                    .build())
            .build();

    private JsonSource() {}

    /**
     * The object in a file.
     *
     * @throws InputException for a file that is missing, empty, too large, not UTF-8 or not a JSON object
     */
    public static Map<String, Object> read(Path file) {
        try {
            long size = Files.size(file);
            if (size == 0) {
                throw InputException.badInput(file + " is empty; expected a JSON object");
            }
            if (size > LARGEST_DOCUMENT) {
                throw InputException.badInput(file + " has " + size + " bytes; a JSON file of a model has at most "
                        + LARGEST_DOCUMENT + ", give the right file");
            }
            try (InputStream stream = Files.newInputStream(file)) {
                return parse(stream, file.toString());
            }
        } catch (NoSuchFileException e) {
            throw InputException.badInput(file + " does not exist; give the path of a model folder or its config.json")
                    .because(e);
        } catch (IOException e) {
            throw InputException.badInput(file + " cannot be read: " + e.getMessage())
                    .because(e);
        }
    }

    /**
     * The object in a stream.
     *
     * @param name shown in messages
     * @throws InputException when the stream does not hold one JSON object within bounds
     */
    public static Map<String, Object> parse(InputStream stream, String name) {
        try {
            Map<String, Object> map = READER.mapFrom(stream);
            if (map == null) {
                throw InputException.badInput(name + " is empty; expected a JSON object");
            }
            return map;
        } catch (StreamConstraintsException e) {
            throw InputException.badInput(name + " is beyond what a model's JSON needs (nesting over " + DEEPEST_NESTING
                            + ", a number over " + LONGEST_NUMBER
                            + " digits, or more than 64 MiB); give the right file")
                    .because(e);
        } catch (CharConversionException e) {
            throw InputException.badInput(name + " is not UTF-8; save it as UTF-8")
                    .because(e);
        } catch (JSONObjectException e) {
            throw InputException.badInput(name + " is not a JSON object; give a model's config.json")
                    .because(e);
        } catch (JsonProcessingException e) {
            throw InputException.badInput(
                            name + " is not valid JSON" + position(e) + "; the file may be truncated or damaged")
                    .because(e);
        } catch (IOException e) {
            throw InputException.badInput(name + " cannot be read: " + firstLine(e))
                    .because(e);
        }
    }

    private static String position(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static String firstLine(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
