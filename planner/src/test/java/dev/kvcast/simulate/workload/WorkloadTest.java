package dev.kvcast.simulate.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kvcast.model.InputException;
import dev.kvcast.simulate.RequestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds, means and shapes of synthetic workloads. */
class WorkloadTest {

    private static final int MANY = 200_000;

    @Test
    void aSeedGivesTheSameNumbersEverywhere() {
        Randomness random = new Randomness(42, 1);
        assertThat(random.nextLong()).isEqualTo(new Randomness(42, 1).nextLong());
        assertThat(new Randomness(42, 1).nextLong()).isNotEqualTo(new Randomness(42, 2).nextLong());
        assertThat(new Randomness(42, 1).nextLong()).isNotEqualTo(new Randomness(43, 1).nextLong());
    }

    @Test
    void meansAreWhatTheyAreSaidToBe() {
        Randomness random = new Randomness(7, 1);
        assertThat(mean(new Lengths.Exponential(1000), random)).isCloseTo(1000, within(10.0));
        assertThat(mean(new Lengths.LogNormal(1000, 500), random)).isCloseTo(1000, within(10.0));
        assertThat(mean(new Lengths.Uniform(10, 20), random)).isCloseTo(15, within(0.1));
        assertThat(gaps(new Arrivals.Poisson(4), random)).isCloseTo(0.25, within(0.005));
        assertThat(gaps(new Arrivals.Gamma(4, 2), random)).isCloseTo(0.25, within(0.01));
        assertThat(gaps(new Arrivals.Constant(4), random)).isCloseTo(0.25, within(1e-9));
    }

    private static double mean(Lengths lengths, Randomness random) {
        double sum = 0;
        for (int i = 0; i < MANY; i++) {
            sum += lengths.next(random);
        }
        return sum / MANY;
    }

    private static double gaps(Arrivals arrivals, Randomness random) {
        double sum = 0;
        for (int i = 0; i < MANY; i++) {
            sum += arrivals.gap(random);
        }
        return sum / MANY;
    }

    @Test
    void burstsKeepTheRate() {
        RequestTable requests = new RequestTable();
        new OpenLoop(
                        new Arrivals.Constant(10),
                        5,
                        new Lengths.Constant(8),
                        new Lengths.Constant(4),
                        Extent.ofSeconds(10),
                        1)
                .begin(requests);
        assertThat(requests.size()).isEqualTo(100);
        assertThat(requests.arrivalSeconds(4)).isEqualTo(requests.arrivalSeconds(0));
    }

    @Test
    void conversationsSendAllThatWasSaid() {
        RequestTable requests = new RequestTable();
        Conversations chat = new Conversations(
                new Arrivals.Constant(1),
                new Conversations.Shape(
                        1, 100, new Lengths.Constant(3), new Lengths.Constant(20), new Lengths.Constant(7), 0),
                Extent.ofRequests(1),
                1);
        chat.begin(requests);
        chat.ended(0, 5, requests);
        chat.ended(1, 9, requests);
        chat.ended(2, 12, requests);
        assertThat(requests.size()).isEqualTo(3);
        assertThat(requests.promptTokens(1)).isEqualTo(100 + 20 + 7 + 20);
        assertThat(requests.promptTokens(2)).isEqualTo(100 + 20 + 7 + 20 + 7 + 20);
        assertThat(requests.arrivalSeconds(2)).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0", "-5", "uniform:5", "uniform:9..3", "lognormal:10", "zipf:3", "99999999999"})
    void lengthsThatAreNone(String text) {
        assertThatThrownBy(() -> WorkloadText.lengths("--input", text)).isInstanceOf(InputException.class);
    }

    @Test
    void lengthsAreReadAsPeopleWriteThem() {
        assertThat(WorkloadText.lengths("--input", "16K")).isEqualTo(new Lengths.Constant(16_384));
        assertThat(WorkloadText.lengths("--input", "uniform:1..2")).isEqualTo(new Lengths.Uniform(1, 2));
        assertThat(WorkloadText.lengths("--input", "lognormal:10,5")).isEqualTo(new Lengths.LogNormal(10, 5));
        assertThat(WorkloadText.arrivals("gamma:2", 3)).isEqualTo(new Arrivals.Gamma(3, 2));
    }
}
