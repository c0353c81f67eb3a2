package dev.kvcast.cli;

import dev.kvcast.model.InputException;
import dev.kvcast.model.io.ModelCatalog;
import dev.kvcast.plan.ModelSource;
import dev.kvcast.report.Format;
import dev.kvcast.report.JsonObject;
import dev.kvcast.report.JsonOut;
import dev.kvcast.report.ModelTable;
import dev.kvcast.report.PlanJson;
import dev.kvcast.report.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code kvcast models}: the models that are known; one of them in detail; a new one taken into a folder. */
final class ModelsVerb implements Verb {

    private final SharedOptions shared = new SharedOptions();
    private final PositionalParamSpec name = PositionalParamSpec.builder()
            .paramLabel("NAME")
            .arity("0..1")
            .type(String.class)
            .description("Show this model: a name, a folder with config.json, or a hub id; without it, list all.")
            .build();
    private final CliOption<String> filter =
            CliOption.text("--filter", "WORD", "List only models whose name has this word.");
    private final CliOption<String> weights =
            CliOption.text("--weights", "KIND", "Show it with this quantization (fp8, awq, nvfp4, ...).");
    private final CliOption<Path> models =
            CliOption.path("--models", "DIR", "Folder of own models, laid out like the packaged ones.");
    private final CliOption<Boolean> doImport =
            CliOption.flag("--import", "Copy the config of NAME (a folder or hub id) into the --models folder.");
    private final CliOption<Boolean> offline = CliOption.flag("--offline", "Ask no model hub.");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description("List the models that are known, show one, or import one.")
                .footer("", "Exit code: 0 found, 2 bad input, 3 unknown model or architecture.");
        spec.addPositional(name)
                .addOption(filter.spec())
                .addOption(weights.spec())
                .addOption(models.spec())
                .addOption(doImport.spec())
                .addOption(offline.spec());
        shared.addTo(spec);
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        SharedOptions.Choice choice = shared.in(arguments, invocation.terminal());
        Optional<String> wanted = Optional.ofNullable(arguments.matchedPositionalValue(0, null));
        if (wanted.isEmpty()) {
            return list(arguments, invocation, choice);
        }
        Models source = new Models(
                models.in(arguments),
                CliOption.isOn(offline, arguments),
                invocation.terminal().environment());
        if (CliOption.isOn(doImport, arguments)) {
            Path target = models.in(arguments)
                    .orElseThrow(() -> InputException.badInput("--import needs --models DIR to write to"));
            Path written = source.importInto(wanted.get(), target);
            invocation.terminal().err().println("wrote " + written);
        }
        ModelSource.Found found = source.find(wanted.get(), weights.in(arguments));
        String text = choice.format() == Format.JSON
                ? JsonOut.pretty(ModelTable.json(found.model()))
                : Tables.render(ModelTable.facts(found.model()), choice) + "\n"
                        + Tables.render(ModelTable.components(found.model()), choice);
        invocation.terminal().out().print(text);
        Notes.warnings(invocation.terminal(), choice, found.warnings());
        return ExitCode.OK;
    }

    private int list(ParseResult arguments, Invocation invocation, SharedOptions.Choice choice) {
        String word = filter.in(arguments).orElse("").toLowerCase(Locale.ROOT);
        ModelCatalog catalog =
                models.in(arguments).map(ModelCatalog::withFolder).orElseGet(ModelCatalog::packaged);
        List<String> ids = catalog.ids().stream()
                .filter(id -> id.toLowerCase(Locale.ROOT).contains(word))
                .toList();
        if (choice.format() == Format.JSON) {
            invocation
                    .terminal()
                    .out()
                    .print(JsonOut.pretty(
                            new JsonObject().put("schema", PlanJson.SCHEMA).put("models", ids)));
            return ExitCode.OK;
        }
        Table.Builder table = Table.builder(Table.Column.words("model"));
        ids.forEach(table::row);
        invocation.terminal().out().print(Tables.render(table.build(), choice));
        return ExitCode.OK;
    }
}
