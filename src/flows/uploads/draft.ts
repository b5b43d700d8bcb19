import { type Attachment, decoded, type Extra, withExtra } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Params } from "../../video/index.ts";
import { given } from "../options/index.ts";

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
 * Who can watch the video at first: a video that goes public at a set time is private until then.
 * @throws InputError `schedule_unlisted`
 */
export function scheduled(privacy: Privacy | undefined, publishAt: string | undefined): Privacy {
  if (publishAt === undefined) return privacy ?? "private";
  if (privacy !== "unlisted") return "private";
  throw new InputError("unlisted and scheduled", { code: "schedule_unlisted" });
}

/** The call's parameters, all but the file. A video is public only where somebody said so. */
export function paramsOf(draft: Draft): Omit<Params<"videos.insert">, "media"> {
  const { title, description, tags, language, license, publishAt } = draft;
  const body = {
    snippet: given({
      title,
      description: description || undefined,
      tags: tags?.length ? tags : undefined,
      categoryId: draft.categoryId,
      defaultLanguage: language,
    }),
    status: given({
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
    ...given({ notifySubscribers: draft.notifies }),
  };
  // The client checks all of it against the method before anything is sent.
  return withExtra(params, draft.extra) as unknown as Omit<Params<"videos.insert">, "media">;
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
    throw refusal("upload_source_twice");
  }
  if (video !== undefined) return kept(video);
  if (link !== undefined) return fileAtLink(link.trim());
  throw refusal("upload_source_missing");
}

/** @throws InputError `captions_language_missing`, `captions_file_missing`, `captions_language_twice` */
export function captionsOf(
  pairs: readonly (readonly [Attachment | undefined, string | undefined])[],
): readonly CaptionsFile[] {
  const files = pairs.flatMap(([file, language]) => {
    if (file === undefined && language === undefined) return [];
    if (file === undefined) {
      throw refusal("captions_file_missing");
    }
    if (language === undefined) {
      throw refusal("captions_language_missing");
    }
    return [{ file: kept(file), language }];
  });
  if (new Set(files.map(({ language }) => language)).size === files.length) return files;
  throw refusal("captions_language_twice");
}

/** Only what is needed later is carried along. @throws InputError `upload_file_empty` */
export function kept(file: Attachment): Attachment {
  const { id, filename, size, url } = file;
  if (size > 0) return { id, filename, size, url };
  throw refusal("upload_file_empty", { name: filename });
}

function fileAtLink(link: string): Attachment {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    throw refusal("upload_link_unreadable");
  }
  if (
    /^(?:\w+\.)?discord(?:app)?\.com$/u.test(url.hostname) &&
    url.pathname.startsWith("/channels/")
  ) {
    throw refusal("upload_link_message");
  }
  const [name = ""] = url.pathname.split("/").slice(-1);
  // How large it is, its host says.
  return { id: "0", filename: decoded(name) || "video", size: 0, url: url.href };
}

function refusal(code: string, facts = {}): InputError {
  return new InputError(code.replaceAll("_", " "), { code, facts });
}
