import { checkPublicUrl, leadsToPrivateHost, refuseAddress } from "./public-addresses.ts";
import type { Http, HttpAnswer, HttpRequest } from "./types.ts";

const maxRedirects = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

interface PublicFileDeps {
  readonly request: Http["request"];
  /** Stands in for all public hosts: a host's path is behind its name there. */
  readonly standIn?: string | undefined;
  readonly now: () => number;
}

/** Fetches what an address that a person typed leads to. Each redirect is checked as the address itself is. */
export function createFetchPublic({ request, standIn, now }: PublicFileDeps): Http["fetchPublic"] {
  return async ({ url, deadlineMs, ...wanted }) => {
    const endsAt = now() + deadlineMs;
    let address = url;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const target = checkPublicUrl(address);
      const { host, pathname, search, href } = target;
      const answer = await send(request, {
        ...wanted,
        method: "GET",
        ...(standIn === undefined
          ? { url: href, reach: "public" }
          : { url: `${standIn}/${host}${pathname}${search}` }),
        retry: "read",
        tries: 2,
        deadlineMs: Math.max(1, endsAt - now()),
      });
      const next = nextAddress(answer, target);
      if (next === undefined) return answer;
      address = next;
    }
    throw refuseAddress("redirects", new URL(address).hostname);
  };
}

/** The refusal of an address is behind the error of the connection. */
async function send(request: Http["request"], wanted: HttpRequest): Promise<HttpAnswer> {
  try {
    return await request(wanted);
  } catch (error) {
    if (!leadsToPrivateHost(error)) throw error;
    throw refuseAddress("private", new URL(wanted.url).hostname);
  }
}

function nextAddress({ status, headers }: HttpAnswer, from: URL): string | undefined {
  const { location } = headers;
  if (!redirects.includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, from.href)) throw refuseAddress("unreadable", from.hostname);
  return new URL(location, from.href).href;
}
