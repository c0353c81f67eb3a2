package dev.kvcast.report;

/** The forms that data can be printed in. */
public enum Format {
    /** Aligned columns for a terminal. */
    TABLE,
    /** The JSON contract that scripts rely on. */
    JSON,
    /** Comma-separated values with a header line. */
    CSV,
    /** A Markdown table. */
    MD
}
