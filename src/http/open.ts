import type { Readable } from "node:stream";
import type { NetworkError } from "../errors.ts";
import { attachmentUrl, refusal, tooLarge, unavailable } from "./attachment.ts";
import { begin, type RequestServices } from "./repeat.ts";
import { ask, cut, type Question, readFailure, resumedBody } from "./resumed-body.ts";
import { AttemptError, type OpenAnswer } from "./send.ts";
import type { Http } from "./types.ts";

/** Only an unpacked file has a length that is its own, and places to resume at. */
const headers = { "accept-encoding": "identity" } as const;

/** Opens what a person attached, from the hosts named and nowhere else; `end` cuts what is still open. */
export function createOpen(services: RequestServices) {
  const bodies = new Map<Readable, () => NetworkError>();
  let isEnded = false;
  const open: Http["open"] = async ({ url, hosts, maxBytes, signal }) => {
    const question: Question = { url: attachmentUrl(url, hosts), headers, signal };
    const progress = begin();
    const first = await ask(services, question, progress).catch((error: unknown) => {
      throw error instanceof AttemptError ? readFailure(error, question, progress) : error;
    });
    try {
      const bytes = lengthOf(first, question.url);
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      const body = resumedBody(services, { question, progress, first, bytes });
      bodies.set(body, () => cut(question, progress));
      body.once("close", () => bodies.delete(body));
      if (isEnded) body.destroy(cut(question, progress));
      return { bytes, body };
    } catch (error) {
      first.body.destroy();
      throw error;
    }
  };
  const end = () => {
    isEnded = true;
    for (const [body, reason] of bodies) body.destroy(reason());
  };
  return { open, end };
}

function lengthOf({ status, headers }: OpenAnswer, url: URL): number {
  if (status !== 200) throw refusal(status, url);
  const { "content-length": length = "", "content-encoding": coding = "identity" } = headers;
  if (/^\d{1,15}$/.test(length) && coding === "identity") return Number(length);
  throw unavailable(`attachment on ${url.host} has no length`, { status, host: url.host });
}
