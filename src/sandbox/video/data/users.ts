import { stableId } from "./random.ts";
import type { StoredChannel, StoredUser } from "./records.ts";
import { emptyChannelSettings } from "./settings.ts";
import type { VideoState } from "./state.ts";

/** What a comment, a subscription or a membership shows of a channel or a person. */
type UserProfile = Pick<StoredUser, "id" | "name" | "handle" | "isGone"> & {
  readonly description: string;
};

/** There is one user for each name. */
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
