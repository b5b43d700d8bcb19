import { once } from "node:events";
import { verifyKey } from "discord-interactions";
import { describe, expect, it } from "vitest";
import { doctorKeyFrom, doctorPing, signatureHeaders } from "../../../src/web/index.ts";
import { hostile } from "../../support/hostile.ts";
import { dial, readToEnd } from "../sockets.ts";
import { openWeb, startedAt } from "../stage.ts";
import {
  application,
  createApplicationKey,
  type EndpointStage,
  eventsPath,
  interactionsPath,
  masterKey,
  openEndpoint,
  rawHead,
  rawPost,
} from "./stage.ts";

const command = { type: 2, id: "1", data: { name: "search" } };

describe("the endpoint for interactions", () => {
  it("answers a PING itself", async () => {
    const { post, taken, results } = await openEndpoint();

    const { status, headers, body } = await post({ type: 1, application_id: "1" });

    expect({ status, body: JSON.parse(body) }).toEqual({ status: 200, body: { type: 1 } });
    expect(headers["content-type"]).toBe("application/json");
    expect(taken).toEqual([]);
    expect(results).toEqual(["ping"]);
  });

  it("answers with what is sent first, and says that it left", async () => {
    const sent: Promise<boolean>[] = [];
    const { post, taken, results } = await openEndpoint({
      take: (_, send) => {
        sent.push(send({ type: 4, data: { content: "– 🎬" } }), send({ type: 5 }));
        return startedAt;
      },
    });

    const { status, body } = await post(command);

    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ type: 4, data: { content: "– 🎬" } });
    expect(taken.map(({ interaction }) => interaction)).toEqual([command]);
    expect(await Promise.all(sent)).toEqual([true, false]);
    expect(results).toEqual(["answered"]);
  });

  it("keeps the connection open", async () => {
    const { post } = await openEndpoint();

    const [first, wrong] = [await post(command), await post(command, { ageMs: 61_000 })];

    expect(first.headers.connection).toBe("keep-alive");
    expect(wrong.headers.connection).toBe("keep-alive");
  });

  // A proxy may repeat a request at another process after a 503, so what can't be an interaction gets a 400.
  it.each([
    [503, "when nothing new is begun", "refused", "refused"],
    [400, "to what can't be an interaction", "malformed", "unreadable"],
  ] as const)("answers %i %s", async (expected, _, taken, result) => {
    const { post, results } = await openEndpoint({ take: () => taken });

    expect((await post(command)).status).toBe(expected);
    expect(results).toEqual([result]);
  });

  it("counts the three seconds from when Discord sent it", async () => {
    const ages = [0, 2_000];
    const stage = await openEndpoint({ take: () => startedAt - (ages.shift() ?? 0) });
    const young = stage.post(command);
    await arrival(stage);
    const old = stage.post(command);
    while (stage.taken.length < 2) await new Promise(setImmediate);

    stage.pass(1_000);
    expect((await old).status).toBe(504);
    expect(stage.results).toEqual(["late"]);

    stage.pass(2_000);
    expect((await young).status).toBe(504);
  });

  it("answers 504 after three seconds, and what is sent later does not leave", async () => {
    const stage = await openEndpoint({ take: () => startedAt });
    const asked = stage.post(command);
    await arrival(stage);

    stage.pass(2_999);
    expect(stage.results).toEqual([]);
    stage.pass(1);

    expect((await asked).status).toBe(504);
    expect(await stage.taken[0]?.send({ type: 5 })).toBe(false);
    expect(stage.results).toEqual(["late"]);
  });

  it("says that nothing left when the connection broke before", async () => {
    const stage = await openEndpoint({ take: () => startedAt });
    const socket = await dial(stage);
    socket.write(rawPost(command));
    await arrival(stage);
    const { send } = stage.taken[0] ?? {};

    socket.destroy();
    await result(stage);

    expect(await send?.({ type: 5 })).toBe(false);
    expect(stage.results).toEqual(["lost"]);
  });

  it("exists only where it is asked for, below the base or where a proxy removed it", async () => {
    const none = await openWeb();
    const missing = await none.ask(interactionsPath, { method: "POST", body: "{}" });
    await none.close();
    const { post, ask } = await openEndpoint({ publicUrl: "https://bot.example/green" });

    expect(missing.status).toBe(404);
    expect((await post({ type: 1 }, { path: `/green${interactionsPath}` })).status).toBe(200);
    expect((await post({ type: 1 })).status).toBe(200);
    expect((await post({ type: 1 }, { path: `${interactionsPath}/` })).status).toBe(404);
    expect((await ask(interactionsPath)).status).toBe(404);
  });
});

describe("the endpoint for events", () => {
  it("answers 204 and hands on what happened", async () => {
    const { post, events, results } = await openEndpoint();
    const event = { type: "APPLICATION_DEAUTHORIZED", timestamp: "2026-11-21T12:00:00Z" };

    const answers = [
      await post({ version: 1, application_id: "1", type: 0 }, { path: eventsPath }),
      await post({ version: 1, application_id: "1", type: 1, event }, { path: eventsPath }),
      await post({ type: 1, event: { type: 7 } }, { path: eventsPath }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(events).toEqual(["APPLICATION_DEAUTHORIZED"]);
    expect(results).toEqual(["event", "event", "event"]);
  });

  it("is as strict about signatures", async () => {
    const { post, events } = await openEndpoint();
    const body = { type: 1, event: { type: "APPLICATION_AUTHORIZED" } };

    const { status } = await post(body, {
      path: eventsPath,
      key: createApplicationKey().privateKey,
    });

    expect(status).toBe(401);
    expect(events).toEqual([]);
  });
});

describe("a signature", () => {
  it.each([
    [59_000, 200],
    [-59_000, 200],
    [61_000, 401],
    [-61_000, 401],
  ])("that is %i ms old is answered with %i", async (ageMs, expected) => {
    const { post, logged } = await openEndpoint();

    expect((await post({ type: 1 }, { ageMs })).status).toBe(expected);
    expect(logged.filter((line) => line.includes("check this machine's clock"))).toHaveLength(
      expected === 401 ? 1 : 0,
    );
  });

  it("that is wrong, missing or misshapen is answered with 401, and nothing is taken", async () => {
    const { post, ask, taken, results } = await openEndpoint();
    const body = JSON.stringify(command);
    const right = signatureHeaders(application.privateKey, body, startedAt);
    const { "X-Signature-Ed25519": signature, "X-Signature-Timestamp": timestamp } = right;
    const attempts: readonly Readonly<Record<string, string | readonly string[]>>[] = [
      {},
      { "X-Signature-Ed25519": signature },
      { "X-Signature-Timestamp": timestamp },
      { ...right, "X-Signature-Ed25519": signature.slice(2) },
      { ...right, "X-Signature-Ed25519": `${signature}00` },
      { ...right, "X-Signature-Ed25519": [signature, signature] },
      { ...right, "X-Signature-Timestamp": [timestamp, timestamp] },
      { ...right, "X-Signature-Timestamp": `0${timestamp}` },
      { ...right, "X-Signature-Timestamp": ` ${timestamp}x` },
      { ...right, "X-Signature-Timestamp": "9".repeat(400) },
      { ...right, "X-Signature-Ed25519": "0".repeat(128) },
      { ...right, "X-Signature-Ed25519": "f".repeat(128) },
      { ...right, "X-Signature-Ed25519": "g".repeat(128) },
    ];
    const statuses: number[] = [];
    for (const headers of attempts) {
      statuses.push((await ask(interactionsPath, { method: "POST", headers, body })).status);
    }
    const changed = await ask(interactionsPath, {
      method: "POST",
      headers: right,
      body: `${body} `,
    });
    const foreign = await post(command, { key: createApplicationKey().privateKey });

    expect([...new Set(statuses), changed.status, foreign.status]).toEqual([401, 401, 401]);
    expect(taken).toEqual([]);
    expect(new Set(results)).toEqual(new Set(["wrong_signature"]));
  });

  it("in capital letters is one too", async () => {
    const { ask } = await openEndpoint();
    const right = signatureHeaders(application.privateKey, '{"type":1}', startedAt);
    const headers = { ...right, "X-Signature-Ed25519": right["X-Signature-Ed25519"].toUpperCase() };

    expect(
      (await ask(interactionsPath, { method: "POST", headers, body: '{"type":1}' })).status,
    ).toBe(200);
  });

  it("is right and wrong where Discord's own library says so", async () => {
    const { ask, pass } = await openEndpoint();
    const { publicHex, privateKey } = application;
    const stranger = createApplicationKey().privateKey;
    for (const [at, text] of hostile.entries()) {
      // There are more of them than one visitor may send wrongly in a minute.
      if (at % 40 === 0) pass(60_000);
      const now = startedAt + (Math.floor(at / 40) + 1) * 60_000;
      const body = JSON.stringify({ type: 1, text });
      const key = at % 3 === 0 ? stranger : privateKey;
      const headers = signatureHeaders(key, body, now);
      const sent = at % 3 === 1 ? `${body}\n` : body;

      const { status } = await ask(interactionsPath, { method: "POST", headers, body: sent });

      const { "X-Signature-Ed25519": signature, "X-Signature-Timestamp": timestamp } = headers;
      expect(status === 200).toBe(await verifyKey(sent, signature, timestamp, publicHex));
    }
  });
});

describe("a body", () => {
  it.each(["", "null", "[]", "7", '"x"', "{", "\ufeff{}", "{}{}", `${"[".repeat(100_000)}`])(
    "that is no object is answered with 400: %j",
    async (body) => {
      const { post, taken } = await openEndpoint();

      expect((await post(body)).status).toBe(400);
      expect(taken).toEqual([]);
    },
  );

  it("is read as it was signed, whatever its headers call it", async () => {
    const { post } = await openEndpoint();
    const headers = { "Content-Encoding": "gzip", "Content-Type": "text/plain; charset=utf-16" };

    expect((await post({ type: 1 }, { headers })).status).toBe(200);
  });

  it("with two lengths is refused by the parser", async () => {
    const stage = await openEndpoint();

    const answer = await exchange(stage, (body) => body, '{"type":1}', [
      "Content-Length: 10",
      "Transfer-Encoding: chunked",
    ]);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /u);
    expect(stage.results).toEqual([]);
  });

  it("is taken as it came, whatever is in it", async () => {
    const { post, taken } = await openEndpoint();
    for (const text of hostile) {
      const { status } = await post({ type: 2, data: { [text]: text } });
      expect(status).toBe(200);
    }

    expect(taken.map(({ interaction }) => interaction)).toEqual(
      hostile.map((text) => JSON.parse(JSON.stringify({ type: 2, data: { [text]: text } }))),
    );
  });

  it("may be half a megabyte, in chunks and asked for first", async () => {
    const stage = await openEndpoint();
    const text = JSON.stringify({ type: 1, text: "x".repeat(500_000) });

    const chunked = await stage.post(text, { headers: { "Transfer-Encoding": "chunked" } });
    const asked = await exchange(stage, (body) => body, text, ["Expect: 100-continue"]);

    expect(chunked.status).toBe(200);
    expect(asked).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/u);
  });

  it("that is larger is refused before it is read, and in chunks while it is read", async () => {
    const stage = await openEndpoint();
    const text = JSON.stringify({ type: 1, text: "x".repeat(600_000) });

    const announced = await exchange(stage, () => "", text);
    const chunked = await exchange(
      stage,
      (body) => `${body.length.toString(16)}\r\n${body}`,
      text,
      ["Transfer-Encoding: chunked"],
    );

    expect(announced).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/iu);
    expect(chunked).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/iu);
  });

  it("of a stranger is not asked for", async () => {
    const { port } = await openEndpoint();
    const socket = await dial({ port });
    socket.write(
      `POST ${interactionsPath} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    );

    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 401 /u);
  });

  it("ends after three seconds", async () => {
    const stage = await openEndpoint();
    const socket = await dial(stage);
    socket.write(rawPost(command).slice(0, -5));
    const ended = readToEnd(socket);
    await stage.post(command);

    stage.pass(3_001);

    expect(await ended).toBe("");
    expect(stage.results).toEqual(["answered"]);
  });
});

describe("the doctor's PING", () => {
  it("is answered where the master key is the same, and nothing else is that it signs", async () => {
    const { post, taken } = await openEndpoint();
    const publicKey = application.publicHex;
    const own = doctorKeyFrom({ masterKey, publicKey });
    const other = doctorKeyFrom({ masterKey: Buffer.alloc(32, "other"), publicKey });
    const foreign = doctorKeyFrom({ masterKey, publicKey: createApplicationKey().publicHex });

    const statuses = [
      await post(doctorPing, { key: own }),
      await post(doctorPing, { key: other }),
      await post(doctorPing, { key: foreign }),
      await post({ type: 1 }, { key: own }),
      await post(command, { key: own }),
      await post(doctorPing.trimEnd(), { key: own }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([200, 401, 401, 401, 401, 401]);
    expect(taken).toEqual([]);
  });
});

async function arrival({ taken }: EndpointStage): Promise<void> {
  while (taken.length === 0) await new Promise(setImmediate);
}

async function result({ results }: EndpointStage): Promise<void> {
  while (results.length === 0) await new Promise(setImmediate);
}

/** Everything that is sent back until the other end hangs up. */
async function exchange(
  { port }: EndpointStage,
  write: (body: string) => string,
  body: string,
  more: readonly string[] = [],
): Promise<string> {
  const socket = await dial({ port });
  const isAsking = more.includes("Expect: 100-continue");
  socket.write(`${rawHead(body, [...more, ...(isAsking ? ["Connection: close"] : [])])}\r\n\r\n`);
  if (isAsking) {
    const [data] = await once(socket, "data");
    socket.write(write(body));
    return `${data}${await readToEnd(socket)}`;
  }
  socket.write(write(body));
  return readToEnd(socket);
}
