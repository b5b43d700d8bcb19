import { type Attachment, type Extra, withExtra } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Params } from "../../video/index.ts";
import { decoded } from "../decoded.ts";

export type Privacy = "private" | "unlisted" | "public";

export interface CaptionsFile {
  readonly file: Attachment;
  readonly language: string;
}

/** Everything that makes an upload, JSON-shaped: forms and questions carry it along. */
export interface Draft {
  readonly video: Attachment;
  readonly title: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly categoryId?: string | undefined;
  readonly language?: string | undefined;
  readonly privacy: Privacy;
  /** ISO 8601. */
  readonly publishAt?: string | undefined;
  readonly isForKids?: boolean | undefined;
  readonly isSynthetic?: boolean | undefined;
  readonly license?: string | undefined;
  readonly notifies?: boolean | undefined;
  readonly captions: readonly CaptionsFile[];
  readonly thumbnail?: Attachment | undefined;
  readonly extra: Extra;
}

/**
 * What becomes of somebody's choice when there is a moment to go public: private until then.
 * @throws InputError `schedule_unlisted`
 */
export function scheduled(privacy: Privacy | undefined, publishAt: string | undefined): Privacy {
  if (publishAt === undefined) return privacy ?? "private";
  if (privacy !== "unlisted") return "private";
  throw new InputError("unlisted and scheduled", {
    code: "schedule_unlisted",
    hint: "A video that goes public at a set time is private until then. Leave the privacy or the time away.",
  });
}

/** The call's parameters, all but the file. A video is never public because nobody said anything. */
export function paramsOf(draft: Draft): Omit<Params<"videos.insert">, "media"> {
  const { title, description, tags, language, license, publishAt } = draft;
  const body = {
    snippet: present({
      title,
      description: description || undefined,
      tags: tags?.length ? tags : undefined,
      categoryId: draft.categoryId,
      defaultLanguage: language,
    }),
    status: present({
      privacyStatus: draft.privacy,
      publishAt,
      license,
      selfDeclaredMadeForKids: draft.isForKids,
      containsSyntheticMedia: draft.isSynthetic,
    }),
  };
  const params = {
    part: ["snippet", "status"],
    body,
    ...present({ notifySubscribers: draft.notifies }),
  };
  // The client holds the whole against the row before anything is sent.
  return withExtra(params, draft.extra) as unknown as Omit<Params<"videos.insert">, "media">;
}

function present<T extends object>(fields: T): Partial<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}

/** What a person gave: a file or a link to one. */
interface Given {
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

function refused(code: string, hint: string, facts = {}): InputError {
  return new InputError(code.replaceAll("_", " "), { code, hint, facts });
}
