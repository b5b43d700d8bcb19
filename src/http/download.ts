import { NetworkError } from "../errors.ts";
import { attachmentUrl, refusal, tooLarge } from "./attachment.ts";
import type { Http } from "./types.ts";

/** Fetches what a person attached, from the hosts named and nowhere else. */
export function createDownload(request: Http["request"]): Http["download"] {
  return async ({ url, hosts, maxBytes, signal }) => {
    const address = attachmentUrl(url, hosts);
    const response = await request({
      method: "GET",
      url: address.href,
      retry: "read",
      maxBytes,
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw isTooLarge(error) ? tooLarge(maxBytes, error) : error;
    });
    if (response.status === 200) return response.body;
    throw refusal(response.status, address);
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof NetworkError && error.code === "answer_too_large";
}
