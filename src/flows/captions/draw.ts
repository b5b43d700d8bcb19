import {
  type Attachment,
  type Button,
  type Card,
  captionsName,
  card,
  cut,
  type Field,
  type Item,
  join,
  named,
  present,
  presses,
  published,
  since,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { Caption } from "../../video/index.ts";
import type { CaptionFormat } from "./format.ts";

export function field(words: Words, key: MessageKey, value: string): Field {
  return { name: words.say(key), value, inline: true };
}

export function fileField(words: Words, file: Attachment, format: CaptionFormat): Field {
  const facts = [file.filename, words.say(`choices.tfmt.${format}`), words.bytes(file.size)];
  return field(words, "captions.fields.file", facts.join(" · "));
}

/** One line of a list, with what can be done with it. */
export function captionsItem(
  { id = "", snippet }: Caption,
  { words, isManager }: { readonly words: Words; readonly isManager: boolean },
): Item {
  const name = cut(captionsName(snippet, words), 100);
  const buttons: Button[] = [
    { label: words.say("cards.download"), press: presses.captions.download(id, name) },
  ];
  if (isManager) {
    const press = presses.captions.remove(id, name);
    buttons.push({ label: words.say("cards.delete"), style: "danger", press });
  }
  const updated = since(snippet?.lastUpdated);
  const facts = [
    named(words, "trackKind", snippet?.trackKind),
    stateOf(snippet, words),
    ...(updated === undefined ? [] : [words.md("captions.updated", { at: updated })]),
  ];
  return { title: name, lines: [join(facts.filter(isText), " · ")], buttons };
}

interface CaptionsCardFor {
  readonly words: Words;
  readonly title: string;
  /** What an edit changed, shown in place of whether they are a draft. */
  readonly changed?: readonly Field[];
}

/** One set of captions, whole, after something was done to it. */
export function captionsCard(
  { id = "", snippet }: Caption,
  { words, title, changed }: CaptionsCardFor,
): Card {
  const isDraft = changed === undefined && snippet?.isDraft === true;
  return card({
    title,
    fields: [
      ...(changed ?? []),
      ...present(words, [
        ["captions.fields.language", words.language(snippet?.language ?? "und")],
        ["captions.fields.name", snippet?.name],
        ["captions.fields.kind", named(words, "trackKind", snippet?.trackKind)],
        ["captions.draft", isDraft ? words.say("common.yes") : undefined],
        ["captions.fields.status", stateOf(snippet, words)],
        ["captions.fields.updated", published(snippet?.lastUpdated)],
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

/** The state, with the reason of a failure. */
function stateOf(snippet: Caption["snippet"], words: Words): string | undefined {
  const state = named(words, "captionStatus", snippet?.status);
  const why = named(words, "captionFailure", snippet?.failureReason);
  return snippet?.status === "failed" && why !== undefined ? `${state}: ${why}` : state;
}

function isText(text: Text | undefined): text is Text {
  return text !== undefined && text !== "";
}
