import { basename } from "node:path";
import { effectiveMembers, type JsonNode, type JsonObject, memberValue } from "../../settings/jsonTree.ts";
import { SettingsDocument } from "../../settings/settingsDocument.ts";
import { describeProblem } from "../../settings/settingsProblem.ts";
import type { FileDefinition } from "../subagents/definitionFiles.ts";

/** Named steps that run in the background, one after another; those of a `parallel` step side by side. */
export interface Workflow {
  name: string;
  description?: string;
  steps: readonly WorkflowStep[];
}

export type WorkflowStep =
  | SingleStep
  | { kind: "parallel"; name: string; steps: readonly SingleStep[]; goOn: boolean };

export type SingleStep = CommandStep | PromptStep;

interface AnyStep {
  name: string;
  /** Whether the workflow goes on when this step has failed. */
  goOn: boolean;
}

export interface CommandStep extends AnyStep {
  kind: "command";
  command: string;
  /** Milliseconds. */
  timeoutMs?: number;
}

export interface PromptStep extends AnyStep {
  kind: "prompt";
  /** May hold `{{steps.<name>.output}}` of earlier steps. */
  prompt: string;
  /** A kind of subagent. */
  agent?: string;
}

/** Where a prompt takes the output of an earlier step. */
export const outputReference = /\{\{\s*steps\.([^\s{}]+?)\.output\s*\}\}/g;

const stepKeys = ["name", "command", "timeout", "prompt", "agent", "parallel", "continueOnError"];

class InvalidWorkflow extends Error {
  constructor(
    readonly node: JsonNode,
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * Reads `.wave/workflows/<name>.json`: `{"description"?, "steps": [{"name", "command", "timeout"?: seconds} |
 * {"name", "prompt", "agent"?} | {"name"?, "parallel": [...]}]}`, each step with `"continueOnError"?: boolean`.
 */
export function parseWorkflowFile(file: string, text: string): FileDefinition<Workflow> {
  const document = new SettingsDocument(text);
  if (!document.root) {
    const problem = document.problems[0] ?? { code: "fileEmpty" as const, params: {}, line: 1, column: 1 };
    const { line, column } = problem;
    return { file, problem: { file, line, column, reason: describeProblem(problem).reason } };
  }
  try {
    return { file, definition: readWorkflow(document.root, basename(file, ".json")) };
  } catch (error) {
    if (!(error instanceof InvalidWorkflow)) throw error;
    return { file, problem: { file, ...document.positionAt(error.node.offset), reason: error.message } };
  }
}

function readWorkflow(root: JsonObject, name: string): Workflow {
  const description = optionalText(root, "description");
  const list = memberValue(root, "steps");
  if (list?.kind !== "array" || list.items.length === 0) {
    throw new InvalidWorkflow(list ?? root, 'A workflow needs "steps", a list with at least one step.');
  }
  const names = new Set<string>();
  const steps = list.items.map((item, index) => readStep(item, index, names));
  return { name, ...(description === undefined ? {} : { description }), steps };
}

function readStep(node: JsonNode, index: number, names: Set<string>): WorkflowStep {
  const step = asObject(node);
  const parallel = memberValue(step, "parallel");
  if (!parallel) return readSingleStep(step, names, [...names]);
  for (const key of ["command", "prompt"]) {
    if (memberValue(step, key))
      throw new InvalidWorkflow(step, `A step with "parallel" has no "${key}" of its own.`);
  }
  if (parallel.kind !== "array" || parallel.items.length === 0) {
    throw new InvalidWorkflow(parallel, '"parallel" must be a list with at least one step.');
  }
  const earlier = [...names];
  const steps = parallel.items.map((item) => {
    const inner = asObject(item);
    if (memberValue(inner, "parallel"))
      throw new InvalidWorkflow(inner, '"parallel" cannot stand inside "parallel".');
    return readSingleStep(inner, names, earlier);
  });
  return {
    kind: "parallel",
    name: optionalText(step, "name") ?? `step ${index + 1}`,
    steps,
    goOn: goesOn(step),
  };
}

/** `earlier`: steps whose output a prompt may use. */
function readSingleStep(step: JsonObject, names: Set<string>, earlier: readonly string[]): SingleStep {
  const nameNode = memberValue(step, "name") ?? step;
  const name = optionalText(step, "name");
  if (name === undefined || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new InvalidWorkflow(nameNode, 'A step needs a "name" of letters, digits, "-" and "_".');
  }
  if (names.has(name)) throw new InvalidWorkflow(nameNode, `There are two steps named "${name}".`);
  names.add(name);
  const command = optionalText(step, "command");
  const prompt = optionalText(step, "prompt");
  if ((command === undefined) === (prompt === undefined)) {
    throw new InvalidWorkflow(step, `The step "${name}" needs either "command", "prompt" or "parallel".`);
  }
  const common = { name, goOn: goesOn(step) };
  if (command !== undefined) {
    if (command.search(outputReference) >= 0) {
      throw new InvalidWorkflow(
        memberValue(step, "command") ?? step,
        "The output of a step cannot be put into a command, where it would run as shell text. Let the first command write a file.",
      );
    }
    const timeoutMs = timeoutOf(step);
    return { ...common, kind: "command", command, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  }
  for (const [reference, wanted = ""] of (prompt ?? "").matchAll(outputReference)) {
    if (!earlier.includes(wanted)) {
      throw new InvalidWorkflow(
        memberValue(step, "prompt") ?? step,
        `${reference} names no step before this one.`,
      );
    }
  }
  const agent = optionalText(step, "agent");
  return { ...common, kind: "prompt", prompt: prompt ?? "", ...(agent === undefined ? {} : { agent }) };
}

function asObject(node: JsonNode): JsonObject {
  if (node.kind !== "object")
    throw new InvalidWorkflow(node, 'A step must be an object with "name" and "command" or "prompt".');
  for (const [key, member] of effectiveMembers(node)) {
    if (!stepKeys.includes(key)) {
      throw new InvalidWorkflow(member.value, `A step has no "${key}". It may have: ${stepKeys.join(", ")}.`);
    }
  }
  return node;
}

function optionalText(object: JsonObject, key: string): string | undefined {
  const node = memberValue(object, key);
  if (!node) return undefined;
  if (node.kind === "scalar" && typeof node.value === "string" && node.value.trim() !== "") return node.value;
  throw new InvalidWorkflow(node, `"${key}" must be a text that is not empty.`);
}

function goesOn(step: JsonObject): boolean {
  const node = memberValue(step, "continueOnError");
  if (!node) return false;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  throw new InvalidWorkflow(node, '"continueOnError" must be true or false.');
}

function timeoutOf(step: JsonObject): number | undefined {
  const node = memberValue(step, "timeout");
  if (!node) return undefined;
  if (node.kind === "scalar" && typeof node.value === "number" && node.value > 0) return node.value * 1000;
  throw new InvalidWorkflow(node, '"timeout" must be a number of seconds greater than 0.');
}
