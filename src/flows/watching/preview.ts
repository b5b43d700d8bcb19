import {
  type Button,
  type Ctx,
  card,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import type { HeldComment } from "../../moderation/index.ts";
import { authorsIn } from "./authors.ts";
import { authorOf, escapedWithin, oneLine, sayingOf } from "./comment.ts";
import { fullTexts } from "./full.ts";
import { askBanGroup, decideGroup } from "./group.ts";
import type { Chosen, GroupKind } from "./presses.ts";
import { isOpen } from "./state.ts";

export interface Previewing {
  readonly watchId: string;
  /** Those that were chosen; only those that still wait are shown. */
  readonly items: readonly HeldComment[];
  readonly kinds: readonly GroupKind[];
  readonly title?: string;
  /** What they were chosen by. */
  readonly note?: string;
}

/** Room for the comments in the message's text, as it is sent. */
const roomForTexts = 3400;

const styles = { approve: "success", reject: "danger", ban: "danger" } as const;

/** What a decision about several would be about: how many, whose, and what they say. */
export function preview(ctx: Ctx<unknown>, previewing: Previewing): Reply {
  const { words } = ctx;
  const { watchId, kinds, note } = previewing;
  const items = previewing.items.filter(isOpen);
  const count = items.length;
  if (count === 0) return notice({ tone: "info", title: words.say("watch.digest.none") });
  const { texts, isCut } = textsOf(items, words);
  const chosen = { watchId, itemIds: items.map(({ id }) => id) };
  const isFinal = kinds.some((kind) => kind !== "approve");
  return card({
    tone: "warning",
    title: previewing.title ?? words.say("watch.digest.preview", { count }),
    text: join(
      [
        ...(note === undefined ? [] : [note]),
        words.say("watch.digest.by", { authors: authorsIn(items, words) }),
        "",
        ...texts,
        ...(isFinal ? ["", words.say("comments.deciding.final")] : []),
        ...(isCut ? [words.say("watch.digest.cut")] : []),
      ],
      "\n",
    ),
    isPrivate: true,
    buttons: [
      ...kinds.map((kind) => decideButton(kind, chosen, words)),
      ...(isCut
        ? [{ label: words.say("watch.digest.texts"), press: fullTexts.press(chosen) }]
        : []),
    ],
  });
}

function decideButton(kind: GroupKind, chosen: Chosen, words: Words): Button {
  const count = chosen.itemIds.length;
  return {
    label: words.say(`watch.digest.${kind}`, { count }),
    style: styles[kind],
    press: kind === "ban" ? askBanGroup.press(chosen) : decideGroup.press({ ...chosen, kind }),
  };
}

/** Each gets the same room, which is more than most need. */
function textsOf(items: readonly HeldComment[], words: Words) {
  const room = Math.floor(roomForTexts / items.length);
  const drawn = items.map(({ comment }) => {
    const author = cut(authorOf(comment, words), 40);
    const head = md`**${author}**: `;
    const said = oneLine(sayingOf(comment, words));
    const shown = escapedWithin(said, Math.max(20, room - head.markup.length - 1));
    return { text: md`${head}${shown}`, isCut: shown !== said };
  });
  return { texts: drawn.map(({ text }) => text), isCut: drawn.some(({ isCut }) => isCut) };
}
