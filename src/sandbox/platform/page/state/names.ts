import type { APIUser } from "discord-api-types/v10";
import type { Locale } from "../../locales.ts";
import type { HelloEvent } from "../../protocol.ts";

/** What ids are called in this channel. */
export interface Names {
  /** The language that dates are written in. */
  readonly locale: Locale;
  user(id: string): string;
  role(id: string): string;
  channel(id: string): string;
}

export function createNames(hello: HelloEvent | undefined): Names {
  const users = [...(hello?.people.map(({ user }) => user) ?? []), ...(hello ? [hello.bot] : [])];
  const roles = hello?.people.map(({ role }) => role) ?? [];
  return {
    locale: hello?.locale ?? "en-US",
    user: (id) => {
      const user = users.find((one) => one.id === id);
      return user ? shownName(user) : "unknown-user";
    },
    role: (id) => roles.find((role) => role.id === id)?.name ?? "unknown-role",
    channel: (id) => hello?.channels.find((channel) => channel.id === id)?.name ?? "unknown",
  };
}

export function shownName(user: Pick<APIUser, "username"> & Partial<APIUser>): string {
  return user.global_name ?? user.username;
}
