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

  /** Writes the message into the composer and sends it by Enter. */
  async send(text: string): Promise<void> {
    await this.composer().fill(text);
    await this.composer().press("Enter");
  }

  /** Entries of the conversation that the user, or the assistant, has made. */
  entry(role: "user" | "assistant", hasText: string | RegExp): Locator {
    return this.frame.locator(`.item.${role}`, { hasText });
  }

  notice(level: "info" | "warning" | "error", hasText: string | RegExp): Locator {
    return this.frame.locator(`.notice.${level}`, { hasText });
  }

  toolCard(name: string, hasText: string | RegExp): Locator {
    return this.frame
      .locator(".tool-card", { has: this.frame.locator(".tool-name", { hasText: name }) })
      .filter({ hasText });
  }

  /** The permission question that is shown. */
  question(tool: string): Locator {
    return this.frame.getByRole("region", { name: "Permission" }).filter({ hasText: `Allow ${tool}?` });
  }

  answer(tool: string, label: "Allow once" | "Always allow" | "Deny"): Promise<void> {
    return this.question(tool).getByRole("button", { name: label }).click();
  }

  queue(): Locator {
    return this.frame.getByRole("list", { name: "Queued messages" }).getByRole("listitem");
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }

  turnStatus(): Locator {
    return this.frame.locator(".turn-status");
  }

  /** Resolves when no turn runs. */
  idle(): Promise<void> {
    return this.turnStatus().waitFor({ state: "detached" });
  }

  picker(name: "Model" | "Permission mode"): Locator {
    return this.frame.getByRole("combobox", { name });
  }

  firstRun(): Locator {
    return this.frame.getByRole("region", { name: "Choose what answers" });
  }
}
