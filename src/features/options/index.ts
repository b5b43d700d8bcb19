import type { Attachment, TextChannel } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

export type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are not undefined; undefined if there are none. */
export function givenFields<T extends object>(fields: T): Present<T> | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries) as Present<T>;
}

/**
 * Refuses more than one of options that exclude each other, before any service is asked.
 * @throws InputError `conflicting_parameters`
 */
export function requireOneOf(options: Readonly<Record<string, unknown>>): void {
  const count = Object.values(options).filter((value) => value !== undefined).length;
  if (count <= 1) return;
  const choices = Object.keys(options).join(", ");
  throw new InputError(`${count} of ${choices} were given`, {
    code: "conflicting_parameters",
    facts: { rule: "at_most_one", choices, options: Object.keys(options).join(" ") },
  });
}

/** Refuses a time span that does not end after its start. @throws InputError `date_order` */
export function requireDateOrder(after: Date | undefined, before: Date | undefined): void {
  if (after === undefined || before === undefined || after < before) return;
  throw new InputError("the first moment is not before the second", {
    code: "date_order",
    facts: { since: after.getTime(), until: before.getTime() },
  });
}

/** Refuses a channel that the bot may not post in. @throws InputError `channel_not_writable` */
export function requireWritableText({ name, isWritable }: TextChannel): void {
  if (isWritable) return;
  throw new InputError("the bot may not post in the chosen channel", {
    code: "channel_not_writable",
    facts: { channel: name },
  });
}

/** The fields of an attachment that a button's state needs; Discord sends more. */
export function plainAttachment(attachment: Attachment): Attachment {
  const { id, filename, size, url, content_type } = attachment;
  return { id, filename, size, url, ...(content_type !== undefined && { content_type }) };
}
