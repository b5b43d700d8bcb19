import { mention, type Text, type Words } from "../../discord/index.ts";
import type { Actor } from "../../moderation/index.ts";

/** Who decided, as it stands in a sentence. */
export function whoOf(by: Actor, words: Words): Text {
  return "userId" in by ? mention(by.userId) : words.say("watch.rule", { rule: by.ruleName });
}

/** The same at the beginning of a sentence. */
export function whoFirst(by: Actor, words: Words): Text {
  return "userId" in by ? mention(by.userId) : words.say("watch.rule_first", { rule: by.ruleName });
}

/** Who presses, for what is put on record. */
export function actorOf({
  userId,
  userName,
}: {
  readonly userId: string;
  readonly userName: string;
}): Actor {
  return { userId, userName };
}
