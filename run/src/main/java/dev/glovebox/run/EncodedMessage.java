package dev.glovebox.run;

/** A message as it travels: nothing in it is shared with whoever sent it. */
record EncodedMessage(String type, byte[] content) {

    int bytes() {
        return content.length;
    }
}
