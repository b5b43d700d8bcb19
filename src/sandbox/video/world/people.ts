import { hostileNames, names, nicknames } from "./names.ts";
import { stableId } from "./random.ts";
import { shuffle } from "./series.ts";
import { channelSettings } from "./settings.ts";
import type { Channel, World } from "./types.ts";

const dayMs = 86_400_000;

/** Someone who watches and writes; like every channel, but without videos. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly language: string;
  /** Colour of the picture, 0 to 360. */
  readonly hue: number;
  readonly joinedAt: number;
  /** The account is deleted: what it wrote stays, its name doesn't. */
  readonly isGone: boolean;
}

/** What a comment, a subscription or a membership shows of a channel or a person. */
export type Profile = Pick<Person, "id" | "name" | "handle" | "isGone"> & {
  readonly description: string;
};

const castSize = 340;

/** The same few hundred people every time. */
export function buildCast(now: number, random: () => number): Map<string, Person> {
  const called = Object.entries(names).flatMap(([language, [first, last]]) =>
    pair(first, last).map((name) => ({ name, language })),
  );
  const nicked = pair(...nicknames).map((name, index) => ({
    name: index % 3 === 0 ? name.replace(" ", "") + (index + 7) : name.replace(" ", "_"),
    language: "en",
  }));
  const hostile = hostileNames.map((name) => ({ name, language: "en" }));
  const rest = shuffle([...called, ...nicked], random).slice(0, castSize - hostile.length);
  const people = [...rest, ...hostile].map((entry) => toPerson(entry, { now, random }));
  return new Map(people.map((person) => [person.id, person]));
}

function pair(first: string, last: string): string[] {
  return first.split(" ").flatMap((one) => last.split(" ").map((other) => `${one} ${other}`));
}

/** A person by name; whoever has the same name is the same one. */
export function toPerson(
  { name, language }: { readonly name: string; readonly language: string },
  { now, random }: { readonly now: number; readonly random: () => number },
): Person {
  const id = personId(name);
  return {
    id,
    name,
    handle: `@${
      name
        .replace(/[^\p{L}\p{N}]/gu, "")
        .toLowerCase()
        .slice(0, 20) || "user"
    }-${id.slice(2, 5).toLowerCase()}`,
    language,
    hue: Math.floor(random() * 360),
    joinedAt: now - Math.floor((0.1 + random() * 9) * 365 * dayMs),
    isGone: random() < 0.04,
  };
}

export function personId(name: string): string {
  return `UC${stableId(`person ${name}`, 22)}`;
}

/** Who stands behind a channel id; undefined for an unknown one. */
export function findProfile(world: World, id: string): Profile | undefined {
  const person = world.people.get(id);
  if (person !== undefined) return { ...person, description: "" };
  const channel = world.channels.get(id);
  return channel && { ...channel, name: channel.title, isGone: false };
}

/** A person as the channel that everybody has. */
export function personChannel(person: Person): Channel {
  return {
    id: person.id,
    title: person.name,
    handle: person.handle,
    username: undefined,
    description: "",
    country: undefined,
    language: person.language,
    keywords: [],
    publishedAt: person.joinedAt,
    subscribers: 0,
    hidesSubscribers: false,
    hasClosedLists: false,
    hue: person.hue,
    ...channelSettings(),
  };
}

/** Colour of a picture that is drawn for a channel or a person. */
export function hueOf(world: World, id: string): number | undefined {
  const drawn: Pick<Channel, "hue"> | undefined = world.channels.get(id) ?? world.people.get(id);
  return drawn?.hue;
}
