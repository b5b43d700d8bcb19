import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import type { Whose } from "../raw-interactions.ts";
import { mark } from "./marks.ts";

export type Server = "A" | "B" | "C";
export const servers: readonly Server[] = ["A", "B", "C"];

export const guildIds: Readonly<Record<Server, string>> = {
  A: "700000000000000001",
  B: "700000000000000002",
  C: "700000000000000003",
};

/** A role of each server, which the server may map to a rank. */
export const roleIds: Readonly<Record<Server, string>> = {
  A: "710000000000000001",
  B: "710000000000000002",
  C: "710000000000000003",
};

/**
 * A and B share a YouTube key, so they share a project; A and C share a remove.bg key; each server has its own channel.
 */
export const keys: Readonly<Record<Server, { readonly video: string; readonly image: string }>> = {
  A: { video: "KAB", image: "BAC" },
  B: { video: "KAB", image: "BB" },
  C: { video: "KC", image: "BAC" },
};

/** Marks that a server may see: of its own channel, of its keys, of its people, and of what was typed there. */
export function ownMarks(server: Server): ReadonlySet<string> {
  const { video, image } = keys[server];
  const people = persons.filter(({ where }) => where.includes(server));
  return new Set([
    server,
    video,
    image,
    `T${server}`,
    `G${server}`,
    ...people.map((each) => each.mark),
  ]);
}

interface Person {
  readonly mark: string;
  readonly userId: string;
  readonly where: readonly Server[];
}

const places: readonly (readonly Server[])[] = [
  ["A"],
  ["A"],
  ["A"],
  ["A", "B"],
  ["B"],
  ["B"],
  ["B", "C"],
  ["C"],
  ["C"],
  ["A", "B", "C"],
];

export const persons: readonly Person[] = places.map((where, index) => ({
  mark: `U${index}`,
  userId: `72000000000000000${index}`,
  where,
}));

/** Each person has another of these permissions in each of their servers. */
const held = [bits.Administrator, bits.ManageChannels, bits.ManageMessages, 0n] as const;

export interface Actor {
  readonly server: Server;
  readonly whose: Whose;
}

export const actors: readonly Actor[] = persons.flatMap(({ userId, where, mark: own }, person) =>
  where.map((server, place) => ({
    server,
    whose: {
      guildId: guildIds[server],
      userId,
      userName: `robin ${mark(own)}`,
      permissions: held[(person + place) % held.length],
      roles: person % 3 === 0 ? [roleIds[server]] : [],
    },
  })),
);

/** Discord's ids, with the servers where each may be shown. */
export const idsOf: ReadonlyMap<string, readonly Server[]> = new Map([
  ...servers.flatMap((server): [string, readonly Server[]][] => [
    [guildIds[server], [server]],
    [roleIds[server], [server]],
  ]),
  ...persons.map(({ userId, where }): [string, readonly Server[]] => [userId, where]),
]);
