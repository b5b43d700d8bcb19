import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import type { BackgroundServer } from "../../src/sandbox/background/index.ts";

/** The multipart form of a POST to /removebg or /improve. */
export interface Asking {
  readonly image?: Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a form to the stand-in, without a picture if none is given. */
export function post(
  to: Pick<BackgroundServer, "url" | "key">,
  path: "removebg" | "improve",
  { image, fields = {}, files = {}, headers = {} }: Asking,
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const [name, bytes] of Object.entries({ ...(image && { image_file: image }), ...files })) {
    body.set(name, new Blob([new Uint8Array(bytes)]), "picture");
  }
  const key = { "X-Api-Key": to.key };
  return fetch(`${to.url}/${path}`, { method: "POST", headers: { ...key, ...headers }, body });
}

/** A PNG with an orange and a blue half, which makes edges and positions easy to recognise. */
export function twoHalves(width: number, height: number): Promise<Buffer> {
  const half = { width: Math.floor(width / 2), height, channels: 3, background: "#08f" } as const;
  return sharp({ create: { width, height, channels: 3, background: "#f80" } })
    .composite([{ input: { create: half }, left: Math.ceil(width / 2), top: 0 }])
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A decoded picture with a way to read the red, green, blue and opacity of a pixel. */
export interface Seen {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): readonly [number, number, number, number];
}

export async function see(bytes: Uint8Array): Promise<Seen> {
  const { data, info } = await sharp(bytes)
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => {
      const i = (y * info.width + x) * 4;
      return [data[i] ?? -1, data[i + 1] ?? -1, data[i + 2] ?? -1, data[i + 3] ?? -1];
    },
  };
}

/** The subject's box, read from the response headers. */
export function subjectOf({ headers }: Response): {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
} {
  const read = (name: string): number => Number(headers.get(`x-foreground-${name}`));
  return { left: read("left"), top: read("top"), width: read("width"), height: read("height") };
}

/** The status, followed by each error's code, or its title if it has no code. */
export async function complaintsOf(response: Response): Promise<unknown[]> {
  const { errors } = (await response.json()) as { errors: { title: string; code?: string }[] };
  return [response.status, ...errors.map(({ code, title }) => code ?? title)];
}

/** Occupies a free port on 127.0.0.1, so that no other program can. */
export async function takePort(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
