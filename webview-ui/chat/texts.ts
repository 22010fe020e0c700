import { chatStrings } from "../../src/protocol/strings.ts";
import { readStrings } from "../shared/strings.ts";

/** The texts of this page in the user's language. */
export const texts = readStrings(chatStrings);
