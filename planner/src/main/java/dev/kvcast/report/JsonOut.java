package dev.kvcast.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.NumberOutput;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints a {@link JsonObject}; numbers are written without exponents, the same on every Java version. */
public final class JsonOut {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonOut() {}

    /** Indented by two blanks, for people; ends with a line feed. */
    public static String pretty(JsonObject object) {
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withArrayEmptySeparator("")
                .withObjectEmptySeparator("");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
        printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
        return render(object, Optional.of(printer));
    }

    /** On one line, for files of one object a line; ends with a line feed. */
    public static String compact(JsonObject object) {
        return render(object, Optional.empty());
    }

    private static String render(JsonObject object, Optional<DefaultPrettyPrinter> printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            printer.ifPresent(json::setPrettyPrinter);
            write(json, object);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, JsonObject object) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, Optional<Object>> field : object.fields().entrySet()) {
            json.writeFieldName(field.getKey());
            if (field.getValue().isPresent()) {
                writeValue(json, field.getValue().get());
            } else {
                json.writeNull();
            }
        }
        json.writeEndObject();
    }

    private static void writeValue(JsonGenerator json, Object value) throws IOException {
        if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof Double number) {
            json.writeNumber(plain(number));
        } else if (value instanceof Long || value instanceof Integer) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof JsonObject object) {
            write(json, object);
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                writeValue(json, element);
            }
            json.writeEndArray();
        } else {
            throw new IllegalArgumentException("no JSON form for " + value.getClass());
        }
    }

    /** The shortest digits that read back as the same number, without an exponent. */
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(value + " in an array; JSON holds finite numbers only");
        }
        String digits = NumberOutput.toString(value, true);
        return digits.indexOf('E') < 0
                ? digits
                : new BigDecimal(digits).stripTrailingZeros().toPlainString();
    }
}
