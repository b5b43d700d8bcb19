import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import { mainEnv, runMain } from "../support/run-main.ts";

function start(url: string, { token = "MTIz.a-token.of-a-test" } = {}) {
  return runMain(mainEnv({ url, token }));
}

async function platformOf(): Promise<Platform> {
  const platform = await startPlatform();
  onTestFinished(() => platform.close());
  return platform;
}

/** An API that gives every request the same answer, a WebSocket handshake included. */
async function apiThat(status: number, body: (url: string) => unknown): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body(url)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

/** One sentence says what is wrong, one says what to do, and there is no stack trace. */
function expectSentences(err: string): void {
  expect(err.trim().split("\n")).toHaveLength(2);
  expect(err).not.toMatch(/^ {4}at /mu);
  expect(err.length).toBeLessThan(800);
}

/** All that the bot requests before the first connection. */
const gatewayInfo = (url: string) => ({
  id: "1".repeat(18),
  bot: { id: "1".repeat(18) },
  verify_key: "0".repeat(64),
  url: url.replace("http", "ws"),
  shards: 1,
  session_start_limit: { total: 1, remaining: 1, reset_after: 1, max_concurrency: 1 },
});

const fails = () => ({});
const unreachable = async () => "http://127.0.0.1:1";

describe("a start while Discord is away", () => {
  it.each([
    ["it can't be reached", unreachable, /(can't be reached for the login: [^"]*ECONNREFUSED)/u],
    ["it fails", () => apiThat(500, fails), /(Discord answers the login with status 500)/u],
    ["a handshake fails", () => apiThat(200, gatewayInfo), /(Unexpected server response: 200)/u],
  ])("waits and says why, where %s", async (_, address, reason) => {
    const { child, said, ended } = start(await address());

    await said(reason);
    child.kill("SIGTERM");

    expect((await ended).err).toBe("");
  });
});

describe("a start that fails", () => {
  it("says that an API is not Discord's", async () => {
    const { code, err } = await start(await apiThat(200, () => ({ hello: "world" }))).ended;

    expect(err).toContain("DISCORD_API_URL");
    expectSentences(err);
    expect(code).toBe(2);
  });

  it.each([400, 403])("says in a line that the commands were refused with %i", async (status) => {
    const platform = await platformOf();
    const errors = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [
        n,
        { name: { _errors: [{ code: "BASE_TYPE_REQUIRED", message: "This field is required" }] } },
      ]),
    );
    platform.faults.add({
      kind: "answer",
      method: "PUT",
      path: /commands$/u,
      status,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "Invalid Form Body", code: 50_035, errors }),
    });

    const { code, err } = await start(platform.url, platform).ended;

    expect(err).toContain(`Discord refuses the commands with status ${status}: Invalid Form Body`);
    expect(err).toContain("(and 399 more)");
    expectSentences(err);
    expect(code).toBe(2);
  });
});

describe("a bot that Discord takes no more", () => {
  it("ends with a sentence, and with the code of what has to be changed", async () => {
    const platform = await platformOf();
    const { said, ended } = start(platform.url, platform);
    await said(/(commands are registered)/u);

    platform.gateway.drop(4_004, "Authentication failed.");
    const { code, err, out } = await ended;

    expect(err).toContain("Discord refused DISCORD_TOKEN");
    expectSentences(err);
    expect(out).toContain("Discord takes the bot no more");
    expect(code).toBe(2);
  });

  it("is started again where that helps", async () => {
    const platform = await platformOf();
    const { said, ended } = start(platform.url, platform);
    await said(/(commands are registered)/u);

    platform.gateway.drop(4_011, "Sharding required.");
    const { code, err } = await ended;

    expect(err).toContain("4011 Sharding required.");
    expectSentences(err);
    expect(code).toBe(1);
  });
});
