import { type Button, form, join, notice, type Words } from "../../discord/index.ts";
import { maxReasonChars } from "../../moderation/index.ts";
import { withTyped } from "../comments/index.ts";
import type { FormContext } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { byModerators, cardPresses } from "./card-buttons.ts";
import { quoteForForm, quoteLines } from "./comment.ts";
import type { ChosenComments } from "./full-text.ts";
import { toActor } from "./state.ts";

/** On the card of a rejected comment. */
const openForOne = actionFor(cardPresses.reason, {
  ...byModerators,
  answer: "form",
  form: (ctx, { watchId, itemId }) => reasonForm(ctx, { watchId, itemIds: [itemId] }),
});

const openForSeveral = action<ChosenComments>({
  name: "watch.reason-for-all",
  rank: "moderator",
  answer: "form",
  form: reasonForm,
});

/** @throws InputError `reason_text` */
const save = action<ChosenComments>({
  name: "watch.reason-save",
  rank: "moderator",
  answer: "private",
  run: async (ctx, { watchId, itemIds }, { fields }) => {
    const { words, moderation } = ctx;
    const reason = { text: fields.reason ?? "", by: toActor(ctx) };
    let count = 0;
    for (const itemId of itemIds) {
      if (await moderation.queue.explain({ watchId, itemId }, reason)) count += 1;
    }
    if (count === 0) {
      const tooLate = notice({ tone: "neutral", title: words.say("watch.reason.too_late") });
      return withTyped(tooLate, reason.text, words);
    }
    return notice({
      tone: "good",
      title: words.say("watch.reason.saved", { count }),
      text: join([quoteLines(reason.text), words.md("watch.reason.where")]),
    });
  },
});

/** Shows the comment, or how many there are, because the form hides the message that does. */
async function reasonForm({ words, heldComment }: FormContext, chosen: ChosenComments) {
  const { watchId, itemIds } = chosen;
  const [itemId = "", ...others] = itemIds;
  const only = others.length === 0 ? await heldComment({ watchId, itemId }) : undefined;
  const count = itemIds.length;
  return form({
    title: words.say("watch.reason.title"),
    ...(only !== undefined && { intro: quoteForForm(only, words) }),
    ...(count > 1 && { intro: words.say("watch.reason.for", { count }) }),
    isReturned: true,
    fields: [
      {
        name: "reason",
        label: words.say("watch.reason.label"),
        description: words.say("watch.reason.about"),
        maxLength: maxReasonChars,
      },
    ],
    submit: save.press(chosen),
  });
}

/** Adds one reason to several rejections. */
export function reasonButton(chosen: ChosenComments, words: Words): Button {
  return { label: words.say("watch.button.reason"), press: openForSeveral.press(chosen) };
}

export const reasonActions: readonly FeatureAction<never>[] = [openForOne, openForSeveral, save];
