import type { Bucket, Charge } from "./meter.ts";
import type { Counts, RecordAt, Spender, SpentOf } from "./types.ts";

/** One counter a bucket, person, method and command; the command comes last because its path has spaces. */
export function lineOf({ userId, command }: Spender, { bucket, method }: Charge): string {
  return `${bucket} ${userId} ${method} ${command}`;
}

export function readLines(
  { project, day }: Pick<RecordAt, "project" | "day">,
  counts: Counts,
): readonly SpentOf[] {
  return Object.entries(counts).flatMap(([line, spent]) => {
    const [, bucket, userId, method, command] = /^(\w+) (\S*) (\S+) (.*)$/s.exec(line) ?? [];
    if (userId === undefined || method === undefined || command === undefined || spent <= 0) {
      return [];
    }
    return [{ project, day, bucket: bucket as Bucket, userId, command, method, spent }]; // as `lineOf` wrote it
  });
}
