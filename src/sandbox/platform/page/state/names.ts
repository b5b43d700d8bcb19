import type { APIUser } from "discord-api-types/v10";
import type { DiscordLocale } from "../../../locales.ts";
import type { HelloEvent } from "../../protocol.ts";

/** What ids are called in this channel. */
export interface ShownNames {
  /** The language that dates are written in. */
  readonly locale: DiscordLocale;
  user(id: string): string;
  role(id: string): string;
  /** Of a role, as `#rrggbb`; undefined for one without. */
  roleColour(id: string): string | undefined;
  channel(id: string): string;
  /** Of a list of suggestions: what of it was done, commands and other names; undefined elsewhere. */
  readonly done: readonly string[] | undefined;
  /** What its mention is drawn as. */
  kindOf(channelId: string): "channel" | "forum" | "thread";
}

const kinds: Readonly<Record<number, "forum" | "thread">> = {
  10: "thread",
  11: "thread",
  15: "forum",
};

export function createNames(hello: HelloEvent | undefined, done?: readonly string[]): ShownNames {
  const users = [...(hello?.people.map(({ user }) => user) ?? []), ...(hello ? [hello.bot] : [])];
  const roles = hello?.roles ?? [];
  const places = [...(hello?.channels ?? []), ...(hello?.threads ?? [])];
  return {
    locale: hello?.locale ?? "en-US",
    done,
    user: (id) => {
      const user = users.find((one) => one.id === id);
      return user ? shownName(user) : "unknown-user";
    },
    role: (id) => roles.find((role) => role.id === id)?.name ?? "unknown-role",
    roleColour: (id) => {
      const color = roles.find((role) => role.id === id)?.color;
      return color ? `#${color.toString(16).padStart(6, "0")}` : undefined;
    },
    channel: (id) => places.find((place) => place.id === id)?.name ?? "unknown",
    kindOf: (id) => kinds[places.find((place) => place.id === id)?.type ?? 0] ?? "channel",
  };
}

export function shownName(user: Pick<APIUser, "username"> & Partial<APIUser>): string {
  return user.global_name ?? user.username;
}
