import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMessages } from "../support/message-files.ts";

/** Facts that repeat what was typed, or say which field or option it was, or how long, how many or how large. */
const facts = [
  ...["given", "wanted", "placeholder", "place", "name", "channel", "since", "characters"],
  ...["option", "options", "choices", "field", "label", "host"],
  ...["length", "count", "width", "bytes", "found"],
];

/** Failures that repeat nothing, by their reason. */
const exceptions: readonly string[] = [
  // Something is missing, or nothing was typed.
  ...["announce_unchanged", "budget_target_missing", "channel_needed", "comment_text_required"],
  ...["feed_kind_missing", "missing_source", "nothing_sought"],
  ...["nothing_ticked", "nothing_to_change", "ping_role_missing", "playlist_title_required"],
  ...["rule_name", "title_missing"],
  // Options exclude each other; the message names them.
  ...["blur_moved", "multiple_bg_sources", "schedule_unlisted", "special_list_sorted"],
  ...["watch_match_unused", "watermark_timing"],
  // What was chosen is described instead of repeated.
  ...["own_channel_in_channels", "role_everyone", "subscribe_to_self", "subscription_not_found"],
  ...["playlist_operation_unsupported", "uploads_not_changeable", "not_your_video"],
  // It is about a message, a file or a picture, which the person sees above the answer.
  ...["no_picture", "no_video_links", "attachment_gone", "attachment_host", "attachment_too_large"],
  ...["answer_file_too_large", "cutout_gone", "expression_too_large", "image_refused"],
  ...["picture_empty", "picture_no_background", "picture_no_subject", "picture_opaque"],
  ...["picture_truncated", "picture_unreadable", "upload_too_large"],
  // It is about what an address leads to.
  "list_refused",
  // There is no room for more, whatever was typed.
  ...["too_many_budgets", "too_many_channels", "too_many_feeds", "too_many_items"],
  ...["too_many_notes", "too_many_replies", "too_many_roles", "too_many_watches"],
  // What was typed is secret: an address may contain a password, and a link page has a code.
  ...["invalid_image_url", "link_code_wrong"],
  // It is not about something typed.
  ...[
    "acting_channel_gone",
    "cancelled",
    "discord_event_refused",
    "discord_not_publishable",
    "feed_without_video",
    "guild_id",
  ],
];

const src = join(import.meta.dirname, "../../src");
const english = readMessages("en-US");
const wordsOf = (code: string) =>
  ["title", "hint"].map((part) => english.get(`failures.${code}.${part}`) ?? "").join(" ");

/** Every code in a `new InputError(…)` of the source, or in a table of errors, that has words. */
const codes = new Set(
  globSync("**/*.ts", { cwd: src, exclude: ["sandbox/**"] }).flatMap((file) => {
    const text = readFileSync(join(src, file), "utf8");
    const rows = [...text.matchAll(/^ *(\w+): \[InputError,/gmu)].map(([, name = ""]) => name);
    const calls = text.split("new InputError(").slice(1);
    const thrown = calls.flatMap((call) => {
      const [options = ""] = call.split("})", 1);
      const [, code = ""] = /\bcode: ([^,}]*)/u.exec(options) ?? [];
      return [...code.matchAll(/"(\w+)"/gu)].map(([, name = ""]) => name);
    });
    return [...rows, ...thrown];
  }),
);
const refusals = [...codes].filter((code) => wordsOf(code).trim() !== "").sort();

const fact = new RegExp(`\\{(?:${facts.join("|")})\\b`, "u");
const isNamed = (code: string) => fact.test(wordsOf(code));

describe("words about something typed", () => {
  it("are found for the refusals in the source", () => {
    expect(refusals).toEqual(expect.arrayContaining(["date_past", "option_unreadable"]));
    expect(refusals.length).toBeGreaterThan(90);
  });

  it.each(refusals.filter((code) => !exceptions.includes(code)))(
    "repeat it, or name its field or option: %s",
    (code) => {
      expect(wordsOf(code)).toMatch(fact);
    },
  );

  it("have no exception that is not needed", () => {
    const needless = exceptions.filter((code) => !refusals.includes(code) || isNamed(code));

    expect(needless).toEqual([]);
  });
});
