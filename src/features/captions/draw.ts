import {
  type Attachment,
  type Button,
  type Card,
  type CardField,
  card,
  compact,
  cut,
  join,
  type ReplyItem,
  reaches,
  type Words,
} from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { Caption } from "../../video/index.ts";
import {
  captionsName,
  formatPublished,
  formatSince,
  presentFields,
  presses,
  valueName,
} from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import type { CaptionMedia, ConvertedText } from "./format.ts";
import { captionFormats, captionKindNames } from "./kinds.ts";

export function captionsField(words: Words, key: MessageKey, value: string): CardField {
  return { name: words.say(key), value, inline: true };
}

/** The file with its kind, and the encoding that it is converted from. */
export function captionsFileFields(
  words: Words,
  file: Attachment,
  { kind, converted, isRead }: CaptionMedia,
): readonly CardField[] {
  const format = captionFormats.find((one) => one === kind);
  const name =
    format === undefined
      ? captionKindNames[kind as keyof typeof captionKindNames]
      : words.say(`choices.tfmt.${format}`);
  const facts = [file.filename, name, words.bytes(file.size)];
  return compact([
    captionsField(words, "captions.fields.file", facts.join(" · ")),
    !isRead && captionsField(words, "captions.fields.check", words.say("captions.unread")),
    converted !== undefined &&
      captionsField(words, "captions.fields.encoding", convertedLine(words, converted)),
  ]);
}

/** What a file was in, with a line of it, which shows whether that is right. */
export function convertedLine(words: Words, { from, isDoubtful, sample }: ConvertedText): string {
  const facts = { from, sample: cut(sample, 80) };
  return words.say(isDoubtful ? "captions.guessed" : "captions.converted", facts);
}

/** One line of a list, with what can be done with it. */
export function captionsItem(
  { id = "", snippet }: Caption,
  { ctx: { words, rank } }: { readonly ctx: Pick<Ctx, "words" | "rank"> },
): ReplyItem {
  const name = cut(captionsName(snippet, words), 100);
  const buttons: Button[] = [
    { label: words.say("cards.download"), press: presses.captions.download(id, name) },
  ];
  if (reaches(rank, "manager")) {
    const press = presses.captions.remove(id, name);
    buttons.push({ label: words.say("cards.delete"), style: "danger", press });
  }
  const updated = formatSince(snippet?.lastUpdated);
  const facts = [
    valueName(words, "trackKind", snippet?.trackKind),
    describeState(snippet, words),
    updated !== undefined && words.md("captions.updated", { at: updated }),
  ];
  return { title: name, lines: [join(facts.filter(Boolean), " · ")], buttons };
}

interface CaptionsCardFor {
  readonly words: Words;
  readonly title: string;
  /** What an edit changed. It replaces the line that says whether they are a draft. */
  readonly changed?: readonly CardField[];
}

/** Everything about one set of captions, after it was added or changed. */
export function captionsCard(
  { id = "", snippet }: Caption,
  { words, title, changed }: CaptionsCardFor,
): Card {
  const isDraft = changed === undefined && snippet?.isDraft === true;
  return card({
    tone: "good",
    title,
    fields: [
      ...(changed ?? []),
      ...presentFields(words, [
        ["captions.fields.language", words.language(snippet?.language ?? "und")],
        ["captions.fields.name", snippet?.name],
        ["captions.fields.kind", valueName(words, "trackKind", snippet?.trackKind)],
        ["captions.draft", isDraft ? words.say("common.yes") : undefined],
        ["captions.fields.status", describeState(snippet, words)],
        ["captions.fields.updated", formatPublished(snippet?.lastUpdated)],
      ]),
    ],
    buttons: [
      {
        label: words.say("cards.download"),
        press: presses.captions.download(id, cut(captionsName(snippet, words), 100)),
      },
    ],
  });
}

/** The state, with the reason for a failure. */
function describeState(snippet: Caption["snippet"], words: Words): string | undefined {
  const state = valueName(words, "captionStatus", snippet?.status);
  const why = valueName(words, "captionFailure", snippet?.failureReason);
  return snippet?.status === "failed" && why !== undefined ? `${state}: ${why}` : state;
}
