package dev.glovebox.coder;

import com.fasterxml.jackson.databind.JsonNode;

/** Knows in another way what a program must print. */
interface Oracle {
    void check(JsonNode inputs, Printed printed);
}
