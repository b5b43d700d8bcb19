import type { Rule, Watch } from "../../records/index.ts";
import type { ModerationEvents } from "../../types.ts";
import { changeKept } from "../book.ts";
import type { RuleParts } from "../parts.ts";
import type { Found } from "./open-finder.ts";

/**
 * Switches off what costs too much, and says so; what somebody has changed since then stays.
 * @throws ServiceError `store_unavailable`
 */
export async function switchOff(
  parts: RuleParts,
  { guildId, watch }: { readonly guildId: string; readonly watch: Watch },
  off: Found["off"],
): Promise<void> {
  for (const { rule, why } of off) {
    let isOff = false;
    const book = await changeKept(parts, guildId, (stored) => {
      isOff = stored.rules.some((one) => isSame(one, rule));
      const switched = { isOn: false, off: { why, at: parts.clock.now() } };
      const rules = stored.rules.map((one) => (isSame(one, rule) ? { ...one, ...switched } : one));
      return isOff ? { ...stored, rules } : stored;
    });
    if (book === undefined || !isOff) continue;
    const { id, name } = rule;
    const facts = { ...placeOf({ guildId, watch }, book), rule: { id, name }, why };
    await tellOf(parts, { name: "rule-switched-off", facts });
  }
}

function isSame(one: Rule, { id, test }: Rule): boolean {
  return one.id === id && one.isOn && JSON.stringify(one.test) === JSON.stringify(test);
}

/** The log channel, or the watch's; none where that is a forum. */
export function placeOf(
  { guildId, watch }: { readonly guildId: string; readonly watch: Watch },
  { logChannelId }: { readonly logChannelId?: string },
): Pick<ModerationEvents["rules-capped"], "guildId" | "channelId"> {
  const channelId = logChannelId ?? (watch.isForum ? undefined : watch.channelId);
  return { guildId, ...(channelId !== undefined && { channelId }) };
}

/** Never throws: what can't be told holds up nobody. */
export async function tellOf<K extends "rules-capped" | "rule-switched-off">(
  { tell, log }: Pick<RuleParts, "tell" | "log">,
  event: { readonly name: K; readonly facts: ModerationEvents[K] },
): Promise<void> {
  try {
    await tell(event);
  } catch (error) {
    log.warn("what became of rules could not be told", { ...event, error });
  }
}
