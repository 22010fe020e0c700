import type { PermissionMode } from "../../hooks/hookEvent.ts";
import type { PathRuleBases } from "./pathRule.ts";

export type RuleBehavior = "allow" | "ask" | "deny";

export interface RuleInForce {
  rule: string;
  behavior: RuleBehavior;
  /** Where it stands, for people. */
  origin: string;
}

export interface PermissionScope extends PathRuleBases {
  mode: PermissionMode;
  cwd: string;
  roots: readonly string[];
  rules: readonly RuleInForce[];
  /** Settings files in force: a change of one of them is always asked about, also through a link. */
  configFiles(): Promise<readonly string[]>;
  /** Settings files whose rules are unknown, because they never could be read. */
  unreadableFiles: readonly string[];
}
