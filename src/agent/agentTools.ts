import type { AgentModule } from "./agentModule.ts";
import type { AgentOptions } from "./agentOptions.ts";
import { builtinTools } from "./tools/builtinTools.ts";
import { fromCustomTools } from "./tools/fromCustomTool.ts";
import type { Tool } from "./tools/tool.ts";

/** The tools of the moment: built-in ones, the SDK user's, and those of the modules, each name once. */
export class AgentTools {
  private readonly own: readonly Tool[];

  /** Throws an error for people where a custom tool cannot be one. */
  constructor(
    options: AgentOptions,
    private readonly modules: readonly AgentModule[],
  ) {
    const builtin = builtinTools(
      options.ripgrepPath === undefined ? {} : { ripgrepPath: options.ripgrepPath },
    );
    const taken = new Set(builtin.map((tool) => tool.name));
    this.own = [...builtin, ...fromCustomTools(options.customTools ?? [], taken)];
  }

  list(): readonly Tool[] {
    const tools = [...this.own];
    const names = new Set(tools.map((tool) => tool.name));
    for (const module of this.modules) {
      for (const tool of module.tools?.() ?? []) {
        if (names.has(tool.name)) continue;
        names.add(tool.name);
        tools.push(tool);
      }
    }
    return tools;
  }
}
