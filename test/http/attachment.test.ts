import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError, NetworkError, ServiceError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import { failureOf, fakeTime, startServer, type TestServer } from "./server.ts";

const http = createHttp(fakeTime());
let server: TestServer;

beforeAll(async () => {
  server = await startServer(({ url }, response) => {
    const status = Number(url.searchParams.get("status") ?? 200);
    if (url.pathname === "/cut") return response.socket?.destroy();
    if (url.pathname === "/lies") return response.writeHead(200).end(Buffer.alloc(5_000));
    response.writeHead(status, { location: "/elsewhere" }).end("a picture");
  });
});

afterAll(async () => {
  await http.close();
  await server.close();
});

function download(path: string, options: { hosts?: string[]; maxBytes?: number } = {}) {
  const url = path.includes(":") ? path : `${server.url}${path}`;
  return http.download({ url, hosts: [server.host], maxBytes: 1_000, ...options });
}

describe("download", () => {
  it("fetches a file's bytes from a named host", async () => {
    const bytes = await download("/a.png?ex=1&hm=2");

    expect(bytes.toString()).toBe("a picture");
    expect(server.received.at(-1)?.url.search).toBe("?ex=1&hm=2");
  });

  it.each([
    "https://cdn.discordapp.com.evil.example/a.png",
    "https://evil.example/?cdn.discordapp.com",
    "https://cdn.discordapp.com:444/a.png",
    "https://user@cdn.discordapp.com/a.png",
    "https://:pass@cdn.discordapp.com/a.png",
    "https://user:pass@cdn.discordapp.com/a.png",
    "https://cdn.discordapp.com@evil.example/a.png",
    "http://cdn.discordapp.com/a.png",
    "ftp://cdn.discordapp.com/a.png",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
    "http:cdn",
    "no address:",
    "http://169.254.169.254/latest",
  ])("refuses %s without asking", async (url) => {
    const error = await failureOf(download(url, { hosts: ["cdn.discordapp.com"] }), InputError);

    expect(error.code).toBe("attachment_host");
  });

  it("refuses another port of a named loopback host", async () => {
    const error = await failureOf(download("/a", { hosts: ["127.0.0.1:1"] }), InputError);

    expect(error.code).toBe("attachment_host");
  });

  it("refuses clear text beyond this machine even when the host is named", async () => {
    const error = await failureOf(
      download("http://cdn.example/a.png", { hosts: ["cdn.example"] }),
      InputError,
    );

    expect(error.code).toBe("attachment_host");
  });

  it.each([301, 302, 307, 308])("refuses a redirect (%i)", async (status) => {
    const error = await failureOf(download(`/a?status=${status}`), InputError);

    expect(error.code).toBe("attachment_host");
    expect(server.received.at(-1)?.url.pathname).toBe("/a");
  });

  it.each([403, 404, 410])("calls a file gone on %i", async (status) => {
    const error = await failureOf(download(`/a?status=${status}`), ServiceError);

    expect(error.code).toBe("attachment_gone");
  });

  it("distinguishes trouble of the host from a file that is gone", async () => {
    const error = await failureOf(download("/a?status=503"), ServiceError);

    expect(error.code).toBe("attachment_unavailable");
  });

  it("refuses a file over the limit", async () => {
    const error = await failureOf(download("/lies"), InputError);

    expect(error.code).toBe("attachment_too_large");
    expect(error.facts.maxBytes).toBe(1_000);
  });

  it("passes a broken connection on", async () => {
    const error = await failureOf(download("/cut"), NetworkError);

    expect(error.code).toBe("cut");
  });
});
