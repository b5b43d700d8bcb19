import { describe, expect, it } from "vitest";
import { createIdentifyThrottler } from "../../../src/discord/gateway/identify-throttler.ts";
import { createLog, createSecrets } from "../../../src/log.ts";

const lines: Readonly<Record<string, unknown>>[] = [];
const write = (line: string) => void lines.push(JSON.parse(line));
const log = createLog({ level: "debug", secrets: createSecrets(), write });
const { signal } = new AbortController();

describe("createIdentifyThrottler", () => {
  it("asks for one turn in a bucket at a time, and for all buckets at once", async () => {
    const asked: number[] = [];
    const first = Promise.withResolvers<number>();
    const identifyTurn = async (bucket: number) => {
      asked.push(bucket);
      return asked.length === 1 ? first.promise : 0;
    };
    const throttler = createIdentifyThrottler(2, { identifyTurn, log });

    const turns = [0, 1, 2].map((shard) => throttler.waitForIdentify(shard, signal));
    await turns[1];
    expect(asked).toEqual([0, 1]);
    first.resolve(0);
    await Promise.all(turns);

    expect(asked).toEqual([0, 1, 0]);
  });

  it("asks again when the bucket has rested, and after a failure of the store", async () => {
    const answers = [async () => 5, () => Promise.reject(new Error("away")), async () => 0];
    const identifyTurn = async () => answers.shift()?.() ?? 0;
    const throttler = createIdentifyThrottler(1, { identifyTurn, log });

    await throttler.waitForIdentify(0, signal);

    expect(answers).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual(["no turn to identify was given"]);
  });

  it("passes over a connection that has closed meanwhile", async () => {
    const stopping = new AbortController();
    const asked = Promise.withResolvers<void>();
    const answers = [60_000];
    const identifyTurn = async () => {
      asked.resolve();
      return answers.shift() ?? 0;
    };
    const throttler = createIdentifyThrottler(1, { identifyTurn, log });
    const closed = throttler.waitForIdentify(0, stopping.signal);
    const next = throttler.waitForIdentify(1, signal);

    await asked.promise;
    stopping.abort(new Error("closed"));

    await expect(closed).rejects.toThrow("closed");
    await next;
  });
});
