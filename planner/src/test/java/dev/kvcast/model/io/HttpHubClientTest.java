package dev.kvcast.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvcast.model.InputException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpHubClientTest {

    @TempDir
    Path cache;

    private HttpServer hub;
    private HttpServer mirror;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> tokensAtMirror = new CopyOnWriteArrayList<>();
    private byte[] shard = new byte[0];

    @BeforeEach
    void startServers() throws IOException {
        shard = Files.readAllBytes(SafetensorsHeaderTest.write(
                cache.resolve("shard"),
                "{\"model.norm.weight\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[0,8]}}",
                8));
        mirror = server();
        mirror.createContext("/", exchange -> {
            Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                    .ifPresent(tokensAtMirror::add);
            send(exchange, shard);
        });
        hub = server();
        hub.createContext("/", this::answer);
    }

    private static HttpServer server() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        return server;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        if (path.endsWith("/config.json") && path.startsWith("/org/model/")) {
            send(exchange, Files.readAllBytes(Path.of("..", "models", "Qwen", "Qwen3-0.6B", "config.json")));
        } else if (path.startsWith("/org/gated/")) {
            exchange.sendResponseHeaders(401, -1);
        } else if (path.startsWith("/org/broken/")) {
            exchange.sendResponseHeaders(503, -1);
        } else if (path.endsWith("/model.safetensors")) {
            exchange.getResponseHeaders().add("Location", address(mirror) + "/blob");
            exchange.sendResponseHeaders(302, -1);
        } else {
            exchange.sendResponseHeaders(404, -1);
        }
        exchange.close();
    }

    private static void send(HttpExchange exchange, byte[] whole) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        byte[] body = whole;
        if (range != null) {
            int end = Integer.parseInt(range.substring(range.indexOf('-') + 1)) + 1;
            body = Arrays.copyOf(whole, Math.min(end, whole.length));
            exchange.getResponseHeaders().add("Content-Range", "bytes 0-" + (body.length - 1) + "/" + whole.length);
        }
        exchange.sendResponseHeaders(range == null ? 200 : 206, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String address(HttpServer server) {
        // A name for one and a number for the other, so that they are different hosts.
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private HubModels models(boolean offline) {
        URI endpoint = URI.create("http://localhost:" + hub.getAddress().getPort());
        return new HubModels(new HttpHubClient(
                new HubSettings(endpoint, Optional.of("hf_secret"), cache.resolve("hub"), "main", offline)));
    }

    @AfterEach
    void stopServers() {
        hub.stop(0);
        mirror.stop(0);
    }

    @Test
    void readsAModelOnceAndThenFromItsCache() {
        assertThat(models(false).model("org/model").layers()).hasSize(28);
        int asked = requests.size();
        assertThat(models(true).model("org/model").id()).isEqualTo("org/model");
        assertThat(requests).hasSize(asked);
    }

    @Test
    void readsHeadersThroughRedirectsWithoutForwardingTheToken() {
        List<String> warnings = new ArrayList<>();
        assertThat(models(false).checkpoint("org/model", warnings).orElseThrow().total())
                .isEqualTo(8);
        assertThat(tokensAtMirror).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void refusesWhatIsNotCachedWhenOffline() {
        assertThatThrownBy(() -> models(true).model("org/other"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--offline");
    }

    @Test
    void explainsRefusalsAndFailuresWithoutTheToken() {
        assertThatThrownBy(() -> models(false).model("org/gated"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("HF_TOKEN")
                .hasMessageNotContaining("hf_secret");
        assertThatThrownBy(() -> models(false).model("org/broken"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("503");
        assertThatThrownBy(() -> models(false).model("org/none"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("org/none");
        assertThatThrownBy(() -> models(false).model("../../etc"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("not a hub id");
    }

    @Test
    void readsSettingsFromTheEnvironment() {
        HubSettings settings =
                HubSettings.of(Map.of("HF_TOKEN", "hf_secret", "XDG_CACHE_HOME", "/caches"), "/home/me", false);
        assertThat(settings.toString()).doesNotContain("hf_secret").contains("huggingface.co");
        assertThat(settings.cache()).isEqualTo(Path.of("/caches/kvcast/hub"));
        assertThat(HubSettings.of(Map.of("HF_HUB_OFFLINE", "1"), "/home/me", false)
                        .offline())
                .isTrue();
        assertThatThrownBy(() -> HubSettings.of(Map.of("HF_ENDPOINT", "ftp://x"), "/home/me", false))
                .isInstanceOf(InputException.class);
    }
}
