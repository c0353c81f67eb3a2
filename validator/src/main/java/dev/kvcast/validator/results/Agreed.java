package dev.kvcast.validator.results;

import dev.kvcast.model.InputException;
import java.util.Optional;

/** A fact that all records of a file must agree on, since a run has one; not for use by several threads. */
final class Agreed {

    private final String what;
    private Optional<String> value = Optional.empty();

    /**
     * Starts without a value.
     *
     * @param what the fact in words, for messages
     */
    Agreed(String what) {
        this.what = what;
    }

    /** Takes in what one record says; silence agrees with everything. */
    void see(Optional<String> said, Fields record) {
        if (said.isPresent() && value.isPresent() && !said.equals(value)) {
            throw InputException.badInput(record.where() + " has another " + what + " than the records before ("
                    + said.get() + ", not " + value.get() + "); give one file for each");
        }
        value = value.or(() -> said);
    }

    /** What was said. */
    Optional<String> value() {
        return value;
    }
}
