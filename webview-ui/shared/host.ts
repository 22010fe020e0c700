interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  /** Gives back the state. */
  setState<T>(state: T): T;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The host's side of the webview: the only way in and out of the page. */
export interface Host<Outgoing> {
  post(message: Outgoing): void;
  /** What `saveViewState` stored before the page was hidden or reloaded. Nobody vouches for its shape. */
  loadViewState(): unknown;
  /** For view state alone (a tab, a filter): what the host knows is never kept here. */
  saveViewState(state: unknown): void;
}

/**
 * Connects the page with its host; to be called once, since VS Code hands out its API once.
 * `receive` gets every message that carries a type. The caller posts "ready" when it can take the answer:
 * the host sends nothing before that.
 */
export function connectHost<Outgoing, Incoming extends { type: string }>(
  receive: (message: Incoming) => void,
): Host<Outgoing> {
  const api = acquireVsCodeApi();
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (hasType(event.data)) receive(event.data as Incoming);
  });
  return {
    post: (message) => api.postMessage(message),
    loadViewState: () => api.getState(),
    saveViewState: (state) => void api.setState(state),
  };
}

function hasType(value: unknown): value is { type: string } {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
