import { type Attachment, type Extra, withExtra } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Params } from "../../video/index.ts";

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
