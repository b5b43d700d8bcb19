import { InputError } from "../../errors.ts";
import { limits } from "../draw/limits.ts";
import type { Form } from "../draw/reply.ts";
import type { PressInput, TargetMessage } from "./command.ts";
import type { Option } from "./option.ts";

/**
 * Greatest lengths of texts by what they are; Discord gets the same numbers (`max_length`). They are checked here as well, because
 * Discord does not enforce them while it asks for suggestions.
 */
export const longestTexts = {
  /** Discord's longest string option. */
  any: 6000,
  /** A link with the parameters that sharing adds to it. */
  link: 500,
  /** Ids and names that suggestions offer; a link that carries an id is one too. */
  id: 500,
  /** A moment, a length of time, a colour or a place, as people write them. */
  phrase: 100,
} as const;

/** The greatest length of an option's text. */
export function longestFor({ max, choices }: Option): number {
  return choices === undefined ? (max ?? longestTexts.any) : limits.command.choiceText;
}

/** Whether it is short enough to be read. Numbers and flags always are. */
export function isWithin(value: unknown, option: Option): boolean {
  return typeof value !== "string" || value.length <= longestFor(option);
}

/** Before anything reads it. @throws InputError `option_too_long` */
export function requireWithin(value: unknown, option: Option, name: string): void {
  if (isWithin(value, option)) return;
  const [length, most] = [String(value).length, longestFor(option)];
  throw new InputError(`option ${name} has ${length} characters`, {
    code: "option_too_long",
    facts: { option: name, most, length },
  });
}

/**
 * The same for what was typed and chosen in a form; without the form, by Discord's own limits.
 * @throws InputError `field_too_long`
 */
export function requireInputWithin({ fields, lists, values }: PressInput, form?: Form): void {
  for (const [name, text] of Object.entries(fields)) {
    const field = form?.fields.find((one) => one.name === name);
    const own = field !== undefined && "maxLength" in field ? field.maxLength : undefined;
    const most = Math.min(own ?? limits.form.text, limits.form.text);
    if (text.length > most) throw fieldTooLong({ label: field?.label ?? name, text, most });
  }
  for (const chosen of [...Object.values(lists).flat(), ...values]) {
    const most = limits.command.choiceText;
    if (chosen.length > most) throw fieldTooLong({ label: "", text: chosen, most });
  }
}

interface LongField {
  readonly label: string;
  readonly text: string;
  readonly most: number;
}

function fieldTooLong({ label, text: { length }, most }: LongField): InputError {
  return new InputError(`a field has ${length} characters`, {
    code: "field_too_long",
    facts: { label, most, length },
  });
}

/** The message that a menu is opened on, cut to what Discord lets a message hold. */
export function boundedMessage(message: TargetMessage): TargetMessage {
  const { content, attachments, embeds = [], components = [] } = message;
  return {
    ...message,
    content: content.slice(0, limits.v2.text),
    attachments: attachments.slice(0, limits.message.files),
    embeds: embeds.slice(0, limits.message.embeds).map((embed) => boundedPart(embed)),
    components: components.slice(0, limits.v2.components).map((part) => boundedPart(part)),
  };
}

/** Deeper than components and embeds go. */
const deepestPart = 8;

function boundedPart(part: unknown, depth = 0): unknown {
  if (typeof part === "string") return part.slice(0, limits.embed.description);
  if (typeof part !== "object" || part === null) return part;
  if (depth > deepestPart) return undefined;
  const inner = Object.entries(part).slice(0, limits.v2.components);
  const bounded = inner.map(([name, value]) => [name, boundedPart(value, depth + 1)] as const);
  return Array.isArray(part) ? bounded.map(([, value]) => value) : Object.fromEntries(bounded);
}
