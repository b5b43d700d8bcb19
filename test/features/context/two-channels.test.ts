import { describe, expect, it } from "vitest";
import { createAnswerCache } from "../../../src/cache.ts";
import type { ServiceClients } from "../../../src/features/context/clients.ts";
import type { VideoAccess } from "../../../src/features/context/index.ts";
import { createVideoClients } from "../../../src/features/context/video-clients.ts";
import type { Credential } from "../../../src/store/index.ts";

const guildId = "1".repeat(18);

function channel(channelId: string): Credential {
  // Both were linked in the same millisecond by the same person.
  return { kind: "channel", secret: "s", addedBy: "2".repeat(18), addedAt: 1, channelId };
}

describe("two linked channels", () => {
  it("never share what is remembered", async () => {
    const asked: VideoAccess[] = [];
    const cache = createAnswerCache(() => 0);
    const clients = {
      video: (access: VideoAccess) => ({
        call: async () => {
          asked.push(access);
          return { items: [access] };
        },
      }),
    } as unknown as ServiceClients;
    const as = (channelId: string) =>
      createVideoClients({
        guildId,
        rank: "moderator",
        view: "private",
        clients,
        answers: cache,
        demands: { method: "playlists.list" },
        opened: { channel: channel(channelId) },
        billedTo: { guildId, userId: "2".repeat(18), command: "x" },
        local: { hl: "en", region: undefined },
        onSpent: () => undefined,
        files: undefined,
        now: () => 0,
        servers: { version: async () => "", noteChange: async () => undefined },
      });
    const mine = { part: ["snippet"], mine: true } as const;

    const answers = [];
    for (const id of ["UCone", "UCtwo", "UCone", "UCtwo"]) {
      answers.push(await as(id).video.call("playlists.list", mine));
      answers.push(await as(id).own.call("playlists.list", mine));
    }

    expect(asked.map((access) => "channelId" in access && access.channelId)).toEqual(
      expect.arrayContaining(["UCone", "UCtwo"]),
    );
    const shown = answers.map(({ items }) => (items[0] as { channelId?: string }).channelId);
    expect(shown).toEqual(["UCone", "UCone", "UCtwo", "UCtwo", "UCone", "UCone", "UCtwo", "UCtwo"]);
  });
});
