import { describe, expect, it } from "vitest";
import { encodeCall } from "../../src/video/encode.ts";
import { methods } from "../../src/video/index.ts";
import { things } from "./check/things.ts";

const good = { part: ["id"], id: "a", body: {} };

describe("encode", () => {
  it("fills the path, keeps that parameter out of the query and writes the body as JSON", () => {
    const given = { ...good, id: "a/b $&", body: { snippet: { title: "x" } } };

    const { path, query, body } = encodeCall("things.set", things, given);

    expect(path).toBe("/things/a%2Fb%20%24%26");
    expect(query).toBe("part=id");
    expect(body).toBe('{"snippet":{"title":"x"}}');
  });

  it("encodes any text, half a surrogate pair too", () => {
    const { query } = encodeCall("things.set", things, { ...good, many: ["ü&=+ /", "cut \ud83d"] });

    expect(new URLSearchParams(query).get("many")).toBe("ü&=+ /,cut \ufffd");
  });

  it("has no body where the row has none, or none was given", () => {
    const { body: _body, ...bare } = things;
    const media = { data: new Uint8Array(1), type: "image/png" };
    const { body } = encodeCall("watermarks.set", methods["watermarks.set"], {
      channelId: "a",
      media,
    });

    expect(encodeCall("things.get", bare, { part: ["id"], id: "a" }).body).toBeUndefined();
    expect(body).toBeUndefined();
  });

  it("gives equal wishes one address, whatever order they came in", () => {
    const one = { id: "a", part: ["snippet", "id", "id"], count: 2, fields: "id", body: {} };
    const other = { body: {}, fields: "id", count: 2, part: ["id", "snippet"], id: "a" };

    const { query } = encodeCall("things.set", things, one);

    expect(query).toBe("part=id%2Csnippet&count=2&fields=id");
    expect(encodeCall("things.set", things, other).query).toBe(query);
  });

  it("keeps the order of ids", () => {
    const { query } = encodeCall("things.set", things, { ...good, many: ["b", "a"] });

    expect(new URLSearchParams(query).get("many")).toBe("b,a");
  });

  it("sends times as the service writes them, in bodies too", () => {
    const at = new Date(Date.UTC(2026, 0, 31, 12));
    const { query, body } = encodeCall("things.set", things, { ...good, at, body: { at } });

    expect(new URLSearchParams(query).get("at")).toBe("2026-01-31T12:00:00.000Z");
    expect(body).toBe('{"at":"2026-01-31T12:00:00.000Z"}');
  });

  it("sends nothing of what is empty or a filter that was not chosen", () => {
    const given = { ...good, many: [], fields: "", one: false, flag: false, count: undefined };

    expect(encodeCall("things.set", things, given).query).toBe("part=id&flag=false");
  });
});
