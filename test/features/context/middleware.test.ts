import { describe, expect, it } from "vitest";
import {
  clientThatSends,
  compose,
  type Middleware,
  type VideoCall,
} from "../../../src/features/context/middleware.ts";

const wanted = { part: ["id"], playlistId: "PL" } as const;

describe("compose", () => {
  it("sends a call through each in their order, and the answer back", async () => {
    const steps: string[] = [];
    const step =
      (name: string): Middleware =>
      async (call, next) => {
        steps.push(`${name} asks`);
        const answer = await next(call);
        steps.push(`${name} answers`);
        return answer;
      };
    const send = compose([step("one"), step("two")], async ({ method }) => method);

    expect(await send({ method: "videos.list", params: {} })).toBe("videos.list");
    expect(steps).toEqual(["one asks", "two asks", "two answers", "one answers"]);
  });
});

describe("clientThatSends", () => {
  it("walks a list by calls that say whether they are the first", async () => {
    const calls: VideoCall[] = [];
    const client = clientThatSends(async (call) => {
      calls.push(call);
      return { items: [], ...(calls.length < 3 && { nextPageToken: `${calls.length}` }) };
    });

    for await (const _ of client.pages("playlistItems.list", wanted));

    expect(calls.map(({ page, params }) => [page, params.pageToken])).toEqual([
      ["first", undefined],
      ["later", "1"],
      ["later", "2"],
    ]);
  });

  it("ends a walk with its signal, whether or not a call is sent", async () => {
    const stop = new AbortController();
    const client = clientThatSends(async () => ({ items: [], nextPageToken: "again" }));

    const walk = client.pages("playlistItems.list", wanted, { signal: stop.signal });
    await walk.next();
    stop.abort(new Error("cancelled"));

    await expect(walk.next()).rejects.toThrow("cancelled");
  });
});
