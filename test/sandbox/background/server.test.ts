import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../../src/sandbox/background/index.ts";
import { readSamples } from "../../../src/sandbox/samples/index.ts";
import type { SandboxFile } from "../../../src/sandbox/types.ts";

let server: BackgroundServer;
let samples: SandboxFile[];
let coffee: Uint8Array;

beforeAll(async () => {
  server = await startBackground({ credits: 1000 });
  samples = await readSamples();
  coffee = samples.find(({ name }) => name === "coffee.jpg")?.data ?? new Uint8Array();
});

afterAll(() => server.close());

interface Asking {
  readonly image?: Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly to?: BackgroundServer;
}

function ask({
  image = coffee,
  fields = {},
  headers = {},
  to = server,
}: Asking): Promise<Response> {
  const body = new FormData();
  body.set("image_file", new Blob([Uint8Array.from(image)]), "picture");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const key = { "X-Api-Key": to.key, ...headers };
  return fetch(`${to.url}/removebg`, { method: "POST", headers: key, body });
}

async function codeOf(response: Response): Promise<unknown> {
  const { errors } = (await response.json()) as { errors: { title: string; code?: string }[] };
  return [response.status, errors[0]?.code ?? errors[0]?.title];
}

async function alphaOf(
  bytes: Uint8Array,
): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

describe("POST /removebg cuts out", () => {
  it.each([
    [
      "coffee.jpg",
      [0.5, 0.5],
      [
        [0.01, 0.01],
        [0.99, 0.01],
        [0.01, 0.99],
        [0.99, 0.99],
      ],
    ],
    [
      "astronaut.jpg",
      [0.45, 0.7],
      [
        [0.01, 0.01],
        [0.99, 0.01],
      ],
    ],
  ] as const)("the subject of %s", async (name, inside, outside) => {
    const image = samples.find((sample) => sample.name === name)?.data ?? new Uint8Array();
    const response = await ask({ image, fields: { size: "auto", format: "png" } });
    const { data, width, height } = await alphaOf(await response.bytes());
    const at = ([x, y]: readonly [number, number]): number | undefined =>
      data[Math.floor(y * height) * width + Math.floor(x * width)];

    expect(at(inside)).toBe(255);
    expect(outside.map(at)).toEqual(outside.map(() => 0));
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(Number(response.headers.get("x-width"))).toBe(width);
    expect(Number(response.headers.get("x-height"))).toBe(height);
  });

  it("with the same matte in ZIP and PNG, and no colour under clear pixels of the PNG", async () => {
    const [zip, png] = await Promise.all(
      ["zip", "png"].map(async (format) =>
        (await ask({ fields: { size: "auto", format } })).bytes(),
      ),
    );
    const files = unzipSync(zip ?? new Uint8Array());
    const matte = await sharp(files["alpha.png"]).extractChannel(0).raw().toBuffer();
    const rgba = await sharp(png).raw().toBuffer();
    const color = await sharp(files["color.jpg"]).raw().toBuffer();
    const pixels = Array.from(matte, (_, i) => i);

    expect(Object.keys(files)).toEqual(["color.jpg", "alpha.png"]);
    expect(pixels.every((i) => rgba[i * 4 + 3] === matte[i])).toBe(true);
    const clear = pixels.filter((i) => matte[i] === 0);
    expect(clear.length).toBeGreaterThan(10_000);
    expect(clear.every((i) => rgba.readUIntBE(i * 4, 3) === 0)).toBe(true);
    // The JPEG still shows the table that the cup stands on.
    expect(clear.reduce((sum, i) => sum + (color[i * 3] ?? 0), 0) / clear.length).toBeGreaterThan(
      20,
    );
  });

  it("onto a colour, cropped to the subject with its margin", async () => {
    const fields = { size: "auto", bg_color: "81d4fa", crop: "true", crop_margin: "10px" };
    const response = await ask({ fields });
    const bytes = await response.bytes();
    const { width, height } = await sharp(bytes).metadata();
    const [red = 0, green = 0, blue = 0] = await sharp(bytes).raw().toBuffer();
    const header = (name: string): number => Number(response.headers.get(`x-foreground-${name}`));

    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect([width, height]).toEqual([header("width") + 20, header("height") + 20]);
    expect([header("left"), header("top")]).toEqual([10, 10]);
    expect(Math.abs(red - 0x81) + Math.abs(green - 0xd4) + Math.abs(blue - 0xfa)).toBeLessThan(9);
  });

  it("to a preview of at most a quarter megapixel, as WebP", async () => {
    const image = samples.find(({ name }) => name === "astronaut.jpg")?.data ?? new Uint8Array();
    const response = await ask({ image, fields: { format: "webp" } });
    const { width, height, format, hasAlpha } = await sharp(await response.bytes()).metadata();

    expect([format, hasAlpha]).toEqual(["webp", true]);
    expect(width * height).toBeLessThanOrEqual(250_000);
    expect(width * height).toBeGreaterThan(248_000);
    expect(response.headers.get("x-credits-charged")).toBe("0.25");
  });

  it("to the grey matte alone when channels=alpha", async () => {
    const response = await ask({ fields: { channels: "alpha", type_level: "none" } });
    const { channels, hasAlpha } = await sharp(await response.bytes()).metadata();

    expect([channels, hasAlpha]).toEqual([1, false]);
    expect(response.headers.has("x-type")).toBe(false);
  });

  it("onto a picture that covers the canvas", async () => {
    const blue = await sharp({ create: { width: 30, height: 90, channels: 3, background: "#00f" } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.set("image_file", new Blob([Uint8Array.from(coffee)]), "cup.jpg");
    body.set("bg_image_file", new Blob([Uint8Array.from(blue)]), "blue.png");
    body.set("format", "png");
    const headers = { "X-Api-Key": server.key };
    const response = await fetch(`${server.url}/removebg`, { method: "POST", headers, body });

    expect([
      ...(
        await sharp(await response.bytes())
          .raw()
          .toBuffer()
      ).subarray(0, 3),
    ]).toEqual([0, 0, 255]);
  });
});

describe("POST /removebg answers", () => {
  it("JSON when that is what the caller accepts, with sizes and costs in headers", async () => {
    const response = await ask({ headers: { Accept: "application/json" } });
    const { data } = (await response.json()) as { data: { result_b64: string } };

    expect(Object.keys(data)).toEqual([
      "result_b64",
      "foreground_top",
      "foreground_left",
      "foreground_width",
      "foreground_height",
    ]);
    expect(Buffer.from(data.result_b64, "base64").subarray(1, 4).toString()).toBe("PNG");
    expect(response.headers.get("x-credits-charged")).toBe("0.25");
    expect(response.headers.get("x-ratelimit-limit")).toBe("500");
  });

  it("a picture by address, from loopback only", async () => {
    const host = createServer((_, answer) => answer.end(coffee)).listen(0, "127.0.0.1");
    await once(host, "listening");
    const post = (image_url: string): Promise<Response> =>
      fetch(`${server.url}/removebg`, {
        method: "POST",
        headers: { "X-Api-Key": server.key, "Content-Type": "application/json" },
        body: JSON.stringify({ image_url }),
      });
    const near = await post(`http://127.0.0.1:${(host.address() as AddressInfo).port}/cup.jpg`);
    host.close();

    expect(near.status).toBe(200);
    expect(await codeOf(await post("https://example.com/cup.jpg"))).toEqual([
      400,
      "failed_image_download",
    ]);
    expect(await codeOf(await post("cup.jpg"))).toEqual([400, "invalid_image_url"]);
  });

  it("a picture in base64, in a form or with its data prefix", async () => {
    const base64 = Buffer.from(coffee).toString("base64");
    const body = new URLSearchParams({
      image_file_b64: `data:image/jpeg;base64,${base64}`,
      crop: "",
    });
    const headers = { "X-Api-Key": server.key };
    const response = await fetch(`${server.url}/removebg`, { method: "POST", headers, body });

    expect(response.status).toBe(200);
  });
});

describe("POST /removebg refuses", () => {
  it("a picture without a subject, and charges nothing", async () => {
    const before = await account();
    const grey = { width: 400, height: 300, channels: 3, background: "#808080" } as const;
    const image = await sharp({ create: grey }).jpeg().toBuffer();
    const response = await ask({ image });

    expect(await codeOf(response)).toEqual([400, "unknown_foreground"]);
    expect(await account()).toEqual(before);
    const names = [...response.headers.keys()];
    expect(names.filter((name) => /ratelimit|credits|retry/.test(name))).toEqual([]);
  });

  it.each([
    ["no picture", {}, "missing_source"],
    [
      "two pictures",
      { image_url: "http://127.0.0.1/a", image_file_b64: "AAAA" },
      "multiple_sources",
    ],
    ["a text file", { image_file_b64: btoa("just words") }, "invalid_file_type"],
    ["a GIF", { image_file_b64: btoa("GIF89a...........") }, "invalid_file_type"],
    ["a JPEG without a frame", { image_file_b64: btoa("\xff\xd8\xff\xd9") }, "invalid_dimensions"],
  ])("%s", async (_, fields, code) => {
    const response = await fetch(`${server.url}/removebg`, {
      method: "POST",
      headers: { "X-Api-Key": server.key },
      body: new URLSearchParams(fields),
    });

    expect(await codeOf(response)).toEqual([400, code]);
  });

  it("a picture whose data is broken", async () => {
    const image = Uint8Array.from(coffee).fill(0, 700);

    expect(await codeOf(await ask({ image: image.subarray(0, 900) }))).toEqual([
      400,
      "failed_to_read_image",
    ]);
  });

  it("a header that declares more than 50 megapixels", async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    png.writeUInt32BE(8000, 16);
    png.writeUInt32BE(6251, 20);

    expect(await codeOf(await ask({ image: png }))).toEqual([400, "resolution_too_high"]);
  });

  it.each([13, 20])("a file of %i MB", async (megabytes) => {
    const image = new Uint8Array(megabytes * 1024 * 1024);

    expect(await codeOf(await ask({ image }))).toEqual([400, "file_too_large"]);
  });

  it.each([
    ["0px 0px 700px 10px", "roi_exceeds_bounds"],
    ["50% 0% 50% 100%", "roi_region_empty"],
  ])("the region %s", async (roi, code) => {
    expect(await codeOf(await ask({ fields: { roi } }))).toEqual([400, code]);
  });

  it("a wrong key and a missing one", async () => {
    const wrong = await ask({ headers: { "X-Api-Key": "nope" } });
    const missing = await fetch(`${server.url}/account`);

    expect(await codeOf(wrong)).toEqual([403, "auth_failed"]);
    expect(await missing.json()).toEqual({
      errors: [{ title: "Missing API Key", code: "auth_failed" }],
    });
  });

  it("work when the credits are gone", async () => {
    const poor = await startBackground({ credits: 0.5, matting: "ellipse" });
    const response = await ask({ to: poor, fields: { size: "full" } });
    await poor.close();

    expect(await codeOf(response)).toEqual([402, "Insufficient credits"]);
  });
});

describe("startBackground", () => {
  it("answers with a fault when one is armed", async () => {
    server.faults.add({ kind: "answer", status: 503, body: "<html>", times: 1 });
    const first = await fetch(`${server.url}/account`, { headers: { "X-Api-Key": server.key } });
    const second = await fetch(`${server.url}/account`, { headers: { "X-Api-Key": server.key } });

    expect([first.status, second.status]).toEqual([503, 200]);
  });
});

async function account(): Promise<unknown> {
  const headers = { "X-Api-Key": server.key };
  return (await fetch(`${server.url}/account`, { headers })).json();
}
