import { type Attachment, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { checkCall, type MethodParams, methods } from "../../video/index.ts";
import { decodeAddress } from "../../video-links/index.ts";
import type { ConvertedText } from "../captions/index.ts";
import { type Extra, withExtra } from "../extra/index.ts";
import { givenFields } from "../options/index.ts";

export type VideoPrivacy = "private" | "unlisted" | "public";

export interface CaptionsFile {
  readonly file: Attachment;
  readonly language: string;
  /** For the question: what the file is converted from. */
  readonly converted?: ConvertedText | undefined;
}

/** The files that an upload may have, in the order in which a form asks for them. */
export const uploadFiles = ["video", "thumbnail", "captions"] as const;
export type UploadFile = (typeof uploadFiles)[number];

/** Everything about an upload; JSON-shaped, because forms and questions store it in their buttons. */
export interface UploadDraft {
  readonly video: Attachment;
  readonly title: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly categoryId?: string | undefined;
  readonly language?: string | undefined;
  readonly privacy: VideoPrivacy;
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
 * Who can watch the video at first. A video that becomes public at a set time is private until then.
 * @throws InputError `schedule_unlisted`
 */
export function privacyUntilPublished(
  privacy: VideoPrivacy | undefined,
  publishAt: string | undefined,
): VideoPrivacy {
  if (publishAt === undefined) return privacy ?? "private";
  if (privacy !== "unlisted") return "private";
  throw new InputError("unlisted and scheduled", { code: "schedule_unlisted" });
}

/** The call's parameters without the file. A video is public only if somebody chose that. */
export function uploadParams(draft: UploadDraft): Omit<MethodParams<"videos.insert">, "media"> {
  const { title, description, tags, language, license, publishAt } = draft;
  const body = {
    snippet: givenFields({
      title,
      description: description || undefined,
      tags: tags?.length ? tags : undefined,
      categoryId: draft.categoryId,
      defaultLanguage: language,
    }),
    status: givenFields({
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
    ...givenFields({ notifySubscribers: draft.notifies }),
  };
  // The client checks all of it against the method before anything is sent.
  return withExtra(params, draft.extra) as unknown as Omit<MethodParams<"videos.insert">, "media">;
}

/**
 * Refuses a title, a description or tags that YouTube would refuse, before the file is read or anything is asked.
 * @throws InputError `invalid_parameter` and the like
 */
export function requireUploadTexts(draft: UploadDraft): void {
  const method = "videos.insert";
  const media = { data: {}, type: "video/*" };
  checkCall(method, methods[method], { ...uploadParams(draft), media });
}

/** A file, or a link to one. */
interface VideoFileOptions {
  readonly video?: Attachment | undefined;
  readonly link?: string | undefined;
}

/**
 * The video file that the options name, if they do. Whether a link leads to Discord is checked when it is opened.
 * @throws InputError `upload_source_twice`, `upload_link_unreadable`, `upload_link_message`, `upload_file_empty`
 */
export function readVideoFile({ video, link }: VideoFileOptions): Attachment | undefined {
  if (video !== undefined && link !== undefined) throw uploadError("upload_source_twice");
  if (video !== undefined) return requireFilledFile(video);
  if (link === undefined) return undefined;
  const url = URL.canParse(link.trim()) ? new URL(link.trim()) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    throw uploadError("upload_link_unreadable", { given: typedText(link.trim()) });
  }
  const isDiscord = /^(?:\w+\.)?discord(?:app)?\.com$/u.test(url.hostname);
  if (isDiscord && url.pathname.startsWith("/channels/")) throw uploadError("upload_link_message");
  const [name = ""] = url.pathname.split("/").slice(-1);
  // The host says how large it is.
  return { id: "0", filename: decodeAddress(name) || "video", size: 0, url: url.href };
}

/** @throws InputError `upload_source_missing` */
export function requireVideoFile(video: Attachment | undefined): Attachment {
  if (video === undefined) throw uploadError("upload_source_missing");
  return video;
}

/** The language in a name like `film.de.srt`; otherwise the person's own. The question offers others. */
export function guessCaptionsLanguage({ filename }: Attachment, own: string): string {
  const [, code] = /\.([a-z]{2}(?:-[A-Z]{2})?)\.\w+$/u.exec(filename) ?? [];
  return code ?? own.replace(/-.*/u, "");
}

/** @throws InputError `captions_language_missing`, `captions_file_missing`, `captions_language_twice` */
export function readCaptionsFiles(
  pairs: readonly (readonly [Attachment | undefined, string | undefined])[],
): readonly CaptionsFile[] {
  const files = pairs.flatMap(([file, language]) => {
    if (file === undefined && language === undefined) return [];
    if (file === undefined) throw uploadError("captions_file_missing");
    if (language === undefined) throw uploadError("captions_language_missing");
    return [{ file: requireFilledFile(file), language }];
  });
  if (new Set(files.map(({ language }) => language)).size === files.length) return files;
  throw uploadError("captions_language_twice");
}

/** Keeps only the fields that are needed later. @throws InputError `upload_file_empty` */
export function requireFilledFile(file: Attachment): Attachment {
  const { id, filename, size, url } = file;
  if (size > 0) return { id, filename, size, url };
  throw uploadError("upload_file_empty", { name: filename });
}

function uploadError(code: string, facts = {}): InputError {
  return new InputError(code.replaceAll("_", " "), { code, facts });
}
