import type { APIRole } from "discord-api-types/v10";
import { roleIn } from "./channel-access.ts";
import { describeEmoji, describeSticker } from "./expressions.ts";
import type { PlatformState } from "./state.ts";

export function serverName(state: PlatformState, id: string): string {
  return id === state.guild.guildId ? state.guild.serverName : `Server ${id.slice(-6)}`;
}

/** The @everyone role has the id of its server. */
export function shownRole(state: PlatformState, role: APIRole, guildId: string): APIRole {
  const now = roleIn(state, role);
  return role.id === state.guild.guildId ? { ...now, id: guildId } : now;
}

/** A server as its own address and its event show it. */
export function describeGuild(state: PlatformState, id: string): object {
  const { roles, people, channels } = state.guild;
  const { expressions } = state;
  const isReal = id === state.guild.guildId;
  return {
    id,
    name: serverName(state, id),
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: people.owner.user.id,
    application_id: null,
    region: "us-east",
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: channels[0]?.id ?? null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    roles: roles.map((role) => shownRole(state, role, id)),
    default_message_notifications: 0,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: state.guildLocale,
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: isReal
      ? [...expressions.emojis.values()].map((each) => describeEmoji(each, undefined))
      : [],
    stickers: isReal
      ? [...expressions.stickers.values()].map((each) => describeSticker(each, id, undefined))
      : [],
    incidents_data: null,
  };
}
