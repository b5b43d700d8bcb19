import type { Method, VideoClient } from "../../../video/index.ts";
import { rules } from "./rules.ts";
import { type Page, type Seeing, seeingOf } from "./seeing.ts";

export { withoutConsent } from "./without-consent.ts";

type Loose = (method: Method, params: object, options?: object) => Promise<Page>;
type Walk = (method: Method, params: object, options?: object) => AsyncIterableIterator<Page>;

/**
 * A linked channel's client for answers that everybody reads: what only its owner sees is left out.
 * @throws AccessError `subscriptions_private`
 */
export function publicView(client: VideoClient, ownId?: string): VideoClient {
  const read = client.call.bind(client) as Loose;
  const walk: Walk = (...given) => (client.pages as Walk)(...given);
  const seeing: Seeing = seeingOf(read, ownId);

  async function call(method: Method, params: object, options?: object) {
    const rule = rules[method];
    if (rule === undefined) return read(method, params, options);
    if (await rule.isClosed?.(params, seeing)) return { items: [] };
    return rule.shown(await read(method, rule.asked?.(params) ?? params, options), seeing, params);
  }

  async function* pages(method: Method, params: object, options?: object) {
    const rule = rules[method];
    if (rule === undefined) {
      yield* walk(method, params, options);
    } else if (await rule.isClosed?.(params, seeing)) {
      yield { items: [] };
    } else {
      for await (const page of walk(method, rule.asked?.(params) ?? params, options)) {
        yield rule.shown(page, seeing, params);
      }
    }
  }
  // The methods keep their types: only entries and the owner's own fields are taken away.
  return {
    call: call as unknown as VideoClient["call"],
    pages: pages as unknown as VideoClient["pages"],
  };
}
