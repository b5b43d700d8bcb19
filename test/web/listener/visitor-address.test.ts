import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { findNetworks, findVisitor } from "../../../src/web/listener/visitor-address.ts";

function from(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe("findVisitor", () => {
  it.each([
    ["a visitor", "203.0.113.7", undefined, "203.0.113.7"],
    ["a visitor over a mapped address", "::ffff:203.0.113.7", undefined, "203.0.113.7"],
    ["a visitor who forges the header", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["a network of IPv6", "2001:db8:1:2:3:4:5:6", undefined, "2001:db8:1:2"],
    ["the same, written short", "2001:db8:1:2::9", undefined, "2001:db8:1:2"],
    ["a network with zeros", "2001:db8::1", undefined, "2001:db8:0:0"],
    ["a proxy beside us", "127.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["a proxy, and what its visitor made up", "::1", "1.1.1.1, 203.0.113.7", "203.0.113.7"],
    ["a proxy in the same network", "10.0.0.3", "2001:db8::1", "2001:db8:0:0"],
    ["a mapped address in hex", "127.0.0.1", "::ffff:cb00:7107", "203.0.113.7"],
    ["a mapped address, written long", "127.0.0.1", "0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    ["a machine near us over a mapped address", "127.0.0.1", "::ffff:a01:203", undefined],
    ["an address with a port", "127.0.0.1", "203.0.113.7:51234", "203.0.113.7"],
    ["an address of IPv6 with a port", "127.0.0.1", "[2001:db8:1:2::9]:51234", "2001:db8:1:2"],
    ["an address with a zone", "2001:db8:1:2::9%eth0", undefined, "2001:db8:1:2"],
    ["a proxy that tells nobody", "127.0.0.1", undefined, undefined],
    ["a proxy behind a proxy", "::ffff:172.17.0.1", "203.0.113.7, 10.1.2.3", undefined],
    ["a header full of nonsense", "127.0.0.1", "<b>unknown</b>", undefined],
    ["a socket that is gone", undefined, "203.0.113.7", undefined],
  ])("counts %s", (_name, remote, forwarded, expected) => {
    expect(findVisitor(from(remote, forwarded))).toBe(expected);
  });
});

describe("findNetworks", () => {
  it.each([
    [
      "2001:db8:1:2a7f",
      {
        self: "2001:db8:1:2a7f",
        home: "2001:db8:1:2a00/56",
        site: "2001:db8:1/48",
        provider: "2001:db8/32",
      },
    ],
    ["203.0.113.7", { self: "203.0.113.7", site: "203.0.113/24", provider: "203.0/16" }],
  ])("knows the larger networks of %s", (visitor, networks) => {
    expect(findNetworks(visitor)).toEqual(networks);
  });
});
