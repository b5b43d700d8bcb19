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

const tooOldMs = 2_400;
const expiresAfterFirstTry = (count: number) => (count === 0 ? 0 : tooOldMs);

describe("acknowledge", () => {
  let server: TestServer;
  let sent = 0;

  /** `age` tells how old the interaction is, given how many tries have been sent. */
  async function run(steps: readonly Step[], age: (sent: number) => number = () => 0) {
    sent = 0;
    server = await serve((request, response) => {
      request.resume();
      const step = steps[Math.min(sent, steps.length - 1)] ?? accept;
      sent += 1;
      step(response);
    });
    const rest = createCallbackRest({ api: `${server.url}/api`, version: "10" });
    const outcome = await acknowledge({ id: "1".repeat(18), token: "token" }, { type: 5 }, 0, {
      rest,
      random: () => 0.5,
      now: () => age(sent),
    });
    return { outcome };
  }

  afterEach(() => server.close());

  it("is done at once when the platform takes it", async () => {
    const { outcome } = await run([accept]);

    expect({ outcome, sent }).toEqual({ outcome: "accepted", sent: 1 });
  });

  it("tries again after failures and broken connections", async () => {
    const { outcome } = await run([fail, cut, fail, accept]);

    expect({ outcome, sent }).toEqual({ outcome: "accepted", sent: 4 });
  });

  it("tries again at its own pace after a 429 that names no time", async () => {
    const { outcome } = await run([refuse(429, 0), refuse(429, 0), accept]);

    expect({ outcome, sent }).toEqual({ outcome: "accepted", sent: 3 });
  });

  it("takes 40060 for success, because an earlier try got through", async () => {
    const { outcome } = await run([cut, refuse(400, 40060)]);

    expect({ outcome, sent }).toEqual({ outcome: "accepted", sent: 2 });
  });

  it("stops at 40060 without an earlier try, because another process has answered", async () => {
    const { outcome } = await run([refuse(400, 40060)]);

    expect({ outcome, sent }).toEqual({ outcome: "expired", sent: 1 });
  });

  it("stops at 10062", async () => {
    const { outcome } = await run([refuse(404, 10062)]);

    expect({ outcome, sent }).toEqual({ outcome: "expired", sent: 1 });
  });

  it("learns after its time is over that a try arrived whose answer was lost", async () => {
    const { outcome } = await run([cut, cut, refuse(400, 40060)], expiresAfterFirstTry);

    expect({ outcome, sent }).toEqual({ outcome: "accepted", sent: 3 });
  });

  it("learns after its time is over that no try arrived", async () => {
    const { outcome } = await run([cut, refuse(404, 10062)], expiresAfterFirstTry);

    expect({ outcome, sent }).toEqual({ outcome: "expired", sent: 2 });
  });

  it("sends nothing when its time is over before the first try", async () => {
    const { outcome } = await run([accept], () => tooOldMs);

    expect({ outcome, sent }).toEqual({ outcome: "expired", sent: 0 });
  });

  it("gives up on a platform that never answers", async () => {
    const { outcome } = await run([hang], expiresAfterFirstTry);

    expect(outcome).toBe("expired");
  });

  it("passes other refusals on", async () => {
    await expect(run([refuse(400, 50035)])).rejects.toThrow("no");
  });
});
