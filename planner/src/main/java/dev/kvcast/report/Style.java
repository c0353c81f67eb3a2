package dev.kvcast.report;

/** Whether text may carry colour. */
public enum Style {
    /** ANSI escapes for terminals. */
    COLOUR,
    /** Nothing but text. */
    PLAIN;

    private static final String RESET = "\u001b[0m";

    /** The few meanings that get a look of their own. */
    public enum Tone {
        /** No emphasis. */
        NORMAL(""),
        /** Headers and totals. */
        STRONG("\u001b[1m"),
        /** What matters less. */
        FAINT("\u001b[2m"),
        /** It fits. */
        GOOD("\u001b[32m"),
        /** It fits, but. */
        CAUTION("\u001b[33m"),
        /** It does not fit. */
        BAD("\u001b[31m");

        private final String escape;

        Tone(String escape) {
            this.escape = escape;
        }
    }

    /** The text in that tone; unchanged where colour is off or the tone is {@link Tone#NORMAL}. */
    public String paint(Tone tone, String text) {
        return this == PLAIN || tone == Tone.NORMAL ? text : tone.escape + text + RESET;
    }
}
