import { describe, expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import { readParams, requireMethodSpec } from "../../src/video/create-video-client.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { methods } from "../../src/video/methods/index.ts";
import { failureOf } from "../http/server.ts";

describe("readParams", () => {
  const row = methods["videos.list"];

  it("makes lists of texts with commas where the row takes lists", () => {
    const read = readParams("videos.list", row, { part: "snippet, status", id: "a,b", hl: "a,b" });

    expect(read).toEqual({ part: ["snippet", "status"], id: ["a", "b"], hl: "a,b" });
  });

  it("leaves everything else as it is", () => {
    const given = { part: "snippet", id: ["a,b"], body: { title: "a,b" } };

    expect(readParams("videos.list", row, given)).toBe(given);
  });
});

describe("requireMethodSpec", () => {
  it.each(["videos.nope", "toString", "__proto__", ""])("knows no method %j", (method) => {
    expect(() => requireMethodSpec(method)).toThrow(
      expect.objectContaining({
        code: "invalid_parameter",
        facts: expect.objectContaining({ parameter: "method", was: JSON.stringify(method) }),
      }),
    );
  });
});

/** Calls without types, as plain JavaScript makes them. */
describe("a call that nobody has checked", () => {
  const circle: Record<string, unknown> = { snippet: { title: "A title" } };
  circle.self = circle;
  const insert = { part: ["snippet"], body: circle };
  const endless = { part: ["snippet"], body: { snippet: { title: "A title" }, size: 5n } };

  it.each([
    ["videos.nope", {}, "method"],
    ["videos.list", undefined, "part"],
    ["videos.list", null, "params"],
    ["videos.list", "id=a", "params"],
    ["videos.list", { part: "snippet,nope", id: "a" }, "part"],
    ["captions.download", { id: ".." }, "id"],
    ["captions.download", { id: "." }, "id"],
    ["comments.setModerationStatus", { id: "a,".repeat(50), moderationStatus: "rejected" }, "id"],
    ["playlists.insert", insert, "body"],
    ["playlists.insert", endless, "body"],
  ])("of %s with %o is refused for its %s", async (method, params, parameter) => {
    await using http = { ...createHttp(), [Symbol.asyncDispose]: async () => http.close() };
    // Nothing listens here: any request that is sent becomes another failure.
    const client = createVideoClient({ baseUrl: "http://127.0.0.1:1/v3", token: "t", http });
    const call = client.call as (method: string, params: unknown) => Promise<unknown>;

    const error = await failureOf(call(method, params), InputError);

    expect(error.facts.parameter).toBe(parameter);
  });
});
