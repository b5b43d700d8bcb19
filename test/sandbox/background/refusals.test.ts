import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../../src/sandbox/background/index.ts";
import { complaintsOf, post, twoHalves } from "../../support/removing.ts";
import { createWebClient } from "../../support/web-client.ts";

let server: BackgroundServer;
let image: Buffer;
let host: Server;
let address: string;

beforeAll(async () => {
  server = await startBackground({ matting: "ellipse", credits: 1 });
  image = await twoHalves(200, 150);
  host = createServer((_, answer) => answer.end("no picture")).listen(0, "127.0.0.1");
  await once(host, "listening");
  address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});

afterAll(async () => {
  host.close();
  await server.close();
});

interface Case {
  readonly image?: () => Uint8Array;
  readonly noImage?: true;
  readonly fields?: () => Readonly<Record<string, string>>;
  readonly files?: () => Readonly<Record<string, Uint8Array>>;
}

function pngOf(width: number, height: number): Uint8Array {
  const png = Buffer.from(image);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** One request for each code of docs/services/removebg.md#errors */
const cases: Readonly<Record<string, Case>> = {
  missing_source: { noImage: true },
  multiple_sources: { fields: () => ({ image_url: address }) },
  invalid_image_url: { noImage: true, fields: () => ({ image_url: "nowhere" }) },
  failed_image_download: { noImage: true, fields: () => ({ image_url: "http://192.0.2.1/" }) },
  file_too_large: { image: () => new Uint8Array(12 * 1024 * 1024 + 1) },
  invalid_file_type: { image: () => Buffer.from("GIF89a...........") },
  invalid_dimensions: { image: () => pngOf(0, 150) },
  failed_to_read_image: { image: () => image.subarray(0, 120) },
  resolution_too_high: { image: () => pngOf(8000, 6251) },
  unknown_foreground: { fields: () => ({ roi: "0px 0px 10px 10px" }) },
  invalid_size: { fields: () => ({ size: "huge" }) },
  invalid_format: { fields: () => ({ format: "gif" }) },
  invalid_channels: { fields: () => ({ channels: "rgb" }) },
  invalid_roi: { fields: () => ({ roi: "everywhere" }) },
  roi_exceeds_bounds: { fields: () => ({ roi: "0px 0px 201px 150px" }) },
  roi_region_empty: { fields: () => ({ roi: "50% 0% 50% 100%" }) },
  invalid_crop_margin: { fields: () => ({ crop_margin: "wide" }) },
  invalid_scale: { fields: () => ({ scale: "9%" }) },
  invalid_position: { fields: () => ({ position: "left" }) },
  invalid_semitransparency: { fields: () => ({ semitransparency: "maybe" }) },
  invalid_bg_color: { fields: () => ({ bg_color: "12345" }) },
  invalid_bg_image_url: { fields: () => ({ bg_image_url: "nowhere" }) },
  failed_bg_download: { fields: () => ({ bg_image_url: "http://192.0.2.1/" }) },
  multiple_bg_sources: { fields: () => ({ bg_color: "fff", bg_image_url: address }) },
  multiple_shadow_params: { fields: () => ({ add_shadow: "true", shadow_type: "drop" }) },
  invalid_shadow_opacity: { fields: () => ({ shadow_opacity: "101" }) },
};

/** Codes whose answer has a detail besides the title. */
const detailed = [
  "missing_source",
  "file_too_large",
  "invalid_file_type",
  "invalid_dimensions",
  "resolution_too_high",
  "roi_exceeds_bounds",
  "roi_region_empty",
];

function ask({ noImage, ...given }: Case): Promise<Response> {
  return post(server, "removebg", {
    ...(noImage === undefined && { image: given.image?.() ?? image }),
    fields: given.fields?.() ?? {},
    files: given.files?.() ?? {},
  });
}

describe("POST /removebg refuses with a 400", () => {
  it.each(Object.keys(cases))("%s", async (code) => {
    const response = await ask(cases[code] ?? {});
    const { errors } = (await response.json()) as { errors: Record<string, string>[] };
    const names = [...response.headers.keys()];

    expect(response.status).toBe(400);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code, title: expect.stringMatching(/\w/) });
    expect("detail" in (errors[0] ?? {})).toBe(
      detailed.includes(code) || code === "multiple_sources",
    );
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(names.filter((name) => /ratelimit|credits|retry/.test(name))).toEqual([]);
  });

  it("several at once, the picture's first", async () => {
    const fields = () => ({ size: "x", roi: "y", bg_color: "z", image_url: "nowhere" });

    expect(await complaintsOf(await ask({ noImage: true, fields }))).toEqual([
      400,
      "invalid_image_url",
      "invalid_size",
      "invalid_bg_color",
      "invalid_roi",
    ]);
  });

  it("what the file is instead of a picture", async () => {
    const response = await ask({ image: () => Buffer.from("GIF89a...........") });
    const { errors } = (await response.json()) as { errors: { detail: string }[] };

    expect(errors[0]?.detail).toBe(
      "Expected image/png, image/jpeg, image/webp; received image/gif.",
    );
  });

  it.each([
    ["of no type that is taken", () => Buffer.from("words"), "invalid_file_type"],
    ["too large", () => new Uint8Array(12 * 1024 * 1024 + 1), "file_too_large"],
    ["broken", () => image.subarray(0, 120), "failed_to_read_image"],
  ])("a picture behind that is %s", async (_, bytes, code) => {
    const response = await ask({ files: () => ({ bg_image_file: bytes() }) });

    expect(await complaintsOf(response)).toEqual([400, code]);
  });

  it("a body beyond anything that is taken", async () => {
    const response = await ask({ image: () => new Uint8Array(31 * 1024 * 1024) });

    expect(await complaintsOf(response)).toEqual([400, "file_too_large"]);
  });

  it("and charges nothing for any of it", async () => {
    const response = await fetch(`${server.url}/account`, { headers: { "X-Api-Key": server.key } });

    expect(await response.json()).toMatchObject({
      data: { attributes: { credits: { total: 1 } } },
    });
  });
});

describe("every operation refuses with a 403", () => {
  it.each(["removebg", "improve", "account"])(
    "a wrong key and a missing one: /%s",
    async (path) => {
      const method = path === "account" ? "GET" : "POST";
      const [wrong, missing] = await Promise.all([
        fetch(`${server.url}/${path}`, { method, headers: { "X-Api-Key": "nope" } }),
        fetch(`${server.url}/${path}`, { method }),
      ]);

      expect([wrong.status, await wrong.json()]).toEqual([
        403,
        { errors: [{ title: "API Key invalid", code: "auth_failed" }] },
      ]);
      expect([missing.status, await missing.json()]).toEqual([
        403,
        { errors: [{ title: "Missing API Key", code: "auth_failed" }] },
      ]);
    },
  );

  it("keys that only begin or end like the right one", async () => {
    const { key, url } = server;
    const keys = [key.slice(0, -1), `${key}x`, key.toUpperCase(), "é".repeat(key.length)];

    const answers = await Promise.all(
      keys.map((given) => fetch(`${url}/account`, { headers: { "X-Api-Key": given } })),
    );

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it("names of other machines, and other ports, before it looks at the key", async () => {
    const { port } = new URL(server.url);
    const client = createWebClient(Number(port));
    const statusFor = async (Host: string) => {
      const asked = { headers: { Host, "X-Api-Key": server.key } };
      return (await client.ask("/v1.0/account", asked)).status;
    };
    const own = ["127.0.0.1", "localhost", "LocalHost", "[::1]"].map((name) => `${name}:${port}`);
    const names = ["rebound.example", "127.0.0.1.rebound.example", "127.0.0.2"];
    const foreign = [
      ...names.map((name) => `${name}:${port}`),
      ...["127.0.0.1", "127.0.0.1:1", "localhost"],
    ];

    const statuses = [
      await Promise.all(own.map(statusFor)),
      await Promise.all(foreign.map(statusFor)),
    ];
    client.close();

    expect(statuses).toEqual([own.map(() => 200), foreign.map(() => 403)]);
  });
});
