package dev.kvcast.engine.vllm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Objects as people note them down: {@code image=2,video=0}, {@code mtp n=3}. */
final class LooseObject {

    private static final List<String> METHODS = List.of(
            "mtp", "eagle3", "eagle", "dflash", "dspark", "ngram_gpu", "ngram", "draft_model", "medusa", "suffix");

    private LooseObject() {}

    /** The object that {@code text} notes for a flag; empty when it cannot be told. */
    static Optional<Map<String, Object>> read(String flag, String text) {
        return flag.equals("speculative-config") ? speculative(text) : pairs(text);
    }

    private static Optional<Map<String, Object>> speculative(String text) {
        String words = text.toLowerCase(Locale.ROOT);
        if (words.indexOf('{') >= 0) {
            return Optional.empty();
        }
        for (String method : METHODS) {
            if (words.contains(method)) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("method", method);
                draftTokens(words).ifPresent(tokens -> object.put("num_speculative_tokens", tokens));
                return Optional.of(object);
            }
        }
        return Optional.empty();
    }

    private static OptionalLong draftTokens(String words) {
        int equals = words.indexOf("n=");
        if (equals < 0) {
            return OptionalLong.empty();
        }
        int end = equals + 2;
        while (end < words.length() && Character.isDigit(words.charAt(end))) {
            end++;
        }
        return SizeText.integer(words.substring(equals + 2, end));
    }

    private static Optional<Map<String, Object>> pairs(String text) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (String pair : text.split("[, ]", -1)) {
            int equals = pair.indexOf('=');
            OptionalLong value = equals > 0 ? SizeText.integer(pair.substring(equals + 1)) : OptionalLong.empty();
            if (value.isEmpty()) {
                return Optional.empty();
            }
            object.put(pair.substring(0, equals), value.getAsLong());
        }
        return object.isEmpty() ? Optional.empty() : Optional.of(object);
    }
}
