import { expandVariables } from "../hooks/hookEnvironment.ts";
import type { HookHttpClient, HookHttpOutcome, HookHttpRequest } from "../hooks/hookHttpClient.ts";

/** An answer is a small JSON object; more than this is refused as a whole. */
const largestAnswer = 1024 * 1024;

export interface HttpHookClientOptions {
  /** Whether `http:` to this machine is allowed (COPILOT_HOOK_ALLOW_LOCALHOST=1, or a setting of the machine). Asked at each call. */
  allowLoopback: () => boolean;
}

/** As the Copilot CLI asks for it. */
export function environmentAllowsLoopback(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.COPILOT_HOOK_ALLOW_LOCALHOST === "1";
}

/**
 * Posts hook inputs: https only, or http to this machine where that is allowed; no redirect is followed; time and
 * answer are bounded.
 */
export function createHttpHookClient(options: HttpHookClientOptions): HookHttpClient {
  return {
    async post(request) {
      const refused = refusal(request, options.allowLoopback());
      if (refused !== undefined) return { kind: "failed", reason: refused };
      const timeout = AbortSignal.timeout(Math.min(request.timeoutMs, 2 ** 31 - 1));
      const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
      try {
        return await send(request, signal);
      } catch (error) {
        if (request.signal?.aborted) return { kind: "aborted" };
        if (timeout.aborted) return { kind: "timeout" };
        return { kind: "failed", reason: describe(error) };
      }
    },
  };
}

async function send(request: HookHttpRequest, signal: AbortSignal): Promise<HookHttpOutcome> {
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of Object.entries(request.headers)) {
    headers.set(name, expandVariables(value, request.variables));
  }
  const response = await fetch(request.url, {
    method: "POST",
    headers,
    body: request.body,
    redirect: "manual",
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    const redirected = response.status >= 300 && response.status < 400;
    return {
      kind: "failed",
      reason: redirected
        ? `it answered with a redirect (status ${response.status}), which is not followed`
        : `it answered with status ${response.status}`,
    };
  }
  return readBounded(response);
}

async function readBounded(response: Response): Promise<HookHttpOutcome> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // the reader ends with the loop: leaving it early cancels the rest of the answer
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > largestAnswer)
      return { kind: "failed", reason: `its answer is larger than ${largestAnswer} bytes` };
    parts.push(part);
  }
  return { kind: "answered", body: Buffer.concat(parts).toString("utf8") };
}

function refusal({ url, headers, variables }: HookHttpRequest, allowLoopback: boolean): string | undefined {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol === "https:") return undefined;
  if (target?.protocol !== "http:") return `${JSON.stringify(url)} is no https address`;
  if (!isLoopback(target.hostname)) return "http is only possible to this machine; use https";
  if (!allowLoopback) {
    return "http to this machine is off; set COPILOT_HOOK_ALLOW_LOCALHOST=1 or the setting waveHooks.allowLocalhostHttpHooks";
  }
  const usesVariables = Object.values(headers).some((value) =>
    Object.keys(variables).some((name) => value.includes(name)),
  );
  return usesVariables ? "headers with environment variables need https" : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** fetch hides the reason in `cause`. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return cause.message || cause.name;
  return error instanceof Error ? error.message : String(error);
}
