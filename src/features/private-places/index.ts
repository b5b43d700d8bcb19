/** What is not for everyone is posted where everyone reads it only after a question. */

import {
  type Ask,
  ask,
  type Button,
  channelMention,
  compact,
  join,
  type PostChannel,
  type Press,
  type Text,
  type TextChannel,
} from "../../discord/index.ts";
import { AccessError } from "../../errors.ts";
import type { Ctx } from "../context/index.ts";

/** A channel that the question is about, and what was answered; part of a button's state. */
export interface PlaceAnswer {
  readonly id: string;
  readonly name: string;
  readonly isForum: boolean;
  /** To post there, in a private channel that was chosen, or in one that is created. */
  readonly answer: "public" | "other" | "new";
}

interface PrivatePosts {
  readonly place: TextChannel & Partial<Pick<PostChannel, "isForum">>;
  /** What everyone would see, and what a channel that is created for it is called. */
  readonly seen: Text;
  readonly newName: string;
  /** Whether a forum can be chosen as well. */
  readonly takesForums?: boolean;
  readonly press: (answer: PlaceAnswer) => Press;
}

/** Discord's limit for a select. */
const maxChoices = 25;

/**
 * Asks before something that is not for everyone is posted in a channel, where everyone can read it or Discord does not
 * tell. Undefined where only some people read it.
 */
export async function askAboutPublicPlace(
  ctx: Pick<Ctx, "words" | "serverChannels">,
  posts: PrivatePosts,
): Promise<Ask | undefined> {
  const { words, serverChannels } = ctx;
  const { place, seen, press } = posts;
  const { isPublic } = await serverChannels.read(place.id);
  if (isPublic === false) return undefined;
  const [others, mayCreate] = await Promise.all([
    serverChannels.privateOnes(),
    serverChannels.mayCreate(),
  ]);
  const at = { id: place.id, name: place.name, isForum: place.isForum === true };
  const pressTo = (answer: PlaceAnswer["answer"]) => press({ ...at, answer });
  const choices = others.filter(({ isForum }) => posts.takesForums === true || !isForum);
  const create: Button = {
    label: words.say("places.create"),
    style: "primary",
    press: pressTo("new"),
  };
  const mention = channelMention(place.id);
  return ask({
    title: words.say("places.title", { channel: place.name, isKnown: isPublic === true }),
    text: join([
      words.md(isPublic === true ? "places.text" : "places.unknown_text", { place: mention }),
      seen,
      "",
      words.say("places.nothing"),
      !mayCreate && words.say("places.cant_create"),
    ]),
    selects: compact([
      choices.length > 0 && {
        placeholder: words.say("places.choose"),
        options: choices
          .slice(0, maxChoices)
          .map(({ id, name }) => ({ value: id, label: `#${name}`.slice(0, 100) })),
        press: pressTo("other"),
      },
    ]),
    others: mayCreate ? [create] : [],
    confirm: { label: words.say("places.button"), style: "danger", press: pressTo("public") },
  });
}

/** What a channel that was asked about may be taken for. */
const openPlace = {
  isWritable: true,
  isAnnouncement: false,
  mayOpenThreads: true,
  lack: undefined,
} as const;

interface ChosenPlace {
  readonly place: PostChannel;
  /** Whether somebody answered that everyone may read it. */
  readonly mayBePublic: boolean;
}

/**
 * Where to post after the question; a private channel is created now where that was the answer.
 * @throws AccessError `discord_channel_gone`; as `ServerChannels.createPrivate`
 */
export async function chosenPlace(
  ctx: Pick<Ctx, "serverChannels" | "settings">,
  { answer, ...place }: PlaceAnswer,
  { chosen, newName }: { readonly chosen: string | undefined; readonly newName: string },
): Promise<ChosenPlace> {
  const { serverChannels, settings } = ctx;
  if (answer === "public") {
    return { place: { ...place, ...openPlace }, mayBePublic: true };
  }
  if (answer === "new") {
    const roleIds = Object.values(settings.roles ?? {}).flat();
    const made = await serverChannels.createPrivate({ name: newName, roleIds });
    return { place: made, mayBePublic: false };
  }
  const found = (await serverChannels.privateOnes()).find(({ id }) => id === chosen);
  if (found !== undefined) return { place: found, mayBePublic: false };
  throw new AccessError("the chosen channel is gone, or no longer private", {
    code: "discord_channel_gone",
  });
}

/** For what shows a setting: says so where everyone can read the channel, and that nothing is posted where nobody agreed. */
export async function publicPlaceLine(
  { words, serverChannels }: Pick<Ctx, "words" | "serverChannels">,
  { id, mayBePublic }: { readonly id: string; readonly mayBePublic: boolean | undefined },
): Promise<readonly Text[]> {
  const { isPublic } = await serverChannels.read(id);
  const line = mayBePublic === true ? "places.line" : "places.held_back";
  return compact([isPublic === true && words.md(line, { place: channelMention(id) })]);
}
