import {
  type Button,
  join,
  type Reply,
  reaches,
  readDate,
  type Text,
} from "../../discord/index.ts";
import { timeZoneTitle } from "../../language/index.ts";
import type { Ctx } from "../context/index.ts";
import { openZoneForm } from "./set-zone.ts";

/** In which zone a typed time was read. Without one, a button to set it, or who can. */
interface TimeZoneNote {
  readonly line: Text;
  readonly buttons: readonly Button[];
}

export function timeZoneNote({ settings: { timeZone }, words, rank }: Ctx): TimeZoneNote {
  if (timeZone !== undefined) {
    const line = words.say("connect.zone.read", { zone: timeZoneTitle(timeZone) });
    return { line, buttons: [] };
  }
  if (!reaches(rank, "owner")) {
    const command = words.mention("connect region");
    return { line: words.md("connect.zone.unset_others", { command }), buttons: [] };
  }
  return {
    line: words.say("connect.zone.unset"),
    buttons: [{ label: words.say("connect.zone.set"), press: openZoneForm.press(null) }],
  };
}

/** The same reply with that note, if one of these times was given. */
export function withTimeZone(ctx: Ctx, reply: Reply, ...times: readonly unknown[]): Reply {
  if (times.every((each) => each === undefined)) return reply;
  if (reply.kind === "form") return reply;
  const { line, buttons } = timeZoneNote(ctx);
  const text = reply.text === undefined ? line : join([reply.text, line]);
  if (reply.kind === "ask")
    return { ...reply, text, others: [...(reply.others ?? []), ...buttons] };
  return { ...reply, text, buttons: [...(reply.buttons ?? []), ...buttons] };
}

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
