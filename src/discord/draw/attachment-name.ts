import type { Attachment } from "../declare/option.ts";
import { cut, oneLine } from "./text.ts";

interface TitledAttachment extends Attachment {
  /** The name without its ending, where Discord kept only ASCII of it. */
  readonly title?: string | null | undefined;
}

/** A name has no path, and direction isolates would stay in the file's name. */
const notInNames = /[/\\\u2068\u2069]/gu;

/** As long as file systems allow, with room for an ending. */
const maxTitle = 200;
/** Longer names and titles are cut before anything else is done. */
const maxRead = 1024;

/**
 * Gives an attachment the name that its owner knows: Discord removes all letters but ASCII from the file's name, and keeps
 * them in its title.
 */
export function withOwnName<T extends TitledAttachment>(attachment: T): T {
  const written = (attachment.title ?? "").slice(0, maxRead);
  const title = cut(oneLine(written).replaceAll(notInNames, ""), maxTitle);
  // The ending says what kind of file it is.
  const filename = attachment.filename.slice(-maxRead);
  if (title === "") return { ...attachment, filename };
  // Where Discord left only the ending of a name, its dot may be gone too.
  const bare = /^[a-z\d]{2,4}$/iu.test(filename) ? `.${filename}` : "";
  const [ending = bare] = /\.[^.]+$/u.exec(filename) ?? [];
  const isWhole = title.toLowerCase().endsWith(ending.toLowerCase());
  return { ...attachment, filename: isWhole ? title : `${title}${ending}` };
}
