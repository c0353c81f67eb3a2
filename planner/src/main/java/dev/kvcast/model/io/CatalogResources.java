package dev.kvcast.model.io;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** The catalogue that travels with the program: in its jar, or beside its classes while it is being developed. */
final class CatalogResources implements CatalogFiles {

    private static final String ROOT = "/models/";
    private static final String MARKER = ROOT + "checkpoints.csv";
    private static final String CONFIG = "/config.json";

    @Override
    public Optional<InputStream> open(String path) {
        return path.contains("..")
                ? Optional.empty()
                : Optional.ofNullable(CatalogResources.class.getResourceAsStream(ROOT + path));
    }

    @Override
    public List<String> modelIds() throws IOException {
        URL marker = CatalogResources.class.getResource(MARKER);
        if (marker == null) {
            return List.of();
        }
        URLConnection connection = marker.openConnection();
        if (connection instanceof JarURLConnection jar) {
            return inJar(jar.getJarFile());
        }
        try {
            Path checkpoints = Path.of(marker.toURI());
            return new CatalogFolder(checkpoints.resolveSibling("")).modelIds();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static List<String> inJar(JarFile jar) {
        String prefix = ROOT.substring(1);
        return jar.stream()
                .map(ZipEntry::getName)
                .filter(name -> name.startsWith(prefix) && name.endsWith(CONFIG))
                .map(name -> name.substring(prefix.length(), name.length() - CONFIG.length()))
                .sorted()
                .toList();
    }

    @Override
    public String describe() {
        return "the catalogue";
    }
}
