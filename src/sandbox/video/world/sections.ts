import { stableId } from "./random.ts";
import type { Section } from "./things.ts";
import type { Channel, World } from "./types.ts";

type Plan = Pick<Section, "type"> & Partial<Pick<Section, "title" | "playlists">>;

/** Gives every channel's page its shelves. */
export function addSections(world: World): void {
  for (const channel of world.channels.values()) {
    const own = [...world.playlists.values()].filter(
      ({ channelId, privacy }) => channelId === channel.id && privacy === "public",
    );
    const ids = own.map(({ id }) => id);
    const plans: Plan[] = [
      { type: "recentUploads" },
      { type: "popularUploads" },
      { type: "singlePlaylist", playlists: ids.slice(0, 1) },
    ];
    if (channel.id === world.ownChannelId) {
      plans.push({ type: "multiplePlaylists", title: "Series", playlists: ids.slice(0, 3) });
    }
    world.sections.set(
      channel.id,
      plans.map((plan) => toSection(channel, plan)),
    );
  }
}

function toSection(channel: Channel, { type, title, playlists }: Plan): Section {
  return {
    id: `${channel.id}.${stableId(`section ${channel.handle} ${type}`, 11)}`,
    channelId: channel.id,
    type,
    title,
    playlists,
    channels: undefined,
  };
}
