import { BotError } from "../../errors.ts";
import type { ChangeAct, RecordedChange } from "../../moderation/index.ts";
import { type Method, methods } from "../../video/index.ts";
import { moderatingMethods } from "./demands.ts";
import type { Middleware } from "./middleware.ts";

/** What is known about a thing that may be changed. */
export interface ThingFacts {
  readonly title?: string | undefined;
  readonly videoId?: string | undefined;
  readonly playlistId?: string | undefined;
  readonly channelId?: string | undefined;
}

/** What a change was about, and how it ended. */
export type Change = Omit<RecordedChange, "by" | "source">;

interface ChangeLogOptions {
  readonly record: (change: Change) => Promise<void>;
  /** Called when a change could not be recorded. It was made all the same. */
  readonly onFailure: (error: unknown) => void;
}

/** Records what the handler of one interaction changes at YouTube. */
export type ChangeLog = ReturnType<typeof createChangeLog>;

const longestText = 300;
/** More things than that are not remembered by their names. */
const mostThings = 1_000;

export function createChangeLog({ record, onFailure }: ChangeLogOptions) {
  const known = new Map<string, ThingFacts>();
  let isBanner = false;

  function name(id: string, facts: ThingFacts): void {
    if (known.size < mostThings) known.set(id, facts);
  }

  async function add(method: ChangeAct, called: CalledChange, answer: string): Promise<void> {
    // The picture is only sent; the channel's settings, which are written next, make it the banner.
    if (method === "channelBanners.insert") {
      isBanner = true;
      return;
    }
    const act = method === "channels.update" && isBanner ? "channelBanners.insert" : method;
    await record({ act, answer, ...describeSubject(act, called, known) }).catch(onFailure);
  }

  const watch: Middleware = async (call, next) => {
    const { method, params, page } = call;
    if (!isChange(method)) {
      const answer = await next(call);
      const { items } = (answer ?? {}) as { readonly items?: unknown };
      const read: readonly Thing[] = page === undefined && Array.isArray(items) ? items : [];
      for (const item of read) {
        if (typeof item.id === "string") name(item.id, factsIn(item));
      }
      return answer;
    }
    try {
      const made = await next(call);
      await add(method, { params, made: made as Thing }, "done");
      return made;
    } catch (error) {
      const isMade = error instanceof BotError && error.outcome !== "nothing";
      if (isMade) await add(method, { params }, error.code);
      throw error;
    }
  };

  return {
    /** Says what a thing is called, where neither a read of this handler nor the answer to its change does. */
    name,
    /** Records the changes among the calls. */
    watch,
  };
}

/** Decisions about comments and replies record themselves, with the comment. */
function isChange(method: Method): method is ChangeAct {
  return methods[method].effect !== "read" && !moderatingMethods.has(method);
}

/** What parameters, bodies and answers may have of a resource. */
interface Thing {
  readonly id?: string;
  readonly snippet?: {
    readonly title?: string;
    readonly language?: string;
    readonly videoId?: string;
    readonly playlistId?: string;
    readonly textOriginal?: string;
    readonly resourceId?: { readonly videoId?: string; readonly channelId?: string };
    readonly topLevelComment?: Thing;
  };
}

interface CalledChange {
  readonly params: { readonly id?: unknown; readonly videoId?: unknown; readonly body?: unknown };
  readonly made?: Thing;
}

function factsIn({ snippet = {} }: Thing): ThingFacts {
  const { title, videoId, playlistId, resourceId, topLevelComment, textOriginal } = snippet;
  const facts: ThingFacts = {
    title: title ?? textOriginal ?? topLevelComment?.snippet?.textOriginal,
    videoId: videoId ?? resourceId?.videoId,
    playlistId,
    channelId: resourceId?.channelId,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** What a change was about: by its parameters, its answer, and what was known before. */
function describeSubject(
  act: ChangeAct,
  { params, made = {} }: CalledChange,
  known: ReadonlyMap<string, ThingFacts>,
): Omit<Change, "act" | "answer"> {
  const body = (params.body ?? {}) as Thing;
  const thingId = String(body.id ?? params.id ?? params.videoId ?? made.id ?? "");
  const facts = { ...known.get(thingId), ...factsIn(body), ...factsIn(made) };
  const isVideo = /^(?:videos|thumbnails)\./u.test(act);
  const { title, ...ids } = {
    ...facts,
    ...(thingId !== "" && isVideo && { videoId: thingId }),
    ...(thingId !== "" && act.startsWith("playlists.") && { playlistId: thingId }),
  };
  // Captions go by their video's title, and their own name or language.
  const titles = act.startsWith("captions.")
    ? [known.get(ids.videoId ?? "")?.title, title ?? body.snippet?.language]
    : [title];
  const present = titles.filter((each) => each !== undefined);
  return {
    // Entries of a playlist and captions that are new have no id if the answer was lost.
    thingId: thingId === "" ? `${ids.videoId ?? ""} ${ids.playlistId ?? ""}` : thingId,
    commentId: /^comment/u.test(act) ? thingId : "",
    ...ids,
    ...(present.length > 0 && { text: present.join(" · ").slice(0, longestText) }),
  };
}
