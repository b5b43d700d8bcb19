import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** Addresses of machines beside ours: a proxy, not a visitor. */
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
 * Who a request is counted for. A proxy beside us adds its visitor's address as the last of X-Forwarded-For; from
 * farther away nobody's word is taken for it. Undefined where it can't be told: then only what all do together counts.
 * Who forges one behind a proxy that adds none gains as much, and no more.
 */
export function visitorOf({ socket, headers }: Whence): string | undefined {
  const peer = plain(socket.remoteAddress ?? "");
  if (!isNear(peer)) return counted(peer);
  const last = `${headers["x-forwarded-for"] ?? ""}`.split(",").at(-1) ?? "";
  const told = plain(last.trim());
  return isNear(told) ? undefined : counted(told);
}

function withoutZone(address: string): string {
  const [whole = ""] = address.toLowerCase().split("%", 1);
  return whole;
}

function plain(address: string): string {
  return address.replace(/^::ffff:(\d+\.)/iu, "$1");
}

function isNear(address: string): boolean {
  return isIP(address) !== 0 && near.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Of IPv6 the network: whoever has one address has 2^64 of them. */
function counted(address: string): string | undefined {
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
