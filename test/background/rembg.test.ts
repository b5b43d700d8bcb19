import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKeyAllowance, createRembgClient } from "../../src/background/index.ts";
import { createHttp } from "../../src/http/index.ts";
import { composeCutout } from "../../src/images/index.ts";
import { type BackgroundServer, startBackground } from "../../src/sandbox/background/index.ts";
import type { InjectedFault } from "../../src/sandbox/faults.ts";
import { see, twoHalves } from "../support/removing.ts";

let server: BackgroundServer;
let image: Buffer;
const http = createHttp();

beforeAll(async () => {
  server = await startBackground({ matting: "ellipse" });
  image = await sharp(await twoHalves(200, 150))
    .jpeg()
    .toBuffer();
});
beforeEach(() => server.faults.clear());
afterAll(async () => {
  await server.close();
  await http.close();
});

const client = (baseUrl = server.rembgUrl) =>
  createRembgClient({
    baseUrl,
    http,
    now: Date.now,
    allowance: createKeyAllowance(),
    maxBytes: 12e6,
    toJpeg: (picture) => sharp(picture).jpeg().toBuffer(),
  });

describe("createRembgClient", () => {
  it.each(["jpeg", "png", "webp"] as const)(
    "makes of the mask and the %s a cut-out as remove.bg’s, and says nothing of credits",
    async (format) => {
      const sent = await sharp(image).toFormat(format).toBuffer();

      const removal = await client().removeBackground({ image: sent, format: "zip" });

      expect(removal).toMatchObject({ format: "zip", width: 200, height: 150 });
      expect(removal.creditsCharged).toBeUndefined();
      const made = await see(await composeCutout(removal.image, { format: "png" }));
      expect(made.at(2, 2)[3]).toBe(0);
      expect(made.at(80, 75)[3]).toBe(255);
    },
  );

  it("returns the mask alone where only that is wanted", async () => {
    const { image: mask, format } = await client().removeBackground({ image, channels: "alpha" });

    expect(format).toBe("png");
    expect((await see(mask)).at(100, 75).slice(0, 3)).toEqual([255, 255, 255]);
  });

  it.each<[string, InjectedFault, object]>([
    [
      "500",
      { kind: "answer", status: 500, body: "Internal Server Error" },
      { reason: "status", answer: "Internal Server Error" },
    ],
    ["413", { kind: "answer", status: 413, body: "" }, { reason: "too_large" }],
    [
      "a redirect",
      { kind: "answer", status: 307, headers: { location: "/v1.0" } },
      { reason: "other", answer: "none" },
    ],
    ["404", { kind: "answer", status: 404, body: "Not Found" }, { reason: "other" }],
    ["a page", { kind: "answer", status: 200, body: "<html>" }, { reason: "answer" }],
    ["a cut", { kind: "cut-after" }, { reason: "cut" }],
  ])("says what went wrong after %s, and that nothing was lost", async (_, fault, facts) => {
    server.faults.add(fault);

    await expect(client().removeBackground({ image })).rejects.toMatchObject({
      code: "engine_failed",
      outcome: "nothing",
      facts,
    });
  });

  it("refuses a mask of another size", async () => {
    const body = new Uint8Array(await sharp(image).resize(100).greyscale().png().toBuffer());
    server.faults.add({ kind: "answer", status: 200, body });

    await expect(client().removeBackground({ image })).rejects.toMatchObject({
      facts: { reason: "answer" },
    });
  });

  it("says that nobody answers", async () => {
    await expect(client("http://127.0.0.1:1").removeBackground({ image })).rejects.toMatchObject({
      code: "engine_failed",
      facts: { reason: "unreachable" },
    });
  });

  it.each([502, 503, 504])("takes %i of a proxy for nobody", async (status) => {
    server.faults.add({ kind: "answer", status, times: 1 });

    await expect(client().removeBackground({ image })).rejects.toMatchObject({
      facts: { reason: "unreachable" },
    });
  });

  it("sends no addresses, and has neither account nor training", async () => {
    const imageUrl = "http://10.0.0.1/a.jpg";

    for (const call of [
      client().removeBackground({ imageUrl }),
      client().account(),
      client().improve({ image }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "engine_without" });
    }
  });

  it("knows rembg by its description", async () => {
    await expect(client().probe()).resolves.toBeUndefined();
    const other = { code: "engine_failed", facts: { reason: "other" } };
    await expect(client(server.url).probe()).rejects.toMatchObject(other);
  });
});

describe("rembg’s stand-in", () => {
  const post = (fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return fetch(`${server.rembgUrl}/api/remove`, { method: "POST", body });
  };
  const file = () => new Blob([new Uint8Array(image)]);

  it("answers a PNG with alpha without `om`", async () => {
    const answer = await post({ file: file() });

    expect(answer.headers.get("content-type")).toBe("image/png");
    const made = await see(await answer.bytes());
    expect([made.at(2, 2)[3], made.at(100, 75)[3]]).toEqual([0, 255]);
  });

  it.each([
    ["no file", { model: "u2net" }, 422],
    ["an unknown model", { file: new Blob(["x"]), model: "nothing" }, 422],
    ["what is no picture", { file: new Blob(["x"]) }, 500],
  ])("refuses %s", async (_, fields, status) => {
    expect((await post(fields)).status).toBe(status);
  });
});
