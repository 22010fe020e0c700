import { createRoot } from "react-dom/client";
import type { ChatEvent, ChatMessage } from "../../src/protocol/chatView.ts";
import { connectHost } from "../shared/host.ts";
import { ChatPage } from "./ChatPage.tsx";
import { ChatStore } from "./chatStore.ts";
import { DraftModel } from "./composer/draftModel.ts";
import "../shared/base.css";
import "./chat.css";

const host = connectHost<ChatMessage, ChatEvent>((event) => store.receive(event));
const draft = new DraftModel(host.post);
const store = new ChatStore({
  prefill: (text) => draft.prefill(text),
  draft: (sessionId, text) => draft.receive(sessionId, text),
  session: (sessionId) => draft.setSession(sessionId),
  resync: () => host.post({ type: "ready" }),
});

// The page may be thrown away without notice once it is out of sight.
window.addEventListener("blur", () => draft.flush());
window.addEventListener("pagehide", () => draft.flush());

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");
createRoot(root).render(<ChatPage store={store} draft={draft} actions={host} />);
host.post({ type: "ready" });
