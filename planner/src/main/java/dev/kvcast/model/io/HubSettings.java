package dev.kvcast.model.io;

import dev.kvcast.model.InputException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Where the hub is and how it is used. The token is never part of {@link #toString()}. */
public final class HubSettings {

    private static final String DEFAULT_ENDPOINT = "https://huggingface.co";

    private final URI endpoint;
    private final Optional<String> token;
    private final Path cache;
    private final String revision;
    private final boolean offline;

    /**
     * Explicit settings.
     *
     * @param endpoint base address
     * @param token access token, sent to the endpoint's own host only
     * @param cache folder for what was read
     * @param revision branch, tag or commit
     * @param offline whether only the cache may be used
     */
    public HubSettings(URI endpoint, Optional<String> token, Path cache, String revision, boolean offline) {
        this.endpoint = endpoint;
        this.token = token;
        this.cache = cache;
        this.revision = revision;
        this.offline = offline;
    }

    /**
     * Settings of an environment: {@code HF_ENDPOINT}, {@code HF_TOKEN}, {@code HF_HUB_OFFLINE},
     * {@code XDG_CACHE_HOME}.
     *
     * @throws InputException when {@code HF_ENDPOINT} is not an http address
     */
    public static HubSettings of(Map<String, String> environment, String home, boolean offline) {
        String address = environment.getOrDefault("HF_ENDPOINT", DEFAULT_ENDPOINT);
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cacheHome = caches.isEmpty() ? Path.of(home, ".cache") : Path.of(caches);
        String hubOffline = environment.getOrDefault("HF_HUB_OFFLINE", "0").toLowerCase(Locale.ROOT);
        boolean off = offline || hubOffline.equals("1") || hubOffline.equals("true");
        Optional<String> token =
                Optional.ofNullable(environment.get("HF_TOKEN")).filter(text -> !text.isBlank());
        return new HubSettings(
                endpoint(address), token, cacheHome.resolve("kvcast").resolve("hub"), "main", off);
    }

    private static URI endpoint(String address) {
        try {
            URI uri = new URI(address.endsWith("/") ? address.substring(0, address.length() - 1) : address);
            String scheme = String.valueOf(uri.getScheme());
            if ((scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw InputException.badInput("HF_ENDPOINT is not an address; expected one such as " + DEFAULT_ENDPOINT)
                    .because(e);
        }
        throw InputException.badInput("HF_ENDPOINT is not an http address; expected one such as " + DEFAULT_ENDPOINT);
    }

    URI endpoint() {
        return endpoint;
    }

    Optional<String> token() {
        return token;
    }

    Path cache() {
        return cache;
    }

    String revision() {
        return revision;
    }

    boolean offline() {
        return offline;
    }

    @Override
    public String toString() {
        return "HubSettings[" + endpoint + ", revision " + revision + (offline ? ", offline" : "") + "]";
    }
}
