import { shuffle, stableId } from "./random.ts";
import type { StoredChannel, StoredUser } from "./records.ts";
import { emptyChannelSettings } from "./settings.ts";
import type { VideoState } from "./state.ts";

const dayMs = 86_400_000;

/** What a comment, a subscription or a membership shows of a channel or a person. */
type UserProfile = Pick<StoredUser, "id" | "name" | "handle" | "isGone"> & {
  readonly description: string;
};

const castSize = 340;

/** A few hundred users, the same at every start. */
export function createSampleUsers(now: number, random: () => number): Map<string, StoredUser> {
  const called = Object.entries(names).flatMap(([language, [first, last]]) =>
    pair(first, last).map((name) => ({ name, language })),
  );
  const nicked = pair(...nicknames).map((name, index) => ({
    name: index % 3 === 0 ? name.replace(" ", "") + (index + 7) : name.replace(" ", "_"),
    language: "en",
  }));
  const hostile = hostileNames.map((name) => ({ name, language: "en" }));
  const rest = shuffle([...called, ...nicked], random).slice(0, castSize - hostile.length);
  const people = [...rest, ...hostile].map((entry) => toUser(entry, { now, random }));
  return new Map(people.map((person) => [person.id, person]));
}

function pair(first: string, last: string): string[] {
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

/** First and last names by language; each first name meets each last name at most once. */
const names = {
  en: [
    "Ada Bea Callum Dora Ewan Freya Gus Hattie Idris June Kit Lowri Morgan Nell Owen Posy Rory Saskia Theo Una",
    "Ashdown Birch Calder Dunmore Elwood Fairley Garrick Hollis Ingram Kestrel Larkin Marlow",
  ],
  de: ["Anke Bernd Carla Dieter Elif Frieda Gero Heike Ingo Jette", "Ackermann Böhm Dietz Kröger"],
  fr: [
    "Aline Bastien Clémence Didier Élodie Fabien Gisèle Hugo",
    "Aubry Besson Carpentier Deschamps",
  ],
  es: ["Alba Bruno Celia Darío Estrella Fermín Goya Íñigo", "Arroyo Benítez Cordero Durán"],
  pt: ["Aline Beto Caio Dandara Edu Flávia Guto Heloísa", "Amaral Barros Castilho Duarte"],
  it: ["Agata Biagio Chiara Dario Elettra Fausto", "Amato Bellini Conti"],
  pl: ["Agnieszka Bartek Celina Darek Ewelina Filip", "Adamska Borek Cichy"],
  tr: ["Aylin Burak Ceren Deniz Eren Figen", "Aksoy Bulut Çetin"],
  ja: ["美咲 翔太 結衣 大輝 さくら 蓮 陽菜 悠斗", "佐藤 山本 小林 森"],
  ko: ["지우 서연 민준 하은 도윤 수아", "김 박 최"],
  ar: ["ليلى سامر هناء طارق ريم جاد", "الخطيب حداد منصور"],
  he: ["נועה איתן תמר יונתן", "לוי פרץ"],
  hi: ["आरव दिया कबीर मीरा", "वर्मा जोशी"],
  ru: ["Аня Борис Вера Глеб Дарья", "Лисова Орлов"],
} as const satisfies Record<string, readonly [first: string, last: string]>;

/** Nicknames. */
const nicknames = [
  "quiet brave rusty tiny cosmic sleepy salty neon mossy velvet",
  "otter teapot falcon biscuit lantern gecko walnut comet heron puddle",
] as const;

/** Names that are hard to show. */
const hostileNames: readonly string[] = [
  "@everyone",
  "**Bold Barry**",
  "[Support](https://example.com/support)",
  "<@80351110224678912>",
  "||who am i||",
  "`rm -rf`",
  "\u202Eevif ytxis",
  "Z\u0337\u0321o\u0334\u031Be\u0336 \u0338\u0327K\u0335.",
  "A Name That Goes On And On Because Nobody Told Its Owner That There Would Be A Limit To It Some Day Soon",
  "\u{1F469}\u200D\u{1F680}\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  "Greenroom Studio",
  "\u200B\u200B",
  "<b>Robert</b> & Söhne",
  "# Number One",
];
