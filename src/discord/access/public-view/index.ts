import { AccessError } from "../../../errors.ts";
import { type Method, methods, needsToken, type VideoClient } from "../../../video/index.ts";
import { loosened, strict } from "../../declare/loose-client.ts";
import { rules } from "./rules.ts";
import { type Page, seeingOf } from "./seeing.ts";

/**
 * A linked channel's client for answers that everybody reads: what only its owner sees is left out.
 * @throws AccessError `subscriptions_private`
 */
export function publicView(client: VideoClient, ownId?: string): VideoClient {
  const whole = loosened<Page>(client);
  const seeing = seeingOf(whole, ownId);

  return strict({
    async call(method, params, options) {
      const rule = rules[method];
      if (rule === undefined) return whole.call(method, params, options);
      if (await rule.isClosed?.(params, seeing)) return { items: [] };
      const page = await whole.call(method, rule.asked?.(params) ?? params, options);
      return rule.shown(page, seeing, params);
    },
    async *pages(method, params, options) {
      const rule = rules[method];
      if (rule === undefined) {
        yield* whole.pages(method, params, options);
      } else if (await rule.isClosed?.(params, seeing)) {
        yield { items: [] };
      } else {
        for await (const page of whole.pages(method, rule.asked?.(params) ?? params, options)) {
          yield rule.shown(page, seeing, params);
        }
      }
    },
  });
}

/**
 * A client that asks nothing as the linked channel. Without a channel the video client says that one is needed; where
 * there is one, its own view is what an answer for everybody may not hold.
 * @throws AccessError `owners_view`
 */
export function withoutConsent(client: VideoClient): VideoClient {
  const loose = loosened(client);
  return strict({
    async call(method, params, options) {
      refuseConsent(method, params);
      return loose.call(method, params, options);
    },
    pages(method, params, options) {
      refuseConsent(method, params);
      return loose.pages(method, params, options);
    },
  });
}

function refuseConsent(method: Method, params: Readonly<Record<string, unknown>>): void {
  if (!needsToken(methods[method], params)) return;
  throw new AccessError(`${method}: an answer for everybody may not hold the channel's own view`, {
    code: "owners_view",
    facts: { method },
  });
}
