import type { Bucket, Charge } from "./meter.ts";
import type { Counts, Spender, Spent } from "./types.ts";

/** One counter a bucket, person, method and command; the command comes last because its path has spaces. */
export function lineOf({ userId, command }: Spender, { bucket, method }: Charge): string {
  return `${bucket} ${userId} ${method} ${command}`;
}

export function readLines(day: string, counts: Counts): readonly Spent[] {
  return Object.entries(counts).flatMap(([line, spent]) => {
    const [, bucket, userId, method, command] = /^(\w+) (\S*) (\S+) (.*)$/s.exec(line) ?? [];
    if (userId === undefined || method === undefined || command === undefined || spent <= 0) {
      return [];
    }
    return [{ day, bucket: bucket as Bucket, userId, command, method, spent }]; // as `lineOf` wrote it
  });
}
