package dev.kvcast.validator.compare;

import java.util.List;

/**
 * What the errors of some predictions have in common; shares, not percent.
 *
 * @param cells number of predictions; the rest is 0 without any
 * @param mean mean absolute error
 * @param worst largest absolute error
 * @param bias mean error, above 0 where predictions promise too much
 * @param coverage share of measurements inside their 90% interval
 */
public record Errors(int cells, double mean, double worst, double bias, double coverage) {

    /** Over those pairs. */
    public static Errors of(List<ComparedCell.Pair> pairs) {
        double sum = 0;
        double worst = 0;
        double bias = 0;
        int covered = 0;
        for (ComparedCell.Pair pair : pairs) {
            double error = pair.error();
            sum += Math.abs(error);
            bias += error;
            worst = Math.max(worst, Math.abs(error));
            covered += pair.covered() ? 1 : 0;
        }
        int cells = pairs.size();
        int divisor = Math.max(1, cells);
        return new Errors(cells, sum / divisor, worst, bias / divisor, (double) covered / divisor);
    }
}
