import type { ChannelRef, Ctx } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";

export interface Author {
  readonly id: string;
  readonly name?: string;
}

/** Facts: ids of one call. */
const idsOfCall = 50;

/**
 * Who is meant, with names. Ids cost a unit for fifty, @handles one each; an id that the service does not know stays:
 * somebody whose channel was closed may have written before.
 * @throws InputError `channel_not_found`
 */
export async function findAuthors(
  ctx: Ctx<unknown>,
  refs: readonly ChannelRef[],
): Promise<readonly Author[]> {
  const ids = refs.flatMap((ref) => ("id" in ref ? [ref.id] : []));
  const handles = refs.flatMap((ref) => ("handle" in ref ? [ref.handle] : []));
  const calls = Math.ceil(ids.length / idsOfCall) + handles.length;
  if (calls > 0) await ctx.afford([["channels.list", calls]]);
  const named = await namesOf(ctx, ids);
  const found: Author[] = ids.map((id) => authorOf(id, named.get(id)));
  for (const handle of handles) found.push(await byHandle(ctx, handle));
  return [...new Map(found.map((author) => [author.id, author])).values()];
}

async function namesOf(
  { video, signal }: Ctx<unknown>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const names = new Map<string, string | undefined>();
  for (let at = 0; at < ids.length; at += idsOfCall) {
    const wanted = { part: ["snippet"], id: ids.slice(at, at + idsOfCall) } as const;
    const { items } = await video.call("channels.list", wanted, { signal });
    for (const { id, snippet } of items ?? []) if (id !== undefined) names.set(id, snippet?.title);
  }
  return names;
}

async function byHandle({ video, signal }: Ctx<unknown>, handle: string): Promise<Author> {
  const wanted = { part: ["snippet"], forHandle: handle } as const;
  const { items } = await video.call("channels.list", wanted, { signal });
  const [channel] = items ?? [];
  if (channel?.id !== undefined) return authorOf(channel.id, channel.snippet?.title ?? handle);
  throw new InputError("nobody has that handle", {
    code: "rule_authors",
    hint: `Nobody is called ${handle}. Check the handle.`,
    facts: { reason: "unknown", given: handle },
  });
}

function authorOf(id: string, name: string | undefined): Author {
  return name === undefined ? { id } : { id, name: name.slice(0, 60) };
}
