import { AccessError } from "../../../errors.ts";
import { type Method, methods, needsToken, type VideoClient } from "../../../video/index.ts";

/**
 * A client that asks nothing as the linked channel. Without a channel the video client says that one is needed; where
 * there is one, its own view is what an answer for everybody may not hold.
 * @throws AccessError `owners_view`
 */
export function withoutConsent(client: VideoClient): VideoClient {
  type Loose = (method: Method, params: object, options?: object) => Promise<unknown>;
  const read = client.call.bind(client) as Loose;
  const walk = (...given: Parameters<Loose>) =>
    (client.pages as (...given: Parameters<Loose>) => unknown)(...given);
  return {
    call: (async (...given: Parameters<Loose>) => {
      refuseConsent(given[0], given[1]);
      return read(...given);
    }) as VideoClient["call"],
    pages: ((...given: Parameters<Loose>) => {
      refuseConsent(given[0], given[1]);
      return walk(...given);
    }) as VideoClient["pages"],
  };
}

function refuseConsent(method: Method, params: object): void {
  if (!needsToken(methods[method], params as Readonly<Record<string, unknown>>)) return;
  throw new AccessError(`${method}: an answer for everybody may not hold the channel's own view`, {
    code: "owners_view",
    hint: "Only the linked channel itself sees that, and this answer is for everybody. Leave it out.",
    facts: { method },
  });
}
