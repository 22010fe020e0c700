import type { Browser, BrowserContext, FrameLocator, Locator, Page } from "playwright-core";

interface WorkbenchOptions {
  /** A display language for the page, e.g. "zh-cn". English by default. */
  locale?: string;
  viewport?: { width: number; height: number };
}

/** In ms. A window takes ten seconds on a quiet machine, minutes on a crowded one. */
const patience = 180_000;

/** Drives one VS Code window in the browser. */
export class Workbench {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, url: string, options: WorkbenchOptions = {}): Promise<Workbench> {
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1400, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
      ...(options.locale === undefined ? {} : { locale: options.locale }),
    });
    context.setDefaultTimeout(patience);
    const workbench = new Workbench(context, await context.newPage());
    await workbench.page.goto(url, { waitUntil: "domcontentloaded" });
    await workbench.ready();
    return workbench;
  }

  /** Resolves when editors and views have been restored. The server's smoke test driver tells it. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(() => "driver" in globalThis, undefined, { timeout: patience });
    await this.page.evaluate(() =>
      (
        globalThis as unknown as { driver: { whenWorkbenchRestored(): Promise<void> } }
      ).driver.whenWorkbenchRestored(),
    );
  }

  /** By VS Code's own command: a browser's reload does not wait until everything is saved. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent("domcontentloaded");
    await this.command("Developer: Reload Window");
    await loaded;
    await this.ready();
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /**
   * Runs a command through the palette by its whole label. The list of an open palette never grows, so that a command
   * whose extension came late is only found by opening it anew.
   */
  async command(label: string): Promise<void> {
    const box = this.page.locator(".quick-input-widget .quick-input-box input").first();
    const entry = this.page
      .locator(`.quick-input-list .monaco-list-row[aria-label^=${JSON.stringify(label)}]`)
      .first();
    for (const end = Date.now() + patience; ; ) {
      try {
        await this.page.keyboard.press("F1");
        await box.waitFor({ state: "visible", timeout: 4000 });
        await box.fill(`>${label}`, { timeout: 4000 });
        await entry.click({ timeout: 4000 });
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Chooses from the list that a command has opened. */
  async pick(label: string): Promise<void> {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first().click();
  }

  /** Answers the input box with that title. */
  async enter(title: string, text: string): Promise<void> {
    const box = this.page.locator(".quick-input-widget", { hasText: title }).locator("input.input");
    await box.fill(text);
    await box.press("Enter");
  }

  /** The document of the webview in which `mark` (a selector) is found. All webviews are siblings at the end of the window. */
  async webview(mark: string): Promise<FrameLocator> {
    const frames = this.page.locator("iframe.webview");
    for (const end = Date.now() + patience; ; ) {
      const count = await frames.count();
      for (let index = 0; index < count; index += 1) {
        const document = frames.nth(index).contentFrame().locator("#active-frame").contentFrame();
        // A webview may go while it is asked.
        const found = await document
          .locator(mark)
          .count()
          .catch(() => 0);
        if (found > 0) return document;
      }
      if (Date.now() > end) throw new Error(`none of ${count} webviews has ${mark}`);
      await this.page.waitForTimeout(150);
    }
  }

  /** How many webviews have `mark` in their document. */
  async webviewsWith(mark: string): Promise<number> {
    const frames = this.page.locator("iframe.webview");
    let found = 0;
    const count = await frames.count();
    for (let index = 0; index < count; index += 1) {
      const document = frames.nth(index).contentFrame().locator("#active-frame").contentFrame();
      if (
        (await document
          .locator(mark)
          .count()
          .catch(() => 0)) > 0
      )
        found += 1;
    }
    return found;
  }

  tab(label: string): Locator {
    return this.page.locator(`.tabs-container .tab[data-resource-name=${JSON.stringify(label)}]`);
  }

  /** An entry of the open list of notifications: with the test driver none pops up. */
  notification(hasText: string | RegExp): Locator {
    return this.page.locator(".notifications-center .notification-list-item", { hasText });
  }

  /** The modal question of the workbench itself. */
  dialog(): Locator {
    return this.page.locator(".monaco-dialog-box");
  }

  activityBar(label: string): Locator {
    return this.page.locator(`.activitybar .action-label[aria-label^=${JSON.stringify(label)}]`);
  }
}
