package dev.kvcast.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.model.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

    @Test
    void gibHasTwoDecimals() {
        assertThat(Units.gib(25_250_627_584L)).isEqualTo("23.52 GiB");
        assertThat(Units.gib(0)).isEqualTo("0.00 GiB");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "999,999",
        "1000,'1,000'",
        "17301504,'17,301,504'",
        "-1234567,'-1,234,567'",
        "-123,-123",
        "9223372036854775807,'9,223,372,036,854,775,807'"
    })
    void countHasSeparators(long value, String text) {
        assertThat(Units.count(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "16384,16K", "262144,256K", "1048576,1M", "1000,'1,000'", "16385,'16,385'"})
    void tokensAreShortWhereExact(long value, String text) {
        assertThat(Units.tokens(value)).isEqualTo(text);
        if (!text.contains(",")) {
            assertThat(Units.parseTokens(text)).isEqualTo(value);
        }
    }

    /** The same digits as Python's {@code f"{x:.2f}"}: the binary value is rounded, not its decimal spelling. */
    @ParameterizedTest
    @CsvSource({"2.675,2,2.67", "0.125,2,0.12", "1e10,0,10000000000", "1.005,2,1.00", "-0.5,0,0", "2.5,0,2"})
    void fixedRoundsTheBinaryValue(double value, int decimals, String text) {
        assertThat(Units.fixed(value, decimals)).isEqualTo(text);
    }

    @Test
    void percentAndDuration() {
        assertThat(Units.percent(0.125)).isEqualTo("12.5%");
        assertThat(Units.duration(42)).isEqualTo("42 s");
        assertThat(Units.duration(200)).isEqualTo("3 min 20 s");
        assertThat(Units.duration(7_500)).isEqualTo("2 h 05 min");
    }

    @ParameterizedTest
    @CsvSource({"16K,16384", "16k,16384", "1M,1048576", "0,0", "' 8192 ',8192"})
    void tokensAreRead(String text, long tokens) {
        assertThat(Units.parseTokens(text)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-1", "1.5K", "16KK", "16 K", "0x10", "١٦", "1e3", "9007199254740992K"})
    void otherTokensAreRefused(String text) {
        assertThatThrownBy(() -> Units.parseTokens(text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("expected tokens such as 16384 or 16K");
    }

    @Test
    void numbersAreRead() {
        assertThat(Units.parseNumber("25_250_627_584")).isEqualTo(25_250_627_584L);
        assertThat(Units.parseNumber("17,301,504")).isEqualTo(17_301_504L);
        assertThatThrownBy(() -> Units.parseNumber("9223372036854775808")).hasMessageContaining("too large");
        assertThat(Units.parseDecimal("0.9")).isEqualTo(0.9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NaN", "Infinity", "0.9f", "1d", "1e999", "zero"})
    void otherDecimalsAreRefused(String text) {
        assertThatThrownBy(() -> Units.parseDecimal(text)).isInstanceOf(InputException.class);
    }
}
