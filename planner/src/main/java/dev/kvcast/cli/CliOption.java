package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import dev.kvcast.report.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * A command-line option together with the type of its value.
 *
 * @param <T> type of the value
 */
public final class CliOption<T> {

    private final OptionSpec spec;

    private CliOption(OptionSpec spec) {
        this.spec = spec;
    }

    /** What to add to a verb's {@code CommandSpec}. */
    public OptionSpec spec() {
        return spec;
    }

    /** The value that was typed, or empty. */
    public Optional<T> in(ParseResult arguments) {
        return arguments.hasMatchedOption(spec)
                ? Optional.of(arguments.<T>matchedOptionValue(spec.longestName(), spec.getValue()))
                : Optional.empty();
    }

    /** Any text, for example {@code --model NAME}. */
    public static CliOption<String> text(String name, String label, String... description) {
        return new CliOption<>(
                valued(name, label, description).type(String.class).build());
    }

    /** A path; whether it exists is for the reader to say. */
    public static CliOption<Path> path(String name, String label, String... description) {
        return new CliOption<>(valued(name, label, description).type(Path.class).build());
    }

    /** A whole number from 0 to 2^63-1. */
    public static CliOption<Long> number(String name, String label, String... description) {
        return converted(name, label, Long.class, Converter.NUMBER, description);
    }

    /** A finite decimal number. */
    public static CliOption<Double> decimal(String name, String label, String... description) {
        return converted(name, label, Double.class, Converter.DECIMAL, description);
    }

    /** A token count such as {@code 16K} or {@code 16384}. */
    public static CliOption<Long> tokens(String name, String label, String... description) {
        return converted(name, label, Long.class, Converter.TOKENS, description);
    }

    /** Token counts separated by commas, such as {@code 0,16K,32K}. */
    public static CliOption<List<Long>> tokenList(String name, String label, String... description) {
        return converted(name, label, List.class, Converter.TOKEN_LIST, description);
    }

    /** One of the words of an enum, in either case. */
    public static <E extends Enum<E>> CliOption<E> choice(Class<E> type, String name, String... description) {
        StringBuilder label = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            label.append(label.isEmpty() ? "" : "|").append(Units.lowerCase(constant.name()));
        }
        return new CliOption<>(
                valued(name, label.toString(), description).type(type).build());
    }

    /** A switch that is on when typed. */
    public static CliOption<Boolean> flag(String name, String... description) {
        return new CliOption<>(OptionSpec.builder(name)
                .arity("0")
                .type(boolean.class)
                .description(description)
                .build());
    }

    /** Whether the switch was typed. */
    public static boolean isOn(CliOption<Boolean> flag, ParseResult arguments) {
        return flag.in(arguments).orElse(false);
    }

    private static <T> CliOption<T> converted(
            String name, String label, Class<?> type, Converter converter, String... description) {
        return new CliOption<>(valued(name, label, description)
                .arity("1")
                .type(type)
                .auxiliaryTypes(type)
                .converters(converter)
                .build());
    }

    private static OptionSpec.Builder valued(String name, String label, String... description) {
        return OptionSpec.builder(name).paramLabel(label).description(description);
    }

    /** The conversions that picocli lacks; a message of theirs follows the option's name. */
    private enum Converter implements ITypeConverter<Object> {
        NUMBER,
        DECIMAL,
        TOKENS,
        TOKEN_LIST;

        @Override
        public Object convert(String value) {
            try {
                return switch (this) {
                    case NUMBER -> Units.parseNumber(value);
                    case DECIMAL -> Units.parseDecimal(value);
                    case TOKENS -> Units.parseTokens(value);
                    case TOKEN_LIST -> tokenList(value);
                };
            } catch (InputException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }

        private static List<Long> tokenList(String value) {
            List<Long> list = new ArrayList<>();
            int start = 0;
            for (int comma = value.indexOf(','); comma >= 0; comma = value.indexOf(',', start)) {
                list.add(Units.parseTokens(value.substring(start, comma)));
                start = comma + 1;
            }
            list.add(Units.parseTokens(value.substring(start)));
            return List.copyOf(list);
        }
    }
}
