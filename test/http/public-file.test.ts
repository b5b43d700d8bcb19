import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError, NetworkError } from "../../src/errors.ts";
import { createHttp, type Http } from "../../src/http/index.ts";
import { isPublicAddress } from "../../src/http/public-addresses.ts";
import { failureOf, fakeTime, startServer, type TestServer } from "./server.ts";

let http: Http;
let server: TestServer;

beforeAll(async () => {
  server = await startServer(({ url }, response) => {
    const to = url.searchParams.get("to");
    if (to !== null) return response.writeHead(302, { location: to }).end();
    if (url.pathname === "/lists.example/endless") {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", more);
      return more();
    }
    if (url.pathname === "/lists.example/bomb") {
      const headers = { "content-encoding": "gzip" };
      return response.writeHead(200, headers).end(gzipSync(Buffer.alloc(10_000_000)));
    }
    response.writeHead(200, { etag: '"1"' }).end("a list");
  });
  http = createHttp({ ...fakeTime(), publicStandIn: server.url });
});

afterAll(async () => {
  await http.close();
  await server.close();
});

/** A path that redirects this many times before it reaches the list. */
const redirected = (times: number): string =>
  times === 0 ? "/list" : `/?to=${encodeURIComponent(redirected(times - 1))}`;

const fetchPublic = (path: string) => {
  const url = path.startsWith("/") ? `https://lists.example${path}` : path;
  return http.fetchPublic({ url, maxBytes: 100_000, deadlineMs: 5_000 });
};

describe("isPublicAddress", () => {
  it.each([
    "10.0.0.1",
    "100.64.1.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.0.192",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "fe80::1",
    "fd00:ec2::254",
    "2001::1",
    "2002:7f00:1::",
    "2001:db8::1",
    "not an address",
  ])("is not %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["8.8.8.8", "185.199.108.133", "2606:50c0:8000::154", "172.32.0.1", "100.128.0.1"])(
    "is %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("fetchPublic", () => {
  it.each([
    ["https://127.0.0.1/", "private"],
    ["https://2130706433/", "private"],
    ["https://0x7f.1/", "private"],
    ["https://[::1]/", "private"],
    ["https://[::ffff:10.0.0.1]/", "private"],
    ["https://169.254.169.254/latest/meta-data", "private"],
    ["https://example.com:8443/", "port"],
    ["https://user:pass@example.com/", "login"],
    ["http://example.com/", "https"],
    ["file:///etc/passwd", "https"],
    ["data:text/plain,evil", "https"],
    ["https://", "unreadable"],
  ])("refuses %s before it sends anything", async (url, reason) => {
    const failure = await failureOf(fetchPublic(url), InputError);

    expect(failure).toMatchObject({ code: "public_address", facts: { reason } });
  });

  it.each([
    ["https://127.0.0.1/", "private"],
    ["http://example.com/", "https"],
    ["//10.0.0.1/", "private"],
    ["http:/list", "https"],
    [redirected(3), "redirects"],
  ])("refuses a redirect to %s", async (to, reason) => {
    const failure = await failureOf(fetchPublic(`/?to=${encodeURIComponent(to)}`), InputError);

    expect(failure).toMatchObject({ code: "public_address", facts: { reason } });
  });

  it("follows three redirects, and gives the answer with its headers", async () => {
    const answer = await fetchPublic(redirected(3));

    expect(answer.body.toString()).toBe("a list");
    expect(answer.headers.etag).toBe('"1"');
    expect(server.received.at(-1)?.url.pathname).toBe("/lists.example/list");
  });

  it.each(["/endless", "/bomb"])("cuts what is too large: %s", async (path) => {
    expect(await failureOf(fetchPublic(path), NetworkError)).toMatchObject({
      code: "answer_too_large",
    });
  });

  it("looks at the address that a name means when it connects", async () => {
    const real = createHttp(fakeTime());

    const failure = await failureOf(
      real.fetchPublic({ url: "https://localhost/list", maxBytes: 1_000, deadlineMs: 1_000 }),
      InputError,
    );
    await real.close();

    expect(failure).toMatchObject({ code: "public_address", facts: { reason: "private" } });
  });
});
