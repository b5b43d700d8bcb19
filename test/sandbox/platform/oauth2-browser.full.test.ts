import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import { findChromium } from "../../support/find-chromium.ts";
import {
  type BrowserShare,
  createVisitor,
  openBrowser,
  type Visitor,
} from "../../support/page-visit.ts";
import { serve, type TestServer } from "../../support/server.ts";

describe.skipIf(!findChromium())("the page that signs people in, in Chromium", () => {
  let platform: Platform;
  let app: TestServer;
  let browser: BrowserShare;
  let visitor: Visitor;

  beforeAll(async () => {
    app = await serve((_request, response) => response.end("back at the app"));
    [platform, browser] = await Promise.all([startPlatform(), openBrowser()]);
    visitor = await createVisitor(browser);
    platform.allowRedirect(`${app.url}/callback`);
  });

  afterAll(async () => {
    await browser.close();
    await platform.close();
    await app.close();
  });

  async function open(): Promise<void> {
    const query = new URLSearchParams({
      client_id: platform.applicationId,
      redirect_uri: `${app.url}/callback`,
      response_type: "code",
      scope: "identify",
    });
    await visitor.page.goto(`${platform.url}/oauth2/authorize?${query}`);
  }

  const answered = async () => {
    await visitor.page.waitForURL(`${app.url}/**`);
    return new URL(visitor.page.url()).searchParams;
  };

  it("takes whoever is picked to the app", async () => {
    await open();
    await visitor.page.getByLabel("Kim").check();
    await visitor.page.getByRole("button", { name: "Authorize" }).click();

    expect((await answered()).has("code")).toBe(true);
    expect(visitor.faults).toEqual([]);
  });

  it("authorises by the Enter key", async () => {
    await open();
    await visitor.page.getByLabel("Robin").focus();
    await visitor.page.keyboard.press("Enter");

    expect((await answered()).has("code")).toBe(true);
  });

  it("takes a refusal to the app", async () => {
    await open();
    await visitor.page.getByRole("button", { name: "Cancel" }).click();

    expect((await answered()).get("error")).toBe("access_denied");
  });

  it.each([320, 768])("fits a window %i pixels wide", async (width) => {
    await visitor.page.setViewportSize({ width, height: 800 });
    await open();

    const { page } = visitor;
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});
