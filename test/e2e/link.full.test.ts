import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../support/find-chromium.ts";
import { type BrowserShare, openBrowser } from "../support/page-visit.ts";
import { openStage, type Stage } from "../support/stage.ts";
import { words } from "../support/words.ts";

const { say } = words();
const stepMs = 60_000;

/** From the command to the linked channel, as a person does it with two tabs. */
describe.skipIf(!findChromium())("linking a channel in a browser (needs Chromium)", () => {
  let browser: BrowserShare;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  describe("where the browser proves who it is", () => {
    let stage: Stage;
    let visit: Visit;

    beforeAll(async () => {
      stage = await openStage();
      visit = await openVisit(browser, stage);
    });
    afterEach(() => visit.expectNoFaults());
    afterAll(() => stage.close());

    it("goes from the command to a linked channel", async () => {
      const link = await visit.command("/connect channel");

      expect(await link.locator(".code").count()).toBe(0);
      await link.getByRole("button", { name: say("web.link.to_discord") }).click();
      await link.getByRole("radio", { name: "Robin" }).check();
      await link.getByRole("button", { name: "Authorize" }).click();
      await link.getByRole("button", { name: say("web.link.to_account") }).waitFor();
      await visit.tickAndAllow(link);
      await visit.confirm();
    });

    it("does not go on with another person", async () => {
      const link = await visit.command("/connect channel");

      await link.getByRole("button", { name: say("web.link.to_discord") }).click();
      await link.getByRole("radio", { name: "Kim" }).check();
      await link.getByRole("button", { name: "Authorize" }).click();

      await link.getByRole("heading", { name: say("failures.link_other_person.title") }).waitFor();
    });
  });

  describe("where a code is typed", () => {
    let stage: Stage;
    let visit: Visit;

    beforeAll(async () => {
      stage = await openStage({ provesIdentity: false });
      visit = await openVisit(browser, stage);
    });
    afterEach(() => visit.expectNoFaults());
    afterAll(() => stage.close());

    it("goes from the command to a linked channel", async () => {
      const link = await visit.command("/connect channel");

      await visit.tickAndAllow(link);
      const code = await link.locator(".digits").innerText();
      expect(await visit.last()).not.toContain(code);
      await visit.confirm(code);
    });

    it("says what to do when the consent is refused, and can be begun again", async () => {
      const link = await visit.command("/connect channel");
      const address = link.url();

      await link.getByRole("button", { name: say("web.link.to_account") }).click();
      await link.getByRole("button", { name: "Cancel" }).click();
      await link.getByRole("heading", { name: say("failures.consent_denied.title") }).waitFor();
      await link.goto(address);
      await visit.tickAndAllow(link);
      await visit.confirm(await link.locator(".digits").innerText());
    });

    it("belongs to the browser that took the first step", async () => {
      const link = await visit.command("/connect channel");
      const address = link.url();
      await link.getByRole("button", { name: say("web.link.to_account") }).click();
      await link.getByRole("button", { name: "Allow" }).waitFor();

      const other = await browser.newContext();
      const page = await other.newPage();
      await page.goto(address);

      await page.getByRole("heading", { name: say("failures.link_other_browser.title") }).waitFor();
      await other.close();
    });

    it("works with the keyboard alone, on a phone, without a script", async () => {
      const { url } = await visit.command("/connect channel").then((page) => ({ url: page.url() }));
      const phone = await browser.newContext({
        viewport: { width: 360, height: 740 },
        javaScriptEnabled: false,
        locale: "de-DE",
      });
      const page = await phone.newPage();
      await page.goto(url);

      const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      const ticked = () =>
        page
          .locator("input:checked")
          .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
      await page.bringToFront();
      // Focuses this page, so that the first Tab goes on from the heading.
      await page.getByRole("heading", { level: 1 }).click();
      const tabTo = async (value: string) => {
        await page.keyboard.press("Tab");
        const focused = () => page.evaluate("document.activeElement?.getAttribute('value')");
        await expect.poll(focused).toBe(value);
      };
      await tabTo("comments");
      await page.keyboard.press("Space");
      await expect.poll(ticked).toEqual([]);
      await tabTo("upload");
      await page.keyboard.press("Space");
      await expect.poll(ticked).toEqual(["upload"]);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Allow" }).waitFor();

      expect(isWide).toBe(false);
      await phone.close();
    });
  });
});

type Visit = Awaited<ReturnType<typeof openVisit>>;

/** The owner's page with the channel; each link opens in another tab. */
async function openVisit(browser: BrowserShare, stage: Stage) {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    locale: "en-US",
  });
  context.setDefaultTimeout(stepMs);
  const faults: string[] = [];
  context.on("page", (page) => watch(page, faults));
  const page = await context.newPage();
  await page.goto(`${stage.sandbox.url}/?as=owner`);
  await page.locator("[data-me=owner]").waitFor();
  const shown = () => page.locator("[data-message-id][data-state=shown]").last();

  return {
    /** Closes the other tabs, and checks that no tab reported an error. */
    expectNoFaults: async () => {
      for (const tab of context.pages()) if (tab !== page) await tab.close();
      expect(faults.splice(0)).toEqual([]);
    },
    last: () => shown().innerText(),
    /** Types the command and follows the button of the answer. */
    command: async (text: string): Promise<Page> => {
      const lastId = async () =>
        (await shown().count()) > 0 ? shown().getAttribute("data-message-id") : null;
      const before = await lastId();
      await page.getByRole("combobox", { name: "Message #greenroom" }).click();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await expect.poll(lastId, { timeout: stepMs }).not.toBe(before);
      const button = shown().getByRole("link", { name: say("linking.begin.open") });
      const opening = context.waitForEvent("page");
      await button.click();
      const link = await opening;
      await link.getByRole("heading", { level: 1 }).waitFor();
      return link;
    },
    tickAndAllow: async (link: Page): Promise<void> => {
      await link
        .getByRole("checkbox", { name: new RegExp(`^${say("web.permissions.upload.title")}`, "u") })
        .check();
      await link.getByRole("button", { name: say("web.link.to_account") }).click();
      await link.getByRole("button", { name: "Allow" }).click();
      await link.getByRole("heading", { name: say("web.done.heading") }).waitFor();
    },
    /** Confirms the link, with the code that its page shows if there is one. */
    confirm: async (code?: string): Promise<void> => {
      const title = say("linking.linked.title", { channel: "Greenroom Studio" });
      await shown()
        .getByRole("button", { name: say("linking.ask.yes") })
        .click();
      if (code !== undefined) {
        const form = page.getByRole("dialog", { name: say("linking.code.title") });
        await form.getByRole("textbox").fill(code);
        await form.getByRole("button", { name: "Submit" }).click();
      }
      await page.getByText(title).last().waitFor();
    },
  };
}

/** Collects what a page itself reports: script errors and blocked loads. */
function watch(page: Page, faults: string[]): void {
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) faults.push(line.text());
  });
}
