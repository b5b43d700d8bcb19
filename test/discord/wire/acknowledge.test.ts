import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { acknowledge, createCallbackRest } from "../../../src/discord/wire/acknowledge.ts";
import { serve, type TestServer } from "../../support/server.ts";

type Step = (response: ServerResponse) => void;

const accept: Step = (response) => response.writeHead(204).end();
const refuse =
  (status: number, code: number): Step =>
  (response) =>
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ code, message: "no" }));
const fail: Step = (response) => response.writeHead(503).end();
const cut: Step = (response) => response.destroy();
const hang: Step = () => undefined;

const read =
  (message: object): Step =>
  (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
const absent = refuse(404, 10_015);
const thinking = read({ id: "7", flags: 128 });

const tooOldMs = 2_400;
const expiresAfterFirstTry = (count: number) => (count === 0 ? 0 : tooOldMs);
const agesBy = (stepMs: number) => (count: number) => count * stepMs;

describe("acknowledge", () => {
  let server: TestServer;
  let requests: string[] = [];

  /** `age` returns how old the interaction is after that many requests. */
  async function run(
    steps: readonly Step[],
    {
      age = agesBy(0),
      type = 5,
      pressed = "7",
    }: {
      readonly age?: (sent: number) => number;
      readonly type?: number;
      readonly pressed?: string | null;
    } = {},
  ) {
    requests = [];
    server = await serve((request, response) => {
      request.resume();
      const step = steps[Math.min(requests.length, steps.length - 1)] ?? accept;
      requests.push(`${request.method} ${request.url}`);
      step(response);
    });
    const rest = createCallbackRest({ api: `${server.url}/api`, version: "10" });
    const interaction = {
      id: "1".repeat(18),
      application_id: "2",
      token: "token",
      ...(pressed !== null && { message: { id: pressed } }),
    };
    return acknowledge(
      { interaction, answer: { type }, arrivedAt: 0 },
      { rest, random: () => 0, now: () => age(requests.length) },
    );
  }

  afterEach(() => server.close());

  it("is done at once when the platform takes it", async () => {
    expect(await run([accept])).toBe("accepted");
    expect(requests).toEqual([`POST /api/v10/interactions/${"1".repeat(18)}/token/callback`]);
  });

  it("tries again after failures and broken connections", async () => {
    expect(await run([fail, cut, fail, accept])).toBe("accepted");
    expect(requests).toHaveLength(4);
  });

  it("tries again at its own pace after a 429 that names no time", async () => {
    expect(await run([refuse(429, 0), refuse(429, 0), accept])).toBe("accepted");
    expect(requests).toHaveLength(3);
  });

  it("stops at 40060 without an earlier try, because another process has answered", async () => {
    expect(await run([refuse(400, 40060)])).toBe("expired");
    expect(requests).toHaveLength(1);
  });

  it("stops at 10062", async () => {
    expect(await run([refuse(404, 10062)])).toBe("expired");
    expect(requests).toHaveLength(1);
  });

  it("sends nothing when its time is over before the first try", async () => {
    expect(await run([accept], { age: () => tooOldMs })).toBe("expired");
    expect(requests).toEqual([]);
  });

  it("passes other refusals on", async () => {
    await expect(run([refuse(400, 50035)])).rejects.toThrow("no");
  });

  it("looks after 40060 whose earlier try was lost, because both may have been first", async () => {
    expect(await run([cut, refuse(400, 40060), thinking])).toBe("accepted");
    expect(requests[2]).toBe("GET /api/v10/webhooks/2/token/messages/%40original");
  });

  it.each([
    ["accepted", "a message that waits for its answer", { id: "8", flags: 128 + 64 }, 5],
    ["expired", "a message with a text", { id: "8", flags: 64 }, 5],
    ["accepted", "the message that was pressed", { id: "7", flags: 64 }, 6],
    ["expired", "another message than the pressed one", { id: "8", flags: 64 }, 6],
  ] as const)("is %s where it finds %s", async (result, _, message, type) => {
    expect(await run([cut, refuse(400, 40060), read(message)], { type })).toBe(result);
  });

  it("is expired where nothing was pressed and it finds a message that says nothing", async () => {
    const steps = [cut, refuse(400, 40060), read({})];

    expect(await run(steps, { pressed: null })).toBe("expired");
  });

  it("looks after its time is over whether a try arrived", async () => {
    expect(await run([hang, thinking], { age: expiresAfterFirstTry })).toBe("accepted");
    expect(requests).toHaveLength(2);
  });

  it("looks again until Discord can't have accepted anything any more", async () => {
    const age = (count: number) => (count === 0 ? 0 : 1_500 + 1_000 * count);
    expect(await run([cut, absent], { age })).toBe("expired");
    expect(requests).toHaveLength(4);
  });

  it("finds what came later than its first look", async () => {
    expect(await run([cut, absent, thinking], { age: expiresAfterFirstTry })).toBe("accepted");
  });

  it("looks again where it could not look, and gives up on a platform that never answers", async () => {
    expect(await run([cut, fail, thinking], { age: agesBy(3_000) })).toBe("accepted");
    await server.close();
    expect(await run([cut], { age: agesBy(3_000) })).toBe("unread");
    expect(requests).toHaveLength(6);
  });

  it.each([4, 8, 9])(
    "does not look for an answer of type %i, which nothing follows",
    async (type) => {
      expect(await run([cut, refuse(400, 40060)], { type })).toBe("accepted");
      await server.close();
      expect(await run([cut], { type, age: expiresAfterFirstTry })).toBe("expired");
      expect(requests).toHaveLength(1);
    },
  );
});
