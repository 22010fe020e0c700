import type { CommandRequest } from "../../src/hooks/commandRunner.ts";

/** A request with what a test does not care about filled in. `marker` finds its processes again (processesLeft.ts). */
export function commandRequest(
  command: string,
  cwd: string,
  marker: string,
  more: Partial<CommandRequest> = {},
): CommandRequest {
  return {
    command,
    cwd,
    stdin: "{}",
    timeoutMs: 15_000,
    ...more,
    env: { PATH: process.env.PATH ?? "", MARK: marker, ...more.env },
  };
}
