import { type Facts, InputError, NetworkError, ServiceError } from "../errors.ts";
import type { DownloadRequest, Http } from "./types.ts";

/** An attachment's address expires, or its message was deleted: https://docs.discord.com/developers/reference#signed-attachment-cdn-urls */
const goneStatuses: readonly number[] = [403, 404, 410];

/** Downloads what a person attached, from the named hosts and nowhere else. */
export function createDownload(request: Http["request"]): Http["download"] {
  return async ({ url, hosts, maxBytes, signal }) => {
    const address = attachmentUrl(url, hosts);
    const download = { method: "GET", url: address.href, retry: "read", maxBytes, signal } as const;
    const response = await request(download).catch((error: unknown) => {
      const isTooLarge = error instanceof NetworkError && error.code === "answer_too_large";
      throw isTooLarge ? attachmentTooLarge(maxBytes, error) : error;
    });
    if (response.status === 200) return response.body;
    throw attachmentError(response.status, address);
  };
}

/** @throws InputError `attachment_host` when the address is not one this bot fetches */
export function attachmentUrl(url: string, hosts: DownloadRequest["hosts"]): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !hosts.includes(address.host) || !isSafeScheme(address)) {
    throw foreignHost(address?.host ?? "unreadable");
  }
  // Credentials in an address would be sent as a header; an attachment never has any.
  if (address.username !== "" || address.password !== "") throw foreignHost(address.host);
  return address;
}

/** Unencrypted requests may go to this machine alone. */
function isSafeScheme({ protocol, hostname }: URL): boolean {
  if (protocol === "https:") return true;
  const isLoopback =
    hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === "http:" && isLoopback;
}

/** The error for an answer without the file. A redirect is not followed, because it may lead anywhere. */
export function attachmentError(status: number, { host }: URL): InputError | ServiceError {
  if (status >= 300 && status < 400) return foreignHost(host);
  const message = `attachment on ${host} answered ${status}`;
  if (!goneStatuses.includes(status)) return attachmentUnavailable(message, { status, host });
  return new ServiceError(message, {
    code: "attachment_gone",
    facts: { status, host },
  });
}

export function attachmentUnavailable(message: string, facts: Facts): ServiceError {
  return new ServiceError(message, {
    code: "attachment_unavailable",
    facts,
  });
}

function foreignHost(host: string): InputError {
  return new InputError(`attachment address on ${host} is not one this bot fetches`, {
    code: "attachment_host",
    facts: { host },
  });
}

export function attachmentTooLarge(maxBytes: number, cause?: unknown): InputError {
  const megabytes = Math.round((maxBytes / 1024 / 1024) * 10) / 10;
  return new InputError(`attachment is over ${maxBytes} bytes`, {
    code: "attachment_too_large",
    facts: { maxBytes, most: megabytes },
    cause,
  });
}
