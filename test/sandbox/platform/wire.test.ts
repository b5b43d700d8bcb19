import { beforeEach, describe, expect, it } from "vitest";
import type { Platform } from "../../../src/sandbox/platform/index.ts";
import { send } from "../../support/raw-bot.ts";
import { observePlatform } from "./observed-platform.ts";
import { tinyPng } from "./tiny-png.ts";

describe("the platform's wire", () => {
  const observed = observePlatform({ checks: "nothing" });
  const { exchanges, pass } = observed;
  let platform: Platform;

  beforeEach(() => {
    ({ platform } = observed);
  });

  const messages = () => `/channels/${platform.channelId}/messages`;

  it("refuses a wrong token", async () => {
    const { status, json } = await send(platform, "GET", "/users/@me", { token: "no" });

    expect({ status, json }).toEqual({
      status: 401,
      json: { message: "401: Unauthorized", code: 0 },
    });
  });

  it.each(["/api/v10", "/api/v9", "/api"])("answers below %s", async (root) => {
    const headers = { authorization: `Bot ${platform.token}` };

    const response = await fetch(`${platform.url}${root}/users/@me`, { headers });

    expect(response.status).toBe(200);
    expect(exchanges.map(({ path }) => path)).toEqual(["/users/@me"]);
  });

  it("refuses versions that it does not speak", async () => {
    const response = await fetch(`${platform.url}/api/v5/gateway`);

    expect([response.status, await response.json()]).toEqual([
      400,
      { message: "Invalid API version provided", code: 50_041 },
    ]);
  });

  it("shows everybody where the gateway is, but only bots how to connect", async () => {
    const get = (path: string) => fetch(`${platform.url}/api/v10${path}`);

    const [open, closed] = await Promise.all([get("/gateway"), get("/gateway/bot")]);

    expect([open.status, closed.status]).toEqual([200, 401]);
    expect(await open.json()).toEqual({ url: `${platform.url.replace("http", "ws")}/gateway` });
  });

  it("knows nothing at an address that can't be read", async () => {
    const response = await fetch(`${platform.url}/api/v10/channels/%E0%A4%A`);

    expect(response.status).toBe(404);
  });

  it("knows no other routes", async () => {
    const { status, json } = await send(platform, "GET", "/guilds/1/bans");

    expect({ status, json }).toEqual({ status: 404, json: { message: "404: Not Found", code: 0 } });
  });

  it("empties a bucket, says when it fills, and fills it", async () => {
    const post = () => send(platform, "POST", messages(), { body: { content: "x" } });
    const answers = [];
    for (let turn = 0; turn < 6; turn += 1) answers.push(await post());
    const [first, last] = [answers[0], answers[5]];

    pass(5_000);

    expect(first?.headers.get("x-ratelimit-remaining")).toBe("4");
    expect(last).toMatchObject({ status: 429, json: { retry_after: 5, global: false } });
    expect(last?.headers.get("retry-after")).toBe("5");
    expect(last?.headers.get("x-ratelimit-bucket")).toBe(first?.headers.get("x-ratelimit-bucket"));
    expect((await post()).status).toBe(200);
  });

  it("takes 50 requests a second of an application, answers to interactions not counted", async () => {
    const get = (path = "/users/@me") => send(platform, "GET", path);
    const paths = ["/users/@me", "/users/@me/guilds", `/channels/${platform.channelId}`];
    const statuses = [];
    for (let turn = 0; turn < 50; turn += 1) statuses.push((await get(paths[turn % 3])).status);

    pass(400);
    const refused = await get();
    const uncounted = await send(platform, "POST", "/interactions/1/none/callback", { body: {} });
    const ofWebhook = await send(platform, "POST", "/webhooks/1/none", { body: {} });
    pass(600);

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(refused).toMatchObject({ status: 429, json: { retry_after: 0.6, global: true } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-ratelimit-global")).toBe("true");
    expect(refused.headers.get("x-ratelimit-scope")).toBe("global");
    expect([uncounted.status, ofWebhook.status]).toEqual([404, 404]);
    expect((await get()).status).toBe(200);
  });

  it("fails as configured", async () => {
    const get = () => send(platform, "GET", "/users/@me");
    platform.faults.add({ kind: "answer", status: 503, times: 1, path: /users/ });
    platform.faults.add({ kind: "cut-before", times: 1 });

    expect((await get()).status).toBe(503);
    await expect(get()).rejects.toThrow();
    expect((await get()).status).toBe(200);
  });

  it("has done the work when it is cut afterwards", async () => {
    platform.faults.add({ kind: "cut-after", times: 1, method: "POST" });

    await expect(send(platform, "POST", messages(), { body: { content: "x" } })).rejects.toThrow();

    expect(platform.people("owner").messages()).toMatchObject([{ content: "x" }]);
    expect(exchanges).toMatchObject([{ method: "POST", path: messages(), status: 200 }]);
  });

  it("observes bodies and files of both directions", async () => {
    const files = [new File([tinyPng], "a.png", { type: "image/png" })];

    await send(platform, "POST", messages(), { body: { content: "x" }, files });

    expect(exchanges).toMatchObject([
      {
        requestBody: { content: "x" },
        requestFiles: [{ name: "a.png", type: "image/png", bytes: tinyPng.byteLength }],
        responseBody: { content: "x" },
      },
    ]);
  });

  it("serves a file until its address runs out", async () => {
    const file = { name: "bad <page>.html", type: "text/html", data: tinyPng };
    const { attachments } = await platform.people("owner").say("", [file]);
    const url = attachments[0]?.url ?? "";

    const served = await fetch(url);
    pass(86_400_000);
    const late = await fetch(url);
    const [fresh] = platform.people("owner").messages();

    expect(served.headers.get("content-disposition")).toBe('attachment; filename="bad_page.html"');
    expect(served.headers.get("content-security-policy")).toMatch(/sandbox/);
    expect(late.status).toBe(404);
    expect((await fetch(fresh?.attachments[0]?.url ?? "")).status).toBe(200);
    expect((await fetch(url.split("?")[0] ?? "")).status).toBe(404);
  });

  it("serves avatars", async () => {
    const { author } = await platform.people("owner").say("x");

    const response = await fetch(`${platform.url}/avatars/${author.id}/${author.avatar}.png`);

    expect(response.headers.get("content-type")).toBe("image/svg+xml");
  });

  it("refuses a file that is too large before it is sent", async () => {
    const data = new Uint8Array(10 * 1_024 * 1_024 + 1);

    await expect(
      platform.people("owner").say("", [{ name: "a.bin", type: "", data }]),
    ).rejects.toThrow(/The largest file here is 10 MB/);
  });
});
