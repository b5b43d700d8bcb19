import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttp } from "../../../src/http/index.ts";
import { createWatchedHttp, type ObservedRequest } from "../../../src/web/index.ts";
import { serve, type TestServer } from "../../support/server.ts";

let server: TestServer;
const seen: ObservedRequest[] = [];
const http = createHttp({ sleep: async () => undefined });

beforeAll(async () => {
  let asked = 0;
  server = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://a");
    if (pathname === "/video/cut") return void request.socket.destroy();
    asked += 1;
    response.statusCode = pathname === "/video/late" && asked % 3 !== 0 ? 503 : 200;
    response.end("a file");
  });
});
afterAll(async () => {
  await http.close();
  await server.close();
});

function watched() {
  seen.length = 0;
  return createWatchedHttp(http, {
    services: [
      [`${server.url}/video/upload`, "uploads"],
      [`${server.url}/video`, "video"],
    ],
    observe: (one) => seen.push(one),
  });
}

describe("createWatchedHttp", () => {
  it("labels a request by the first address that fits", async () => {
    const { request } = watched();

    for (const path of ["/video/upload/x", "/video/x", "/elsewhere"]) {
      await request({ method: "GET", url: `${server.url}${path}`, retry: "read" });
    }

    expect(seen.map(({ service, result }) => [service, result])).toEqual([
      ["uploads", "2xx"],
      ["video", "2xx"],
      ["other", "2xx"],
    ]);
    expect(seen.every(({ ms }) => ms > 0)).toBe(true);
  });

  it("counts retries as attempts of one request", async () => {
    const { request } = watched();

    await request({ method: "GET", url: `${server.url}/video/late`, retry: "read" });

    expect(seen).toMatchObject([{ service: "video", result: "2xx" }]);
    expect(seen[0]?.attempts).toBeGreaterThan(1);
  });

  it("counts each attempt of a call that takes turns, without its wait", async () => {
    const { request } = watched();

    const asking = request({
      method: "GET",
      url: `${server.url}/video/cut`,
      retry: "read",
      tries: 2,
      around: async (send) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return send();
      },
    });

    await expect(asking).rejects.toMatchObject({ code: "cut" });
    expect(seen).toMatchObject(Array(2).fill({ service: "video", result: "cut", attempts: 1 }));
    expect(Math.min(...seen.map(({ ms }) => ms))).toBeLessThan(300);
  });

  it("counts why there was no answer, and throws it on", async () => {
    const { request } = watched();

    const asking = request({ method: "POST", url: `${server.url}/video/cut`, retry: "paid" });

    await expect(asking).rejects.toMatchObject({ code: "cut" });
    expect(seen).toMatchObject([{ service: "video", result: "cut", attempts: 1 }]);
  });

  it("counts files that people attached separately", async () => {
    const { download } = watched();

    const hosts = [new URL(server.url).host];
    await download({ url: `${server.url}/a.png`, hosts, maxBytes: 100 });
    await download({ url: `${server.url}/a.png`, hosts: [], maxBytes: 100 }).catch(() => undefined);

    expect(seen.map(({ service, result }) => [service, result])).toEqual([
      ["attachments", "2xx"],
      ["attachments", "attachment_host"],
    ]);
  });
});
