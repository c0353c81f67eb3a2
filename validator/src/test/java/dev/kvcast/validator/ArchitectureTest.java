package dev.kvcast.validator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.kvcast.validator.cli.Main;
import java.io.PrintStream;

/** Holds what the planner's test of the same name cannot see: the validator's own packages. */
@AnalyzeClasses(packages = "dev.kvcast", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String VALIDATOR = "dev.kvcast.validator..";

    @ArchTest
    static final ArchRule thePlannerDoesNotKnowTheValidator = noClasses()
            .that()
            .resideOutsideOfPackage(VALIDATOR)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(VALIDATOR);

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.kvcast.validator.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheCommandLineKnowsPicocli = noClasses()
            .that()
            .resideInAPackage(VALIDATOR)
            .and()
            .resideOutsideOfPackage("dev.kvcast.validator.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "dev.kvcast.cli..", "dev.kvcast.validator.cli..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothingPrintsPastItsWriter = noClasses()
            .that()
            .resideInAPackage(VALIDATOR)
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(PrintStream.class);

    @ArchTest
    static final ArchRule onlyMainExits = noClasses()
            .that()
            .resideInAPackage(VALIDATOR)
            .and(not(type(Main.class)))
            .should()
            .callMethod(System.class, "exit", int.class);
}
