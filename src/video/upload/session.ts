import { ServiceError } from "../../errors.ts";

/** YouTube opens sessions on any of these hosts, whichever was asked for one. */
const serviceHosts = ".googleapis.com";

/**
 * The address of an upload session. The bytes and the token are sent there, so it must belong to the service that they
 * were already sent to.
 * @throws ServiceError `upload_session_host`, or `unreadable_answer` when there is no address
 */
export function sessionUrl(
  method: string,
  location: string | undefined,
  uploadUrl: string,
): string {
  if (location === undefined || !URL.canParse(location, uploadUrl)) {
    throw new ServiceError(`${method}: no session address was answered`, {
      code: "unreadable_answer",
      facts: { method },
    });
  }
  const session = new URL(location, uploadUrl);
  if (!isTrusted(session, new URL(uploadUrl))) throw foreignHost(method, session.host);
  // Every request is signed again, perhaps with a newer token.
  if (session.searchParams.has("access_token")) session.searchParams.delete("access_token");
  session.hash = "";
  return session.href;
}

function isTrusted(session: URL, base: URL): boolean {
  if (session.username !== "" || session.password !== "") return false;
  if (session.origin === base.origin) return true;
  return isService(session) && isService(base);
}

function isService({ protocol, hostname, port }: URL): boolean {
  return protocol === "https:" && port === "" && hostname.endsWith(serviceHosts);
}

function foreignHost(method: string, host: string): ServiceError {
  return new ServiceError(`${method}: the session lies on a host that is not the service's`, {
    code: "upload_session_host",
    facts: { method, host },
  });
}

/** How many bytes a session has stored: `bytes=0-N` is N + 1, no header is 0; undefined when it can't be read. */
export function storedBytes(range: string | undefined): number | undefined {
  if (range === undefined) return 0;
  const last = /^\s*(?:bytes[= ])?0-(\d{1,15})\s*$/i.exec(range)?.[1];
  return last === undefined ? undefined : Number(last) + 1;
}
