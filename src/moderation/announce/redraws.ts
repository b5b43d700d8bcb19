import { type Digest, found, type QueueItem, type Watch } from "../../store/index.ts";
import type { Announcer, PartOptions } from "../parts.ts";
import {
  type DeliverParts,
  type Letter,
  letterOfDigest,
  letterOfItem,
  placeOf,
  redraw,
} from "./deliver.ts";

export interface RedrawParts extends DeliverParts, Pick<PartOptions, "log"> {
  /** Something of that watch's may have to be sent. */
  readonly wake: (guildId: string, watchId: string) => void;
  /** Told of every change, as the item is then. */
  readonly onItem: (guildId: string, item: QueueItem) => void;
}

export interface Redraws extends Announcer {
  /** Begins nothing more; resolves when nothing is under way. */
  close(): Promise<void>;
  /** Lets go of a guild's, or of one watch's. */
  drop(guildId: string, watchId?: string): void;
}

/** Several changes of one message become one drawing. */
const gatherMs = 300;
const againMs = 4_000;
const mostTries = 5;

interface Line {
  readonly guildId: string;
  readonly watchId: string;
  ids: Set<string>;
  tries: number;
  timer: (() => void) | undefined;
  running: Promise<void> | undefined;
}

/**
 * Draws messages anew, those of one watch one after the other. What can't be drawn now is tried some times; after that
 * whoever loads the queue next finds it.
 */
export function createRedraws(parts: RedrawParts): Redraws {
  const { clock, log, store, items, wake, onItem } = parts;
  const lines = new Map<string, Line>();
  let isClosed = false;

  function lineOf(guildId: string, watchId: string): Line {
    const key = `${guildId}:${watchId}`;
    const line = lines.get(key) ?? {
      ...{ guildId, watchId },
      ...{ ids: new Set<string>(), tries: 0, timer: undefined, running: undefined },
    };
    lines.set(key, line);
    return line;
  }

  function plan(line: Line, ms: number): void {
    if (isClosed || line.timer !== undefined || line.running !== undefined) return;
    line.timer = clock.after(ms, () => {
      line.timer = undefined;
      const drained = store.guilds.runFor(line.guildId, () => drain(line));
      line.running = drained.finally(() => {
        line.running = undefined;
        if (line.ids.size > 0) plan(line, line.tries === 0 ? gatherMs : againMs * line.tries);
        else lines.delete(`${line.guildId}:${line.watchId}`);
      });
      return line.running;
    });
  }

  async function drain(line: Line): Promise<void> {
    const { guildId, watchId } = line;
    const ids = line.ids;
    line.ids = new Set();
    try {
      const watch = found(await store.moderation.watches.read(guildId, watchId));
      if (watch !== undefined) await draw(guildId, watch, ids);
      line.tries = 0;
    } catch (error) {
      line.tries += 1;
      const isLast = line.tries > mostTries;
      log.warn("cards were not drawn anew", { guild: guildId, watch: watchId, isLast, error });
      if (isLast) line.tries = 0;
      else for (const id of ids) line.ids.add(id);
    }
  }

  /** What was drawn is taken out, so that a failure leaves the rest. */
  async function draw(guildId: string, watch: Watch, ids: Set<string>): Promise<void> {
    const at = { guildId, watch };
    const drawn = new Set<string>();
    for (const itemId of ids) {
      if (isClosed) return;
      const item = await items.read(guildId, { watchId: watch.id, itemId });
      if (item !== undefined) {
        onItem(guildId, item);
        await drawOwn(at, item);
        for (const id of [item.digestId, item.actsId]) {
          if (id === undefined || drawn.has(id)) continue;
          drawn.add(id);
          await drawDigest(at, id);
        }
      }
      ids.delete(itemId);
    }
  }

  async function drawOwn(at: Place, item: QueueItem): Promise<void> {
    const { card, revision, status, digestId } = item;
    if (card.state === "due" && status === "open" && digestId === undefined) {
      wake(at.guildId, at.watch.id);
    }
    if (card.drawn !== revision) await drawn(card, () => letterOfItem(parts, at, item));
  }

  async function drawDigest(at: Place, id: string): Promise<void> {
    const read = await store.moderation.digests.read(at.guildId, `${at.watch.id}:${id}`);
    const digest: Digest | undefined = found(read);
    if (digest === undefined) return;
    const letter = await letterOfDigest(parts, at, digest);
    if (digest.card.drawn !== letter.shown) await drawn(digest.card, async () => letter);
  }

  async function drawn(card: QueueItem["card"], letterOf: () => Promise<Letter>): Promise<void> {
    const place = placeOf(card);
    if (place !== undefined) await redraw(parts, await letterOf(), place);
  }

  return {
    changed(guildId, { watchId, itemId }) {
      const line = lineOf(guildId, watchId);
      line.ids.add(itemId);
      plan(line, gatherMs);
    },
    drop(guildId, watchId) {
      for (const [key, line] of lines) {
        if (line.guildId !== guildId) continue;
        if (watchId !== undefined && line.watchId !== watchId) continue;
        line.timer?.();
        line.ids.clear();
        lines.delete(key);
      }
    },
    async close() {
      isClosed = true;
      for (const { timer } of lines.values()) timer?.();
      await Promise.allSettled([...lines.values()].map(({ running }) => running));
    },
  };
}

interface Place {
  readonly guildId: string;
  readonly watch: Watch;
}
