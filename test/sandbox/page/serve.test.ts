import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageServer, servePage } from "../../../src/sandbox/platform/page/serve.ts";

describe("servePage", () => {
  let server: PageServer;
  let nodeEnvAfterBundling: string | undefined;
  beforeAll(async () => {
    const before = process.env.NODE_ENV;
    delete process.env.NODE_ENV;
    server = await servePage();
    await get("/");
    nodeEnvAfterBundling = process.env.NODE_ENV;
    if (before !== undefined) process.env.NODE_ENV = before;
  });
  afterAll(() => server.close());

  const get = (path: string, init?: RequestInit) =>
    server.fetch(new Request(`http://127.0.0.1:8080${path}`, init));

  it("answers the document, never from a cache, and its assets for ever", async () => {
    const document = await get("/");
    const addresses = [...(await document.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
    const assets = await Promise.all(addresses.map(([, path]) => get(path ?? "")));

    expect(document.headers.get("cache-control")).toBe("no-store");
    expect(assets.map(({ headers }) => headers.get("content-type")).sort()).toEqual([
      "text/css; charset=utf-8",
      "text/javascript; charset=utf-8",
    ]);
    expect(assets.every(({ headers }) => headers.get("cache-control")?.includes("immutable"))).toBe(
      true,
    );
  });

  it("lets the document load nothing but its own code, and media from anywhere", async () => {
    const policy = (await get("/")).headers.get("content-security-policy") ?? "";

    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("img-src 'self' http: https: blob: data:;");
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:8080 ");
    expect(policy).not.toContain("unsafe");
  });

  it("leaves the environment as it was, though the bundler sets NODE_ENV", () => {
    expect(nodeEnvAfterBundling).toBeUndefined();
  });

  it.each([
    ["/nothing", undefined, 404],
    ["/assets/../serve.ts", undefined, 404],
    ["/", { method: "POST" }, 405],
  ])("answers %s %o with %i", async (path, init, status) => {
    expect((await get(path, init)).status).toBe(status);
  });
});
