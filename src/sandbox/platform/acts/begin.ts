import { randomBytes } from "node:crypto";
import type { APIMessageInteractionMetadata } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type { Gateway } from "../gateway.ts";
import {
  ActError,
  expire,
  firstAnswerMs,
  type Interaction,
  type InteractionKind,
  isTokenAlive,
} from "../interaction.ts";
import { memberOf } from "../members.ts";
import { permissions } from "../permissions.ts";
import { directChannelOf, maySee, partnerIn, permissionsIn, shownPlace } from "../places.ts";
import type { StoredMessage, World } from "../world.ts";

interface Beginning {
  readonly kind: InteractionKind;
  readonly person: PersonName;
  readonly channelId: string;
  readonly data: object;
  /** The message a component sits on. */
  readonly source?: StoredMessage;
  /** What this kind's metadata has beyond the common fields. */
  readonly metadata?: object;
  readonly commandName?: string;
  readonly replyType: number;
  readonly focusedType?: number;
}

// A long soak would otherwise keep every interaction it ever made.
const maxKept = 5_000;

/** Dead tokens answer as unknown ones do, so forgetting them changes nothing. */
function forgetDead(world: World): void {
  if (world.interactions.size < maxKept) return;
  for (const [token, interaction] of world.interactions) {
    if (isTokenAlive(world, interaction)) return;
    world.interactions.delete(token);
  }
}

/** Who acts where: a member in a channel of the server, or a user in a conversation with the bot. */
function whereabouts(world: World, { person, channelId }: Interaction): object {
  const { cast, guildLocale } = world;
  if (partnerIn(world, channelId) !== undefined) {
    return {
      user: world.person(person).user,
      channel: directChannelOf(world, person),
      app_permissions: String(permissions.everyone),
      authorizing_integration_owners: { "0": "0" },
      context: 1,
    };
  }
  const held = permissionsIn(world, channelId, person);
  return {
    guild: { id: cast.guildId, locale: guildLocale, features: [] },
    guild_id: cast.guildId,
    guild_locale: guildLocale,
    member: {
      ...memberOf(world, cast.guildId, world.person(person).user.id),
      permissions: String(held),
    },
    channel: { ...shownPlace(world, channelId), permissions: String(held) },
    app_permissions: String(permissionsIn(world, channelId, "bot")),
    authorizing_integration_owners: { "0": cast.guildId },
    context: 0,
  };
}

/** Sends INTERACTION_CREATE and starts the three seconds. */
export function beginInteraction(
  { world, gateway }: { readonly world: World; readonly gateway: Gateway },
  beginning: Beginning,
): Interaction {
  const { cast } = world;
  const isDirect = partnerIn(world, beginning.channelId) !== undefined;
  if (!maySee(world, beginning.channelId, beginning.person)) {
    throw new ActError("No such channel here.");
  }
  if (!isDirect && !world.guildIds.has(cast.guildId)) {
    throw new ActError("The app is not in this server.");
  }
  // What belongs to no server goes to the first shard.
  const guildId = isDirect ? "0" : cast.guildId;
  const interaction = newInteraction(world, beginning, guildId);
  // Nobody may be waiting: the page hears of a failure by an event.
  interaction.answered.promise.catch(() => undefined);
  forgetDead(world);
  world.interactions.set(interaction.token, interaction);
  gateway.dispatch("INTERACTION_CREATE", payload(world, interaction, beginning), guildId);
  setTimeout(() => expire(world, interaction), firstAnswerMs).unref();
  return interaction;
}

function newInteraction(world: World, beginning: Beginning, ownerId: string): Interaction {
  const { kind, person, channelId, source, commandName, replyType, focusedType } = beginning;
  const id = world.nextId();
  const metadata = {
    id,
    type: kind,
    user: world.person(person).user,
    authorizing_integration_owners: { "0": ownerId },
    ...beginning.metadata,
  };
  return {
    id,
    token: randomBytes(96).toString("base64url"),
    kind,
    person,
    channelId,
    createdAt: world.now(),
    state: "open",
    sourceId: source?.message.id,
    originalId: undefined,
    isEphemeral: false,
    followUps: [],
    touched: [],
    lastChange: performance.now(),
    // Each kind adds its own fields; suggestions never become a message.
    metadata: metadata as unknown as APIMessageInteractionMetadata,
    commandName,
    replyType,
    focusedType,
    form: undefined,
    choices: undefined,
    answered: Promise.withResolvers(),
  };
}

function payload(world: World, interaction: Interaction, { data, source }: Beginning): object {
  return world.files.present({
    id: interaction.id,
    application_id: world.cast.bot.id,
    type: interaction.kind,
    data,
    ...whereabouts(world, interaction),
    channel_id: interaction.channelId,
    token: interaction.token,
    version: 1,
    locale: world.localeOf(interaction.person),
    entitlements: [],
    entitlement_sku_ids: [],
    attachment_size_limit: world.attachmentLimit,
    ...(source === undefined ? {} : { message: source.message }),
  });
}
