import { BotError } from "../../errors.ts";
import type { PartOptions, QueueAt } from "../parts.ts";
import { type HeldComment, refOf } from "../records/index.ts";
import { concernsAll, isOfDatabase, mostFaults, placeOf, redraw } from "./deliver.ts";
import { cardOfComment, cardOfDigest } from "./outgoing-card.ts";

const pageSize = 50;

/**
 * Draws messages anew that show an older revision; one that can't be drawn holds up no others. Answers whether all were
 * drawn that can be. @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function redrawStale(
  deps: PartOptions,
  at: QueueAt,
  signal: AbortSignal,
): Promise<boolean> {
  const { records, log } = deps;
  const { guildId, watch } = at;
  const failed = new Set<string>();
  const drawnDigests = new Set<string>();
  let inARow = 0;
  for (;;) {
    const page = await records.comments.needDrawing(guildId, watch.id, pageSize + failed.size);
    const left = page.filter(({ id }) => !failed.has(id));
    if (left.length === 0) return failed.size === 0;
    for (const held of left) {
      signal.throwIfAborted();
      try {
        await drawAll(deps, at, held, drawnDigests);
        inARow = 0;
      } catch (error) {
        if (isOfDatabase(error)) throw error;
        log.warn("a card was not drawn anew", { guild: guildId, watch: watch.id, error });
        failed.add(held.id);
        inARow += 1;
        // What is our own fault is not mended by another try: the next change is one.
        if (!(error instanceof BotError)) await markDrawn(deps, at, held);
        else if (concernsAll(error) || inARow >= mostFaults) return false;
      }
    }
    // What has changed since is drawn once more.
    drawnDigests.clear();
  }
}

/** Its own card, and the digests that show it. */
async function drawAll(
  deps: PartOptions,
  at: QueueAt,
  held: HeldComment,
  drawnDigests: Set<string>,
): Promise<void> {
  const place = placeOf(held.card);
  if (place !== undefined && held.card.drawn !== held.revision) {
    await redraw(deps, await cardOfComment(deps, at, held), place);
  }
  for (const id of [held.digestId, held.actsId]) {
    if (id === undefined || drawnDigests.has(id)) continue;
    await drawDigest(deps, at, id);
    drawnDigests.add(id);
  }
  await markDrawn(deps, at, held);
}

async function drawDigest(deps: PartOptions, at: QueueAt, id: string): Promise<void> {
  const digest = await deps.records.digests.read(at.guildId, at.watch.id, id);
  const place = digest && placeOf(digest.card);
  if (digest === undefined || place === undefined) return;
  const card = await cardOfDigest(deps, at, digest);
  if (digest.card.drawn !== card.shown) await redraw(deps, card, place);
}

/** Unless it was changed since it was read. */
async function markDrawn({ records }: PartOptions, { guildId }: QueueAt, held: HeldComment) {
  await records.comments.note(guildId, refOf(held), (stored) => {
    if (stored.revision !== held.revision) return stored;
    const { needsDrawing: _, ...drawn } = stored;
    return drawn;
  });
}
