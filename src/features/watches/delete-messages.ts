import { type Button, notice, type Words } from "../../discord/index.ts";
import { action } from "../declarations/index.ts";

/** A watch that has just ended, and how many messages it leaves behind. */
interface LeftMessages {
  readonly watchId: string;
  readonly count: number;
}

/** Offers to delete what a watch that has ended posted. */
export function deleteButtons(words: Words, left: LeftMessages): readonly Button[] {
  const { count } = left;
  if (count === 0) return [];
  const label = words.say("watch.closed.delete", { count });
  return [{ label, style: "danger", press: deleteWatchMessages.press(left) }];
}

export const deleteWatchMessages = action<LeftMessages>({
  name: "watch.delete-messages",
  rank: "manager",
  isOnce: true,
  run: async ({ words, moderation }, { watchId, count }) => {
    const isKnown = await moderation.watches.deleteMessages(watchId);
    return notice({
      tone: isKnown ? "good" : "bad",
      title: words.say(isKnown ? "watch.closed.deleting" : "watch.closed.unknown", { count }),
      text: words.say(isKnown ? "watch.closed.deleting_text" : "watch.closed.unknown_text"),
    });
  },
});
