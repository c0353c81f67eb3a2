package dev.kvcast.throughput;

import dev.kvcast.hardware.Accelerator;

/**
 * The way between two cards.
 *
 * @param kind kind of way
 * @param bytesPerSecond marketed bandwidth one way
 */
public record Link(Kind kind, double bytesPerSecond) {

    /** Ways that behave alike. */
    public enum Kind {
        /** A fabric between all cards (NVLink, xGMI, HCCS, Xe Link). */
        FABRIC(Coefficient.COLLECTIVE_NVLINK, Coefficient.LINK_NVLINK),
        /** PCIe from card to card. */
        PEER(Coefficient.COLLECTIVE_P2P, Coefficient.LINK_P2P),
        /** PCIe through host memory, as on GeForce cards, whose driver forbids the direct way. */
        HOST(Coefficient.COLLECTIVE_PCIE, Coefficient.LINK_PCIE);

        private final Coefficient latency;
        private final Coefficient efficiency;

        Kind(Coefficient latency, Coefficient efficiency) {
            this.latency = latency;
            this.efficiency = efficiency;
        }

        /** Seconds of one collective. */
        public Coefficient latency() {
            return latency;
        }

        /** Share of the bandwidth that collectives reach. */
        public Coefficient efficiency() {
            return efficiency;
        }
    }

    /** What protocol overhead leaves of a PCIe link's both-way bandwidth in one direction (28.4 of 63 GB/s on gen 4). */
    private static final double PCIE_ONE_WAY = 0.45;

    /** One direction of PCIe gen 4 x16, for cards whose link is not known. */
    private static final double USUAL_PCIE = 28.4e9;

    /** The link of a card. A bridge joins only pairs, so it counts as PCIe. */
    public static Link of(Accelerator accelerator) {
        String link = accelerator.link();
        double both = accelerator.linkBytesPerSecond();
        if (isFabric(link) && both > 0) {
            return new Link(Kind.FABRIC, both / 2);
        }
        boolean plainPcie = link.equals("PCIe");
        boolean peer = plainPcie && accelerator.vendor().equals("NVIDIA") && accelerator.fullRateShare() == 1;
        double oneWay = plainPcie && both > 0 ? both * PCIE_ONE_WAY : USUAL_PCIE;
        return new Link(peer ? Kind.PEER : Kind.HOST, oneWay);
    }

    private static boolean isFabric(String link) {
        return !link.contains("bridge")
                && (link.startsWith("NVLink")
                        || link.startsWith("xGMI")
                        || link.startsWith("HCCS")
                        || link.startsWith("Xe Link"));
    }
}
