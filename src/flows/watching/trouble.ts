import {
  channelMention,
  type EventCtx,
  type EventReply,
  join,
  notice,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { Trouble, TroubleCode, TroubleFacts, Watch } from "../../moderation/index.ts";

/** What keeps a watch from working, and what to do about it. */
export function troubleText(
  { code, trouble, watch }: Pick<TroubleFacts, "code" | "trouble" | "watch">,
  words: Words,
): Text {
  return join([adviceOf(code, watch, words), ...untilOf(trouble, words)], "\n");
}

function adviceOf(code: TroubleCode, watch: Watch, words: Words): Text {
  const command = words.command(code === "channel_gone" ? "watch channel" : "connect channels");
  const stop = words.command("watch stop");
  const place = channelMention(watch.channelId);
  return words.md(`watch.trouble.${code}.text`, { command, stop, place });
}

function untilOf({ until }: Trouble, words: Words): readonly Text[] {
  if (until === undefined) return [];
  const at = new Date(until);
  return [words.md("watch.trouble.until", { at: time(at), moment: time(at, "f") })];
}

export function troubleNotice({ words }: EventCtx, facts: TroubleFacts): EventReply {
  return notice({
    tone: "warning",
    title: words.say(`watch.trouble.${facts.code}.title`),
    text: troubleText(facts, words),
  });
}

export function wellNotice({ words }: EventCtx, { code }: TroubleFacts): EventReply {
  return notice({
    tone: "good",
    title: words.say(`watch.trouble.${code}.well`),
    text: words.say("watch.trouble.well_text"),
  });
}
