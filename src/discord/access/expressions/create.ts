import { REST } from "@discordjs/rest";
import type { RawFile, RESTOptions } from "discord.js";
import { Routes } from "discord-api-types/v10";
import { createCache } from "../../../cache.ts";
import type { BotError } from "../../../errors.ts";
import { asMaybeDone } from "../../../ownership.ts";
import type {
  ExpressionKind,
  NewEmoji,
  NewSticker,
  ServerExpression,
  ServerExpressions,
} from "../../declare/expressions.ts";
import { createdAt } from "../../snowflake.ts";
import { type MemberAccess, mayMakeExpressions } from "../roles/member-access.ts";
import { botMayNot, expressionError, isLost, personMayNot, undecided } from "./failure.ts";

interface CreateDeps {
  /** Made by `createOnceRest`, with the bot's token. */
  readonly rest: Pick<REST, "post" | "get">;
  /** The user that owns the emoji and stickers this bot makes. */
  readonly botId: string;
  readonly now: () => number;
  /** What was just made shows up in lists a moment later; 1 s when absent. */
  readonly settleMs?: number;
}

/** The server it is made for, and the reason for its audit log. */
interface ExpressionTarget {
  readonly guildId: string;
  readonly reason: string;
}

/** Makes emoji and stickers of servers. @throws as `ServerExpressions.addEmoji` */
export type CreateExpressions = ReturnType<typeof createExpressions>;

const tryMs = 15_000;
const longestWaitMs = 3_000;

/**
 * discord.js would send a second emoji after every answer that is lost, and wait an hour for a bucket that is empty:
 * docs/services/discord.md#rate-limits
 */
export function createOnceRest(options: Partial<RESTOptions>): REST {
  return new REST({
    ...options,
    retries: 0,
    timeout: tryMs,
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > longestWaitMs,
  });
}

interface Request {
  readonly kind: ExpressionKind;
  readonly name: string;
  /** Both makes (POST) and lists (GET). */
  readonly route: `/${string}`;
  readonly post: object;
}

/** Clocks differ; what is older was not made by this request. */
const recentMs = 60_000;
const maxRemembered = 5_000;

export function createExpressions(deps: CreateDeps) {
  const { rest, botId, now, settleMs = 1_000 } = deps;
  /** Made here recently, so that an earlier one of the same name is not mistaken for the one whose answer was lost. */
  const madeCache = createCache<true>({ maxSize: maxRemembered, maxAgeMs: 2 * recentMs, now });

  /** After a lost answer it looks for the result in the list before it sends the request once more. */
  async function create(request: Request): Promise<ServerExpression> {
    const since = now();
    try {
      return await send(request);
    } catch (lost) {
      if (!isLost(lost)) throw expressionError(lost, request.kind, now());
      const giveUp = (): never => {
        throw undecided(lost);
      };
      const found = await look(request, since).catch(giveUp);
      if (found !== undefined) return found;
      try {
        return await send(request);
      } catch (error) {
        // Whatever Discord answered to the second try: what the first one made may show up by now.
        const late = await look(request, since).catch(giveUp);
        if (late !== undefined) return late;
        throw isLost(error)
          ? undecided(lost)
          : expressionError(asMaybeDone(error), request.kind, now());
      }
    }
  }

  async function send({ route, post }: Request): Promise<ServerExpression> {
    const { id, name } = (await rest.post(route, post)) as ServerExpression;
    madeCache.set(id, true);
    return { id, name };
  }

  /** The one that was made although its answer was lost; undefined when there is none. @throws when the list can't be read */
  async function look({ route, name }: Request, since: number) {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const all = ((await rest.get(route)) ?? []) as readonly Listed[];
    const found = all.findLast(
      (one) =>
        one.name === name &&
        (one.user?.id ?? botId) === botId &&
        createdAt(one.id) >= since - recentMs &&
        !madeCache.has(one.id),
    );
    if (found === undefined) return undefined;
    madeCache.set(found.id, true);
    return { id: found.id, name: found.name };
  }

  return {
    emoji({ name, data }: NewEmoji, { guildId, reason }: ExpressionTarget) {
      const image = `data:image/png;base64,${Buffer.from(data).toString("base64")}`;
      const post = { body: { name, image }, reason };
      return create({ kind: "emoji", name, route: Routes.guildEmojis(guildId), post });
    },
    sticker({ data, ...body }: NewSticker, { guildId, reason }: ExpressionTarget) {
      // Without its type the file breaks the server (discord/discord-api-docs#3484).
      const file: RawFile = {
        key: "file",
        name: "sticker.png",
        contentType: "image/png",
        data: Buffer.from(data),
      };
      const post = { body, files: [file], appendToFormData: true, reason };
      const route = Routes.guildStickers(guildId);
      return create({ kind: "sticker", name: body.name, route, post });
    },
  };
}

interface Listed extends ServerExpression {
  /** Missing where the bot may not see it. */
  readonly user?: { readonly id: string };
}

/** What the person may do in the server, as known so far, and what the bot may do, as the interaction says. */
interface Rights extends Pick<MemberAccess, "permissions" | "permissionsUnread"> {
  readonly learnRoles: () => Promise<void>;
  readonly appPermissions: string | undefined;
}

/** Emoji and stickers for one interaction; permissions are checked before anything is sent. */
export function expressionsFor(
  rights: Rights,
  where: ExpressionTarget,
  create: CreateExpressions,
): ServerExpressions {
  async function rightsError(): Promise<BotError | undefined> {
    if (!mayMakeExpressions(rights.permissions)) await rights.learnRoles();
    if (!mayMakeExpressions(rights.permissions)) return rights.permissionsUnread ?? personMayNot();
    // docs/decisions.md#the-bots-own-permissions-are-taken-from-the-interaction
    return mayMakeExpressions(BigInt(rights.appPermissions ?? 0)) ? undefined : botMayNot();
  }
  async function requireRights(): Promise<void> {
    const error = await rightsError();
    if (error !== undefined) throw error;
  }
  return {
    rightsError,
    addEmoji: (emoji) => requireRights().then(() => create.emoji(emoji, where)),
    addSticker: (sticker) => requireRights().then(() => create.sticker(sticker, where)),
  };
}
