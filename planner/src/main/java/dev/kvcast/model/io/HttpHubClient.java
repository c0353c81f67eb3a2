package dev.kvcast.model.io;

import dev.kvcast.model.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.regex.Pattern;

/** The Hugging Face hub (or a mirror) over HTTP, with a cache on disk. */
public final class HttpHubClient implements HubClient {

    private static final int CONNECT_MILLIS = 10_000;
    private static final int READ_MILLIS = 30_000;
    private static final int MOST_REDIRECTS = 5;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][\\w.-]*/[\\w.-]+");
    private static final Pattern FILE = Pattern.compile("[\\w.-]+");

    private final HubSettings settings;

    /** A client with the given settings. */
    public HttpHubClient(HubSettings settings) {
        this.settings = settings;
    }

    @Override
    public Optional<byte[]> file(String id, String file) {
        return cached(id, file, file, -1).map(Head::bytes);
    }

    @Override
    public Optional<Head> head(String id, String file, int length) {
        return cached(id, file, file + "." + length + ".head", length);
    }

    private Optional<Head> cached(String id, String file, String cacheName, int length) {
        if (!ID.matcher(id).matches()
                || id.contains("..")
                || !FILE.matcher(file).matches()) {
            throw InputException.unknownModel(
                    "\"" + id + "\" is not a hub id; expected organization/name, for example Qwen/Qwen3-8B");
        }
        Path entry = settings.cache()
                .resolve(id)
                .resolve(settings.revision().replace('/', '_'))
                .resolve(cacheName);
        Path size = entry.resolveSibling(cacheName + ".size");
        try {
            if (Files.isRegularFile(entry)) {
                byte[] bytes = Files.readAllBytes(entry);
                long whole = Files.isRegularFile(size) ? Long.parseLong(Files.readString(size)) : bytes.length;
                return Optional.of(new Head(bytes, whole));
            }
        } catch (IOException | NumberFormatException e) {
            throw InputException.badInput("the cache entry " + entry + " cannot be read; delete it")
                    .because(e);
        }
        Path absent = entry.resolveSibling(cacheName + ".absent");
        if (settings.offline() && Files.exists(absent)) {
            return Optional.empty();
        }
        if (settings.offline()) {
            throw InputException.unknownModel(file + " of " + id + " is not in the cache " + settings.cache()
                    + " and --offline forbids asking the hub; run once without --offline");
        }
        Optional<Head> fetched = fetch(id, file, length);
        fetched.ifPresentOrElse(head -> store(entry, size, head), () -> store(absent, size, new Head(new byte[0], 0)));
        return fetched;
    }

    /** A cache that cannot be written costs time, not correctness. */
    private static void store(Path entry, Path size, Head head) {
        try {
            Files.createDirectories(entry.resolveSibling(""));
            Path temporary = Files.createTempFile(entry.resolveSibling(""), "download", ".part");
            Files.write(temporary, head.bytes());
            if (head.fileSize() != head.bytes().length) {
                Files.writeString(size, Long.toString(head.fileSize()));
            }
            Files.move(temporary, entry, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            return;
        }
    }

    private Optional<Head> fetch(String id, String file, int length) {
        URI address = URI.create(settings.endpoint() + "/" + id + "/resolve/" + settings.revision() + "/" + file);
        try {
            for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
                HttpURLConnection connection = open(address, length);
                int status = connection.getResponseCode();
                if (status >= 300 && status < 400) {
                    String location = connection.getHeaderField("Location");
                    if (location == null) {
                        break;
                    }
                    address = address.resolve(location);
                    continue;
                }
                return answer(connection, status, id, file, length);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw InputException.server("the hub at " + settings.endpoint() + " cannot be reached ("
                            + e.getClass().getSimpleName() + "); check the network or use --offline")
                    .because(e);
        }
        throw InputException.server(
                "the hub at " + settings.endpoint() + " redirects " + file + " of " + id + " without end");
    }

    private HttpURLConnection open(URI address, int length) throws IOException {
        String scheme = String.valueOf(address.getScheme());
        if (!scheme.equals("https") && !scheme.equals(settings.endpoint().getScheme())) {
            throw new IOException("redirected to " + scheme);
        }
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        connection.setRequestProperty("User-Agent", "kvcast");
        if (length >= 0) {
            connection.setRequestProperty("Range", "bytes=0-" + (length - 1));
        }
        if (sameOrigin(address, settings.endpoint())) {
            settings.token().ifPresent(token -> connection.setRequestProperty("Authorization", "Bearer " + token));
        }
        return connection;
    }

    /** The token goes to the endpoint itself, never to where it redirects. */
    private static boolean sameOrigin(URI left, URI right) {
        return String.valueOf(left.getScheme()).equals(right.getScheme())
                && String.valueOf(left.getHost()).equalsIgnoreCase(right.getHost())
                && left.getPort() == right.getPort();
    }

    private Optional<Head> answer(HttpURLConnection connection, int status, String id, String file, int length)
            throws IOException {
        if (status == HttpURLConnection.HTTP_NOT_FOUND) {
            return Optional.empty();
        }
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED || status == HttpURLConnection.HTTP_FORBIDDEN) {
            throw InputException.server("the hub refuses " + file + " of " + id + " (" + status
                    + "); check the name, accept the model's licence there and set HF_TOKEN");
        }
        if (status != HttpURLConnection.HTTP_OK && status != HttpURLConnection.HTTP_PARTIAL) {
            throw InputException.server(
                    "the hub answers " + status + " for " + file + " of " + id + "; try again later");
        }
        long limit = length >= 0 ? length : JsonSource.LARGEST_DOCUMENT;
        try (InputStream body = connection.getInputStream()) {
            byte[] bytes = body.readNBytes(Math.toIntExact(limit));
            if (length < 0 && body.read() >= 0) {
                throw InputException.server(file + " of " + id + " is larger than " + limit + " bytes; not read");
            }
            return Optional.of(new Head(bytes, wholeSize(connection, status, bytes.length)));
        }
    }

    private static long wholeSize(HttpURLConnection connection, int status, int read) {
        if (status == HttpURLConnection.HTTP_PARTIAL) {
            String range = String.valueOf(connection.getHeaderField("Content-Range"));
            String total = range.substring(range.lastIndexOf('/') + 1);
            try {
                return Long.parseLong(total);
            } catch (NumberFormatException e) {
                return read;
            }
        }
        long stated = connection.getContentLengthLong();
        return stated < 0 ? read : stated;
    }
}
