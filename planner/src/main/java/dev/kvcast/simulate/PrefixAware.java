package dev.kvcast.simulate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps requests that share their last named prefix on one replica. */
final class PrefixAware implements Router {

    private final RequestTable requests;
    private final LeastLoaded fallback = new LeastLoaded();
    private final Map<Long, Integer> homes = new HashMap<>();

    PrefixAware(RequestTable requests) {
        this.requests = requests;
    }

    @Override
    public int choose(int request, List<Scheduler> replicas) {
        int end = requests.endPiece(request);
        for (int piece = end - 1; piece >= requests.firstPiece(request); piece--) {
            Integer home = homes.get(requests.pieceSegment(piece));
            if (home != null) {
                remember(request, home);
                return home;
            }
        }
        int chosen = fallback.choose(request, replicas);
        remember(request, chosen);
        return chosen;
    }

    private void remember(int request, int replica) {
        for (int piece = requests.firstPiece(request); piece < requests.endPiece(request); piece++) {
            homes.putIfAbsent(requests.pieceSegment(piece), replica);
        }
    }
}
