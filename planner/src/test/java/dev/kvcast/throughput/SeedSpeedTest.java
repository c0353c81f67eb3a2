package dev.kvcast.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The seed's page without any calibration: 21 decode cells (8,192 tokens of output, shared prompts) and 5 prefills, in
 * tokens per second. The card is unlocked and runs at 420 W, which its catalogue entry does not know.
 */
class SeedSpeedTest {

    private static final long[] CONTEXTS = {0, 16_384, 32_768, 65_536, 131_072, 253_952};

    /** Rows are contexts, columns 1, 2, 4, ... requests. */
    private static final double[][] DECODE = {
        {86.5, 169.8, 329.5, 616.3, 1113.0, 1811.6},
        {82.1, 155.4, 297.3, 527.5, 846.9},
        {78.2, 143.2, 269.4, 453.8},
        {71.6, 123.8, 226.2},
        {61.2, 97.3},
        {48.0}
    };

    private static final double[][] PREFILL = {
        {8_192, 11_900}, {16_384, 11_000}, {32_768, 9_804}, {65_536, 8_316}, {131_072, 6_205}
    };

    private final SpeedModel model = Deployments.seed().speed();

    @Test
    void decodeIsWithinEightPercent() {
        double sum = 0;
        int cells = 0;
        int covered = 0;
        for (int row = 0; row < CONTEXTS.length; row++) {
            for (int column = 0; column < DECODE[row].length; column++) {
                Forecast rate =
                        model.decode(CONTEXTS[row], 1 << column, 8192, true).tokensPerSecond();
                sum += Math.abs(rate.value() / DECODE[row][column] - 1);
                covered += rate.covers(DECODE[row][column]) ? 1 : 0;
                cells++;
            }
        }
        assertThat(sum / cells).isLessThan(0.08);
        assertThat(covered).isGreaterThanOrEqualTo(18);
    }

    @Test
    void prefillIsWithinTenPercent() {
        double sum = 0;
        for (double[] cell : PREFILL) {
            Forecast rate = model.prefill((long) cell[0]).tokensPerSecond();
            sum += Math.abs(rate.value() / cell[1] - 1);
            assertThat(rate.covers(cell[1])).as("interval of %s", cell[0]).isTrue();
        }
        assertThat(sum / PREFILL.length).isLessThan(0.10);
    }

    @Test
    void aCachedPromptAnswersSooner() {
        PrefillSpeed speed = model.prefill(65_536);
        assertThat(speed.warmSeconds().value()).isLessThan(speed.coldSeconds().value() / 50);
    }

    @Test
    void requestsShareTheRate() {
        CellSpeed cell = model.decode(16_384, 8, 8192, true);
        assertThat(cell.perRequestTokensPerSecond().value() * 8)
                .isEqualTo(cell.tokensPerSecond().value());
        assertThat(cell.interTokenSeconds().value()
                        * cell.perRequestTokensPerSecond().value())
                .isBetween(0.999999, 1.000001);
    }
}
