import path from "node:path";
import type { Workbench } from "./workbench.ts";

/** Takes a picture of the window for the README, as media/<name>.png, when WAVE_SCREENSHOTS=1 asks for it. */
export async function takeScreenshot(workbench: Workbench, name: string): Promise<void> {
  if (process.env.WAVE_SCREENSHOTS !== "1") return;
  await workbench.page.screenshot({
    path: path.resolve(import.meta.dirname, "../../../media", `${name}.png`),
    animations: "disabled",
  });
}

/** Draws the side bar to that width, in pixels, where pictures are taken. */
export async function widenSideBar({ page }: Workbench, width: number): Promise<void> {
  if (process.env.WAVE_SCREENSHOTS !== "1") return;
  const box = await page.locator(".part.sidebar").boundingBox();
  if (!box) throw new Error("there is no side bar");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width + 2, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + width, middle, { steps: 5 });
  await page.mouse.up();
}
