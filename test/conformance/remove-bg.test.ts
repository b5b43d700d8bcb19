import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackgroundServer, startBackground } from "../../src/sandbox/background/index.ts";
import { makeCertificate } from "./certificate.ts";

/**
 * The npm package `remove.bg` has its address built in. It runs unmodified in a process of its own, whose HTTPS proxy
 * is a loopback tunnel that ends at the stand-in.
 */
let server: BackgroundServer;
let tunnel: Server;
let folder: string;

const cup = fileURLToPath(new URL("../../src/sandbox/samples/coffee.jpg", import.meta.url));

beforeAll(async () => {
  server = await startBackground();
  const certificate = makeCertificate("api.remove.bg");
  folder = await mkdtemp(join(tmpdir(), "remove-bg-"));
  await writeFile(join(folder, "ca.pem"), certificate.cert);
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
  await server.close();
  await rm(folder, { recursive: true });
});

/** Calls one function of the package and gives what it resolved or rejected with. */
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
        // Its multipart requests go past the proxy settings of its HTTP library, but not past Node's.
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
}

describe("the remove.bg package", () => {
  it("gets a cut-out and every figure it reads, from a file", async () => {
    const { done } = await call("removeBackgroundFromImageFile", {
      path: cup,
      apiKey: server.key,
      size: "auto",
      type: "product",
      crop: true,
      crop_margin: "5%",
      scale: "original",
      position: "center",
      roi: "0% 0% 100% 100%",
      bg_color: "81d4fa",
      channels: "rgba",
    });

    expect(done).toMatchObject({
      creditsCharged: "0.25",
      detectedType: "product",
      rateLimit: "500",
      rateLimitRemaining: "499",
    });
    expect(Number(done?.resultWidth)).toBeGreaterThan(300);
    expect(Number(done?.rateLimitReset)).toBeGreaterThan(Date.now() / 1000);
    expect(
      Buffer.from(done?.base64img ?? "", "base64")
        .subarray(0, 2)
        .toString("hex"),
    ).toBe("ffd8");
  });

  it("gets the service's errors as it expects them", async () => {
    const [key, address, value] = await Promise.all([
      call("removeBackgroundFromImageUrl", { url: "http://127.0.0.1/", apiKey: "wrong" }),
      call("removeBackgroundFromImageUrl", { url: "nowhere", apiKey: server.key }),
      call("removeBackgroundFromImageBase64", {
        base64img: "AAAA",
        apiKey: server.key,
        scale: "3%",
      }),
    ]);

    expect(key.failed).toEqual([{ title: "API Key invalid", code: "auth_failed" }]);
    expect(address.failed).toEqual([expect.objectContaining({ code: "invalid_image_url" })]);
    expect(value.failed).toEqual([expect.objectContaining({ code: "invalid_scale" })]);
  });
});
