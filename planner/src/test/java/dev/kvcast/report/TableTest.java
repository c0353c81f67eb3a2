package dev.kvcast.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvcast.report.Style.Tone;
import dev.kvcast.report.Table.Cell;
import dev.kvcast.report.Table.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final Table TABLE = Table.builder(
                    Column.words("model"), Column.numbers("blocks"), Column.words("verdict"))
            .row("a|b, \"c\"", "17,301", "fits")
            .row(List.of(Cell.of("é𝄞"), Cell.of("1"), new Cell("over", Tone.BAD)))
            .row("", "", "")
            .build();

    @Test
    void textIsAlignedAndTrimmed() {
        assertThat(TextTable.render(TABLE, Style.PLAIN)).isEqualTo("""
                        model     blocks  verdict
                        --------  ------  -------
                        a|b, "c"  17,301  fits
                        é𝄞             1  over

                        """);
    }

    @Test
    void colourDoesNotMoveColumns() {
        String coloured = TextTable.render(TABLE, Style.COLOUR);
        assertThat(coloured).contains("\u001b[31mover\u001b[0m\n");
        assertThat(coloured.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(TextTable.render(TABLE, Style.PLAIN));
    }

    @Test
    void csvQuotesWhatItMust() {
        assertThat(Csv.render(TABLE))
                .isEqualTo("model,blocks,verdict\n\"a|b, \"\"c\"\"\",\"17,301\",fits\né𝄞,1,over\n,,\n");
        assertThat(Csv.line(List.of("a\nb", "c"))).isEqualTo("\"a\nb\",c\n");
    }

    @Test
    void markdownEscapesPipes() {
        assertThat(Markdown.render(TABLE)).isEqualTo("""
                        | model | blocks | verdict |
                        | --- | ---: | --- |
                        | a\\|b, "c" | 17,301 | fits |
                        | é𝄞 | 1 | over |
                        |  |  |  |
                        """);
    }

    @Test
    void raggedRowsAreRefused() {
        assertThatThrownBy(() -> Table.builder(Column.words("a")).row("1", "2").build())
                .hasMessage("row has 2 cells; the table has 1 columns");
        assertThatThrownBy(() -> Table.builder().build()).hasMessage("a table needs a column");
    }
}
