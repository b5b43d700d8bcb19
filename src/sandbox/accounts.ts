import type { Account } from "./oauth/index.ts";
import type { VideoServer } from "./video/index.ts";

/**
 * Who can consent in the sandbox: the creator's own channel, another of the same person's, and an account that has
 * no channel. Their names are those of the channels at the time.
 */
export function accountsOf({ ownChannelId, channels }: VideoServer): readonly Account[] {
  const other = [...channels.keys()].find((id) => id !== ownChannelId);
  const owned = [ownChannelId, ...(other === undefined ? [] : [other])];
  return [
    ...owned.map((channelId, index): Account => {
      return {
        id: `10000000000000000000${index + 1}`,
        get name() {
          return channels.get(channelId)?.title ?? "A deleted channel";
        },
        email: index === 0 ? "robin@studio.example" : "robin@bakery.example",
        channelId,
        hue: channels.get(channelId)?.hue ?? 0,
      };
    }),
    {
      id: "100000000000000000009",
      name: "Robin Hale",
      email: "robin.hale@mail.example",
      channelId: undefined,
      hue: 262,
    },
  ];
}
