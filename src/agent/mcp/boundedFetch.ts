/**
 * A fetch whose answers fail once they are longer than `maxBytes`: a body as a whole, an event stream by each of its events.
 * The SDK reads both into memory without a limit.
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    let sinceBoundary = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const boundary = isStream ? lastEventEnd(chunk) : -1;
        sinceBoundary = boundary < 0 ? sinceBoundary + chunk.length : chunk.length - boundary;
        if (sinceBoundary > maxBytes) {
          controller.error(new Error(`It sent a message of more than ${maxBytes / 1024 / 1024} MB.`));
        } else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    const bounded = new Response(response.body.pipeThrough(counter), { status, statusText, headers });
    // The SDK resolves redirects and scopes against it; a response made here has none.
    Object.defineProperty(bounded, "url", { value: response.url });
    Object.defineProperty(bounded, "redirected", { value: response.redirected });
    return bounded;
  };
}

/** Index behind the last empty line of the chunk, or -1. */
function lastEventEnd(chunk: Uint8Array): number {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const plain = text.lastIndexOf("\n\n");
  const carriage = text.lastIndexOf("\r\n\r\n");
  return Math.max(plain < 0 ? -1 : plain + 2, carriage < 0 ? -1 : carriage + 4);
}
