import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../browser.ts";
import { type PageName, type PageOptions, startPageServer } from "./pageServer.ts";
import type { ThemeName } from "./themes.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What the functions given to `evaluate` meet in the page: the tests' own program has no DOM types. */
interface PageScope {
  savedViewState: unknown;
  firstDrawnAt?: number;
  axe: { run(): Promise<unknown> };
  hostReceives(message: unknown): void;
  acquireVsCodeApi: unknown;
  dispatchEvent(event: object): void;
}
declare const window: PageScope;
interface PageElement {
  getAttribute(name: string): string | null;
  textContent: string | null;
}
declare const document: { activeElement: PageElement | null; body: PageElement };

type Message = { type: string } & Record<string, unknown>;

export interface OpenOptions extends Partial<PageOptions> {
  theme?: ThemeName;
  width?: number;
  height?: number;
  /** What an earlier life of the page saved with setState. */
  viewState?: unknown;
  reducedMotion?: boolean;
  /** What the host answers to "ready", within the page: without the way to the test and back. */
  answerToReady?: object;
  /** The page itself notes when an element of this selector has first been drawn: see `firstDrawn`. */
  watchFor?: string;
}

/** A built page in a real browser, with the test as its host. */
export class OpenWebview {
  /** Everything that the page has posted, in order. */
  readonly sent: Message[] = [];
  /** Errors of the page: exceptions, console errors, violations of the content security policy. */
  readonly faults: string[] = [];
  /** Addresses outside the page's own server that it asked for. */
  readonly strayRequests: string[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(readonly page: Page) {}

  received(message: Message): void {
    this.sent.push(message);
    for (const check of this.waiting) check();
  }

  /** Delivers a message from the host. */
  async send(...events: readonly object[]): Promise<void> {
    await this.page.evaluate((list) => {
      for (const data of list) window.dispatchEvent(new MessageEvent("message", { data }));
    }, events);
  }

  /** The first message of that type, already posted or still to come. */
  async posted(type: string, matches: (message: Message) => boolean = () => true): Promise<Message> {
    const find = () => this.sent.find((message) => message.type === type && matches(message));
    const found = find();
    if (found) return found;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`No message ${type} within 15 s. The page posted: ${JSON.stringify(this.sent)}`));
      }, 15_000);
      const check = () => {
        const message = find();
        if (!message) return;
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve(message);
      };
      this.waiting.add(check);
    });
  }

  ofType(type: string): Message[] {
    return this.sent.filter((message) => message.type === type);
  }

  /** Milliseconds of the page's clock at which the element of `watchFor` had been drawn. */
  async firstDrawn(): Promise<number> {
    const time = await this.page.waitForFunction(() => window.firstDrawnAt);
    return (await time.jsonValue()) as number;
  }

  /** What the page saved with setState. */
  viewState(): Promise<unknown> {
    return this.page.evaluate(() => window.savedViewState);
  }

  /** Accessibility violations, one readable line each. */
  async axe(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    const results = (await this.page.evaluate(() =>
      (window as unknown as { axe: { run(): Promise<unknown> } }).axe.run(),
    )) as AxeResults;
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary ?? ""}`),
    );
  }

  /** Elements that stick out of the page to the right. */
  overflow(): Promise<string[]> {
    return this.page.evaluate(`[...document.querySelectorAll("#root *")]
      .filter((element) => {
        const { width, right } = element.getBoundingClientRect();
        return width > 1 && right > innerWidth + 1 && !element.closest("pre, [data-index] pre, .tool-summary, .queue-text, .session-title");
      })
      .map((element) => element.tagName + "." + element.className)`);
  }

  /** A name for the element that has the focus: its label, else its text. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return "(nothing)";
      return element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
    });
  }
}

/** One browser and one server for the tests of a file. */
export class WebviewLab {
  private constructor(
    readonly browser: Browser,
    private readonly server: Awaited<ReturnType<typeof startPageServer>>,
  ) {}

  static async start(): Promise<WebviewLab> {
    const browser = await launchBrowser();
    return new WebviewLab(browser, await startPageServer());
  }

  async open(name: PageName, options: OpenOptions = {}): Promise<OpenWebview> {
    const context = await this.browser.newContext({
      viewport: { width: options.width ?? 900, height: options.height ?? 700 },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
    });
    const page = await context.newPage();
    const webview = new OpenWebview(page);
    page.on("pageerror", (error) => webview.faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") webview.faults.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.server.origin)) webview.strayRequests.push(request.url());
    });
    await page.exposeBinding("hostReceives", (_source, message: Message) => webview.received(message));
    await page.addInitScript(
      ([viewState, answer]) => {
        const scope = window;
        scope.savedViewState = viewState;
        let acquired = false;
        scope.acquireVsCodeApi = () => {
          if (acquired) throw new Error("An instance of the VS Code API has already been acquired");
          acquired = true;
          return {
            postMessage: (message: { type: string }) => {
              scope.hostReceives(structuredClone(message));
              if (message.type === "ready" && answer)
                scope.dispatchEvent(new MessageEvent("message", { data: answer }));
            },
            getState: () => scope.savedViewState,
            setState: (state: unknown) => {
              scope.savedViewState = structuredClone(state);
              return state; // as VS Code does: an effect that hands it on would take it for its clean-up
            },
          };
        };
      },
      [options.viewState ?? null, options.answerToReady ?? null] as const,
    );
    if (options.watchFor !== undefined) {
      // Noted by the page: a question from outside would come later than the frame.
      await page.addInitScript(`{
        const look = () => document.querySelector(${JSON.stringify(options.watchFor)})
          ? requestAnimationFrame(() => { window.firstDrawnAt = performance.now(); })
          : requestAnimationFrame(look);
        requestAnimationFrame(look);
      }`);
    }
    await page.goto(this.server.address(name, { theme: "dark", ...options }));
    await webview.posted("ready");
    return webview;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
