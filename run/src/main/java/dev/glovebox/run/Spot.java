package dev.glovebox.run;

/**
 * Where a walk is. It is written as a path when somebody wants to read it, which is seldom.
 *
 * @param place the node, with the way to it
 * @param visit of the node, from one on
 * @param branch behind the node: a slash and the name of one of its branches, or nothing
 */
record Spot(String place, int visit, String branch) {

    /** Where no walk ever is. */
    static final Spot NOWHERE = new Spot("", 0, "");

    static Spot of(String place, int visit) {
        return new Spot(place, visit, "");
    }

    /** In a branch of this node. */
    Spot in(String name) {
        return new Spot(place, visit, "/" + name);
    }

    String path() {
        return place + "#" + visit + branch;
    }

    /** The same for all visits of the node. */
    String lane() {
        return branch.isEmpty() ? place : place + branch;
    }

    /** The lane of a spot that was written as a path. */
    static String lane(String path) {
        int visit = path.lastIndexOf('#');
        int branch = path.indexOf('/', visit);
        return branch < 0
                ? path.substring(0, visit)
                : path.substring(0, visit) + path.substring(branch);
    }
}
