import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type PageServer, servePage } from "../../src/sandbox/platform/page/serve.ts";
import type { PersonName } from "../../src/sandbox/types.ts";
import { type FakePlatform, startFakePlatform } from "./fake-platform.ts";
import { chromiumArgs, findChromium } from "./find-chromium.ts";

/** The browser as one test file uses it; all files of its process share it. */
export interface BrowserShare extends Pick<Browser, "newContext"> {
  /** Closes what this file opened. */
  close(): Promise<void>;
}

// Starting a browser and bundling the page takes seconds, so all files of a process share them. Both end with the
// process: the browser stops when its pipe closes.
let browser: Promise<Browser> | undefined;
let pageServer: Promise<PageServer> | undefined;

export async function openBrowser(): Promise<BrowserShare> {
  browser ??= launch();
  const shared = await browser;
  const contexts: BrowserContext[] = [];
  return {
    async newContext(options) {
      const context = await shared.newContext(options);
      contexts.push(context);
      return context;
    },
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    },
  };
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium here; its tests should have been skipped.");
  return chromium.launch({ executablePath, args: [...chromiumArgs] });
}

/** A page, and the errors that it reports itself: script errors and blocked loads. */
export interface Visitor {
  readonly page: Page;
  readonly faults: string[];
}

export async function createVisitor(share: BrowserShare): Promise<Visitor> {
  return openTab(await share.newContext());
}

/** Opens one more page of a context. */
export async function openTab(context: BrowserContext): Promise<Visitor> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) faults.push(line.text());
  });
  return { page, faults };
}

/** Reloads the page as one person and waits until it shows the channel. */
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

/** What a drag or a paste carries: one small file that claims to be a PNG. */
export function carriedFile(page: Page, name: string) {
  return page.evaluateHandle(
    `(() => {
      const carried = new DataTransfer();
      carried.items.add(new File(["picture"], ${JSON.stringify(name)}, { type: "image/png" }));
      return carried;
    })()`,
  );
}

/** A browser with the real page on a fake Discord. */
export type PageStage = Awaited<ReturnType<typeof openPageStage>>;

export async function openPageStage() {
  pageServer ??= servePage();
  const [share, server] = await Promise.all([openBrowser(), pageServer]);
  const platform = await startFakePlatform(server);
  const visitor = await createVisitor(share);
  return {
    platform,
    visitor,
    page: visitor.page,
    close: async () => {
      await share.close();
      await platform.close();
    },
  };
}
