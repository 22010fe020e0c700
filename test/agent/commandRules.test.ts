import { describe, expect, it } from "vitest";
import { decidePermission } from "../../src/agent/permissions/permissionDecision.ts";
import type { RuleBehavior } from "../../src/agent/permissions/permissionScope.ts";
import { readShellLine } from "../../src/agent/permissions/shellSyntax.ts";

/** `+ rule` allows, `? rule` asks, `- rule` refuses. */
async function judge(command: string, ...rules: string[]): Promise<RuleBehavior> {
  const behaviors = { "+": "allow", "?": "ask", "-": "deny" } as const;
  const decision = await decidePermission(
    { toolName: "Bash", need: { kind: "command", command } },
    {
      mode: "default",
      cwd: "/project",
      projectDir: "/project",
      roots: ["/project"],
      home: "/home/me",
      configFiles: async () => [],
      unreadableFiles: [],
      rules: rules.map((text) => ({
        rule: text.slice(2),
        behavior: behaviors[text[0] as keyof typeof behaviors],
        origin: "test",
      })),
    },
  );
  return decision.behavior;
}

describe("rules for Bash", () => {
  it.each([
    ["git status", "+ Bash(git *)"],
    ["git", "+ Bash(git *)"],
    ["git   status", "+ Bash(git status)"],
    ["npm run test", "+ Bash(npm run test:*)"],
    ["npm run test -- --watch", "+ Bash(npm run test:*)"],
    ["anything | at all > file", "+ Bash"],
    ["cat .wave/settings.json", "+ Bash(cat .wave/settings.json)"],
    ["anything && else", "+ Bash(*)"],
    ["git status && git log", "+ Bash(git *)"],
    ["git log | head -5", "+ Bash(git *)", "+ Bash(head *)"],
    ["git log 2>/dev/null", "+ Bash(git *)"],
    ["git log 2>&1", "+ Bash(git *)"],
    ["cd src && git status", "+ Bash(git *)"],
    ["git commit -m 'a && b; c'", "+ Bash(git *)"],
    ['git commit -m "a | b"', "+ Bash(git *)"],
    ["cd /elsewhere && make && make install", "+ Bash(cd /elsewhere && make && make install)"],
  ])("allow: %s by %s", async (command, ...rules) => {
    expect(await judge(command, ...rules)).toBe("allow");
  });

  it.each([
    ["git status && rm -rf /", "+ Bash(git *)"],
    ["git status; rm -rf /", "+ Bash(git *)"],
    ["git status\nrm -rf /", "+ Bash(git *)"],
    ["git status | sh", "+ Bash(git *)"],
    ["git status & rm x", "+ Bash(git *)"],
    ["git status || rm x", "+ Bash(git *)"],
    ["git log $(rm x)", "+ Bash(git *)"],
    ["git log `rm x`", "+ Bash(git *)"],
    ['git log "$(rm x)"', "+ Bash(git *)"],
    ["git diff <(rm x)", "+ Bash(git *)"],
    ["git log > ~/.bashrc", "+ Bash(git *)"],
    ["git log >> file", "+ Bash(git *)"],
    ["git log &> file", "+ Bash(git *)"],
    ["LD_PRELOAD=./x.so git status", "+ Bash(git *)"],
    ["git log \u0024{x:-$(rm y)}", "+ Bash(git *)"],
    ["git log <<EOF\nrm x\nEOF", "+ Bash(git *)"],
    ["(git status; rm x)", "+ Bash(git *)"],
    ["if git status; then rm x; fi", "+ Bash(git *)"],
    ["git status 'unbalanced", "+ Bash(git *)"],
    ["gitk", "+ Bash(git *)"],
    ["npm run tests-and-more", "+ Bash(npm run test:*)"],
    ["cd / && git status", "+ Bash(git *)"],
    ["cd .. && git status", "+ Bash(git *)"],
    ["cd src", "+ Bash(git *)"],
    ["cp x .wave/settings.json", "+ Bash(cp *)"],
    ["cp x ~/.copilot/hooks/h.json", "+ Bash(cp *)"],
    ["git config core.hooksPath .git/hooks", "+ Bash(git *)"],
    ["$TOOL status", "+ Bash(git *)"],
    ["echo x > .wave/settings.json", "+ Bash"],
    ["cd .github && cp x hooks/h.json", "+ Bash"],
    ["ls", "+ Bash(git *)"],
  ])("ask: %s in spite of %s", async (command, ...rules) => {
    expect(await judge(command, ...rules)).toBe("ask");
  });

  it.each([
    ["rm -rf /", "+ Bash", "- Bash(rm *)"],
    ["git status && rm -rf /", "+ Bash", "- Bash(rm *)"],
    ["echo $(rm x)", "+ Bash", "- Bash(rm *)"],
    ["echo `rm x`", "+ Bash", "- Bash(rm *)"],
    ["FOO=1 rm x", "+ Bash", "- Bash(rm *)"],
    ["sudo rm x", "+ Bash", "- Bash(rm *)"],
    ["env -i FOO=1 rm x", "+ Bash", "- Bash(rm *)"],
    ["nohup timeout 5 rm x", "+ Bash", "- Bash(rm *)"],
    ["/bin/rm x", "+ Bash", "- Bash(rm *)"],
    ["r'm' x", "+ Bash", "- Bash(rm *)"],
    ['"rm" x', "+ Bash", "- Bash(rm *)"],
    ["(cd x; rm y)", "+ Bash", "- Bash(rm *)"],
    ["if true; then rm x; fi", "+ Bash", "- Bash(rm *)"],
    ["cat <<EOF | sh\nrm x\nEOF", "+ Bash", "- Bash(rm *)"],
    ["cat secrets/key.pem", "+ Bash(cat *)", "- Read(./secrets/**)"],
    ["cat /project/secrets/key.pem", "+ Bash(cat *)", "- Read(./secrets/**)"],
    ["git log", "- Bash"],
    ["sh -c 'rm x'", "+ Bash", "- Bash(rm *)"],
    ['bash -lc "cd y && rm x"', "+ Bash", "- Bash(rm *)"],
    ["bash <<< 'rm x'", "+ Bash", "- Bash(rm *)"],
    ["eval 'rm x'", "+ Bash", "- Bash(rm *)"],
    ["trap 'rm x' EXIT", "+ Bash", "- Bash(rm *)"],
    ["find . -name x -exec rm {} \\;", "+ Bash", "- Bash(rm *)"],
    ["sudo -u root rm x", "+ Bash", "- Bash(rm *)"],
    ["coproc rm x", "+ Bash", "- Bash(rm *)"],
    ["function f { rm x; }; f", "+ Bash", "- Bash(rm *)"],
    ["$'rm' x", "+ Bash", "- Bash(rm *)"],
    ["$'\\x72\\155' x", "+ Bash", "- Bash(rm *)"],
    ["cd secrets && cat key.pem", "+ Bash", "- Read(./secrets/**)"],
  ])("deny: %s with %s %s", async (command, ...rules) => {
    expect(await judge(command, ...rules)).toBe("deny");
  });

  it("an ask rule wins over an allow rule", async () => {
    expect(await judge("git push origin", "+ Bash(git *)", "? Bash(git push *)")).toBe("ask");
  });

  it("words are read without their quotes, text keeps them", () => {
    expect(readShellLine(`echo "a b"'c' d\\ e`).parts).toEqual([
      { text: `echo "a b"'c' d\\ e`, words: ["echo", "a bc", "d e"] },
    ]);
  });
});
