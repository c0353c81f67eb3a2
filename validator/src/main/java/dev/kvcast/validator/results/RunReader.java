package dev.kvcast.validator.results;

/** Reads the result files of one tool. */
interface RunReader {

    /** The tool, for messages. */
    String tool();

    /** Whether a file that starts with this JSON object is one of the tool's. */
    boolean recognizes(Fields first);

    /**
     * The run in a file.
     *
     * @param documents all JSON objects of the file; the first is one that {@link #recognizes} said yes to
     * @throws dev.kvcast.model.InputException naming the file and the field where something is missing
     */
    MeasuredRun read(Documents documents);
}
