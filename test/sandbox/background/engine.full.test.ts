import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../../src/sandbox/background/index.ts";
import { readSamples } from "../../../src/sandbox/welcome.ts";
import { complaintsOf, post, see } from "../../support/removing.ts";

let server: BackgroundServer;
let pictures: ReadonlyMap<string, Uint8Array>;

beforeAll(async () => {
  server = await startBackground({ credits: 1000 });
  pictures = new Map((await readSamples()).map(({ name, data }) => [name, data]));
});

afterAll(() => server.close());

function cut(name: string, fields: Record<string, string>): Promise<Response> {
  const image = pictures.get(name) ?? new Uint8Array();
  return post(server, "removebg", { image, fields: { size: "auto", ...fields } });
}

const corners = [
  [0.01, 0.01],
  [0.99, 0.01],
  [0.01, 0.99],
  [0.99, 0.99],
] as const;

describe("the network", () => {
  it.each([
    ["coffee.jpg", [0.5, 0.5], corners],
    ["astronaut.jpg", [0.45, 0.7], corners.slice(0, 2)],
  ] as const)("finds the subject of %s", async (name, inside, outside) => {
    const seen = await see(await (await cut(name, { format: "png" })).bytes());
    const opacity = ([x, y]: readonly [number, number]): number =>
      seen.at(Math.floor(x * seen.width), Math.floor(y * seen.height))[3];

    expect(opacity(inside)).toBe(255);
    expect(outside.map(opacity)).toEqual(outside.map(() => 0));
  });

  it("makes the same matte for ZIP and PNG, and leaves no colour under clear pixels of the PNG", async () => {
    const [zip, png] = await Promise.all(
      ["zip", "png"].map(async (format) => (await cut("coffee.jpg", { format })).bytes()),
    );
    const files = unzipSync(zip ?? new Uint8Array());
    const matte = await sharp(files["alpha.png"]).extractChannel(0).raw().toBuffer();
    const color = await sharp(files["color.jpg"]).raw().toBuffer();
    const rgba = await sharp(png).raw().toBuffer();
    const pixels = Array.from(matte, (_, i) => i);
    const clear = pixels.filter((i) => matte[i] === 0);
    const reds = clear.reduce((sum, i) => sum + (color[i * 3] ?? 0), 0);

    expect(pixels.every((i) => rgba[i * 4 + 3] === matte[i])).toBe(true);
    expect(clear.length).toBeGreaterThan(10_000);
    expect(clear.every((i) => rgba.readUIntBE(i * 4, 3) === 0)).toBe(true);
    // The JPEG, unlike the PNG, still shows the table on which the cup stands.
    expect(reds / clear.length).toBeGreaterThan(20);
  });

  it("knows when there is no subject", async () => {
    const grey = { width: 400, height: 300, channels: 3, background: "#808080" } as const;
    const image = await sharp({ create: grey }).jpeg().toBuffer();

    expect(await complaintsOf(await post(server, "removebg", { image }))).toEqual([
      400,
      "unknown_foreground",
    ]);
  });
});

describe("the process it lives in", () => {
  it("goes on while a picture is worked on", async () => {
    await cut("coffee.jpg", {});
    const order: string[] = [];
    const noise = { width: 1_200, height: 1_200, channels: 3, background: "#840" } as const;
    const image = await sharp({ create: { ...noise, noise: { type: "gaussian", sigma: 40 } } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const working = post(server, "removebg", { image, fields: { size: "full", format: "zip" } });
    const worked = working.then(() => order.push("the picture"));
    for (let turn = 0; turn < 3; turn += 1) {
      await complaintsOf(await post(server, "removebg", { fields: { size: "full" } }));
      order.push("another answer");
    }
    await worked;

    expect(order[0]).toBe("another answer");
  });
});
