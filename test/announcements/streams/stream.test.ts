import { describe, expect, it } from "vitest";
import type { FollowedStream } from "../../../src/announcements/index.ts";
import { streamAfter } from "../../../src/announcements/streams/stream.ts";
import { minute } from "../rig.ts";

const now = Date.UTC(2026, 10, 21, 12);

describe("streamAfter", () => {
  it.each([
    ["is not told as lost when it is missing again after a minute", minute, undefined],
    ["is told as lost when it is missing again after two minutes", 2 * minute, true],
  ])("%s", (_, agoMs, isSure) => {
    const lost = { since: now - agoMs, why: "gone" } as const;
    const before: FollowedStream = { stage: "scheduled", readAt: lost.since, lost };

    const after = streamAfter(before, { seen: undefined, now, isAnnounced: true });

    expect(after?.lost).toEqual({ ...lost, ...(isSure && { isSure }) });
  });
});
