import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "../support/find-chromium.ts";
import { createVisitor, openBrowser, type Visitor } from "../support/page-visit.ts";
import { openStage, type Stage } from "../support/stage.ts";

const sample = join(import.meta.dirname, "../../src/sandbox/samples/cat.jpg");

describe.skipIf(!findChromium())("the page with the real bot (needs Chromium)", () => {
  let stage: Stage;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openStage(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });
  beforeEach(async () => {
    await visitor?.page.close();
    visitor = await createVisitor(browser);
    page = visitor.page;
    page.setDefaultTimeout(20_000);
    await as("member");
  });

  async function as(name: string) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${stage.sandbox.url}/?as=${name}`);
    await page.locator(`[data-me=${name}]`).waitFor();
  }

  /** Types into the message box, as people do. */
  async function type(text: string) {
    await page.getByRole("combobox", { name: "Message #greenroom" }).click();
    await page.keyboard.type(text);
  }

  const last = () => page.locator("[data-message-id][data-state=shown]").last();

  it("searches: picker, query, gallery, next page, details", { timeout: 60_000 }, async () => {
    await type("/sea");
    await page.keyboard.press("Enter");
    await page.keyboard.type("light");
    await page.keyboard.press("Enter");
    await page.getByText("Results for “light”").waitFor();
    const firstPage = await last().innerText();

    await last().getByRole("button", { name: "Next" }).click();
    await page.getByText("Page 2").waitFor();
    const secondPage = await last().innerText();
    await last().getByRole("button", { name: "Details" }).first().click();
    await page.getByText("Only you can see this").waitFor();

    expect(secondPage).not.toBe(firstPage);
    expect(await last().innerText()).toContain("Views");
    expect(visitor.faults).toEqual([]);
  });

  it("suggests countries while one is typed", { timeout: 60_000 }, async () => {
    await type("/search");
    await page.keyboard.press("Enter");
    await page.keyboard.type("light");
    await page.getByRole("combobox", { name: "Add an option" }).click();
    await page.keyboard.type("region");
    await page.keyboard.press("Enter");
    await page.keyboard.type("germ");

    await page.getByRole("option", { name: /Germany/u }).waitFor();

    expect(visitor.faults).toEqual([]);
  });

  it("cuts a photo out: attach, progress, file, saved with its background gone", {
    timeout: 90_000,
  }, async () => {
    await type("/background");
    await page.keyboard.press("Enter");
    await page.locator("[data-option-file=image]").setInputFiles(sample);
    await page.getByRole("button", { name: "Send command" }).click();
    await page.getByText("Cutting out the picture").waitFor();
    await page.getByText("Background removed").waitFor();

    const url = await last().locator("img[alt*='without its background']").getAttribute("src");
    const file = await page.request.get(new URL(url ?? "", stage.sandbox.url).href);
    const { channels } = await sharp(await file.body()).stats();

    expect(channels[3]?.min).toBe(0);
    expect(channels[3]?.max).toBe(255);
    expect(visitor.faults).toEqual([]);
  });

  it("cuts out all photos of a message by its menu", { timeout: 120_000 }, async () => {
    const welcome = page.locator("[data-message-id]").first();
    await welcome.click({ button: "right", position: { x: 200, y: 20 } });
    await page.getByRole("menuitem", { name: /Apps/u }).hover();
    await page.getByRole("menuitem", { name: "Remove background" }).click();

    await page.getByText("3 of 3 pictures done").waitFor({ timeout: 60_000 });

    expect(await last().locator("img[alt*='without its background']").count()).toBe(3);
    expect(visitor.faults).toEqual([]);
  });

  it("takes a key in a form, and shows it nowhere", { timeout: 60_000 }, async () => {
    await as("owner");
    await type("/connect key");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Connect the video service" });
    await dialog
      .locator("[data-field=key] input, input[data-field=key]")
      .first()
      .fill(stage.sandbox.video.key);
    await dialog.getByRole("button", { name: "Submit" }).click();
    await page.getByText("The video service is connected").waitFor();

    expect(await last().innerText()).toContain("Only you can see this");
    expect(await last().innerText()).not.toContain(stage.sandbox.video.key);
    expect(visitor.faults).toEqual([]);
  });

  it("tells a member who may connect, in private", { timeout: 60_000 }, async () => {
    await type("/connect disconnect");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("You may not do that here").waitFor();
    await as("owner");

    expect(await page.getByText("You may not do that here").count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});
