package dev.kvcast.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ForecastTest {

    @Test
    void aLogNormalIntervalIsEvenInFactors() {
        Forecast forecast = Forecast.logNormal(100, 0.1);
        assertThat(forecast.high() / forecast.value()).isCloseTo(forecast.value() / forecast.low(), within(1e-12));
        assertThat(forecast.high()).isCloseTo(117.9, within(0.05));
    }

    @Test
    void aRateTurnsTheIntervalOfItsTimeRound() {
        assertThat(new Forecast(2, 1, 4).dividing(8)).isEqualTo(new Forecast(4, 2, 8));
    }

    @Test
    void neverPromisesLessThanIsPossible() {
        assertThat(new Forecast(2, 1, 4).atLeast(1.5)).isEqualTo(new Forecast(2, 1.5, 4));
        assertThat(new Forecast(2, 1, 4).atLeast(3)).isEqualTo(new Forecast(2, 2, 4));
    }

    @Test
    void refusesAnIntervalThatDoesNotHoldItsValue() {
        assertThatThrownBy(() -> new Forecast(2, 3, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Forecast(Double.NaN, 1, 4)).isInstanceOf(IllegalArgumentException.class);
    }
}
