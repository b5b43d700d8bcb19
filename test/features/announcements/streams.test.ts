import { describe, expect, it } from "vitest";
import type { StreamOptions } from "../../../src/announcements/index.ts";
import { withOptions } from "../../../src/features/announcements/streams.ts";

const eventsOff = { at: 0, code: "discord_events_forbidden" };
const stored: StreamOptions = { messages: "one", reminderMs: 60_000, hasEvents: true, eventsOff };

describe("withOptions", () => {
  it.each([
    ["keeps what was not chosen", { messages: "each" }, { ...stored, messages: "each" }],
    [
      "makes events again that are chosen again",
      { events: true },
      { ...stored, eventsOff: undefined },
    ],
    ["ends reminders with 0", { reminder: 0 }, { ...stored, reminderMs: undefined }],
  ] as const)("%s", (_, chosen, expected) => {
    const none = { messages: undefined, reminder: undefined, events: undefined };

    expect(withOptions(stored, { ...none, ...chosen })).toEqual(expected);
  });
});
