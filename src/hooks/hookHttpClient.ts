/** Sends hook inputs over HTTP. The engine opens no connection itself. Contract: `post` must not reject. */
export interface HookHttpClient {
  post(request: HookHttpRequest): Promise<HookHttpOutcome>;
}

export interface HookHttpRequest {
  url: string;
  /** May hold `$NAME` and `${NAME}` of `variables`. */
  headers: Readonly<Record<string, string>>;
  /** The environment variables that the hook may use in its headers, and no others. */
  variables: Readonly<Record<string, string>>;
  /** JSON text. */
  body: string;
  timeoutMs: number;
  signal?: AbortSignal;
}

export type HookHttpOutcome =
  /** A 2xx answer; its body is bounded. */
  | { kind: "answered"; body: string }
  | { kind: "timeout" }
  | { kind: "aborted" }
  /** In words: the address is not allowed, no connection, another status, a redirect. */
  | { kind: "failed"; reason: string };
