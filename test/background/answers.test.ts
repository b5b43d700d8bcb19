import { describe, expect, it } from "vitest";
import { jpg, png, serve, webp } from "./wire.ts";

const zip = Buffer.from("PK\x03\x04 and so on", "latin1");
const imageUrl = "https://example.com/a.png";

async function removal(headers: Record<string, string>, body: Buffer | object = png) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const { client } = await serve((_received, response) =>
    response.writeHead(200, headers).end(bytes),
  );
  return client().removeBackground({ imageUrl }, { answer: "json" });
}

const json = { "content-type": "application/json; charset=utf-8" };
const box = { foreground_top: 1, foreground_left: 2, foreground_width: 3, foreground_height: 4 };
const boxHeaders = {
  "X-Foreground-Top": "5",
  "x-foreground-left": "6",
  "X-FOREGROUND-WIDTH": "7",
  "X-Foreground-Height": "8",
};

describe("an answer in JSON", () => {
  it.each([
    ["png", png],
    ["jpg", jpg],
    ["webp", webp],
    ["zip", zip],
  ])("holds a %s, recognised by its bytes", async (format, image) => {
    const result = await removal(json, { data: { result_b64: image.toString("base64") } });

    expect([result.format, result.image]).toEqual([format, image]);
  });

  it("may be the picture itself, which was charged", async () => {
    expect(await removal(json, png)).toMatchObject({ format: "png", image: png });
  });

  it("has figures in its headers, and the foreground in its body", async () => {
    const headers = {
      ...json,
      ...boxHeaders,
      "X-Width": "40",
      "X-Height": "30",
      "X-Type": "car",
      "X-Credits-Charged": "0.25",
    };

    const result = await removal(headers, { data: { result_b64: png.toString("base64"), ...box } });

    expect(result).toMatchObject({
      width: 40,
      height: 30,
      type: "car",
      creditsCharged: 0.25,
      foreground: { top: 1, left: 2, width: 3, height: 4 },
    });
  });

  it("may leave the foreground to its headers", async () => {
    const result = await removal(
      { ...json, ...boxHeaders },
      { data: { result_b64: png.toString("base64") } },
    );

    expect(result.foreground).toEqual({ top: 5, left: 6, width: 7, height: 8 });
  });

  it.each([
    ["nothing", {}],
    ["null", { data: null }],
    ["a number", { data: { result_b64: 5 } }],
    ["no picture", { data: { result_b64: "AAAA" } }],
    ["an empty picture", { data: { result_b64: "" } }],
    ["no JSON", Buffer.from("<html>")],
    ["a list", []],
  ])("is unreadable with %s", async (_, body) => {
    await expect(removal(json, body)).rejects.toThrow(
      expect.objectContaining({ code: "unreadable_answer", outcome: "unknown" }),
    );
  });

  it("may come although the file was asked for, and the other way round", async () => {
    expect((await removal({ "content-type": "image/webp" }, webp)).format).toBe("webp");
  });
});

describe("the format of an answer", () => {
  it.each([
    ["image/png", "jpg", jpg],
    ["image/png", "webp", webp],
    ["image/png", "zip", zip],
    ["image/jpeg", "png", png],
    ["image/webp", "jpg", jpg],
    ["application/zip", "png", png],
    ["application/octet-stream", "webp", webp],
    ["text/plain", "png", png],
  ])("is what the bytes are, whatever they are called: %s, %s", async (type, format, body) => {
    expect((await removal({ "content-type": type }, body)).format).toBe(format);
  });

  it("is what it is called if the bytes say nothing, with its charge", async () => {
    const headers = { "content-type": "image/png", "x-credits-charged": "1" };

    const result = await removal(headers, Buffer.from("<html>"));

    expect(result).toMatchObject({ format: "png", creditsCharged: 1 });
  });
});

describe("the foreground", () => {
  const size = { "content-type": "image/png", "x-width": "20", "x-height": "10" };
  const at = (top: string, left: string, width: string, height: string) => ({
    "x-foreground-top": top,
    "x-foreground-left": left,
    "x-foreground-width": width,
    "x-foreground-height": height,
  });

  it("is returned when it lies in the result", async () => {
    expect((await removal({ ...size, ...at("0", "0", "20", "10") })).foreground).toEqual({
      top: 0,
      left: 0,
      width: 20,
      height: 10,
    });
  });

  it.each([
    ["too wide", at("0", "1", "20", "10")],
    ["too high", at("1", "0", "20", "10")],
    ["left of it", at("0", "-1", "5", "5")],
    ["no number", at("0", "x", "5", "5")],
    ["a fraction", at("0", "0.5", "5", "5")],
    ["incomplete", { "x-foreground-top": "1" }],
    ["empty", at("0", "0", "0", "5")],
  ])("is left out when it is %s", async (_, headers) => {
    expect((await removal({ ...size, ...headers })).foreground).toBeUndefined();
  });
});

describe("the foreground of an input above 25 megapixels", () => {
  const box = { "x-foreground-top": "1", "x-foreground-left": "2" };
  const size = { "x-foreground-width": "300", "x-foreground-height": "400" };

  it.each([
    // For a smaller result it is unknown whether the box is given in pixels of the input or of the result.
    [30, "5000", "5000", undefined],
    [30, "6000", "5000", { top: 1, left: 2, width: 300, height: 400 }],
    [24, "500", "500", { top: 1, left: 2, width: 300, height: 400 }],
  ])("of %d megapixels as %s × %s is %j", async (megapixels, width, height, expected) => {
    const headers = { ...box, ...size, "x-width": width, "x-height": height };
    const { client } = await serve((_received, response) =>
      response.writeHead(200, { "content-type": "image/png", ...headers }).end(png),
    );

    const { foreground } = await client().removeBackground({ imageUrl, megapixels });

    expect(foreground).toEqual(expected);
  });
});

describe("figures in headers", () => {
  it.each([
    ["0", 0],
    ["0.25", 0.25],
    [" 1 ", 1],
    ["", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
    ["-1", undefined],
    ["0x10", undefined],
    ["1e3", undefined],
    ["1, 1", undefined],
  ])("are decimals or absent: %j", async (header, charged) => {
    const result = await removal({ "content-type": "image/png", "x-credits-charged": header });

    expect(result.creditsCharged).toBe(charged);
  });
});
