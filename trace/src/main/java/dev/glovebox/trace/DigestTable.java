package dev.glovebox.trace;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Distinct digests, numbered in the order in which they came; about 44 bytes for each. */
final class DigestTable {

    private static final int FREE = -1;

    private final HashList digests = new HashList();
    // Digests in a trace need not be the digest of anything: whoever wrote it could choose them so
    // that they all fall into one place. He cannot know this number.
    private final long secret = ThreadLocalRandom.current().nextLong() | 1;
    private int[] places = free(16);

    int size() {
        return digests.size();
    }

    byte[] get(int index) {
        return digests.get(index);
    }

    /** Adds a digest, if it is not there; its number. */
    int add(byte[] digest) {
        int place = place(digest);
        if (places[place] == FREE) {
            places[place] = digests.size();
            digests.add(digest);
            if (digests.size() * 2 > places.length) {
                grow();
            }
            return digests.size() - 1;
        }
        return places[place];
    }

    boolean contains(byte[] digest) {
        return find(digest) != FREE;
    }

    /** The number of a digest; negative if it is not there. */
    int find(byte[] digest) {
        return places[place(digest)];
    }

    private void grow() {
        places = free(places.length * 2);
        for (int i = 0; i < digests.size(); i++) {
            places[place(digests.get(i))] = i;
        }
    }

    private int place(byte[] digest) {
        long mixed = 0;
        for (int i = 0; i < HashList.LENGTH; i += Long.BYTES) {
            mixed = (mixed ^ HashList.number(digest, i)) * secret;
            mixed ^= mixed >>> 32;
        }
        int place = (int) mixed & (places.length - 1);
        while (places[place] != FREE && !digests.holds(places[place], digest)) {
            place = (place + 1) & (places.length - 1);
        }
        return place;
    }

    private static int[] free(int length) {
        int[] places = new int[length];
        Arrays.fill(places, FREE);
        return places;
    }
}
