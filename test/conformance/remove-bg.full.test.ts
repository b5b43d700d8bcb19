import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BackgroundServer,
  backgroundFaults,
  startBackground,
} from "../../src/sandbox/background/index.ts";
import { see, twoHalves } from "../support/removing.ts";
import { makeCertificate } from "./certificate.ts";

/**
 * The npm package `remove.bg` has a fixed address. It runs unmodified in a separate process, whose HTTPS proxy is a
 * tunnel on this machine that ends at the stand-in.
 */
let server: BackgroundServer;
let tunnel: Server;
/** Serves the picture at every path but `/gone`, which is not found. */
let host: Server;
let address: string;
let picture: Buffer;
let file: string;
let folder: string;

beforeAll(async () => {
  server = await startBackground({ alias: "api.remove.bg", matting: "ellipse", credits: 20 });
  picture = await twoHalves(600, 450);
  const certificate = makeCertificate("api.remove.bg");
  folder = await mkdtemp(join(tmpdir(), "remove-bg-"));
  await writeFile(join(folder, "ca.pem"), certificate.cert);
  file = join(folder, "picture.png");
  await writeFile(file, picture);
  host = createServer(({ url }, answer) =>
    url === "/gone" ? answer.writeHead(404).end() : answer.end(picture),
  ).listen(0, "127.0.0.1");
  await once(host, "listening");
  address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  tunnel = createServer().on("connect", (_, socket: Socket) => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const secure = new TLSSocket(socket, { isServer: true, ...certificate });
    const plain = connect(Number(new URL(server.url).port), "127.0.0.1");
    secure.on("error", () => plain.destroy()).on("close", () => plain.destroy());
    plain.on("error", () => secure.destroy()).on("close", () => secure.destroy());
    secure.pipe(plain).pipe(secure);
  });
  tunnel.listen(0, "127.0.0.1");
  await once(tunnel, "listening");
});

afterAll(async () => {
  tunnel.closeAllConnections();
  tunnel.close();
  host.close();
  await server.close();
  await rm(folder, { recursive: true });
});

/** Calls one function of the package; returns what it resolved or rejected with. */
async function call(name: string, options: object): Promise<{ done?: Done; failed?: unknown }> {
  const script = `
    const [name, options] = JSON.parse(process.argv[1]);
    require("remove.bg")[name](options).then((done) => ({ done }), (failed) => ({ failed }))
      .then((outcome) => console.log(JSON.stringify(outcome)));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--no-deprecation", "-e", script, JSON.stringify([name, options])],
    {
      maxBuffer: 1e8,
      env: {
        PATH: process.env.PATH,
        HTTPS_PROXY: `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`,
        // Its multipart requests ignore the proxy settings of its HTTP library, but not Node's.
        NODE_USE_ENV_PROXY: "1",
        NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
      },
    },
  );
  return JSON.parse(stdout) as { done?: Done; failed?: unknown };
}

interface Done {
  readonly base64img: string;
  readonly creditsCharged: string;
  readonly detectedType: string;
  readonly resultWidth: string;
  readonly resultHeight: string;
  readonly rateLimit: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitReset: string;
  readonly retryAfter?: string;
}

const seen = (done: Done | undefined) => see(Buffer.from(done?.base64img ?? "", "base64"));

/** Opacity in the middle and in one corner. */
async function opacities(done: Done | undefined): Promise<readonly [number, number]> {
  const { width, height, at } = await seen(done);
  return [at(width / 2, height / 2)[3], at(2, 2)[3]];
}

describe("the remove.bg package", () => {
  it("gets a cut-out and every figure that it reads, whichever way the picture is given", async () => {
    const asked = { apiKey: server.key, size: "full", type: "product" };
    const begun = Date.now();
    const outcomes = [
      await call("removeBackgroundFromImageFile", { ...asked, path: file }),
      await call("removeBackgroundFromImageUrl", { ...asked, url: address }),
      await call("removeBackgroundFromImageBase64", {
        ...asked,
        base64img: picture.toString("base64"),
      }),
    ];

    for (const [i, { done, failed }] of outcomes.entries()) {
      expect(failed).toBeUndefined();
      expect(done).toMatchObject({
        creditsCharged: "1",
        detectedType: "product",
        resultWidth: "600",
        resultHeight: "450",
        rateLimit: "500",
        rateLimitRemaining: `${499 - i}`,
      });
      expect(Number(done?.rateLimitReset)).toBeGreaterThan(begun / 1000);
      expect(done?.retryAfter).toBeUndefined();
      expect(await opacities(done)).toEqual([255, 0]);
    }
  });

  it("sends a preview when no size is named, and it writes the file that it is asked to write", async () => {
    const outputFile = join(folder, "out.png");
    const { done } = await call("removeBackgroundFromImageFile", {
      apiKey: server.key,
      path: file,
      outputFile,
    });
    const written = await readFile(outputFile);

    expect(done).toMatchObject({ creditsCharged: "0.25", detectedType: "other" });
    expect(Number(done?.resultWidth) * Number(done?.resultHeight)).toBeLessThanOrEqual(250_000);
    expect(written.toString("base64")).toBe(done?.base64img);
  });

  it("has each of its options obeyed", async () => {
    const ask = async (name: string, options: object) =>
      (await call(name, { apiKey: server.key, path: file, url: address, ...options })).done;
    const [cropped, placed, halved, behind, matte, shadow] = await Promise.all([
      ask("removeBackgroundFromImageFile", {
        size: "full",
        crop: true,
        crop_margin: "10px",
        bg_color: "81d4fa",
      }),
      ask("removeBackgroundFromImageUrl", { size: "full", scale: "50%", position: "0% 0%" }),
      ask("removeBackgroundFromImageFile", { size: "full", roi: "50% 0% 100% 100%" }),
      ask("removeBackgroundFromImageUrl", { size: "full", bg_image_url: address }),
      ask("removeBackgroundFromImageFile", { channels: "alpha" }),
      ask("removeBackgroundFromImageUrl", { size: "full", type: "car", add_shadow: true }),
    ]);
    const [color, corner, half, cover, grey, dark] = await Promise.all(
      [cropped, placed, halved, behind, matte, shadow].map(seen),
    );

    expect([cropped?.resultWidth, cropped?.resultHeight]).toEqual(["440", "380"]);
    expect(color?.at(2, 2).map((value) => Math.round(value / 8))).toEqual([16, 27, 31, 32]);
    expect([corner?.at(131, 112)[3], corner?.at(400, 300)[3]]).toEqual([255, 0]);
    expect([half?.at(250, 225)[3], half?.at(350, 225)[3]]).toEqual([0, 255]);
    expect(cover?.at(2, 2).map((value) => Math.round(value / 16))).toEqual([16, 9, 0, 16]);
    expect(grey?.at(2, 2)).toEqual([0, 0, 0, 255]);
    expect(dark?.at(300, 415)[3]).toBeGreaterThan(50);
  });

  it("gets the service's errors as it expects them", async () => {
    const withKey = { apiKey: server.key };
    const outcomes = await Promise.all([
      call("removeBackgroundFromImageUrl", { url: address, apiKey: "wrong" }),
      call("removeBackgroundFromImageUrl", { url: "nowhere", ...withKey }),
      call("removeBackgroundFromImageUrl", { url: `${address}/gone`, ...withKey }),
      call("removeBackgroundFromImageBase64", {
        base64img: "AAAA",
        scale: "3%",
        size: "x",
        ...withKey,
      }),
    ]);

    expect(outcomes.map(({ failed }) => failed)).toEqual([
      [{ title: "API Key invalid", code: "auth_failed" }],
      [expect.objectContaining({ code: "invalid_image_url" })],
      [{ title: expect.stringContaining("404") }],
      [
        expect.objectContaining({ code: "invalid_size" }),
        expect.objectContaining({ code: "invalid_scale" }),
      ],
    ]);
  });

  it.each([
    ["the rate limit", backgroundFaults.rateLimited(3), [{ title: "Rate limit exceeded" }]],
    ["credits that are gone", backgroundFaults.creditsGone(), [{ title: "Insufficient credits" }]],
    ["a server in trouble", backgroundFaults.unavailable(), [{ title: "Service unavailable" }]],
    [
      "a page of a gateway",
      backgroundFaults.badGateway(),
      expect.stringContaining("502 Bad Gateway"),
    ],
  ])("gets %s as what the service says", async (_, fault, expected) => {
    server.faults.add(fault);
    const { failed } = await call("removeBackgroundFromImageUrl", {
      url: address,
      apiKey: server.key,
    });

    expect(failed).toEqual(expected);
  });
});
