package dev.kvcast.validator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvcast.capacity.Cell;
import dev.kvcast.capacity.CellCapacity;
import dev.kvcast.capacity.Verdict;
import dev.kvcast.throughput.Forecast;
import dev.kvcast.validator.compare.ComparedCell.Pair;
import dev.kvcast.validator.results.MeasuredCell;
import dev.kvcast.validator.results.MeasuredCell.Decode;
import dev.kvcast.validator.results.MeasuredCell.Sample;
import dev.kvcast.validator.results.MeasuredCell.Speed;
import dev.kvcast.validator.results.MeasuredCell.Status;
import dev.kvcast.validator.results.MeasuredCell.Window;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

    private static final Offset<Double> NEAR = Offset.offset(1e-9);

    @Test
    void errorsAreShares() {
        Errors errors = Errors.of(List.of(
                new Pair(100, new Forecast(110, 90, 130)),
                new Pair(100, new Forecast(80, 70, 90)),
                new Pair(200, new Forecast(200, 190, 210))));
        assertThat(errors.cells()).isEqualTo(3);
        assertThat(errors.mean()).isCloseTo(0.1, NEAR);
        assertThat(errors.worst()).isCloseTo(0.2, NEAR);
        assertThat(errors.bias()).isCloseTo(-0.1 / 3, NEAR);
        assertThat(errors.coverage()).isCloseTo(2.0 / 3, NEAR);
        assertThat(Errors.of(List.of())).isEqualTo(new Errors(0, 0, 0, 0, 0));
    }

    /** What was measured, active requests, what was predicted, whether that agrees. */
    @ParameterizedTest
    @CsvSource({
        "VALID, 8, FITS, true",
        "VALID, 8, TIGHT, true",
        "VALID, 8, OVER, false",
        "OVER_CAPACITY, 0, OVER, true",
        "OVER_CAPACITY, 0, TIGHT, false",
        "OVER_CAPACITY, 0, FITS, false",
        "OVER_CAPACITY, 6, TIGHT, true",
        "OVER_CAPACITY, 6, FITS, false",
    })
    void verdictsAgreeOrNot(Status status, double active, Verdict verdict, boolean agrees) {
        assertThat(cell(status, active, verdict).verdictAgrees()).contains(agrees);
        assertThat(cell(Status.FAILED, active, verdict).verdictAgrees()).isEmpty();
    }

    private static ComparedCell cell(Status status, double active, Verdict verdict) {
        Sample sample = new Sample(
                active > 0 ? OptionalDouble.of(active) : OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty());
        MeasuredCell measured = new Decode(1024, 8, status, Window.DECODE, Speed.NONE, sample, Optional.empty());
        CellCapacity capacity = new CellCapacity(new Cell(1024, 8, 128), verdict, 0, 0, 0, "");
        return new ComparedCell(measured, Optional.of(capacity), Optional.empty(), Optional.empty());
    }
}
