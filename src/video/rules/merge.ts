import { at } from "../place.ts";
import { refusal } from "./refusal.ts";

export type Fields = Readonly<Record<string, unknown>>;

/**
 * What is stored with a change laid over it. Objects are merged field by field and lists are replaced whole; `undefined`
 * keeps what is there and `null` clears it.
 */
export function merge(current: unknown, change: unknown): unknown {
  if (change === undefined) return current;
  if (!isFields(change)) return change;
  const merged = new Map(Object.entries(isFields(current) ? current : {}));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** A JSON object: neither a list nor a time. */
export function isFields(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

interface Settling {
  readonly current: Fields;
  readonly change: Fields;
  readonly merged: unknown;
}

/** What the service would misunderstand or refuse in a merged resource, put right. */
export function settle(method: string, settling: Settling): Fields {
  const merged = isFields(settling.merged) ? settling.merged : {};
  if (method === "channels.update") return keepTitle(method, { ...settling, merged });
  return dropPublishAt({ ...settling, merged });
}

type Settled = Settling & { readonly merged: Fields };

/**
 * A time to publish counts only while a video is private, before and after. One that was left over from an earlier plan
 * would publish a video that is being made private now.
 */
function dropPublishAt({ current, change, merged }: Settled): Fields {
  const { status } = merged;
  if (!isFields(status) || status.publishAt === undefined) return merged;
  const isAsked = (at(change, "status.publishAt") ?? undefined) !== undefined;
  const isKept =
    status.privacyStatus === "private" && at(current, "status.privacyStatus") === "private";
  if (isAsked || isKept) return merged;
  const { publishAt: _, ...rest } = status;
  return { ...merged, status: rest };
}

/** The title travels along and must be the present one (facts, channels.update). */
function keepTitle(method: string, { current, change, merged }: Settled): Fields {
  const settings = merged.brandingSettings;
  if (!isFields(settings)) return merged;
  const title = at(current, "brandingSettings.channel.title");
  const wanted = at(change, "brandingSettings.channel.title") ?? title;
  if (wanted !== title) {
    const reason = "channelTitleUpdateForbidden";
    throw refusal("the title would change", { reason, status: 400, method });
  }
  if (title === undefined) return merged;
  const channel = { ...(isFields(settings.channel) ? settings.channel : {}), title };
  return { ...merged, brandingSettings: { ...settings, channel } };
}
