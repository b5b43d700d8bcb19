import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "../support/find-chromium.ts";
import {
  type BrowserShare,
  createVisitor,
  openBrowser,
  type Visitor,
} from "../support/page-visit.ts";
import { openStage, type Stage } from "../support/stage.ts";
import { words } from "../support/words.ts";

const { say } = words();
const sample = join(import.meta.dirname, "../../src/sandbox/samples/cat.jpg");

describe.skipIf(!findChromium())("the page with the real bot (needs Chromium)", () => {
  let stage: Stage;
  let browser: BrowserShare;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openStage(), openBrowser()]);
    visitor = await createVisitor(browser);
    page = visitor.page;
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });
  beforeEach(() => as("member"));
  afterEach(() => {
    expect(visitor.faults.splice(0)).toEqual([]);
  });

  async function as(name: string) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${stage.sandbox.url}/?as=${name}`);
    await page.locator(`[data-me=${name}]`).waitFor();
  }

  async function type(text: string) {
    await page.getByRole("combobox", { name: "Message #greenroom" }).click();
    await page.keyboard.type(text);
  }

  const last = () => page.locator("[data-message-id][data-state=shown]").last();

  it("searches: picker, query, gallery, next page, details", async () => {
    await type("/sea");
    await page.keyboard.press("Enter");
    await page.keyboard.type("light");
    await page.keyboard.press("Enter");
    await page.getByText(say("search.results", { query: "light" })).waitFor();
    const firstPage = await last().innerText();

    await last()
      .getByRole("button", { name: say("common.next") })
      .click();
    await page.getByText(say("common.page", { page: 2 })).waitFor();
    const secondPage = await last().innerText();
    await last()
      .getByRole("button", { name: say("cards.details") })
      .first()
      .click();
    // An answer that is still being made says this, too.
    await last().getByText("Only you can see this").waitFor();

    expect(secondPage).not.toBe(firstPage);
    expect(await last().innerText()).toContain(say("cards.views"));
  });

  it("suggests countries while one is typed", async () => {
    await type("/search");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "region" }).click();
    await page.keyboard.type("germ");

    const germany = page.getByRole("option", { name: /Germany/u });
    // Suggestions that were not ready in time are ready for the next key.
    await germany.waitFor({ timeout: 3_000 }).catch(() => page.keyboard.type("a"));
    await germany.waitFor();
  });

  it("cuts a photo out: attach, progress, file, saved with its background gone", async () => {
    await type("/background remove");
    await page.keyboard.press("Enter");
    await page.locator("[data-field=image]").setInputFiles(sample);
    await page.getByRole("button", { name: "Send command" }).click();
    await page.getByText(say("background.progress.title", { count: 1 })).waitFor();
    await page.getByText(say("background.done.title")).waitFor();

    const url = await last().locator("img[alt*='without its background']").getAttribute("src");
    const file = await page.request.get(new URL(url ?? "", stage.sandbox.url).href);
    const { channels } = await sharp(await file.body()).stats();

    expect(channels[3]?.min).toBe(0);
    expect(channels[3]?.max).toBe(255);
  });

  it("cuts out all photos of a message by its menu", async () => {
    const welcome = page.locator("[data-message-id]").first();
    await welcome.click({ button: "right", position: { x: 200, y: 20 } });
    await page.getByRole("menuitem", { name: /Apps/u }).hover();
    await page.getByRole("menuitem", { name: "Remove background" }).click();

    await page
      .getByText(say("background.done.several", { done: 3, count: 3 }))
      .waitFor({ timeout: 60_000 });

    expect(await last().locator("img[alt*='without its background']").count()).toBe(3);
  });

  it("takes a key in a form, and shows it nowhere", async () => {
    await as("owner");
    await type("/connect key");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", {
      name: say("connect.key_form.title", { kind: "video_key" }),
    });
    await dialog
      .locator("[data-field=key] input, input[data-field=key]")
      .first()
      .fill(stage.sandbox.video.key);
    await dialog.getByRole("button", { name: "Submit" }).click();
    await page.getByText(say("connect.saved.title", { kind: "video_key" })).waitFor();

    expect(await last().innerText()).toContain("Only you can see this");
    expect(await last().innerText()).not.toContain(stage.sandbox.video.key);
  });

  it("tells a member who may connect, in private", async () => {
    await type("/connect disconnect");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText(say("failures.rank_too_low.title")).waitFor();
    await as("owner");

    expect(await page.getByText(say("failures.rank_too_low.title")).count()).toBe(0);
  });
});
