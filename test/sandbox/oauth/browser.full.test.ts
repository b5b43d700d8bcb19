import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OAuthServer } from "../../../src/sandbox/oauth/index.ts";
import { findChromium } from "../../support/find-chromium.ts";
import {
  type BrowserShare,
  createVisitor,
  openBrowser,
  type Visitor,
} from "../../support/page-visit.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { authorizeUrl, makePkce, prefix, redeem, start } from "./support.ts";

describe.skipIf(!findChromium())("the consent page in a browser", () => {
  let server: OAuthServer;
  let app: TestServer;
  let browser: BrowserShare;
  let visitor: Visitor;

  beforeAll(async () => {
    app = await serve((_request, response) => response.end("back at the app"));
    [{ server }, browser] = await Promise.all([
      start({ redirectUris: [`${app.url}/callback`] }),
      openBrowser(),
    ]);
    visitor = await createVisitor(browser);
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
    await app.close();
  });

  const ask = (changes: Readonly<Record<string, string>> = {}) =>
    visitor.page.goto(
      authorizeUrl(server, { redirect_uri: `${app.url}/callback`, state: "kept", ...changes }),
    );

  it("takes an answer with a box unticked to the app, and the code is good", async () => {
    const { page, faults } = visitor;
    const { verifier, challenge } = makePkce();
    await ask({ code_challenge: challenge, code_challenge_method: "S256" });

    await page.getByLabel("Bakery").check();
    await page.getByLabel("Run your channel").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${app.url}/**`);

    const { searchParams } = new URL(page.url());
    const more = { redirect_uri: `${app.url}/callback`, code_verifier: verifier };
    const { body } = await redeem(server, searchParams.get("code") ?? "", more);
    expect(await page.textContent("body")).toBe("back at the app");
    expect(searchParams.get("state")).toBe("kept");
    expect(body.scope).toBe(`${prefix}youtube.upload`);
    expect(server.identify(body.access_token)?.channelId).toBe("UCbakery");
    expect(faults).toEqual([]);
  });

  it("takes a refusal to the app", async () => {
    const { page } = visitor;
    await ask();

    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForURL(`${app.url}/**`);

    expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  });

  it("allows by the Enter key, and is styled", async () => {
    const { page } = visitor;
    await ask();
    const corner = await page
      .getByRole("button", { name: "Allow" })
      .evaluate("button => getComputedStyle(button).borderTopLeftRadius");

    await page.getByLabel("Studio").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app.url}/**`);

    expect(corner).not.toBe("0px");
    expect(new URL(page.url()).searchParams.has("code")).toBe(true);
  });

  it.each([320, 375, 768, 1_280])("fits a window %i pixels wide", async (width) => {
    const { page } = visitor;
    await page.setViewportSize({ width, height: 800 });
    await ask();

    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});
