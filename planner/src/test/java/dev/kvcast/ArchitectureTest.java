package dev.kvcast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.kvcast.cli.Main;
import java.io.PrintStream;

/** Holds the one-way rule: cli, report, plan, {capacity, throughput, simulate}, engine, {model, hardware}. */
@AnalyzeClasses(packages = "dev.kvcast", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] CORE = {
        "dev.kvcast.model..",
        "dev.kvcast.hardware..",
        "dev.kvcast.engine..",
        "dev.kvcast.capacity..",
        "dev.kvcast.throughput..",
        "dev.kvcast.simulate..",
        "dev.kvcast.plan..",
        "dev.kvcast.report.."
    };

    @ArchTest
    static final ArchRule dependenciesPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("cli")
            .definedBy("dev.kvcast.cli..")
            .layer("report")
            .definedBy("dev.kvcast.report..")
            .layer("plan")
            .definedBy("dev.kvcast.plan..")
            .layer("capacity")
            .definedBy("dev.kvcast.capacity..")
            .layer("throughput")
            .definedBy("dev.kvcast.throughput..")
            .layer("simulate")
            .definedBy("dev.kvcast.simulate..")
            .layer("engine")
            .definedBy("dev.kvcast.engine..")
            .layer("facts")
            .definedBy("dev.kvcast.model..", "dev.kvcast.hardware..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("report")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("plan")
            .mayOnlyBeAccessedByLayers("cli", "report")
            .whereLayer("capacity")
            .mayOnlyBeAccessedByLayers("cli", "report", "plan", "throughput", "simulate")
            .whereLayer("throughput")
            .mayOnlyBeAccessedByLayers("cli", "report", "plan", "capacity", "simulate")
            .whereLayer("simulate")
            .mayOnlyBeAccessedByLayers("cli", "report", "plan")
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("cli", "report", "plan", "capacity", "throughput", "simulate");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.kvcast.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule enginesDoNotKnowEachOther = slices().matching("dev.kvcast.engine.(*)..")
            .should()
            .notDependOnEachOther()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule onlyIoPackagesTouchFilesAndNetwork = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .and(not(resideInAnyPackage("..io..")))
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.io.File")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File(Input|Output)Stream|File(Reader|Writer)|RandomAccessFile)")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.nio\\.file\\.(Files|FileSystems?|Paths)")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.nio.channels..");

    @ArchTest
    static final ArchRule nothingPrintsPastItsWriter = noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(PrintStream.class);

    @ArchTest
    static final ArchRule onlyMainExits = noClasses()
            .that(not(type(Main.class)))
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class);

    /** Databind costs more start-up time than everything else together. */
    @ArchTest
    static final ArchRule noDatabind =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("com.fasterxml.jackson.databind..");

    /** Reading picocli's annotations costs more than the rest of a start; verbs declare their options in code. */
    @ArchTest
    static final ArchRule noPicocliAnnotations = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("picocli\\.CommandLine\\$(Command|Option|Parameters|Mixin|ArgGroup|ParentCommand|Spec)");

    @ArchTest
    static final ArchRule picocliStaysInTheCommandLine = classes()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .onlyDependOnClassesThat(not(resideInAnyPackage("picocli..")));
}
