import type { FrameLocator, Locator } from "playwright-core";
import type { Workbench } from "./workbench.ts";

const composerMark = "textarea";

/** The chat view as a person sees it. */
export class ChatPage {
  private constructor(readonly frame: FrameLocator) {}

  /** The view that is shown; waits for it. */
  static async find(workbench: Workbench): Promise<ChatPage> {
    return new ChatPage(await workbench.webview(composerMark));
  }

  composer(): Locator {
    return this.frame.locator(composerMark).first();
  }

  /** What stands in the composer, once that contains `text`. */
  async draftWith(text: string): Promise<string> {
    const composer = this.composer();
    for (;;) {
      const draft = await composer.inputValue();
      if (draft.includes(text)) return draft;
      await composer.page().waitForTimeout(50);
    }
  }
}
