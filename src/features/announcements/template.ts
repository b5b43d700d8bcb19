import { join, type Markup, type Text, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

/** The placeholders that a template may contain, in the order in which they are named to people. */
export const placeholders = [
  "title",
  "channel",
  "url",
  "duration",
  "starts",
  "thumbnail",
  "tags",
  "game",
  "kind",
] as const;

/** The value of each placeholder for one video; undefined if the video has none. */
export type TemplateValues = Readonly<Record<(typeof placeholders)[number], Text | undefined>>;

export const maxTemplateChars = 500;
/** With this many, a message can always be made to fit by shortening values. */
const maxPlaceholders = 20;

const anyPlaceholder = /\{([^{}\n]*)\}/gu;

/** Mentions of everyone, and of roles and people, once what can't be seen in them is taken out. */
const mentions = [/@(?:everyone|here)(?![\p{L}\p{N}_])/iu, /<@[&!]?\d*>?/u] as const;
const invisible = /[\p{Cf}\p{DI}\p{Cc}]/gu;

/**
 * @throws InputError `template_placeholder` for a placeholder that the bot does not know, `template_crowded` for too many,
 * `template_ping` for a mention
 */
export function checkTemplate(template: string): void {
  const visible = template.normalize("NFKC").replace(invisible, "");
  const [mention] = mentions.flatMap((one) => one.exec(visible)?.[0] ?? []);
  if (mention !== undefined) {
    throw new InputError("a template would ping people", {
      code: "template_ping",
      facts: { given: typedText(mention), option: "role" },
    });
  }
  const found = [...template.matchAll(anyPlaceholder)];
  for (const [written, name = ""] of found) {
    if (isKnown(name)) continue;
    throw new InputError("a template has an unknown placeholder", {
      code: "template_placeholder",
      facts: {
        placeholder: written.slice(0, 60),
        known: placeholders.map((one) => `{${one}}`).join(", "),
      },
    });
  }
  if (found.length > maxPlaceholders) {
    throw new InputError("a template has too many placeholders", {
      code: "template_crowded",
      facts: { count: found.length, most: maxPlaceholders },
    });
  }
}

/**
 * Fills all placeholders in one pass, so a title that itself looks like a placeholder stays as it is. A placeholder without
 * a value takes the part of the text along that is about it alone: up to the next comma, dash, dot, bracket or end of a
 * sentence. Undefined if nothing is left of a template.
 */
export function fillTemplate(
  template: string,
  values: Partial<TemplateValues>,
): Markup | undefined {
  const rest = withoutEmpty(template, values);
  if (rest === "" && template !== "") return undefined;
  const pieces: Text[] = [];
  for (const [index, part] of rest.split(anyPlaceholder).entries()) {
    // Every other part is the name of a placeholder.
    const value = index % 2 === 0 ? part : isKnown(part) ? (values[part] ?? "") : `{${part}}`;
    const last = pieces.at(-1);
    // Texts are escaped together: a sign may mean something only beside another one.
    if (typeof value === "string" && typeof last === "string") pieces.splice(-1, 1, last + value);
    else pieces.push(value);
  }
  return join(pieces, "");
}

/** A bracket or quotation without others in it, with the space before it. */
const enclosed = /\s?[([（【「“„«][^()[\]（）【】「」“”„«»]*[)\]）】」“”»]/gu;
/** Between two parts of a text; the end of a sentence stays with it. */
const between = /(\s+[·•|–—-]\s+|\n|[,;]\s+|[、，；]|(?<=[.!?…])\s+|(?<=[。！？])(?=.))/u;
const endOfSentence = /[.!?…。！？]$/u;

function withoutEmpty(template: string, values: Partial<TemplateValues>): string {
  const isEmpty = (name: string) => isKnown(name) && values[name] === undefined;
  const namesIn = (text: string) => [...text.matchAll(anyPlaceholder)].map(([, name = ""]) => name);
  /** Whether it has placeholders, and none of them has a value. */
  const isIdle = (text: string) => namesIn(text).length > 0 && namesIn(text).every(isEmpty);

  function prune(text: string): string {
    const parts = text.split(between);
    let kept = "";
    let separator = "";
    for (let index = 0; index < parts.length; index += 2) {
      const [part = "", next = ""] = parts.slice(index, index + 2);
      if (isIdle(part)) {
        const [end = ""] = endOfSentence.exec(part) ?? [];
        // A sentence that has lost its last part still ends.
        if (kept !== "" && !endOfSentence.test(kept)) kept += end;
        if (end !== "") separator = next;
        continue;
      }
      kept += (kept === "" ? "" : separator) + withoutGaps(part, isEmpty);
      separator = next;
    }
    return kept;
  }

  if (!namesIn(template).some(isEmpty)) return template;
  const inside = template.replace(enclosed, (text) => {
    if (isIdle(text)) return "";
    const start = text.search(/\S/u) + 1;
    return text.slice(0, start) + prune(text.slice(start, -1)) + text.slice(-1);
  });
  return prune(inside);
}

/** Takes out empty placeholders, each with the space before it. */
function withoutGaps(text: string, isEmpty: (name: string) => boolean): string {
  const filled = text.replace(/\s?\{([^{}\n]*)\}/gu, (written, name) =>
    isEmpty(name) ? "" : written,
  );
  return filled === text ? text : filled.trimStart();
}

function isKnown(name: string): name is (typeof placeholders)[number] {
  return (placeholders as readonly string[]).includes(name);
}
