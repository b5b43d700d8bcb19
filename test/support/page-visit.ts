import { type Browser, chromium, type Page } from "playwright-core";
import { servePage } from "../../src/sandbox/platform/page/serve.ts";
import type { PersonName } from "../../src/sandbox/types.ts";
import { type FakePlatform, startFakePlatform } from "./fake-platform.ts";
import { chromiumArgs, findChromium } from "./find-chromium.ts";

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium here; its tests should have been skipped.");
  return chromium.launch({ executablePath, args: [...chromiumArgs] });
}

/** A page to visit a platform with, and the faults it reports by itself: script errors and blocked loads. */
export interface Visitor {
  readonly page: Page;
  readonly faults: string[];
}

export async function createVisitor(browser: Browser): Promise<Visitor> {
  const page = await browser.newPage();
  page.setDefaultTimeout(45_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) faults.push(line.text());
  });
  return { page, faults };
}

/** Opens the page anew as one person and waits until it shows the channel. */
export async function visit(
  { page, faults }: Visitor,
  platform: FakePlatform,
  as: PersonName = "owner",
): Promise<void> {
  faults.length = 0;
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(`${platform.url}/?as=${as}`);
  await page.locator(`[data-me=${as}]`).waitFor();
}

/** What a drag or a paste carries: one small PNG-named file. */
export function carriedFile(page: Page, name: string) {
  return page.evaluateHandle(
    `(() => {
      const carried = new DataTransfer();
      carried.items.add(new File(["picture"], ${JSON.stringify(name)}, { type: "image/png" }));
      return carried;
    })()`,
  );
}

/** A browser before a fake platform that serves the real page. */
export interface PageStage {
  readonly platform: FakePlatform;
  readonly visitor: Visitor;
  readonly page: Page;
  close(): Promise<void>;
}

export async function openPageStage(): Promise<PageStage> {
  const [browser, server] = await Promise.all([openBrowser(), servePage()]);
  const platform = await startFakePlatform(server);
  const visitor = await createVisitor(browser);
  return {
    platform,
    visitor,
    page: visitor.page,
    close: async () => {
      await browser.close();
      await platform.close();
      await server.close();
    },
  };
}
