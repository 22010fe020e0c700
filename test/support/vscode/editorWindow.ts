import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import type { TestContext } from "vitest";
import { startServer } from "../../../scripts/vscode-host/server.mjs";
import { launchBrowser } from "../browser.ts";
import { hostEval } from "./hostEval.ts";
import { Workbench } from "./workbench.ts";

export interface EditorWindowOptions {
  vsix: string;
  /** Fills the folders before VS Code starts. */
  prepare?: (home: string, project: string) => void;
  /** Name of the project's folder. */
  projectName?: string;
  /** Names of further roots, beside the project: the window then opens a workspace file. */
  furtherRoots?: readonly string[];
  /** Display language, e.g. "zh-cn". */
  locale?: string;
  /** Folders start untrusted, as they do for a person. */
  askForTrust?: boolean;
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
}

/** A VS Code window on a project, with the packaged extension and the test companion; home and project are throw-away. */
export class EditorWindow {
  private constructor(
    readonly workbench: Workbench,
    readonly home: string,
    readonly project: string,
    /** Evaluates code in the extension host: see {@link hostEval}. */
    readonly host: <T>(body: string) => Promise<T>,
    /** Asked for, by host name, since the window opened. */
    readonly requestedHosts: ReadonlySet<string>,
    readonly browser: Browser,
    private readonly disposers: readonly (() => Promise<void>)[],
  ) {}

  static async open(options: EditorWindowOptions): Promise<EditorWindow> {
    const disposers: (() => Promise<void>)[] = [];
    try {
      const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "wave-hooks-window-")));
      disposers.unshift(async () =>
        rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
      );
      const home = path.join(dir, "home");
      const project = path.join(dir, options.projectName ?? "sample-project");
      const furtherRoots = (options.furtherRoots ?? []).map((name) => path.join(dir, name));
      for (const folder of [home, project, ...furtherRoots]) mkdirSync(folder);
      options.prepare?.(home, project);
      const socket = path.join(dir, "host.sock");
      const server = await startServer({
        home,
        vsix: [options.vsix],
        extensionFolders: [path.resolve(import.meta.dirname, "../companion")],
        env: { ...options.env, WAVE_HOOKS_TEST_SOCKET: socket },
        settings: options.settings ?? {},
        ...(options.locale === undefined ? {} : { locale: options.locale }),
        ...(options.askForTrust === undefined ? {} : { askForTrust: options.askForTrust }),
      });
      disposers.unshift(server.stop);
      const browser = await launchBrowser();
      disposers.unshift(() => browser.close());
      const opened =
        furtherRoots.length === 0 ? project : writeWorkspaceFile(dir, [project, ...furtherRoots]);
      const workbench = await Workbench.open(browser, server.windowUrl(opened));
      const hosts = new Set<string>();
      workbench.page.on("request", (request) => hosts.add(new URL(request.url()).hostname));
      const host = <T>(body: string) => hostEval<T>(socket, body);
      await host("return true");
      return new EditorWindow(workbench, home, project, host, hosts, browser, disposers);
    } catch (error) {
      for (const dispose of disposers) await dispose();
      throw error;
    }
  }

  /** For beforeEach: what the window shows when the test fails goes to test-results/<title>.png. */
  watch({ task, onTestFailed }: Pick<TestContext, "task" | "onTestFailed">): void {
    onTestFailed(async () => {
      const name = task.name.replace(/[^\w.]+/g, "-").slice(0, 80);
      await this.workbench.page.screenshot({ path: path.join("test-results", `${name}.png`) });
    });
  }

  /** Ends the browser and the server, then removes the files. */
  async close(): Promise<void> {
    for (const dispose of this.disposers) await dispose();
  }
}

/** @returns the path of a .code-workspace file with these roots */
function writeWorkspaceFile(dir: string, roots: readonly string[]): string {
  const file = path.join(dir, "tests.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: roots.map((root) => ({ path: root })) }));
  return file;
}
