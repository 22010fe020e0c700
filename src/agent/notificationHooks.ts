import type { HookEvent } from "../hooks/hookEvent.ts";
import type { AgentHost } from "./agentModule.ts";

export type AgentNotification = Omit<Extract<HookEvent, { name: "Notification" }>, "name">;

/**
 * Tells Notification hooks what the user is told. Nobody waits for them; what they add reaches the model of the same session
 * when they are done (C13).
 */
export function notifyHooks(
  host: Pick<AgentHost, "runHooks" | "notify"> & { place: { sessionId: string } },
  notification: AgentNotification,
): void {
  const { sessionId } = host.place;
  void host.runHooks({ name: "Notification", ...notification }).then(({ modelMessages }) => {
    for (const text of modelMessages) host.notify(sessionId, { kind: "meta", text });
  });
}
