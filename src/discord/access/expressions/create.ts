import { type RawFile, REST, type RESTOptions, Routes } from "discord.js";
import { type Cache, createCache } from "../../../cache.ts";
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
import { botMayNot, isLost, personMayNot, refusalOf, undecided } from "./failure.ts";

interface CreateTools {
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
export interface CreateExpressions {
  emoji(emoji: NewEmoji, where: ExpressionTarget): Promise<ServerExpression>;
  sticker(sticker: NewSticker, where: ExpressionTarget): Promise<ServerExpression>;
}

const tryMs = 15_000;
const longestWaitMs = 3_000;

/**
 * discord.js would send a second emoji after every answer that is lost, and wait an hour for a bucket that is empty:
 * docs/services/discord.md#rate-limits
 */
export function createOnceRest(options: Partial<RESTOptions>): REST {
  const rejectOnRateLimit = ({ retryAfter }: { retryAfter: number }) => retryAfter > longestWaitMs;
  return new REST({ ...options, retries: 0, timeout: tryMs, rejectOnRateLimit });
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

interface CreateDeps extends CreateTools {
  /** Made here recently, so that an earlier one of the same name is not mistaken for the one whose answer was lost. */
  readonly madeCache: Cache<true>;
}

export function createExpressions(tools: CreateTools): CreateExpressions {
  const { now } = tools;
  const madeCache = createCache<true>({ maxSize: maxRemembered, maxAgeMs: 2 * recentMs, now });
  const deps = { ...tools, madeCache };
  return {
    emoji: (emoji, where) => createRemembered(deps, emojiRequest(emoji, where)),
    sticker: (sticker, where) => createRemembered(deps, stickerRequest(sticker, where)),
  };
}

function emojiRequest({ name, data }: NewEmoji, { guildId, reason }: ExpressionTarget): Request {
  const image = `data:image/png;base64,${Buffer.from(data).toString("base64")}`;
  const post = { body: { name, image }, reason };
  return { kind: "emoji", name, route: Routes.guildEmojis(guildId), post };
}

function stickerRequest(sticker: NewSticker, { guildId, reason }: ExpressionTarget): Request {
  const { name, description, tags, data } = sticker;
  // Without its type the file breaks the server (discord/discord-api-docs#3484).
  const file: RawFile = {
    key: "file",
    name: "sticker.png",
    contentType: "image/png",
    data: Buffer.from(data),
  };
  const body = { name, description, tags };
  const post = { body, files: [file], appendToFormData: true, reason };
  return { kind: "sticker", name, route: Routes.guildStickers(guildId), post };
}

async function createRemembered(deps: CreateDeps, request: Request): Promise<ServerExpression> {
  const expression = await create(deps, request);
  deps.madeCache.set(expression.id, true);
  return expression;
}

/** After a lost answer the list is read before it is sent once more. */
async function create(deps: CreateDeps, request: Request): Promise<ServerExpression> {
  const { now } = deps;
  const since = now();
  const refusal = (error: unknown): BotError => refusalOf(error, request.kind, now());
  try {
    return await send(deps, request);
  } catch (lost) {
    if (!isLost(lost)) throw refusal(lost);
    const giveUp = (): never => {
      throw undecided(lost);
    };
    const found = await look(deps, request, since).catch(giveUp);
    if (found !== undefined) return found;
    try {
      return await send(deps, request);
    } catch (error) {
      // Whatever Discord answered to the second try: what the first one made may show up by now.
      const late = await look(deps, request, since).catch(giveUp);
      if (late !== undefined) return late;
      throw isLost(error) ? undecided(lost) : refusal(asMaybeDone(error));
    }
  }
}

async function send({ rest }: CreateDeps, { route, post }: Request): Promise<ServerExpression> {
  const { id, name } = (await rest.post(route, post)) as ServerExpression;
  return { id, name };
}

/** The one that was made although its answer was lost; undefined when there is none. @throws when the list can't be read */
async function look(
  { rest, botId, madeCache, settleMs = 1_000 }: CreateDeps,
  { route, name }: Request,
  since: number,
): Promise<ServerExpression | undefined> {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const all = ((await rest.get(route)) ?? []) as readonly Listed[];
  const found = all.findLast(
    (one) =>
      one.name === name &&
      (one.user?.id ?? botId) === botId &&
      createdAt(one.id) >= since - recentMs &&
      !madeCache.has(one.id),
  );
  return found && { id: found.id, name: found.name };
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
  async function refusal(): Promise<BotError | undefined> {
    if (!mayMakeExpressions(rights.permissions)) await rights.learnRoles();
    if (!mayMakeExpressions(rights.permissions)) return rights.permissionsUnread ?? personMayNot();
    // docs/decisions.md#the-bots-own-permissions-are-taken-from-the-interaction
    const botMay = mayMakeExpressions(BigInt(rights.appPermissions ?? 0));
    return botMay ? undefined : botMayNot();
  }
  async function requireRights(): Promise<void> {
    const refused = await refusal();
    if (refused !== undefined) throw refused;
  }
  return {
    refusal,
    addEmoji: async (emoji) => {
      await requireRights();
      return create.emoji(emoji, where);
    },
    addSticker: async (sticker) => {
      await requireRights();
      return create.sticker(sticker, where);
    },
  };
}
