import type { Attachment } from "../declare/option.ts";
import { cut, oneLine } from "./text.ts";

interface Described extends Attachment {
  /** The name without its ending, where Discord kept only ASCII of it. */
  readonly title?: string | null | undefined;
}

/** Paths are no names; isolates would stand in files for good. */
const notInNames = /[/\\\u2068\u2069]/gu;

/** As long as file systems take it, with room for an ending. */
const maxTitle = 200;
/** What is read of a name or title at all. */
const maxRead = 1024;

/**
 * An attachment by the name that its owner knows: of letters other than ASCII Discord leaves nothing in the file's
 * name, and tells them in its title.
 */
export function byOwnName<T extends Described>(attachment: T): T {
  const written = (attachment.title ?? "").slice(0, maxRead);
  const title = cut(oneLine(written).replaceAll(notInNames, ""), maxTitle);
  // Its ending says what it is.
  const filename = attachment.filename.slice(-maxRead);
  if (title === "") return { ...attachment, filename };
  const ending = endingOf(filename);
  const isWhole = title.toLowerCase().endsWith(ending.toLowerCase());
  return { ...attachment, filename: isWhole ? title : `${title}${ending}` };
}

/** A name of which nothing was left but its ending may have lost the dot too. */
function endingOf(filename: string): string {
  const [ending = ""] = /\.[^.]+$/u.exec(filename) ?? [];
  return ending === "" && /^[a-z\d]{2,4}$/iu.test(filename) ? `.${filename}` : ending;
}
