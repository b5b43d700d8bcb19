import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

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
export function findVisitor({ socket, headers }: Whence): string | undefined {
  const peer = plainAddress(socket.remoteAddress ?? "");
  if (!isNear(peer)) return addressToCount(peer);
  const last = `${headers["x-forwarded-for"] ?? ""}`.split(",").at(-1) ?? "";
  const address = plainAddress(last.trim());
  return isNear(address) ? undefined : addressToCount(address);
}

/** Without a port, as some proxies write it, and IPv4 where IPv6 only stands for it. */
function plainAddress(written: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/u.exec(written) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/u.exec(written) ?? [];
  const [address = ""] = (inBrackets ?? beforePort ?? written).toLowerCase().split("%", 1);
  if (!isIPv6(address)) return address;
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const [high = 0, low = 0] = groups.slice(6);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : address;
}

function isNear(address: string): boolean {
  return isIP(address) !== 0 && near.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** For IPv6 the network, because everybody has 2^64 addresses. */
function addressToCount(address: string): string | undefined {
  if (isIP(address) === 0) return undefined;
  return isIPv4(address) ? address : written(parseGroups(address).slice(0, 4));
}

function parseGroups(address: string): readonly number[] {
  const tail = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/u.exec(address);
  const [a = 0, b = 0, c = 0, d = 0] = (tail ?? []).slice(1).map(Number);
  const whole = tail
    ? address.replace(tail[0], `${written([a * 256 + b])}:${written([c * 256 + d])}`)
    : address;
  const halves = whole.split("::");
  const [before = [], after = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const filled = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  return [...before, ...filled, ...after].map((group) => Number.parseInt(group, 16));
}

function written(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(":");
}

/**
 * The networks that a visitor is counted in, from the narrowest: for IPv6 /64, /56, /48 and /32, for IPv4 the address, /24 and
 * /16. Whoever rents a server has a /64 at least and often a /48; a /32 is a whole provider.
 */
export function findNetworks(visitor: string): VisitorNetworks {
  if (isIPv4(visitor)) {
    const bytes = visitor.split(".");
    return {
      self: visitor,
      site: `${bytes.slice(0, 3).join(".")}/24`,
      provider: `${bytes.slice(0, 2).join(".")}/16`,
    };
  }
  const [a = 0, b = 0, c = 0, d = 0] = visitor
    .split(":")
    .map((group) => Number.parseInt(group, 16));
  return {
    self: visitor,
    home: `${written([a, b, c, d & 0xff00])}/56`,
    site: `${written([a, b, c])}/48`,
    provider: `${written([a, b])}/32`,
  };
}

export interface VisitorNetworks {
  readonly self: string;
  /** Absent for IPv4. */
  readonly home?: string;
  readonly site: string;
  readonly provider: string;
}
