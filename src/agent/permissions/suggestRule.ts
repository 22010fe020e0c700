import path from "node:path";
import type { PathRuleBases } from "./pathRule.ts";
import type { CallToJudge } from "./permissionDecision.ts";
import { isInside } from "./resolvePath.ts";
import { readShellLine } from "./shellSyntax.ts";

/** The rule that would allow calls like this one, narrow enough to be given without thought; undefined where there is none. */
export function suggestRule(call: CallToJudge, bases: PathRuleBases): string | undefined {
  const { need } = call;
  switch (need.kind) {
    case "none":
      return undefined;
    case "read":
    case "write": {
      const tool = need.kind === "read" ? "Read" : "Edit";
      return `${tool}(${pathSpecifier(path.dirname(need.path), bases)}/**)`;
    }
    case "command": {
      const command = need.command.trim();
      const line = readShellLine(command);
      if (line.isOpaque || line.parts.length !== 1 || /[*()\n]/.test(command)) return undefined;
      return `${call.toolName}(${command})`;
    }
    case "other":
      return /^[\w-]+$/.test(call.toolName) ? call.toolName : undefined;
  }
}

function pathSpecifier(directory: string, { home, projectDir }: PathRuleBases): string {
  const slashed = (relative: string) => (relative === "" ? "" : `/${relative.split(path.sep).join("/")}`);
  if (isInside(directory, projectDir)) return slashed(path.relative(projectDir, directory));
  if (isInside(directory, home)) return `~${slashed(path.relative(home, directory))}`;
  return `/${slashed(path.relative(path.parse(directory).root, directory))}`;
}
