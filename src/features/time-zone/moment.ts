import { readDate } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";

/**
 * Reads a time in the future that was typed into a field of this label, and returns it in ISO 8601.
 * @throws as `readDate`
 */
export async function readMoment(ctx: Ctx, text: string, label: string): Promise<string> {
  const date = await readDate(text, {
    option: label,
    must: "future",
    now: ctx.now(),
    tag: ctx.words.tag,
    timeZone: ctx.settings.timeZone ?? "UTC",
  });
  return date.toISOString();
}

/** `2026-12-24 20:00`, which `readDate` understands in every language; empty for no time. */
export function momentText({ settings }: Ctx, iso: string | undefined): string {
  if (iso === undefined) return "";
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: settings.timeZone ?? "UTC",
    dateStyle: "short",
    timeStyle: "short",
  });
  return format.format(new Date(iso));
}
