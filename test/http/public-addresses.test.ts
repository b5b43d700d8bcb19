import { describe, expect, it } from "vitest";
import { isPublicAddress, lookUpPublic } from "../../src/http/public-addresses.ts";
import { openHttp, serve } from "./server.ts";

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "[2a00:1450::1]"])(
    "takes %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "::1",
    "::",
    "[fe80::1]",
    "fd00::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "example.com",
  ])("refuses %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a request to public hosts only", () => {
  it("does not look up a name that leads into this machine", async () => {
    const error = await new Promise<Error | null>((resolve) => {
      lookUpPublic("localhost", { all: true }, resolve);
    });

    expect(error?.message).toBe("localhost is not a public host");
  });

  it.each(["127.0.0.1", "localhost"])("never reaches %s", async (host) => {
    const server = await serve((_, response) => response.end("secret"));
    const http = openHttp();
    const url = server.url.replace("127.0.0.1", host);
    const request = { method: "GET", url, retry: "create", reach: "public", tries: 1 } as const;

    await expect(http.request(request)).rejects.toMatchObject({ code: "unreachable" });
    expect(server.received).toEqual([]);
  });
});
