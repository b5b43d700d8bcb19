import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cookie, form, linkToken, openWeb, type WebStage } from "./stage.ts";

let secure: WebStage;
let local: WebStage;
let deep: WebStage;

beforeAll(async () => {
  secure = await openWeb();
  local = await openWeb({ publicUrl: "http://127.0.0.1:8080" });
  deep = await openWeb({ publicUrl: "https://example.org/bot" });
});
afterAll(async () => {
  for (const web of [secure, local, deep]) await web.close();
});

const asked = [
  ["the first page", "/", {}],
  ["a link's page", `/connect/${linkToken}`, {}],
  ["a form", `/connect/${linkToken}`, { method: "POST", headers: form, body: "permission=read" }],
  ["an answer", "/oauth/callback?state=s", { headers: cookie }],
  ["a refusal", "/oauth/callback?state=s", {}],
  ["nothing", "/nothing", {}],
  ["a request that can't be read", "/\\..\\x", {}],
  ["the style sheet", "/style.css", {}],
] as const;

describe.each(asked)("headers of %s", (name, path, how) => {
  it("let nothing in and nothing out", async () => {
    const { headers } = await secure.ask(path, how);

    expect(headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://accounts.example https://discord.example; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "strict-transport-security": "max-age=31536000",
      "cache-control": name === "the style sheet" ? "public, max-age=300" : "no-store",
    });
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("on this machine alone", () => {
  it("there is neither TLS to insist on nor a cookie for it", async () => {
    const { headers, cookies } = await local.ask(`/connect/${linkToken}`);

    expect(headers).not.toHaveProperty("strict-transport-security");
    expect(cookies[0]).toMatch(
      /^greenroom-link=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/u,
    );
  });
});

describe("below a path of its own", () => {
  it.each(["", "/bot"])(
    "pages stay there, whether the proxy leaves it or not: %j",
    async (path) => {
      const { body, status } = await deep.ask(`${path}/connect/${linkToken}`);
      const back = await deep.ask(`${path}/connect/${linkToken}/identity`);
      const style = await deep.ask(`${path}/style.css`);
      await deep.ask(`${path}/oauth/callback?state=s`, { headers: cookie });

      expect([status, style.status]).toEqual([200, 200]);
      expect(body).toContain('href="/bot/style.css"');
      expect(back.headers.location).toBe(`/bot/connect/${linkToken}`);
      expect(`${deep.calls.at(-1)?.[1]}`).toBe("https://example.org/bot/oauth/callback?state=s");
    },
  );
});

describe("what everybody may read", () => {
  it.each([
    ["/", "text/html; charset=UTF-8", "Link a YouTube channel"],
    ["/robots.txt", "text/plain; charset=UTF-8", "Disallow: /"],
    ["/favicon.svg", "image/svg+xml", "<svg"],
    ["/style.css", "text/css; charset=utf-8", "prefers-color-scheme: dark"],
  ])("is %s", async (path, type, text) => {
    const { status, headers, body } = await secure.ask(path);

    expect([status, headers["content-type"]]).toEqual([200, type]);
    expect(body).toContain(text);
  });
});
