import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { diagnose } from "../../../src/cli/diagnosis/diagnose.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { application, createApplicationKey } from "../../web/endpoint/stage.ts";
import { openWeb, type WebStage } from "../../web/stage.ts";

const masterKey = Buffer.from("0123456789abcdefghijklmnopqrstuv");
const otherKey = Buffer.from("vutsrqponmlkjihgfedcba9876543210");
const keyOf = (id: string, key: Buffer) => `${id}:${key.toString("base64")}`;

/** What the stand-in for Discord says about the application. */
let facts: Record<string, unknown>;
let discord: TestServer;
let bot: WebStage;
let botUrl: string;
const servers: TestServer[] = [];

beforeAll(async () => {
  discord = await serve((message, response) => {
    const answers: Record<string, unknown> = {
      "/api/v10/users/@me": { username: "Mine" },
      "/api/v10/applications/@me": { id: "1", name: "Mine", ...facts },
      "/api/v10/users/@me/guilds?limit=200": [{ permissions: "8" }],
    };
    response.end(JSON.stringify(answers[message.url ?? ""] ?? {}));
  });
  bot = await openBot();
  botUrl = `http://127.0.0.1:${bot.port}`;
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

afterAll(async () => {
  await bot?.close();
  await discord?.close();
});

/** The pages of a bot that takes interactions over HTTP. */
async function openBot({ publicKey = application.publicHex, now = Date.now } = {}) {
  return openWeb({
    now,
    discord: {
      publicKey,
      take: () => Date.now(),
      onEvent: () => undefined,
      doctorSecret: masterKey,
    },
  });
}

interface Diagnosed {
  readonly publicUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly application?: Readonly<Record<string, unknown>>;
}

async function diagnosed({ publicUrl = botUrl, env, application: told }: Diagnosed = {}) {
  facts = {
    verify_key: application.publicHex,
    interactions_endpoint_url: `${publicUrl}/discord/interactions`,
    ...told,
  };
  const { findings } = await diagnose({
    env: {
      DISCORD_TOKEN: "a-token",
      DISCORD_PUBLIC_KEY: application.publicHex,
      DISCORD_API_URL: `${discord.url}/api`,
      VIDEO_API_URL: discord.url,
      BACKGROUND_API_URL: discord.url,
      PUBLIC_URL: publicUrl,
      STORE_URL: `sqlite:${join(tmpdir(), "greenroom-none.sqlite")}`,
      SECRET_KEYS: keyOf("main", masterKey),
      HEALTH_PORT: "0",
      ...env,
    },
    envFile: join(tmpdir(), "greenroom-none.env"),
  });
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { endpoint: about("interactions endpoint"), application: about("application"), findings };
}

/** A proxy before the bot, which changes what passes. */
async function openProxy(
  change: (message: IncomingMessage, body: Buffer, response: ServerResponse) => Buffer | undefined,
): Promise<string> {
  const proxy = await serve(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const body = change(message, Buffer.concat(chunks), response);
    if (body === undefined) return;
    const headers = { ...message.headers, "content-length": `${body.length}` };
    const passed = { method: message.method, path: message.url, headers } as const;
    const onward = request(botUrl, passed, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  });
  servers.push(proxy);
  return proxy.url;
}

describe("the doctor before an endpoint for interactions", () => {
  it("finds nothing wrong where everything fits, through a proxy too", async () => {
    const proxied = await openProxy((_, body) => body);

    const [direct, through] = [await diagnosed(), await diagnosed({ publicUrl: proxied })];

    for (const { endpoint, application: found, findings } of [direct, through]) {
      expect(endpoint).toMatchObject([{ state: "ok" }]);
      expect(found).toMatchObject([
        { state: "ok", found: "Mine is set up for interactions over HTTP" },
      ]);
      expect(findings).toContainEqual({
        check: "Discord's gateway",
        state: "skipped",
        found: "not used: interactions come over HTTP",
      });
    }
  });

  it("knows a public key of another application", async () => {
    const { application: found } = await diagnosed({
      application: { verify_key: createApplicationKey().publicHex },
    });

    expect(found).toMatchObject([
      {
        state: "wrong",
        found: expect.stringContaining("DISCORD_PUBLIC_KEY is not its public key"),
        advice: expect.stringContaining("Copy the Public Key from"),
      },
    ]);
  });

  it.each([
    [null, "it has no Interactions Endpoint URL"],
    ["https://old.example/x", "its Interactions Endpoint URL is https://old.example/x"],
  ])("knows that Discord posts elsewhere: %j", async (url, expected) => {
    const { application: found } = await diagnosed({
      application: { interactions_endpoint_url: url },
    });

    expect(found).toMatchObject([
      {
        state: "wrong",
        found: `${expected}, so commands never reach the bot`,
        advice: expect.stringContaining(`${botUrl}/discord/interactions`),
      },
    ]);
  });

  it("asks with an older master key too, and knows one that the bot does not have", async () => {
    const SECRET_KEYS = `${keyOf("next", otherKey)},${keyOf("main", masterKey)}`;

    const older = await diagnosed({ env: { SECRET_KEYS } });
    const strange = await diagnosed({ env: { SECRET_KEYS: keyOf("main", otherKey) } });

    expect(older.endpoint).toMatchObject([{ state: "ok" }]);
    expect(strange.endpoint).toMatchObject([
      { state: "wrong", found: expect.stringContaining("other SECRET_KEYS") },
    ]);
  });

  it("knows a bot of another application, and one whose clock is wrong", async () => {
    const foreign = await openBot({ publicKey: createApplicationKey().publicHex });
    const late = await openBot({ now: () => Date.now() - 90_000 });

    const found = await Promise.all(
      [foreign, late].map(({ port }) => diagnosed({ publicUrl: `http://127.0.0.1:${port}` })),
    );
    await Promise.all([foreign.close(), late.close()]);

    const expected = { state: "wrong", found: expect.stringContaining("or a wrong clock") };
    expect(found.map(({ endpoint }) => endpoint)).toMatchObject([[expected], [expected]]);
  });

  const faults: readonly (readonly [string, Parameters<typeof openProxy>[0], string])[] = [
    ["changes the body", (_, body) => Buffer.from(`${body}`.trimEnd()), "a proxy changes it"],
    [
      "drops headers",
      (message, body) => {
        delete message.headers["x-signature-ed25519"];
        return body;
      },
      "are missing",
    ],
    [
      "redirects",
      answering(308, { Location: "https://www.bot.example/" }),
      "redirects to https://www",
    ],
    ["asks for a password", answering(401), "not by the bot"],
    ["lets nothing pass", answering(403), "a PING is answered with 403"],
    ["leads elsewhere", answering(404), "a PING is answered with 404"],
    ["has nobody behind it", answering(502), "a PING is answered with 502"],
    ["answers itself", answering(200), "another program answers"],
    [
      "pongs whoever asks",
      (_, __, response) => void response.end('{"type":1}'),
      "a wrong signature is answered with 200",
    ],
  ];
  it.each(faults)("knows a proxy that %s", async (_, change, expected) => {
    const { endpoint } = await diagnosed({ publicUrl: await openProxy(change) });

    expect(endpoint).toMatchObject([{ state: "wrong", found: expect.stringContaining(expected) }]);
  });

  it("calls nobody behind the proxy no fault while no bot runs on this machine", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const publicUrl = await openProxy(answering(502));

    const { endpoint } = await diagnosed({ publicUrl, env: { HEALTH_PORT: `${port}` } });

    expect(endpoint).toMatchObject([{ state: "skipped", found: "no bot runs on this machine" }]);
  });

  it("says which variables contradict each other", async () => {
    const { findings } = await diagnosed({
      env: { SHARDS: "0-3", SHARD_COUNT: "16" },
    });
    const { findings: alone } = await diagnosed({
      env: { DISCORD_PUBLIC_KEY: "", SHARDS: "0-3", SHARD_COUNT: "16" },
    });

    const wrong = [...findings, ...alone].filter(({ state }) => state === "wrong");
    expect(wrong.map(({ found }) => found)).toEqual([
      expect.stringContaining("SHARDS can't be set together with DISCORD_PUBLIC_KEY"),
      expect.stringContaining("SHARD_COUNT can't be set together with DISCORD_PUBLIC_KEY"),
      expect.stringContaining("allowed is a STORE_URL that starts with postgres://"),
    ]);
  });
});

function answering(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Parameters<typeof openProxy>[0] {
  return (_, __, response) => void response.writeHead(status, headers).end();
}
