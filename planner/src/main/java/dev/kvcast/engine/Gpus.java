package dev.kvcast.engine;

import java.util.Map;
import java.util.Optional;

/** Counts of GPUs that a launch line names. */
final class Gpus {

    private Gpus() {}

    /** GPUs that {@code CUDA_VISIBLE_DEVICES} and its kin leave visible; empty when nothing limits them. */
    static Optional<Integer> visible(Map<String, String> environment) {
        for (String name : new String[] {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}) {
            Optional<Integer> count = listed(environment.getOrDefault(name, ""));
            if (count.isPresent()) {
                return count;
            }
        }
        return Optional.empty();
    }

    /** Entries of a comma-separated device list; empty for {@code all}, nothing or a variable. */
    static Optional<Integer> listed(String devices) {
        String list = devices.strip();
        if (list.isEmpty()
                || list.equals("all")
                || list.equals("none")
                || list.startsWith("$")
                || list.startsWith("-")) {
            return Optional.empty();
        }
        int count = 0;
        for (String device : list.split(",", -1)) {
            count += device.isBlank() ? 0 : 1;
        }
        return count == 0 ? Optional.empty() : Optional.of(count);
    }

    /** The value of docker's {@code --gpus}: {@code all}, a count, or {@code device=0,1}. */
    static Optional<Integer> docker(String value) {
        String text = value.replace("\"", "").replace("'", "").strip();
        if (text.startsWith("device=")) {
            return listed(text.substring("device=".length()));
        }
        String count = text.startsWith("count=") ? text.substring("count=".length()) : text;
        if (count.isEmpty() || count.length() > 4 || !count.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int gpus = Integer.parseInt(count);
        return gpus > 0 ? Optional.of(gpus) : Optional.empty();
    }
}
