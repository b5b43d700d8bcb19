import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { dial } from "../sockets.ts";
import { linkToken } from "../stage.ts";
import {
  createApplicationKey,
  type EndpointStage,
  eventsPath,
  interactionsPath,
  openEndpoint,
  rawPost,
} from "./stage.ts";

const stranger = createApplicationKey().privateKey;
const command = { type: 2, id: "1" };
const discord = "35.237.4.214";

/** How often each status was returned. */
async function statusesOf(answers: readonly ReturnType<EndpointStage["post"]>[]) {
  const all = await Promise.all(answers);
  return Object.fromEntries(
    [...Map.groupBy(all, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  );
}

function times<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

describe("a flood of wrong signatures", () => {
  it("from one visitor is refused unchecked after sixty a minute, and takes nothing from Discord", async () => {
    const { post, pass, results } = await openEndpoint();

    const [wrong, right] = await Promise.all([
      statusesOf(times(500, () => post(command, { key: stranger, visitor: "203.0.113.7" }))),
      statusesOf(times(200, () => post(command, { visitor: discord }))),
    ]);
    pass(60_000);
    const { status } = await post(command, { key: stranger, visitor: "203.0.113.7" });

    // The request that exceeds the limit was still checked.
    expect(wrong).toEqual({ 401: 61, 429: 439 });
    expect(right).toEqual({ 200: 200 });
    expect(status).toBe(401);
    expect(results.filter((one) => one === "flood")).toHaveLength(439);
  });

  it("from visitors of two hundred networks is refused unchecked after three thousand a minute", async () => {
    const { post } = await openEndpoint();

    const [wrong, right] = await Promise.all([
      statusesOf(
        times(4_000, (at) => post(command, { key: stranger, visitor: `198.${at % 200}.100.7` })),
      ),
      statusesOf(times(200, (at) => post(command, { visitor: `35.237.4.${at % 20}` }))),
    ]);

    // Each visitor's first request beyond that was still checked.
    expect(wrong).toEqual({ 401: 3_200, 429: 800 });
    expect(right).toEqual({ 200: 200 });
  });

  it("without signatures counts too", async () => {
    const { ask } = await openEndpoint();
    const headers = { "X-Forwarded-For": "203.0.113.7" };

    const answers = await statusesOf(
      times(100, () => ask(interactionsPath, { method: "POST", headers, body: "{}" })),
    );

    expect(answers).toEqual({ 401: 61, 429: 39 });
  });

  it("from the address that Discord's requests come from locks nobody out", async () => {
    const { post } = await openEndpoint();
    await post(command, { visitor: discord });

    const wrong = await statusesOf(
      times(300, () => post(command, { key: stranger, visitor: discord })),
    );
    const right = await statusesOf(times(50, () => post(command, { visitor: discord })));

    expect(wrong).toEqual({ 401: 300 });
    expect(right).toEqual({ 200: 50 });
  });

  it("behind a proxy that names nobody locks nobody out", async () => {
    const { post } = await openEndpoint();

    const wrong = await statusesOf(times(300, () => post(command, { key: stranger })));
    const right = await statusesOf(times(50, () => post(command)));

    expect(wrong).toEqual({ 401: 300 });
    expect(right).toEqual({ 200: 50 });
  });
});

describe("the limits of pages", () => {
  it("do not slow Discord down, nor does Discord use them up", async () => {
    const { post, ask } = await openEndpoint({ traffic: { visitor: 10, all: 20 } });

    const right = await statusesOf(times(300, () => post(command, { visitor: discord })));
    const pages = await statusesOf(times(30, () => ask(`/connect/${linkToken}`)));
    const after = await statusesOf(times(300, () => post(command, { visitor: discord })));

    expect(right).toEqual({ 200: 300 });
    expect(pages).toEqual({ 200: 20, 429: 10 });
    expect(after).toEqual({ 200: 300 });
  });
});

describe("a connection of Discord", () => {
  it("is not closed for a thousand that others open", async () => {
    const stage = await openEndpoint({ room: { connections: 20 } });
    const socket = await dial(stage);
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    const answers = async (count: number) => {
      while (text.split("HTTP/1.1 200 OK").length <= count) await once(socket, "data");
    };

    socket.write(rawPost(command));
    await answers(1);
    const sockets = [socket];
    for (let at = 0; at < 1_000; at += 1) sockets.push(await dial(stage));
    socket.write(rawPost(command));
    await answers(2);

    expect(socket.closed).toBe(false);
    expect(sockets.filter(({ closed }) => !closed).length).toBeLessThan(40);
  });

  it("has a place, however many bodies strangers send slowly", async () => {
    const stage = await openEndpoint({ room: { connections: 20, bodies: 5 } });
    const slow: Socket[] = [];
    for (let at = 0; at < 100; at += 1) {
      const socket = await dial(stage);
      slow.push(socket);
      socket.write(
        `POST ${at % 2 === 0 ? interactionsPath : eventsPath} HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n` +
          `X-Forwarded-For: 198.51.100.${at}\r\nX-Signature-Ed25519: ${"a".repeat(128)}\r\n` +
          `X-Signature-Timestamp: 1700000000\r\n\r\n{`,
      );
    }

    const right = await statusesOf(times(100, () => stage.post(command, { visitor: discord })));

    expect(right).toEqual({ 200: 100 });
    expect(slow.filter((socket) => !socket.closed).length).toBeLessThan(20);
  });
});
