package dev.kvcast.model.io;

import java.util.Optional;

/** Reads files of a model hub. */
public interface HubClient {

    /**
     * A whole small file.
     *
     * @param id {@code organization/name}
     * @param file path inside the repository
     * @return its bytes, empty when the repository has no such file
     * @throws dev.kvcast.model.InputException when the hub refuses, cannot be reached, or the file is too large
     */
    Optional<byte[]> file(String id, String file);

    /**
     * The first bytes of a file, with the size of the whole.
     *
     * @param length bytes wanted from the start
     */
    Optional<Head> head(String id, String file, int length);

    /**
     * The start of a file.
     *
     * @param bytes at most as many as were asked for
     * @param fileSize bytes of the whole file
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on at once, never compared
    record Head(byte[] bytes, long fileSize) {}
}
