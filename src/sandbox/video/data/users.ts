import { shuffle, stableId } from "./random.ts";
import type { StoredChannel, StoredUser } from "./records.ts";
import names from "./samples/names.json" with { type: "json" };
import { emptyChannelSettings } from "./settings.ts";
import type { VideoState } from "./state.ts";

const dayMs = 86_400_000;

/** What a comment, a subscription or a membership shows of a channel or a person. */
type UserProfile = Pick<StoredUser, "id" | "name" | "handle" | "isGone"> & {
  readonly description: string;
};

const castSize = 340;

/** A few hundred users, the same at every start. Some names are hard to show. */
export function createSampleUsers(now: number, random: () => number): Map<string, StoredUser> {
  const called = Object.entries(names.byLanguage).flatMap(([language, parts]) =>
    pair(parts).map((name) => ({ name, language })),
  );
  const nicked = pair(names.nicknames).map((name, index) => ({
    name: index % 3 === 0 ? name.replace(" ", "") + (index + 7) : name.replace(" ", "_"),
    language: "en",
  }));
  const hostile = names.hostile.map((name) => ({ name, language: "en" }));
  const rest = shuffle([...called, ...nicked], random).slice(0, castSize - hostile.length);
  const people = [...rest, ...hostile].map((entry) => toUser(entry, { now, random }));
  return new Map(people.map((person) => [person.id, person]));
}

/** Every first name with every last one. */
function pair({ first, last }: { readonly first: string; readonly last: string }): string[] {
  return first.split(" ").flatMap((one) => last.split(" ").map((other) => `${one} ${other}`));
}

/** The user with this name; one name is one user. */
export function toUser(
  { name, language }: { readonly name: string; readonly language: string },
  { now, random }: { readonly now: number; readonly random: () => number },
): StoredUser {
  const id = sampleUserId(name);
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

export function sampleUserId(name: string): string {
  return `UC${stableId(`person ${name}`, 22)}`;
}

/** The person or channel with this id; undefined for an unknown one. */
export function findProfile(state: VideoState, id: string): UserProfile | undefined {
  const person = state.users.get(id);
  if (person !== undefined) return { ...person, description: "" };
  const channel = state.channels.get(id);
  return channel && { ...channel, name: channel.title, isGone: false };
}

/** A user's channel: every user has one. */
export function userChannel(person: StoredUser): StoredChannel {
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
    ...emptyChannelSettings(),
  };
}

/** Colour of a picture that is drawn for a channel or a person. */
export function hueOf(state: VideoState, id: string): number | undefined {
  const drawn: Pick<StoredChannel, "hue"> | undefined =
    state.channels.get(id) ?? state.users.get(id);
  return drawn?.hue;
}
