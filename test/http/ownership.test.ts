import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceError } from "../../src/errors.ts";
import type { HttpRequest } from "../../src/http/index.ts";
import { LostError, whileOwned } from "../../src/ownership.ts";
import { type Answering, answering, fakeTime, openHttp, serve } from "./server.ts";

const away = new ServiceError("away", { code: "store_unavailable" });

async function rig(answer: Answering) {
  const server = await serve(answer);
  const http = openHttp({ ...fakeTime(), random: () => 0.01 });
  /** Sends a request as part of work that can ask whether it is still owned. */
  const send = (method: HttpRequest["method"], isOwned: Parameters<typeof whileOwned>[0]) =>
    whileOwned(isOwned, () => http.request({ method, url: server.url, retry: "set" }));
  return { server, send };
}

const lost = async () => false;

describe("a request of work that can be lost", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)("sends no %s after that", async (method) => {
    const { server, send } = await rig(answering(200));

    await expect(send(method, lost)).rejects.toThrow(LostError);
    expect(server.received).toHaveLength(0);
  });

  it("reads all the same", async () => {
    const { server, send } = await rig(answering(200));

    await send("GET", lost);

    expect(server.received).toHaveLength(1);
  });

  it("asks again before each repeat", async () => {
    let isMine = true;
    const { server, send } = await rig((received, response, count) => {
      isMine = count < 2;
      return answering(503)(received, response, count);
    });

    const sent = send("PUT", async () => isMine);

    await expect(sent).rejects.toMatchObject({ code: "taken_over", facts: { attempts: 2 } });
    expect(server.received).toHaveLength(2);
  });

  it("asks a store again that failed, and sends once", async () => {
    const { server, send } = await rig(answering(200));
    const isOwned = vi.fn(async () => true).mockRejectedValueOnce(away);

    const { attempts } = await send("PUT", isOwned);

    expect(attempts).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  it("asks again where the process stood still while it waited for a connection", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { server, send } = await rig(answering(200));
    const answers = [true, false];
    const isOwned = async () => {
      process.nextTick(() => vi.advanceTimersByTime(20_000));
      return answers.shift() ?? true;
    };

    await expect(send("PUT", isOwned)).rejects.toThrow(LostError);
    expect(server.received).toHaveLength(0);
  });

  it("sends nothing while the store fails", async () => {
    const { server, send } = await rig(answering(200));

    const sent = send("PUT", () => Promise.reject(away));

    await expect(sent).rejects.toMatchObject({
      code: "store_unavailable",
      outcome: "nothing",
      facts: { attempts: 0 },
    });
    expect(server.received).toHaveLength(0);
  });

  it("says that it may be done where the store fails before a repeat", async () => {
    const { server, send } = await rig(answering(503));
    const isOwned = async () => {
      if (server.received.length === 0) return true;
      throw away;
    };

    const sent = send("PUT", isOwned);

    await expect(sent).rejects.toMatchObject({ code: "store_unavailable", outcome: "unknown" });
    expect(server.received).toHaveLength(1);
  });
});
