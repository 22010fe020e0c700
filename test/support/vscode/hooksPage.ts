import type { FrameLocator, Locator } from "playwright-core";
import type { Workbench } from "./workbench.ts";

const pageMark = "main.page .page-head";

/** The hooks settings page as a person sees it. */
export class HooksPage {
  private constructor(readonly frame: FrameLocator) {}

  /** Opens the page by its command and waits until it lists. */
  static async open(workbench: Workbench, command = "Wave Hooks: Open Hooks Settings"): Promise<HooksPage> {
    await workbench.command(command);
    return HooksPage.find(workbench);
  }

  static async find(workbench: Workbench): Promise<HooksPage> {
    return new HooksPage(await workbench.webview(pageMark));
  }

  static isOpen(workbench: Workbench): Promise<boolean> {
    return workbench.webviewsWith(pageMark).then((count) => count > 0);
  }

  /** By its whole name or a part of it as a pattern, e.g. "User hooks 3". */
  tab(name: string | RegExp): Locator {
    return this.frame.getByRole("tab", { name, exact: true });
  }

  activeTab(): Locator {
    return this.frame.getByRole("tab", { selected: true });
  }

  rows(): Locator {
    return this.frame.locator("article.hook");
  }

  row(hasText: string): Locator {
    return this.rows().filter({ hasText });
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole("button", { name });
  }

  /** The page's modal question. */
  question(): Locator {
    return this.frame.getByRole("alertdialog");
  }
}
