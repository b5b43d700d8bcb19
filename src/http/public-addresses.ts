import { lookup as lookUpName } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { InputError } from "../errors.ts";

/**
 * IPv4 addresses that no public site has: private networks, this machine, link-local ones with the metadata of clouds, tests.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const closedV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Of IPv6 only 2000::/3 is in use; these parts of it are not public, or lead to other addresses. */
const closedV6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20";
const openV6 = "2000::/3";

const closed = blockList(closedV4, "ipv4");
const closedPart = blockList(closedV6, "ipv6");
const open = blockList(openV6, "ipv6");

function blockList(subnets: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(/\s+/u)) {
    const [net = "", bits = ""] = subnet.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}

/** Whether an IP address, with or without the brackets of a URL, belongs to the public internet. Any other text does not. */
export function isPublicAddress(address: string): boolean {
  const plain = withoutBrackets(address);
  switch (isIP(plain)) {
    case 4:
      return !closed.check(plain, "ipv4");
    case 6:
      return open.check(plain, "ipv6") && !closedPart.check(plain, "ipv6");
    default:
      return false;
  }
}

/** A URL's host that is an IP address is checked by itself, because no name is looked up for it. */
export function isPrivateAddress(host: string): boolean {
  return isIP(withoutBrackets(host)) !== 0 && !isPublicAddress(host);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/gu, "");
}

/** A host that leads into a private network. */
export class PrivateHostError extends Error {
  constructor(host: string) {
    super(`${host} is not a public host`);
  }
}

/** Whether a request failed because its host leads into a private network. */
export function leadsToPrivateHost(error: unknown): boolean {
  if (error instanceof PrivateHostError) return true;
  return error instanceof Error && leadsToPrivateHost(error.cause);
}

/**
 * Finds the addresses of a name for the connection that is about to be made, and leaves only public ones: what is checked
 * is what is connected to, whatever the name means a moment later.
 */
export const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, []);
    const found = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = found;
    if (first === undefined) return done(new PrivateHostError(hostname), []);
    if (options.all === true) return done(null, found);
    return done(null, first.address, first.family);
  });
};

/** An address that may be fetched: https at its usual port, without a login. @throws InputError `public_address` */
export function checkPublicUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw refuseAddress("unreadable", "");
  const { protocol, port, username, password, hostname } = url;
  if (protocol !== "https:") throw refuseAddress("https", hostname);
  if (port !== "") throw refuseAddress("port", hostname);
  if (username !== "" || password !== "") throw refuseAddress("login", hostname);
  if (isPrivateAddress(hostname)) throw refuseAddress("private", hostname);
  return url;
}

type AddressRefusal = "unreadable" | "https" | "port" | "login" | "private" | "redirects";

export function refuseAddress(reason: AddressRefusal, host: string): InputError<"public_address"> {
  return new InputError(`an address on ${host} is not fetched: ${reason}`, {
    code: "public_address",
    facts: { reason, host },
  });
}
