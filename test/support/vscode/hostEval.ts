import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs the body of an async function `(vscode, require, model) => ...` inside the extension host and gives its value,
 * which must be JSON. Waits until the companion extension listens. Throws what the body throws, as an Error.
 */
export async function hostEval<T>(socket: string, body: string, timeout = 60_000): Promise<T> {
  for (const end = Date.now() + timeout; ; ) {
    try {
      const answer = await post(socket, body);
      if ("error" in answer) throw new HostError(String(answer.error));
      return answer.value as T;
    } catch (error) {
      if (error instanceof HostError || !isNotListening(error) || Date.now() > end) throw error;
      await delay(200);
    }
  }
}

class HostError extends Error {}

function post(socketPath: string, body: string): Promise<{ value: unknown } | { error: unknown }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath, method: "POST" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(JSON.parse(text)));
    });
    request.on("error", reject);
    request.end(body);
  });
}

function isNotListening(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ECONNRESET";
}
