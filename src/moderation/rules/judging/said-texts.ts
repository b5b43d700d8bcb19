import type { QueuedComment } from "../../../store/index.ts";
import { likenessOf } from "../text/likeness.ts";
import { createSubject, type Subject } from "../text/subject.ts";

/** How often the same was said. */
export interface SaidTexts {
  add(comment: Spoken, subject?: Subject): void;
  /** Within that time before it and with it; of one comment's edits only the last counts. */
  times(comment: Spoken, subject: Subject, withinMs: number): number;
}

type Spoken = Pick<QueuedComment, "id" | "text" | "publishedAt">;

/** What is kept in memory of one server: about 2 MB. */
const mostKept = 20_000;

export function createSaidTexts(): SaidTexts {
  const moments = new Map<string, Map<string, number>>();
  const likenesses = new Map<string, string>();

  function forgetOldest(): void {
    const [id, likeness] = likenesses.entries().next().value ?? [];
    if (id === undefined || likeness === undefined) return;
    likenesses.delete(id);
    drop(id, likeness);
  }

  function drop(id: string, likeness: string): void {
    const said = moments.get(likeness);
    said?.delete(id);
    if (said?.size === 0) moments.delete(likeness);
  }

  return {
    add({ id, text, publishedAt }, subject = createSubject(text)) {
      const likeness = likenessOf(subject);
      const before = likenesses.get(id);
      if (before !== undefined && before !== likeness) drop(id, before);
      if (likeness === undefined) return;
      likenesses.set(id, likeness);
      const said = moments.get(likeness) ?? new Map<string, number>();
      moments.set(likeness, said.set(id, publishedAt));
      if (likenesses.size > mostKept) forgetOldest();
    },
    times({ id, publishedAt }, subject, withinMs) {
      const likeness = likenessOf(subject);
      if (likeness === undefined) return 1;
      const said = moments.get(likeness) ?? new Map<string, number>();
      let count = 1;
      for (const [other, at] of said) {
        if (other !== id && Math.abs(publishedAt - at) <= withinMs) count += 1;
      }
      return count;
    },
  };
}
