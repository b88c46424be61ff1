package dev.glovebox.coder;

import java.util.List;

/** All rules, in the order in which they are tried. */
final class Rules {

    private Rules() {}

    static List<Rule> all(boolean index) {
        return List.of(
                new Fences(),
                new LookAlikes(),
                new PythonEncodings(),
                new PythonTwoSyntax(),
                new FormatStrings(),
                new Quotes(),
                new Brackets(),
                new PythonColons(),
                new PythonIndentation(),
                new PythonCommas(),
                new ModuleSystems(),
                new PythonAwait(),
                new NodeAwait(),
                new ForeignSyntax(),
                new PythonModules(index),
                new NodeModules(index),
                new PythonNames(),
                new NodeNames(),
                new RemovedFunctions(),
                new Methods(),
                new PythonScopes(),
                new Misspellings(),
                new PythonTypes(),
                new NumbersAsText(),
                new PythonValues(),
                new Inputs(),
                new Bounds(),
                new PythonMappings(),
                new PythonDivision(),
                new MissingFiles(),
                new PythonRecursion(),
                new NodeVariables(),
                new NodeValues(),
                new NeverCalled());
    }
}
