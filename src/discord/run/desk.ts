import type { Desk, DeskMessage, DeskPlace, DeskSearch } from "../../desk.ts";
import { createNearSettings } from "../access/settings.ts";
import { withPing } from "../draw/render.ts";
import type { ChannelFacts } from "../wire/channel.ts";
import { editMessage, leaveMessage } from "../wire/post.ts";
import { wordsIn } from "./context.ts";
import { asking, type DeskTools } from "./desk/asking.ts";
import { channelGone } from "./desk/failure.ts";
import { removeMessage, removePost } from "./desk/forum.ts";
import { hasHandle, ownMessages } from "./desk/look.ts";
import { createDeskPosts, type Drawn } from "./desk/posts.ts";
import { createRecent } from "./desk/recent.ts";
import { createDrawing } from "./drawing.ts";
import { eventCtx } from "./event-ctx.ts";
import type { Places } from "./places.ts";
import type { TellParts } from "./tell.ts";

export interface DeskParts extends TellParts {
  /** Of `createDeskRest`. */
  readonly rest: DeskTools["rest"];
  readonly places: Places;
  readonly settleMs?: number;
}

/** Messages that the bot leaves in channels unasked, and looks after. */
export function createDesk(parts: DeskParts): Desk {
  const { routes, services, rest, places, botId } = parts;
  const { store, languages, random, now, log } = services;
  const tools: DeskTools = {
    ...{ rest, random, now, botId },
    ...(parts.settleMs !== undefined && { settleMs: parts.settleMs }),
  };
  const drawing = createDrawing({ routes, continuations: store.continuations });
  const near = createNearSettings(store.settings, now);
  const posts = createDeskPosts({ tools, places, log });
  /** Handles whose presses are written down, with how many they are. */
  const written = createRecent<number>(now);

  async function channelOf({ guildId, channelId }: DeskSearch): Promise<ChannelFacts> {
    const channel = await asking({ what: "look" }, () => places.channel(channelId), tools);
    // Whatever a record says: nothing of one server is left in another.
    if (channel.guildId !== guildId) throw channelGone();
    return channel;
  }

  async function replyTo({ event: name, facts, guildId }: DeskMessage) {
    const event = routes.events.get(name);
    if (event === undefined) throw new TypeError(`no event is called ${name}`);
    const guild = () => asking({ what: "look" }, () => places.guild(guildId), tools);
    const [{ locale }, { value: settings }] = await Promise.all([guild(), near.of(guildId)]);
    const words = wordsIn(locale, languages);
    const serverName = async () => (await guild()).name;
    const around = { guildId, words, settings, serverName, log: log.child({ event: name }) };
    const reply = await event.run(eventCtx(around, services), facts);
    return { reply, holder: { guildId, userId: botId, words } };
  }

  async function draw(message: DeskMessage): Promise<Drawn> {
    const { reply, holder } = await replyTo(message);
    const { kept } = reply;
    if (kept !== undefined && written.get(kept.handle) !== kept.presses.length) {
      await drawing.keep(kept, holder);
      written.set(kept.handle, kept.presses.length);
    }
    return { reply, rendered: await drawing.message(reply, holder) };
  }

  async function post(message: DeskMessage): Promise<DeskPlace> {
    const { channelId, pingRoleId, nonce } = message;
    const channel = await channelOf(message);
    const { reply, rendered: plain } = await draw(message);
    const rendered = pingRoleId === undefined ? plain : withPing(plain, pingRoleId);
    try {
      if (channel.isForum) return await posts.begin(message, channel, { reply, rendered });
      const send = () => leaveMessage(channelId, rendered, { rest, nonce });
      return { channelId, messageId: await asking({ what: "post" }, send, tools) };
    } catch (error) {
      // It may be another channel by now: with other tags, or none at all.
      places.forget(channelId);
      throw error;
    }
  }

  async function edit(place: DeskPlace, message: DeskMessage): Promise<void> {
    const drawn = await draw(message);
    if (place.channelId !== message.channelId) {
      return posts.edit(place, await channelOf(message), drawn);
    }
    return asking({ what: "edit" }, () => editMessage(place, drawn.rendered, rest), tools);
  }

  async function remove(place: DeskPlace): Promise<void> {
    // A post goes by the id of the message that it began with.
    if (place.channelId === place.messageId) return removePost(place, tools);
    return asking({ what: "remove" }, () => removeMessage(place, tools), tools);
  }

  async function find(search: DeskSearch, since: number): Promise<DeskPlace | undefined> {
    const { channelId, handle } = search;
    const { isForum } = await channelOf(search);
    if (isForum) return posts.find(search, since);
    const look = async () => {
      for await (const message of ownMessages(rest, { channelId, botId, since })) {
        if (hasHandle(message, handle)) return { channelId, messageId: message.id };
      }
      return undefined;
    };
    return asking({ what: "look" }, look, tools);
  }

  return { post, edit, remove, find };
}
