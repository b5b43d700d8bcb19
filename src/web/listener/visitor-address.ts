import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** Addresses of machines near ours: a proxy, not a visitor. */
const near = new BlockList();
near.addSubnet("127.0.0.0", 8);
near.addSubnet("10.0.0.0", 8);
near.addSubnet("172.16.0.0", 12);
near.addSubnet("192.168.0.0", 16);
near.addSubnet("169.254.0.0", 16);
near.addSubnet("100.64.0.0", 10);
near.addAddress("::1", "ipv6");
near.addSubnet("fc00::", 7, "ipv6");
near.addSubnet("fe80::", 10, "ipv6");

interface Whence extends Pick<IncomingMessage, "headers"> {
  readonly socket: Pick<IncomingMessage["socket"], "remoteAddress">;
}

/**
 * The address for which a request is counted. A proxy near us adds its visitor's address as the last of X-Forwarded-For; from
 * farther away that header is not trusted. Undefined if the visitor is unknown: then only the limit for all together applies.
 * Behind a proxy that adds none, a forged address gains no more than that either.
 */
export function visitorOf({ socket, headers }: Whence): string | undefined {
  const peer = withoutPrefix(socket.remoteAddress ?? "");
  if (!isNear(peer)) return addressToCount(peer);
  const last = `${headers["x-forwarded-for"] ?? ""}`.split(",").at(-1) ?? "";
  const address = withoutPrefix(last.trim());
  return isNear(address) ? undefined : addressToCount(address);
}

function withoutZone(address: string): string {
  const [whole = ""] = address.toLowerCase().split("%", 1);
  return whole;
}

function withoutPrefix(address: string): string {
  return address.replace(/^::ffff:(\d+\.)/iu, "$1");
}

function isNear(address: string): boolean {
  return isIP(address) !== 0 && near.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** For IPv6 the network, because everybody has 2^64 addresses. */
function addressToCount(address: string): string | undefined {
  if (isIP(address) === 0) return undefined;
  if (!isIPv6(address)) return address;
  const [start = "", end = ""] = withoutZone(address).split("::");
  const groups = [start, end].map((half) => (half === "" ? [] : half.split(":")));
  const [before = [], after = []] = groups;
  const filled = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill("0")];
  return [...filled, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
