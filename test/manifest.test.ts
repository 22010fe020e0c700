import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const readTexts = (file: string): Record<string, string> => JSON.parse(read(file));

const manifestText = read("package.json");
const manifest: {
  icon: string;
  main: string;
  activationEvents: string[];
  contributes: {
    commands: { command: string; icon?: string }[];
    viewsContainers: { activitybar: { id: string; icon: string }[] };
    views: Record<string, { id: string }[]>;
    menus: Record<string, { command: string }[]>;
    configuration: { properties: Record<string, { scope: string }> };
  };
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
} = JSON.parse(manifestText);

const hostSource = globSync("src/extension/**/*.ts", { cwd: root }).map(read).join("\n");
const inHostSource = (id: string): boolean => hostSource.includes(`"${id}"`);
const commands = manifest.contributes.commands.map(({ command }) => command);

describe("manifest", () => {
  it("has a text in both languages for each %key%, and none to spare", () => {
    const used = [...manifestText.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]);
    const sorted = [...new Set(used)].sort();
    expect(Object.keys(readTexts("package.nls.json")).sort()).toEqual(sorted);
    expect(Object.keys(readTexts("package.nls.zh-cn.json")).sort()).toEqual(sorted);
  });

  it("has each of its commands registered by the host, and the host registers no other", () => {
    expect(commands.filter((id) => !inHostSource(id))).toEqual([]);
    const registered = [...hostSource.matchAll(/registerCommand\(\s*"([^"]+)"/g)].map((match) => match[1]);
    expect(registered.filter((id) => !commands.includes(id ?? ""))).toEqual([]);
  });

  it("uses only its own commands in its menus", () => {
    const inMenus = Object.values(manifest.contributes.menus).flatMap((items) =>
      items.map((item) => item.command),
    );
    expect(inMenus.filter((id) => !commands.includes(id))).toEqual([]);
  });

  it("has each of its views in its own container, and the host provides it", () => {
    const containers = manifest.contributes.viewsContainers.activitybar.map(({ id }) => id);
    expect(Object.keys(manifest.contributes.views)).toEqual(containers);
    const views = Object.values(manifest.contributes.views).flatMap((list) => list.map(({ id }) => id));
    expect(views).toContain("waveHooks.chat");
    expect(views.filter((id) => !inHostSource(id))).toEqual([]);
  });

  it("activates for the page that a reloaded window brings back", () => {
    expect(manifest.activationEvents).toContain("onWebviewPanel:waveHooks.settings");
    expect(inHostSource("waveHooks.settings")).toBe(true);
  });

  it("has no setting that the host does not read", () => {
    const names = Object.keys(manifest.contributes.configuration.properties).map((id) =>
      id.replace("waveHooks.", ""),
    );
    expect(names.filter((name) => !inHostSource(name) && !inHostSource(`waveHooks.${name}`))).toEqual([]);
  });

  it("lets no untrusted workspace choose the service that receives the conversation", () => {
    const { untrustedWorkspaces } = manifest.capabilities;
    expect(untrustedWorkspaces.supported).toBe("limited");
    expect(untrustedWorkspaces.restrictedConfigurations).toEqual(
      expect.arrayContaining(["waveHooks.provider", "waveHooks.baseUrl", "waveHooks.model"]),
    );
    expect(manifest.contributes.configuration.properties["waveHooks.allowLocalhostHttpHooks"]?.scope).toBe(
      "machine",
    );
  });

  it("names files that exist", () => {
    const icons = manifest.contributes.viewsContainers.activitybar.map(({ icon }) => icon);
    for (const file of [manifest.icon, ...icons, "LICENSE", "CHANGELOG.md", "README.md"]) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
    }
  });
});
