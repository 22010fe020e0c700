import type { ChatMessage } from "../../src/protocol/chatView.ts";

/** What the parts of the page may ask of the host. One object for the page's whole life. */
export interface ChatActions {
  post(message: ChatMessage): void;
}
