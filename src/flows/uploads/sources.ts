import type { Attachment } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { CaptionsFile } from "./draft.ts";

/** What a person gave: a file or a link to one. */
export interface Given {
  readonly video?: Attachment | undefined;
  readonly link?: string | undefined;
}

/**
 * The one video that is meant. Whether a link's host is Discord's is checked where it is opened.
 * @throws InputError `upload_source_missing`, `upload_source_twice`, `upload_link_unreadable`, `upload_link_message`,
 * `upload_file_empty`
 */
export function videoFileOf({ video, link }: Given): Attachment {
  if (video !== undefined && link !== undefined) {
    throw refused("upload_source_twice", "Give a file or a link, not both.");
  }
  if (video !== undefined) return kept(video);
  if (link !== undefined) return linked(link.trim());
  throw refused("upload_source_missing", "Attach a video, or give the link of one.");
}

/** @throws InputError `captions_language_missing`, `captions_file_missing`, `captions_language_twice` */
export function captionsOf(
  given: readonly (readonly [Attachment | undefined, string | undefined])[],
): readonly CaptionsFile[] {
  const files = given.flatMap(([file, language]) => {
    if (file === undefined && language === undefined) return [];
    if (file === undefined) {
      throw refused("captions_file_missing", "A language of captions was given without a file.");
    }
    if (language === undefined) {
      throw refused("captions_language_missing", "Say which language the captions are in.");
    }
    return [{ file: kept(file), language }];
  });
  if (new Set(files.map(({ language }) => language)).size === files.length) return files;
  throw refused("captions_language_twice", "Both captions files are in the same language.");
}

/** Only what is needed later is carried along. @throws InputError `upload_file_empty` */
export function kept(file: Attachment): Attachment {
  const { id, filename, size, url } = file;
  if (size > 0) return { id, filename, size, url };
  throw refused("upload_file_empty", "The file is empty. Choose another one.", { name: filename });
}

function linked(link: string): Attachment {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    throw refused(
      "upload_link_unreadable",
      "Copy the file's own link: https://cdn.discordapp.com/…",
    );
  }
  if (
    /^(?:\w+\.)?discord(?:app)?\.com$/u.test(url.hostname) &&
    url.pathname.startsWith("/channels/")
  ) {
    const hint = "That is the link of a message. Open the file in it and copy the file's own link.";
    throw refused("upload_link_message", hint);
  }
  const [name = ""] = url.pathname.split("/").slice(-1);
  // How large it is tells its host.
  return { id: "0", filename: decoded(name) || "video", size: 0, url: url.href };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function refused(code: string, hint: string, facts = {}): InputError {
  return new InputError(code.replaceAll("_", " "), { code, hint, facts });
}
