import type { Words } from "../../discord/index.ts";
import type { CredentialFacts } from "../../store/index.ts";

/** What a linked channel is called here. */
export function nameOf({ name, channelTitle, channelId }: CredentialFacts, words: Words): string {
  return name ?? channelTitle ?? channelId ?? words.say("common.untitled");
}
