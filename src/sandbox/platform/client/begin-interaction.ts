import { randomBytes } from "node:crypto";
import type { APIMessageInteractionMetadata } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import {
  directChannelFor,
  maySee,
  partnerIn,
  permissionsIn,
  shownChannelOrThread,
} from "../channel-access.ts";
import type { ApplicationEndpoints } from "../endpoint/application-endpoints.ts";
import type { PlatformGateway } from "../gateway.ts";
import { ActionError, failInteraction, firstAnswerMs, isTokenAlive } from "../interaction.ts";
import { describeMember } from "../members.ts";
import { samplePermissions } from "../permissions.ts";
import type { InteractionKind, PlatformState, StoredInteraction, StoredMessage } from "../state.ts";

interface NewInteraction {
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

/** The payload's fields about who acts where: a member in a server channel, or a user in direct messages. */
function whereabouts(state: PlatformState, { person, channelId }: StoredInteraction): object {
  const { guild, guildLocale } = state;
  if (partnerIn(state, channelId) !== undefined) {
    return {
      user: state.person(person).user,
      channel: directChannelFor(state, person),
      app_permissions: String(samplePermissions.everyone),
      authorizing_integration_owners: { "0": "0" },
      context: 1,
    };
  }
  const held = permissionsIn(state, channelId, person);
  return {
    guild: { id: guild.guildId, locale: guildLocale, features: [] },
    guild_id: guild.guildId,
    guild_locale: guildLocale,
    member: {
      ...describeMember(state, guild.guildId, state.person(person).user.id),
      permissions: String(held),
    },
    channel: { ...shownChannelOrThread(state, channelId), permissions: String(held) },
    app_permissions: String(permissionsIn(state, channelId, "bot")),
    authorizing_integration_owners: { "0": guild.guildId },
    context: 0,
  };
}

export interface BeginInteractionDeps {
  readonly state: PlatformState;
  readonly gateway: PlatformGateway;
  readonly endpoints: ApplicationEndpoints;
}

/** Sends it over the gateway, or posts it to the application's address, and starts the three seconds. */
export function beginInteraction(
  { state, gateway, endpoints }: BeginInteractionDeps,
  beginning: NewInteraction,
): StoredInteraction {
  const { guild } = state;
  const isDirect = partnerIn(state, beginning.channelId) !== undefined;
  if (!maySee(state, beginning.channelId, beginning.person)) {
    throw new ActionError("You can’t see that channel.");
  }
  if (!isDirect && !state.guildIds.has(guild.guildId)) {
    throw new ActionError("The app is not in this server.");
  }
  // What belongs to no server goes to the first shard.
  const guildId = isDirect ? "0" : guild.guildId;
  const interaction = newInteraction(state, beginning, guildId);
  // Nobody may be awaiting this promise: the page gets failures as events.
  interaction.answered.promise.catch(() => undefined);
  for (const [token, kept] of state.interactions) {
    // Expired tokens are answered like unknown ones, so forgetting them changes nothing.
    if (state.interactions.size < maxKept || isTokenAlive(state, kept)) break;
    state.interactions.delete(token);
  }
  state.interactions.set(interaction.token, interaction);
  const sent = payload(state, interaction, beginning);
  if (endpoints.takesInteractions()) endpoints.deliver(interaction, sent);
  else gateway.dispatch("INTERACTION_CREATE", sent, guildId);
  const late = `within ${firstAnswerMs / 1_000} s`;
  setTimeout(() => failInteraction(state, interaction, late), firstAnswerMs).unref();
  return interaction;
}

function newInteraction(
  state: PlatformState,
  beginning: NewInteraction,
  ownerId: string,
): StoredInteraction {
  const { kind, person, channelId, source, commandName, replyType, focusedType } = beginning;
  const id = state.nextId();
  const metadata = {
    id,
    type: kind,
    user: state.person(person).user,
    authorizing_integration_owners: { "0": ownerId },
    ...beginning.metadata,
  };
  return {
    id,
    token: randomBytes(96).toString("base64url"),
    kind,
    person,
    channelId,
    createdAt: state.now(),
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

function payload(
  state: PlatformState,
  interaction: StoredInteraction,
  { data, source }: NewInteraction,
): object {
  return state.files.present({
    id: interaction.id,
    application_id: state.guild.bot.id,
    type: interaction.kind,
    data,
    ...whereabouts(state, interaction),
    channel_id: interaction.channelId,
    token: interaction.token,
    version: 1,
    locale: state.localeOf(interaction.person),
    entitlements: [],
    entitlement_sku_ids: [],
    attachment_size_limit: state.attachmentLimit,
    ...(source === undefined ? {} : { message: source.message }),
  });
}
