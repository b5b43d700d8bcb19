import type { PersonName } from "../../types.ts";
import { maySee, permissionsIn, shownChannelOrThread } from "../channel-access.ts";
import type { NewFile } from "../files.ts";
import { ActionError } from "../interaction.ts";
import { describeMember } from "../members.ts";
import { personNames } from "../sample-guild.ts";
import { type PlatformState, personById } from "../state.ts";
import type { PendingUploads } from "./pending-uploads.ts";

type ResolvedValue = Record<string, Record<string, unknown>>;

/** Collects the `resolved` data for ids in an interaction. */
export interface ResolvedEntities {
  user(id: string): void;
  role(id: string): void;
  /** @throws ActionError where it is not one of these types. */
  channel(id: string, types?: readonly unknown[]): void;
  mentionable(id: string): void;
  /** Puts a chosen file on the CDN once `check` let it pass; answers its attachment id. */
  file(id: string, check?: (upload: NewFile) => void): string;
  /** Undefined while there is nothing. */
  value(): ResolvedValue | undefined;
}

interface ResolvedDeps {
  readonly state: PlatformState;
  readonly uploads: PendingUploads;
  readonly person: PersonName;
  /** Where they act. */
  readonly channelId: string;
}

export function createResolvedEntities({
  state,
  uploads,
  person,
  channelId,
}: ResolvedDeps): ResolvedEntities {
  const found: ResolvedValue = {};

  function add(kind: string, id: string, value: unknown): void {
    found[kind] = { ...found[kind], [id]: value };
  }

  const resolved: ResolvedEntities = {
    user(id) {
      const name = personById(state, id);
      if (name === undefined && id !== state.guild.bot.id)
        throw new ActionError("That person isn’t in this server.");
      add("users", id, name === undefined ? state.guild.bot : state.person(name).user);
      const whole = describeMember(state, state.guild.guildId, id);
      if (name === undefined || whole === undefined) return;
      const { user: _, deaf: __, mute: ___, ...member } = whole;
      const permissions = String(permissionsIn(state, channelId, name));
      add("members", id, { ...member, permissions });
    },
    role(id) {
      const role = state.guild.roles.find((each) => each.id === id);
      if (role === undefined) throw new ActionError("That role doesn’t exist here.");
      add("roles", id, role);
    },
    channel(id, types) {
      const channel = maySee(state, id, person) ? shownChannelOrThread(state, id) : undefined;
      if (channel === undefined) throw new ActionError("You can’t see that channel.");
      if (types?.includes(channel.type) === false) {
        throw new ActionError(`"${channel.name}" is the wrong type of channel for this.`);
      }
      add("channels", id, {
        ...channel,
        permissions: String(permissionsIn(state, id, person)),
        app_permissions: String(permissionsIn(state, id, "bot")),
      });
    },
    mentionable(id) {
      const isPerson = personNames.some((name) => state.person(name).user.id === id);
      if (isPerson || id === state.guild.bot.id) resolved.user(id);
      else resolved.role(id);
    },
    file(id, check = () => undefined) {
      const upload = uploads.take(id);
      check(upload);
      const file = state.files.add(upload, state.guild.bot.id, true);
      add("attachments", file.id, state.files.attachment(file));
      return file.id;
    },
    value: () => (Object.keys(found).length > 0 ? found : undefined),
  };
  return resolved;
}
