import type { Bucket } from "./meter.ts";
import type { Counts, RecordAt, Spender } from "./types.ts";

/** Where a guild's spending is summed up over all projects: no fingerprint looks like it. */
const everyProject = "0".repeat(32);

/** A guild's sums of a day: by person over all projects, and by project over all persons. */
export function sumsAt(day: string, guildId: string): RecordAt {
  return { project: everyProject, day, guildId };
}

/** Whether that is such a record. */
export function isSums({ project }: RecordAt): boolean {
  return project === everyProject;
}

/** What a guild spent of each project, without who spent it. */
export function projectSumsIn(sums: Counts): ReadonlyMap<string, number> {
  return new Map(Object.entries(sums).filter(([name]) => /^(?:of|mod) /u.test(name)));
}

export function personSum(userId: string, bucket: Bucket): string {
  return `by ${userId} ${bucket}`;
}

export function projectSum(project: string, bucket: Bucket): string {
  return `of ${project} ${bucket}`;
}

export function moderationSum(project: string, bucket: Bucket): string {
  return `mod ${project} ${bucket}`;
}

interface Counting {
  readonly project: string;
  readonly spender: Spender;
  readonly bucket: Bucket;
}

/** What is added to them with a call. */
export function sumsFor(
  { project, spender, bucket }: Counting,
  amount: number,
): ReadonlyMap<string, number> {
  return new Map([
    [personSum(spender.userId, bucket), amount],
    [projectSum(project, bucket), amount],
    ...(spender.purpose === "moderation"
      ? [[moderationSum(project, bucket), amount] as const]
      : []),
  ]);
}

/** Which projects a guild spent of on that day. */
export function projectsIn(sums: Counts): readonly string[] {
  const named = Object.keys(sums).map((name) => /^of ([0-9a-f]{32}) /u.exec(name)?.[1]);
  return [...new Set(named.filter((project) => project !== undefined))];
}
