import { MessageChannel } from "node:worker_threads";

const { port1: closedPort } = new MessageChannel();
closedPort.close();

/**
 * Gives the memory of a chunk back at once. Chunks of a stream live outside of the JavaScript heap, and the collector lets tens
 * of megabytes of them pile up before it looks; what is transferred to a closed port is freed immediately. The chunk must have
 * come from a socket or pipe (such chunks share their memory with nobody) and is empty afterwards.
 */
export function freeChunk(chunk: Buffer): void {
  if (!(chunk.buffer instanceof ArrayBuffer)) return;
  try {
    closedPort.postMessage(undefined, [chunk.buffer]);
  } catch {
    // Memory of a pool cannot be transferred: then the collector takes care of it.
  }
}
