package dev.kvcast.engine.vllm;

import dev.kvcast.model.DataType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the flags that shape the KV cache. */
final class CacheOptionsReader {

    private CacheOptionsReader() {}

    static CacheOptions read(VllmArguments arguments, List<String> warnings) {
        return new CacheOptions(
                arguments.integer("block-size", 1),
                DtypeText.kvCache(arguments.text("kv-cache-dtype"), warnings),
                arguments.list("kv-cache-dtype-skip-layers"),
                arguments.toggle("enable-prefix-caching"),
                arguments.toggle("disable-hybrid-kv-cache-manager"),
                states(arguments),
                arguments.integer("prefix-match-unit", 1),
                retention(arguments));
    }

    private static CacheOptions.StateOptions states(VllmArguments arguments) {
        Optional<KvLayout.StateMode> mode = arguments
                .choice("mamba-cache-mode", List.of("align", "none", "all"))
                .map(value -> KvLayout.StateMode.valueOf(value.toUpperCase(Locale.ROOT)));
        Optional<DataType> conv = DtypeText.state(arguments, "mamba-cache-dtype");
        Optional<DataType> recurrent = DtypeText.state(arguments, "mamba-ssm-cache-dtype");
        return new CacheOptions.StateOptions(mode, arguments.integer("mamba-block-size", 1), conv, recurrent);
    }

    private static Optional<CacheOptions.Retention> retention(VllmArguments arguments) {
        String flag = "prefix-cache-retention-interval";
        if (arguments.list(flag).contains("None")) {
            return Optional.of(new CacheOptions.Retention.Dense());
        }
        var tokens = arguments.integer(flag, 0);
        return tokens.isPresent()
                ? Optional.of(new CacheOptions.Retention.Interval(tokens.getAsInt()))
                : Optional.empty();
    }
}
