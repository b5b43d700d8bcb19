import type { Attachment } from "../declare/options.ts";
import { cut, oneLine } from "./text.ts";

interface Described extends Attachment {
  /** The name without its ending, where Discord kept only ASCII of it. */
  readonly title?: string | null | undefined;
}

/** Paths are no names; isolates would stand in files for good. */
const notInNames = /[/\\\u2068\u2069]/gu;

/** As long as file systems take it, with room for an ending. */
const maxTitle = 200;

/**
 * An attachment by the name that its owner knows: of letters other than ASCII Discord leaves nothing in the file's
 * name, and tells them in its title.
 */
export function byOwnName<T extends Described>(attachment: T): T {
  const title = cut(oneLine(attachment.title ?? "").replaceAll(notInNames, ""), maxTitle);
  if (title === "") return attachment;
  const ending = endingOf(attachment.filename);
  const isWhole = title.toLowerCase().endsWith(ending.toLowerCase());
  return { ...attachment, filename: isWhole ? title : `${title}${ending}` };
}

/** A name of which nothing was left but its ending may have lost the dot too. */
function endingOf(filename: string): string {
  const [ending = ""] = /\.[^.]+$/u.exec(filename) ?? [];
  return ending === "" && /^[a-z\d]{2,4}$/iu.test(filename) ? `.${filename}` : ending;
}
